package notice

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/workday"
)

// Coverage is how far a notice has reached those who may read it. Its numbers are
// of the people of now: somebody who leaves no longer counts.
type Coverage struct {
	Recipients, Readers, Downloads int64
	Points                         []CoveragePoint // from the publication until now, in order
	Working                        []workday.WorkingTime
	Reminders                      []Reminder
	Department                     policy.TreeDepartment // that the shares are of
	Path                           []policy.TreeDepartment
	Departments                    []DepartmentCoverage // the highest share first
}

// CoveragePoint is how many had read a notice at a time.
type CoveragePoint struct {
	At      time.Time
	Readers int64
}

// DepartmentCoverage is the share of a department with all below it. Own is true
// for the users of the upper department itself.
type DepartmentCoverage struct {
	ID                  int64
	Name                string
	Recipients, Readers int64
	Own                 bool
}

// Unread returns how many have not read it.
func (c Coverage) Unread() int64 { return c.Recipients - c.Readers }

// Percent returns the share of readers in whole percents, rounded down so that only
// everybody is 100; 0 without recipients.
func Percent(readers, recipients int64) int64 {
	if recipients == 0 {
		return 0
	}
	return 100 * readers / recipients
}

// Percent returns the share of the department in whole percents.
func (d DepartmentCoverage) Percent() int64 { return Percent(d.Readers, d.Recipients) }

// coveragePoints is the number of points of a picture; coverageDays how long it
// goes on after the publication, after which hardly anybody reads a notice.
const (
	coveragePoints = 120
	coverageDays   = 28
)

// Coverage returns the coverage of a published notice, with the departments below
// one; 0 chooses the lowest department that all of its people belong to.
func (s *Store) Coverage(ctx context.Context, p directory.Person, n Notice, departmentID int64) (Coverage, error) {
	var c Coverage
	tree, err := s.policies.Tree(ctx, p)
	if err != nil {
		return c, err
	}
	end := n.PublishAt.AddDate(0, 0, coverageDays)
	if now := s.db.Now(); now.Before(end) {
		end = now
	}
	span := max(time.Minute, end.Sub(n.PublishAt)/coveragePoints).Truncate(time.Second)
	readers, err := s.countReaders(ctx, countReadersParams{Seconds: span.Seconds(), CompanyID: n.CompanyID, ID: n.ID})
	if err != nil {
		return c, err
	}
	c.addPoints(n.PublishAt, end, span, readers)
	rows, err := s.departmentsOf(ctx, tree, n, readers)
	if err != nil {
		return c, err
	}
	for _, row := range rows {
		c.Recipients, c.Readers = c.Recipients+row.recipients, c.Readers+row.readers
	}
	c.divide(tree, rows, departmentID)
	if c.Downloads, err = s.countDownloads(ctx, countDownloadsParams{n.CompanyID, n.ID}); err != nil {
		return c, err
	}
	if c.Reminders, err = s.Reminders(ctx, RemindersParams{n.CompanyID, n.ID}); err != nil {
		return c, err
	}
	c.Working, err = s.companyHours(ctx, p, c.Points)
	return c, err
}

// departmentReach is how many of a department's own users a notice is for, and how
// many of them have read it.
type departmentReach struct{ id, recipients, readers int64 }

// departmentsOf returns the departments with users whom a notice is for, who are
// counted by the tree, and how many have read it.
func (s *Store) departmentsOf(ctx context.Context, tree policy.Tree, n Notice, readers []countReadersRow) ([]departmentReach, error) {
	var targets []targetsOfNoticesRow
	if !n.Everyone {
		var err error
		if targets, err = s.targetsOfNotices(ctx, targetsOfNoticesParams{CompanyID: n.CompanyID, NoticeIds: []int64{n.ID}}); err != nil {
			return nil, err
		}
	}
	reached := map[int64]departmentReach{}
	for id, people := range (headcount{Tree: tree}).departments(n.Everyone, targets) {
		reached[id] = departmentReach{id, reached[id].recipients + people, 0}
	}
	for _, row := range readers {
		if row.DepartmentID == 0 {
			continue
		}
		// The tree may be a moment older than the statement.
		recipients := max(row.Readers, reached[row.DepartmentID].recipients)
		reached[row.DepartmentID] = departmentReach{row.DepartmentID, recipients, row.Readers}
	}
	return slices.Collect(maps.Values(reached)), nil
}

// addPoints adds how many had read the notice over time, by the spans of rows.
func (c *Coverage) addPoints(publishAt, end time.Time, span time.Duration, rows []countReadersRow) {
	if !end.After(publishAt) {
		return
	}
	c.Points = append(c.Points, CoveragePoint{publishAt, 0})
	sum, last := int64(0), publishAt
	for _, row := range rows {
		if row.DepartmentID != 0 {
			continue
		}
		if row.Span.After(last) && row.Span.Before(end) { // nobody read it since the span before
			c.Points = append(c.Points, CoveragePoint{row.Span, sum})
		}
		sum += row.Readers
		if last = row.Span.Add(span); last.Before(end) {
			c.Points = append(c.Points, CoveragePoint{last, sum})
		}
	}
	c.Points = append(c.Points, CoveragePoint{end, sum})
}

// companyHours returns the working times of the company's default policy during
// the points.
func (s *Store) companyHours(ctx context.Context, p directory.Person, points []CoveragePoint) ([]workday.WorkingTime, error) {
	if len(points) == 0 {
		return nil, nil
	}
	now := s.db.Now()
	timeline, err := s.policies.Timeline(ctx, policy.TimelineRequest{CompanyID: p.CompanyID, Kind: string(settings.WorkingAttitude), PolicyVersion: p.PolicyVersion, At: now})
	if err != nil {
		return nil, err
	}
	version := timeline.DefaultInForce(now)
	if version == nil {
		return nil, nil
	}
	hours, err := workday.ReadPolicy(version.Settings().Complete())
	if err != nil {
		return nil, err
	}
	from, to := points[0].At, points[len(points)-1].At
	hours = timeline.Holidays.Extend(hours)
	return hours.WorkingTimes(workday.DateOf(from.In(hours.Zone))-1, workday.DateOf(to.In(hours.Zone))), nil
}

// divide sets the shares of the departments directly below one, and of its own
// people.
func (c *Coverage) divide(tree policy.Tree, rows []departmentReach, departmentID int64) {
	// The tree may be a moment older than a department.
	rows = slices.DeleteFunc(rows, func(row departmentReach) bool { return tree.Department(row.id) == nil })
	department := tree.Department(departmentID)
	if department == nil {
		department = tree.Department(commonDepartment(tree, rows))
	}
	if department == nil {
		return
	}
	c.Department = *department
	for _, id := range department.Ancestors {
		if d := tree.Department(id); d != nil {
			c.Path = append(c.Path, *d)
		}
	}
	depth := len(department.Ancestors)
	sums := map[int64]*DepartmentCoverage{}
	for _, row := range rows {
		ancestors := tree.Ancestors(row.id)
		if len(ancestors) < depth || ancestors[depth-1] != department.ID {
			continue
		}
		id := ancestors[min(depth, len(ancestors)-1)]
		sum := sums[id]
		if sum == nil {
			sum = &DepartmentCoverage{ID: id, Name: tree.Department(id).Name, Own: id == department.ID}
			sums[id] = sum
		}
		sum.Recipients, sum.Readers = sum.Recipients+row.recipients, sum.Readers+row.readers
	}
	for _, sum := range sums {
		c.Departments = append(c.Departments, *sum)
	}
	slices.SortFunc(c.Departments, func(a, b DepartmentCoverage) int {
		return cmp.Or(cmp.Compare(b.Readers*a.Recipients, a.Readers*b.Recipients), strings.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
}

// commonDepartment returns the lowest department that every counted user belongs
// to; 0 without any.
func commonDepartment(tree policy.Tree, rows []departmentReach) int64 {
	var common []int64
	for i, row := range rows {
		ancestors := tree.Ancestors(row.id)
		if i == 0 {
			common = ancestors
		}
		n := 0
		for n < min(len(common), len(ancestors)) && common[n] == ancestors[n] {
			n++
		}
		common = common[:n]
	}
	if len(common) == 0 {
		return 0
	}
	return common[len(common)-1]
}
