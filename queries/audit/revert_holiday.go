package audit

import (
	"context"

	"officeconsole/queries/policy"
)

// Whoever reverts a change of a holiday has records computed again as the change had.

func (r *reversal) holidayCreation(ctx context.Context) error {
	_, err := r.policy.SaveHoliday(ctx, r.by, policy.HolidayChange{ID: r.change.ObjectID, VersionNo: r.new.VersionNo, Confirmed: true})
	return err
}

func (r *reversal) holidayUpdate(ctx context.Context) error {
	var old policy.HolidayRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	draft, err := old.Draft()
	if err != nil {
		return err
	}
	_, err = r.policy.SaveHoliday(ctx, r.by, policy.HolidayChange{ID: r.change.ObjectID, VersionNo: r.new.VersionNo, Draft: &draft, Confirmed: true})
	return err
}

func (r *reversal) holidayDeletion(ctx context.Context) error {
	var old policy.HolidayRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.policy.RestoreHoliday(ctx, r.by, r.change.ObjectID, old)
}
