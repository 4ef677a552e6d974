package notice

import (
	"context"

	"officeconsole/queries/policy"
)

// MostCounted is the number up to which the notices of a status are counted.
const MostCounted = 1000

// Counts are how many notices of a status there are; MostCounted stands for as
// many or more.
type Counts map[Status]int

// Total returns the number of notices that are not deleted, or -1 if a part was
// not counted to its end.
func (c Counts) Total() int { return c.of(Published, Reserved, Expired) }

func (c Counts) of(statuses ...Status) (total int) {
	for _, status := range statuses {
		if c[status] >= MostCounted {
			return -1
		}
		total += c[status]
	}
	return total
}

// Of returns the number of notices of a status, "" for all that are not deleted;
// -1 if they are more than were counted.
func (c Counts) Of(status Status) int {
	switch status {
	case "":
		return c.Total()
	case Deleted:
		return -1
	}
	return c.of(status)
}

// Counts counts the notices of a company by their status.
func (s *Store) Counts(ctx context.Context, companyID int64) (Counts, error) {
	now := s.db.Now()
	row, err := s.countNotices(ctx, countNoticesParams{CompanyID: companyID, Now: now, ExpiredAt: now.Add(-DownloadTime), Most: MostCounted})
	return Counts{Published: int(row.Published), Reserved: int(row.Reserved), Expired: int(row.Expired)}, err
}

// Choices are what the list's filters offer: the departments below the root, and
// the authors of notices.
type Choices struct {
	Departments []policy.UpperDepartment
	Authors     []Author
}

// Author is somebody who has written notices.
type Author = authorsRow

// Choices returns what the filters of the list offer.
func (s *Store) Choices(ctx context.Context, companyID int64) (c Choices, err error) {
	if c.Departments, err = s.policies.UpperDepartments(ctx, companyID); err != nil {
		return c, err
	}
	c.Authors, err = s.authors(ctx, companyID)
	return c, err
}
