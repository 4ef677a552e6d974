package views

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries/lists"
)

// ListURL returns the address of a list with one more choice: name is set to
// value in chosen, or removed if value is "".
func ListURL(path string, chosen url.Values, name, value string) string {
	chosen.Del(name)
	if value != "" {
		chosen.Set(name, value)
	}
	return WithQuery(path, chosen)
}

// PickedText counts the ticked rows of a list and their people, as the browser does from
// then on, see islands/pick.ts.
func PickedText(ctx context.Context, message string, rows, people int) string {
	number := func(n int) string { return locales.Number(ctx, int64(n)) }
	return strings.NewReplacer("{n}", number(rows), "{people}", number(people)).Replace(locales.T(ctx, message))
}

// NewPager returns the links around a page of a list. Message is the id of
// the message that names the first row, the last row and the total. Address
// returns the address of the list at a cursor, "" being the beginning.
func NewPager[Row any](ctx context.Context, page lists.Page[Row], message string, address func(cursor string) string) Pager {
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

// WithQuery appends a query to a path unless it is empty.
func WithQuery(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// IDText writes an id for an address; "" for 0.
func IDText(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}
