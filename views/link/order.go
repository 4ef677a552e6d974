package link

import (
	"context"

	"github.com/a-h/templ"

	"officeconsole/locales"
)

// rowPosition is the position of a row in an ordered list, and the rows that it
// would follow one step up or down.
type rowPosition struct {
	id              string
	number          int // from 1
	up, down        string
	isFirst, isLast bool
}

// newRowPosition returns the position of the row at an index. First is what the
// first row follows.
func newRowPosition(ids []string, at int, first string) rowPosition {
	p := rowPosition{id: ids[at], number: at + 1, up: first, isFirst: at == 0, isLast: at == len(ids)-1}
	if at > 1 {
		p.up = ids[at-2]
	}
	if !p.isLast {
		p.down = ids[at+1]
	}
	return p
}

// numbered has the number of the row in the whole list, of which a filter shows a part.
func (p rowPosition) numbered(position int32) rowPosition {
	p.number = int(position)
	return p
}

// orderAttributes are the texts that islands/order.ts announces; nil where
// nothing can be moved.
func orderAttributes(ctx context.Context, canOrder bool) templ.Attributes {
	if !canOrder {
		return nil
	}
	return templ.Attributes{
		"data-order":           "",
		"data-order-taken":     locales.T(ctx, "link.order.taken"),
		"data-order-moved":     locales.T(ctx, "link.order.moved"),
		"data-order-dropped":   locales.T(ctx, "link.order.dropped"),
		"data-order-cancelled": locales.T(ctx, "link.order.cancelled"),
	}
}

// behindLocked is the position of a service, none of which moves before the first.
func (p rowPosition) behindLocked() rowPosition {
	p.isFirst = p.number == 2
	return p
}
