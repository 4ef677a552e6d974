package bot

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/search"
	"officeconsole/settings"
)

// Limits of a bot's profile.
const (
	longestName  = 20 // characters (spec §5)
	mostRanges   = 50
	longestRange = 100 // characters
)

// Bot is the service bot of a company.
type Bot struct {
	CompanyID int64
	ID        int64 // of the bot among the users
	Draft
	Image     string // key of a blob; "" for none
	VersionNo int32
	UpdatedAt time.Time
}

// Draft is what somebody enters for a bot.
type Draft struct {
	Name             string    `json:"name"`
	Enabled          bool      `json:"enabled"`
	AllowedAddresses []string  `json:"allowed_addresses"` // IP ranges as typed (settings.ParseRange); none allows every address
	HookReceivers    Receivers `json:"hook_receivers"`    // who gets what comes by the Slack-compatible address
}

// Record is a bot in the change log.
type Record struct {
	Draft
	VersionNo int32 `json:"version_no"`
}

// equal reports whether two drafts say the same.
func (d Draft) equal(other Draft) bool {
	return d.Name == other.Name && d.Enabled == other.Enabled && slices.Equal(d.AllowedAddresses, other.AllowedAddresses) && d.HookReceivers.equal(other.HookReceivers)
}

// Bot returns the bot of a company. The first time it creates the bot.
func (s *Store) Bot(ctx context.Context, companyID int64) (bot Bot, err error) {
	row, err := s.bot(ctx, companyID)
	if !errors.Is(err, queries.NotFound) {
		return newBot(row), err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		bot, err = ensureBot(ctx, tx, companyID, s.db.Now())
		return err
	})
	return bot, err
}

// ensureBot locks the bot of a company and returns it. It creates one where there
// is none.
func ensureBot(ctx context.Context, tx queries.Tx, companyID int64, now time.Time) (Bot, error) {
	q := New(tx)
	if err := q.lockBot(ctx, companyID); err != nil {
		return Bot{}, err
	}
	row, err := q.bot(ctx, companyID)
	if !errors.Is(err, queries.NotFound) {
		return newBot(row), err
	}
	company, err := directory.New(tx).Company(ctx, companyID)
	if err != nil {
		return Bot{}, err
	}
	id, err := directory.CreateBot(ctx, tx, companyID, directory.FirstNames(company.TimeZone).Bot, now)
	if err != nil {
		return Bot{}, err
	}
	if err := q.insertBot(ctx, insertBotParams{CompanyID: companyID, UserID: id, Now: now}); err != nil {
		return Bot{}, err
	}
	row, err = q.bot(ctx, companyID)
	return newBot(row), err
}

func newBot(row botRow) Bot {
	return Bot{
		CompanyID: row.CompanyID, ID: row.UserID, Image: row.Image, VersionNo: row.VersionNo, UpdatedAt: row.UpdatedAt,
		Draft: Draft{row.Name, row.Enabled, row.AllowedAddresses, row.HookReceivers},
	}
}

// Update changes the bot: edit gets what is stored and returns what is to be
// stored. It refuses with FieldErrors of name, allowed_addresses and
// hook_receivers, and with Conflict where ifMatch is neither 0 nor the bot's
// VersionNo.
func (s *Store) Update(ctx context.Context, by queries.Actor, ifMatch int32, edit func(Draft) Draft) error {
	return s.change(ctx, by, func(ctx context.Context, tx queries.Tx, bot Bot) (queries.Change, error) {
		if ifMatch != 0 && ifMatch != bot.VersionNo {
			return queries.Change{}, queries.Conflict("bot.changed")
		}
		draft, err := New(tx).checkDraft(ctx, by.CompanyID, edit(bot.Draft), bot.Draft)
		if err != nil || draft.equal(bot.Draft) {
			return queries.Change{}, err
		}
		if draft.Name != bot.Name {
			if err := directory.RenameBot(ctx, tx, directory.RenamedBot{CompanyID: by.CompanyID, ID: bot.ID, Name: draft.Name}, s.db.Now()); err != nil {
				return queries.Change{}, err
			}
		}
		change := queries.Change{Action: "bot.updated", ObjectName: draft.Name, Old: Record{bot.Draft, bot.VersionNo}, New: Record{draft, bot.VersionNo + 1}}
		bot.Draft = draft
		return change, s.store(ctx, tx, bot)
	})
}

func (s *Store) store(ctx context.Context, tx queries.Tx, bot Bot) error {
	return New(tx).updateBot(ctx, updateBotParams{
		CompanyID: bot.CompanyID, Enabled: bot.Enabled, Image: bot.Image, AllowedAddresses: bot.AllowedAddresses, HookReceivers: bot.HookReceivers, Now: s.db.Now(),
	})
}

// checkDraft returns a draft as it is stored in place of another one. Receivers
// who were valid when they were stored are not checked again: a user among them
// may have been hidden since.
func (q *Queries) checkDraft(ctx context.Context, companyID int64, d, old Draft) (Draft, error) {
	refused := queries.FieldErrors{}
	d.Name = norm.NFC.String(strings.TrimSpace(d.Name))
	switch {
	case search.IsBlank(d.Name):
		refused["name"] = "bot.name.required"
	case utf8.RuneCountInString(d.Name) > longestName:
		refused["name"] = "bot.name.long"
	case !directory.PlainText(d.Name):
		refused["name"] = "bot.name.invalid"
	}
	var code queries.Invalid
	if d.AllowedAddresses, code = checkAddresses(d.AllowedAddresses); code != "" {
		refused["allowed_addresses"] = code
	}
	var unknown UnknownReceivers
	if d.HookReceivers = d.HookReceivers.normalized(); !d.HookReceivers.equal(old.HookReceivers) {
		err := q.checkReceivers(ctx, companyID, d.HookReceivers, old.HookReceivers)
		var invalid queries.Invalid
		switch {
		case errors.As(err, &unknown):
			refused["hook_receivers"] = "bot.receivers.unknown"
		case errors.As(err, &invalid):
			refused["hook_receivers"] = invalid
		case err != nil:
			return d, err
		}
	}
	switch {
	case refused["hook_receivers"] == "bot.receivers.unknown":
		return d, errors.Join(refused, unknown)
	case len(refused) > 0:
		return d, refused
	}
	return d, nil
}

// checkAddresses returns ranges as they are stored, or the id of the message why they
// are refused.
func checkAddresses(ranges []string) ([]string, queries.Invalid) {
	checked := []string{}
	for _, text := range ranges {
		found, code := settings.ParseRange(text)
		if code != "" || len(found.Text) > longestRange {
			return ranges, "bot.addresses.invalid"
		}
		checked = append(checked, found.Text)
	}
	if len(checked) > mostRanges {
		return ranges, "bot.addresses.many"
	}
	return checked, ""
}
