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

// MatchesShown is how many of the records that match are shown.
const MatchesShown = 50

// Matches are the records that a list has in all, instead of those
// that were picked. The form shows some of them: the refused ones, if there are.
type Matches struct {
	Count    int
	LastEdit int64                // the last edit that there was when the form was opened
	Plan     *attendance.EditPlan // what the question asks about; nil before it
}

// asked reports whether the form asks to go on.
func (m *Matches) asked() bool { return m.Plan != nil && m.Plan.Edited > 0 }

// reasons say why records are left out, the most frequent first.
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

// send is what the button of the form says.
func (f EditForm) send(ctx context.Context) string {
	switch {
	case f.Matches == nil:
		return locales.N(ctx, "attendance.edit."+f.Action+".send", len(f.Rows))
	case f.Matches.asked():
		return locales.N(ctx, "attendance.edit."+f.Action+".send", f.Matches.Plan.Edited)
	}
	return locales.T(ctx, "attendance.match.next")
}
