package bot

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/lists"
)

// KeepTime is how long messages are in the log.
const KeepTime = 30 * 24 * time.Hour

// Statuses that a log can be filtered by.
const (
	StatusAccepted = "accepted"
	StatusRefused  = "refused"
)

// MessageList is the list name of the cursors of the log.
const MessageList = "bot"

// Filter is what somebody chose for the log of a company's bot.
type Filter struct {
	Status string // one of the statuses, or "" for all
	Kind   Kind   // "" for every kind
	Cursor *lists.Cursor
	Limit  int
}

// ReadFilter reads the address of the log: status, kind and cursor. What cannot
// have been chosen is refused by FieldErrors; the rest is read all the same.
func ReadFilter(query url.Values) (Filter, error) {
	r := lists.AddressReader{Query: query}
	f := Filter{Status: lists.OneOf(&r, "status", []string{StatusAccepted, StatusRefused}), Kind: lists.OneOf(&r, "kind", Kinds), Cursor: r.Cursor(MessageList)}
	if !f.Cursor.IsStart() {
		if _, err := f.Cursor.Time(); err != nil {
			r.Refuse("cursor")
			f.Cursor = nil
		}
	}
	return f, r.Err()
}

// Values returns the parameters that ReadFilter reads, without the cursor.
func (f Filter) Values() url.Values {
	query := url.Values{}
	lists.SetText(query, "status", f.Status)
	lists.SetText(query, "kind", string(f.Kind))
	return query
}

// Messages lists what was sent through a company's bot, the newest first.
func (s *Store) Messages(ctx context.Context, companyID int64, f Filter) (lists.Page[Message], error) {
	var page lists.Page[Message]
	if err := f.Cursor.Check(MessageList); err != nil {
		return page, err
	}
	statement := "select * from bot_messages where company_id = $1 and at > $2"
	args := []any{companyID, s.db.Now().Add(-KeepTime)}
	where := func(condition string, values ...any) {
		numbers := make([]any, len(values))
		for i, value := range values {
			args = append(args, value)
			numbers[i] = len(args)
		}
		statement += " and " + fmt.Sprintf(condition, numbers...)
	}
	switch f.Status {
	case StatusAccepted:
		where("accepted")
	case StatusRefused:
		where("not accepted")
	}
	if f.Kind != "" {
		where("kind = $%d", string(f.Kind))
	}
	comparison, direction := "<", "desc"
	if f.Cursor.IsBackward() {
		comparison, direction = ">", "asc"
	}
	if !f.Cursor.IsStart() {
		at, err := f.Cursor.Time()
		if err != nil {
			return page, err
		}
		where("(at, id) "+comparison+" ($%d, $%d)", at, f.Cursor.ID)
	}
	args = append(args, f.Limit+1)
	statement += fmt.Sprintf(" order by at %s, id %s limit $%d", direction, direction, len(args))
	rows, err := s.Queries.db.Query(ctx, statement, args...)
	if err != nil {
		return page, fmt.Errorf("messages of the bot: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Message])
	if err != nil {
		return page, fmt.Errorf("messages of the bot: %w", err)
	}
	return lists.NewPage(found, f.Cursor, f.Limit, func(m Message) lists.Cursor {
		return lists.TimeCursor(MessageList, m.At, m.ID)
	}), nil
}
