package attendance

import (
	"context"

	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// PastPreview is what a change of policies for dates of the past would do to records.
type PastPreview struct {
	RecordSums
	First   workday.Date // the first date that changes
	IsExact bool         // otherwise the sums are those of the first people only
}

// A preview is exact up to a number of people of the company, and of days of them
// that have to be computed.
const (
	mostPreviewedPeople = 20_000
	mostPreviewedDays   = 20_000
)

// PreviewPast returns what a change of policies for dates of the past would do to
// records, and writes nothing.
func (s *Store) PreviewPast(ctx context.Context, companyID int64, change policy.PastChange) (PastPreview, error) {
	return s.previewPast(ctx, companyID, change, mostPreviewedDays)
}

func (s *Store) previewPast(ctx context.Context, companyID int64, change policy.PastChange, mostDays int) (PastPreview, error) {
	p := PastPreview{First: change.First}
	c := newPolicyChange(change.First, change.PolicyIDs, change.After)
	// The cache must not get a version that may never be stored.
	versions := map[*policy.Span]*recordPolicy{}
	c.version = func(span *policy.Span) (_ *recordPolicy, err error) {
		if versions[span] == nil {
			versions[span], err = newRecordPolicy(span.PolicyID, span.No, span.Settings(), change.After.Holidays)
		}
		return versions[span], err
	}
	first, last, err := s.recordedDates(ctx, companyID, change.First)
	if err != nil || first > last {
		p.IsExact = err == nil
		return p, err
	}
	size := min(s.mostRecomputed, max(1, recomputeDays/int(last-first+1)))
	for people, after := 0, int64(0); people < mostPreviewedPeople && p.days <= mostDays; people += size {
		ids, err := s.nextRecomputed(ctx, nextRecomputedParams{CompanyID: companyID, AfterID: after, Size: int32(size)})
		if err != nil {
			return p, err
		}
		if len(ids) == 0 {
			p.IsExact = true
			return p, nil
		}
		d, err := s.unlockedDerivation(ctx, s.Queries, companyID, ids)
		if err != nil {
			return p, err
		}
		d.change, after = c, ids[len(ids)-1]
		if err := d.deriveChange(ctx, ids, first-windowReach, last, &p.RecordSums, true); err != nil {
			return p, err
		}
	}
	return p, nil
}

// recordedDates returns the dates of a company's records from a date on.
func (s *Store) recordedDates(ctx context.Context, companyID int64, from workday.Date) (first, last workday.Date, err error) {
	row, err := s.recordDates(ctx, companyID)
	return max(from, workday.DateOf(row.First)), workday.DateOf(row.Last), err
}
