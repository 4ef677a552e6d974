package notice

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/search"
	"officeconsole/workday"
)

// Longest texts of a notice, in characters.
const (
	MaxTitle = 100
	MaxBody  = 20_000
)

// Draft is a notice as somebody wants to save it.
type Draft struct {
	Title         string     `json:"title"` // 1 to MaxTitle characters
	Body          string     `json:"body"`  // Markdown, 1 to MaxBody characters
	Targets       Targets    `json:"targets"`
	PublishAt     *time.Time `json:"publish_at"`     // after the moment of saving, at most a year ahead; nil publishes at once
	AttachmentIDs []int64    `json:"attachment_ids"` // in their order: uploads, or files of any notice of the company
}

// normalized returns the draft with texts as they are stored.
func (d Draft) normalized() Draft {
	d.Title = norm.NFC.String(strings.TrimSpace(d.Title))
	d.Body = norm.NFC.String(strings.TrimRight(strings.ReplaceAll(d.Body, "\r\n", "\n"), " \t\n"))
	d.Targets = d.Targets.normalized()
	if len(d.AttachmentIDs) == 0 {
		d.AttachmentIDs = nil
	}
	if d.PublishAt != nil {
		at := d.PublishAt.UTC().Truncate(time.Microsecond)
		d.PublishAt = &at
	}
	return d
}

// checkTexts refuses a title or body that cannot be stored.
func (d Draft) checkTexts(refused queries.FieldErrors) {
	switch length := utf8.RuneCountInString(d.Title); {
	case search.IsBlank(d.Title):
		refused["title"] = "notice.title.required"
	case length > MaxTitle:
		refused["title"] = "notice.title.too_long"
	case !directory.PlainText(d.Title):
		refused["title"] = "notice.title.invalid"
	}
	switch length := utf8.RuneCountInString(d.Body); {
	case search.IsBlank(d.Body):
		refused["body"] = "notice.body.required"
	case length > MaxBody:
		refused["body"] = "notice.body.too_long"
	case !directory.PlainText(strings.NewReplacer("\n", "", "\t", "").Replace(d.Body)):
		refused["body"] = "notice.body.invalid"
	}
}

// checkPublication refuses a reservation at or before the moment of registration
// (spec §5), and one more than a year ahead.
func (d Draft) checkPublication(now time.Time, refused queries.FieldErrors) {
	switch {
	case d.PublishAt == nil:
	case !d.PublishAt.After(now):
		refused["publish_at"] = "notice.publish_at.past"
	case d.PublishAt.After(now.AddDate(1, 0, 0)):
		refused["publish_at"] = "notice.publish_at.too_late"
	}
}

// CheckDraft refuses a draft as Create does or, for the notice with an id that is not
// 0, as Update does, with FieldErrors of title, body, targets, publish_at and
// attachment_ids, and saves nothing.
func (s *Store) CheckDraft(ctx context.Context, companyID, id int64, d Draft) error {
	return s.inTx(ctx, func(ctx context.Context, q *Queries, _ *queries.Queries) error {
		_, _, err := q.checkDraft(ctx, Notice{CompanyID: companyID, ID: id}, d, s.db.Now())
		return err
	})
}

// checkDraft returns a draft as it is stored for a notice, whose ID is 0 for a
// new one, and its files; or FieldErrors.
func (q *Queries) checkDraft(ctx context.Context, n Notice, d Draft, now time.Time) (Draft, []attachable, error) {
	d = d.normalized()
	refused := queries.FieldErrors{}
	d.checkTexts(refused)
	d.checkPublication(now, refused)
	if err := q.checkTargets(ctx, n, d.Targets, refused); err != nil {
		return d, nil, err
	}
	files, err := q.attachables(ctx, n, d.AttachmentIDs, now)
	if refusal := queries.Invalid(""); errors.As(err, &refusal) {
		refused["attachment_ids"] = refusal
	} else if err != nil {
		return d, nil, err
	}
	if len(refused) > 0 {
		return d, nil, refused
	}
	return d, files, nil
}

// ParseReservation returns the time of a reservation that was entered as a date
// ("2026-11-24") and a time ("09:00") by the clocks of a company. It refuses with
// Invalid what is missing or wrong, and a time that summer time skips.
func ParseReservation(date, clock string, zone *time.Location) (time.Time, error) {
	if date == "" || clock == "" {
		return time.Time{}, queries.Invalid("notice.publish_at.required")
	}
	if len(clock) == len("09:00:00") { // as browsers send it after a step of seconds
		clock = clock[:len("09:00")]
	}
	at, err := workday.ParseLocal(date+"T"+clock, zone)
	switch {
	case errors.Is(err, workday.ErrSkippedTime):
		return at, queries.Invalid("notice.publish_at.skipped")
	case err != nil:
		return at, queries.Invalid("notice.publish_at.invalid")
	}
	return at, nil
}
