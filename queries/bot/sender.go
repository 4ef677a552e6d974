package bot

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/queries/cache"
	"officeconsole/settings"
)

// Refusal is the answer to a call that is not accepted.
type Refusal struct {
	Status     int    // of HTTP
	Code       string // id of a message
	RetryAfter time.Duration
}

func (r Refusal) Error() string { return r.Code }

// Call is a call of a program with a token.
type Call struct {
	Secret  string
	Kind    Kind  // of the token that the URL needs; KindHook accepts every token
	BotID   int64 // in the URL; 0 if there is none
	Address netip.Addr
	Agent   string // User-Agent
}

// Sender is who sends a message. Admit returns one.
type Sender struct {
	companyID, botID int64
	tokenID          int64 // 0 without a token
	kind             Kind
	trigger          string
	receivers        Receivers // of the hook address
	address          netip.Addr
	agent            string
	began            time.Time // by the system's clock, for the duration
}

// What causes a message.
const (
	TriggerCall   = "call"   // of a program
	TriggerTest   = "test"   // an administrator tries it out
	TriggerResend = "resend" // an administrator sends an earlier message again
)

// usePrecision is how exactly the last use of a token is known, so that a token
// in constant use does not write a row for each call.
const usePrecision = time.Minute

// Admit returns who calls. It refuses with Refusal: 401 for a secret that no token
// has or whose token has ended, 403 for a token of another kind, a disabled bot
// and an address that is not allowed, 404 for the token of another bot, 429 for
// too many calls. Refused calls with a token are logged.
func (s *Store) Admit(ctx context.Context, c Call) (Sender, error) {
	began := time.Now()
	hash := sha256.Sum256([]byte(c.Secret))
	valid := func(row senderByHashRow) bool { return row.Version >= s.version(row.CompanyID, cache.Bot) }
	row, err := s.senders.GetValid(ctx, hash, valid, func(ctx context.Context) (senderByHashRow, error) { return s.senderByHash(ctx, hash[:]) })
	if errors.Is(err, queries.NotFound) {
		return Sender{}, Refusal{Status: 401, Code: "bot.token.unknown"}
	}
	if err != nil {
		return Sender{}, err
	}
	now := s.db.Now()
	kind := row.Kind
	if c.Kind == KindHook {
		kind = KindHook
	}
	sender := Sender{
		companyID: row.CompanyID, botID: row.BotID, tokenID: row.TokenID, kind: kind, trigger: TriggerCall,
		receivers: row.HookReceivers, address: c.Address.Unmap().WithZone(""), agent: product(c.Agent), began: began,
	}
	limiter := s.limits.of(row.TokenID)
	if wait := limiter.wait(now); wait > 0 {
		refusal := Refusal{Status: 429, Code: "bot.rate", RetryAfter: wait}
		if limiter.notes.AllowN(now, 1) {
			err = s.LogRefusal(ctx, sender, refusal)
		}
		return sender, errors.Join(refusal, err)
	}
	if row.UsedAt == nil || now.Sub(*row.UsedAt) >= usePrecision {
		if err := s.noteUse(ctx, noteUseParams{CompanyID: row.CompanyID, ID: row.TokenID, Now: &now, UsedFrom: &sender.address, UsedBy: sender.agent}); err != nil {
			return sender, err
		}
		row.UsedAt = &now
		s.senders.Put(hash, row)
	}
	if refusal, refused := judge(row, c, now); refused {
		return sender, errors.Join(refusal, s.LogRefusal(ctx, sender, refusal))
	}
	return sender, nil
}

func judge(row senderByHashRow, c Call, now time.Time) (Refusal, bool) {
	switch {
	case c.BotID != 0 && c.BotID != row.BotID:
		return Refusal{Status: 404, Code: "bot.token.other"}, true
	case row.EndsAt != nil && !now.Before(*row.EndsAt):
		return Refusal{Status: 401, Code: "bot.token.ended"}, true
	case c.Kind != row.Kind && c.Kind != KindHook: // who may write to anybody may write to the receivers of the hook address
		return Refusal{Status: 403, Code: "bot.token.kind"}, true
	case !allows(row.AllowedAddresses, c.Address):
		return Refusal{Status: 403, Code: "bot.address"}, true
	case !row.Enabled:
		return Refusal{Status: 403, Code: "bot.disabled"}, true
	}
	return Refusal{}, false
}

// allows reports whether an address is in one of the ranges, or there are none.
func allows(ranges []string, address netip.Addr) bool {
	return len(ranges) == 0 || slices.ContainsFunc(ranges, func(text string) bool {
		found, code := settings.ParseRange(text)
		return code == "" && found.Contains(address)
	})
}

// longestAgent is how much of a program's name is stored, in characters.
const longestAgent = 40

// product returns the name of the program in a User-Agent: "Alertmanager" of
// "Alertmanager/0.27.0".
func product(userAgent string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(userAgent), "/")
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if runes := []rune(name); len(runes) > longestAgent {
		name = string(runes[:longestAgent])
	}
	return name
}

// LogRefusal adds a call that was refused to the log.
func (s *Store) LogRefusal(ctx context.Context, sender Sender, refusal Refusal) error {
	return s.logRefusal(ctx, sender, Incoming{}, refusal)
}

func (s *Store) logRefusal(ctx context.Context, sender Sender, m Incoming, refusal Refusal) error {
	ids, err := s.nextMessageIDs(ctx, 1)
	if err != nil {
		return err
	}
	arg := insertMessagesParams{CompanyID: sender.companyID}
	arg.add(ids[0], s.db.Now(), sender, m, refusal)
	if err := s.insertMessages(ctx, arg); err != nil {
		slog.WarnContext(ctx, "refused call of a bot is not in the log", "code", refusal.Code, "err", err)
		return err
	}
	return nil
}
