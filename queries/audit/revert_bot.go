package audit

import (
	"context"

	"officeconsole/queries/bot"
)

func (r *reversal) botUpdate(ctx context.Context) error {
	var old bot.Record
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.bots.Update(ctx, r.by, r.new.VersionNo, func(bot.Draft) bot.Draft { return old.Draft })
}
