package audit

import (
	"context"

	"officeconsole/queries/bot"
)

func (r *reversal) botUpdate(ctx context.Context) error {
	return revertFields(r, func(edit func(bot.Draft) bot.Draft) error { return r.bots.Update(ctx, r.by, 0, edit) })
}
