package views

import (
	"context"
	"net/url"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
)

// WithChoice is the address of a list with one thing chosen otherwise; ""
// takes a choice back. A cursor does not outlive what it was a cursor of.
func WithChoice(path string, chosen url.Values, name, value string) string {
	chosen.Del(name)
	if value != "" {
		chosen.Set(name, value)
	}
	return WithQuery(path, chosen)
}

// NewPager leads to the pages around one of a list. message is the message of the
// first row, the last one and the number of all; address is that of the list at
// a cursor in its text form, "" for the beginning.
func NewPager[Row any](ctx context.Context, page queries.Page[Row], message string, address func(cursor string) string) Pager {
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

func WithQuery(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// IDText is an id in an address; "" for none.
func IDText(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}
