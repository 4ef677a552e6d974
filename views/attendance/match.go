package attendance

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
)

// MatchesShown is how many of the matching records are shown.
const MatchesShown = 50

// Matches are all records that match the filters of the log, edited instead
// of selected ones. The form shows some of them, the refused ones first.
type Matches struct {
	Count    int
	LastEdit int64                // id of the latest edit when the form was opened
	Plan     *attendance.EditPlan // what would be edited; nil until it is known
}

// asked reports whether the form asks for confirmation.
func (m *Matches) asked() bool { return m.Plan != nil && m.Plan.Edited > 0 }

// reasons say why records are left out, the most frequent reason first.
func (m *Matches) reasons(ctx context.Context) []string {
	counts := map[queries.Invalid]int{}
	for _, fields := range m.Plan.Refused {
		counts[fields.First()]++
	}
	ids := slices.SortedFunc(maps.Keys(counts), func(a, b queries.Invalid) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = locales.N(ctx, "attendance.match.reason", counts[id], "Reason", locales.T(ctx, string(id)))
	}
	return texts
}

// send is the text of the button of the form.
func (f EditForm) send(ctx context.Context) string {
	switch {
	case f.Matches == nil:
		return locales.N(ctx, "attendance.edit."+f.Action+".send", len(f.Rows))
	case f.Matches.asked():
		return locales.N(ctx, "attendance.edit."+f.Action+".send", f.Matches.Plan.Edited)
	}
	return locales.T(ctx, "attendance.match.next")
}
