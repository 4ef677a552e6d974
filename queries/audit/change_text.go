package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/search"
)

// textBatch is the number of changes that get their search texts in a transaction.
const textBatch = 500

// The limits of a search text: how many values of a change it has, and how many
// characters of each.
const (
	maxTextValues = 100
	maxTextValue  = 1000
)

// WriteTexts writes the search texts of all changes that have none.
func (s *Store) WriteTexts(ctx context.Context) error {
	companies, err := s.companiesWithoutTexts(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range companies {
		for count := textBatch; count == textBatch && err == nil; {
			count, err = s.writeTexts(ctx, id)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("company %d: %w", id, err))
		}
	}
	return errors.Join(failed...)
}

// writeTexts writes the search texts of the next changes of a company, and returns
// how many these are.
func (s *Store) writeTexts(ctx context.Context, companyID int64) (count int, err error) {
	return count, s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q := New(tx)
		end, err := q.lockTexts(ctx, companyID)
		if err != nil {
			return err
		}
		rows, err := q.hashedChanges(ctx, hashedChangesParams{CompanyID: companyID, No: end, Size: textBatch})
		if err != nil || len(rows) == 0 {
			return err
		}
		texts := make([]copyTextsParams, len(rows))
		first, last := rows[0].Change.At, rows[0].Change.At
		for i, row := range rows {
			c := row.Change
			texts[i] = copyTextsParams{CompanyID: c.CompanyID, At: c.At, ChangeID: c.ID}
			if texts[i].Text, texts[i].Grams, err = c.searchKey(); err != nil {
				return err
			}
			if c.At.Before(first) {
				first = c.At
			}
			if c.At.After(last) {
				last = c.At
			}
		}
		if err := queries.New(tx).EnsurePartitionsOf(ctx, "change_texts", first, last); err != nil {
			return err
		}
		if _, err := q.copyTexts(ctx, texts); err != nil {
			return err
		}
		count = len(rows)
		return q.setTextEnd(ctx, setTextEndParams{CompanyID: companyID, No: rows[count-1].No})
	})
}

// searchKey returns what is stored for a search of the change: the names of its object
// and actor, and the texts that it added or removed.
func (c Change) searchKey() (text string, grams []int32, err error) {
	var before, after any
	if err := decode(c, &before, &after); err != nil {
		return "", nil, err
	}
	removed, added := map[string]bool{}, map[string]bool{}
	collectTexts(before, removed)
	collectTexts(after, added)
	delete(removed, c.ObjectName)
	delete(added, c.ObjectName)
	var values []string
	for value := range removed {
		if !added[value] {
			values = append(values, value)
		}
	}
	for value := range added {
		if !removed[value] {
			values = append(values, value)
		}
	}
	slices.Sort(values) // so that a change always has the same text
	texts := append([]string{c.ObjectName, c.ActorName}, values[:min(len(values), maxTextValues)]...)
	text, grams = search.NumberedKey(texts...)
	return text, grams, nil
}

// collectTexts adds the texts in a decoded JSON value to a set. Times are left out,
// because they are stored in another form than they are shown.
func collectTexts(value any, texts map[string]bool) {
	switch value := value.(type) {
	case string:
		if _, err := time.Parse(time.RFC3339Nano, value); err != nil {
			runes := []rune(value)
			texts[string(runes[:min(len(runes), maxTextValue)])] = true
		}
	case []any:
		for _, element := range value {
			collectTexts(element, texts)
		}
	case map[string]any:
		for _, element := range value {
			collectTexts(element, texts)
		}
	}
}
