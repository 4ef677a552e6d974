package views

import (
	"context"
	"net/url"

	"officeconsole/locales"
	"officeconsole/queries/lists"
)

// chosenOtherwise is the address of a list with one thing chosen otherwise; ""
// takes a choice back. A cursor does not outlive what it was a cursor of.
func chosenOtherwise(path string, chosen url.Values, name, value string) string {
	chosen.Del(name)
	if value != "" {
		chosen.Set(name, value)
	}
	return withQuery(path, chosen)
}

// pagerOf leads to the pages around one of a list. message is the message of the
// first row, the last one and the number of all; address is that of the list at
// a cursor in its text form, "" for the beginning.
func pagerOf[Row any](ctx context.Context, page lists.Page[Row], message string, address func(cursor string) string) Pager {
	var p Pager
	if page.Previous != nil {
		p.Previous = address(page.Previous.String())
	}
	if page.Next != nil {
		p.Next = address(page.Next.String())
	}
	if page.First == 0 {
		return p
	}
	last, total := page.First+len(page.Rows)-1, page.Total
	if total < 0 && page.Next == nil {
		total = last
	}
	first, end := locales.Number(ctx, int64(page.First)), locales.Number(ctx, int64(last))
	if total < last {
		p.Text = locales.T(ctx, "status.range.open", "First", first, "Last", end)
	} else {
		p.Text = locales.T(ctx, message, "First", first, "Last", end, "Total", locales.Number(ctx, int64(total)))
	}
	return p
}
