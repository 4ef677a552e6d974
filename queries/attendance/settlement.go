package attendance

import (
	"context"
	"slices"
	"time"

	"officeconsole/workday"
)

// settlePeriods gives the overtime of settlement periods that ended from one date to another
// to the last record of whoever has none on the last date (domain §6): those who left, and
// those whose record was deleted. Everybody else has it since that record was created.
func (s *Store) settlePeriods(ctx context.Context, companyID int64, zone *time.Location, first, last workday.Date) error {
	earliest := first - mostSettled
	rows, err := s.lastSettled(ctx, lastSettledParams{
		CompanyID: companyID, HiddenSince: new(earliest.At(0, zone)), Earliest: earliest.Time(), First: first.Time(), Last: last.Time(),
	})
	if err != nil {
		return err
	}
	for _, row := range rows {
		for ids := range slices.Chunk(row.UserIds, settleStep) {
			if err := s.rederive(ctx, companyID, ids, workday.DateOf(row.WorkDate)); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostSettled is the number of days of the longest settlement period.
const mostSettled = 31
