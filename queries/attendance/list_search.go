package attendance

import (
	"context"
	"math"
	"slices"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// fewPeople is the number of users up to which their records are found one by
// one. For more users it is faster to read the list in order and leave out the
// others.
const fewPeople = 2000

// read returns the next records; fewer than size only at the end of the part.
func (s attendanceStatement) read(ctx context.Context) ([]Row, error) {
	if s.Deleted {
		deleted, err := s.deletedRecordUsers(ctx, deletedRecordUsersParams{s.companyID, s.first.Time(), s.last.Time()})
		if err != nil {
			return nil, err
		}
		s.people = append([]int64{}, deleted...)
	}
	if s.Search.Empty() {
		rows, _, err := s.run(ctx)
		return rows, err
	}
	if s.isGeneric() && s.column() == "name" && !s.descending() && s.people == nil {
		if rows, complete, err := s.alongNames(ctx); err != nil || complete {
			return rows, err
		}
	}
	const near, farther = 10, 40 // multiples of the size
	for _, reach := range []int{near, farther} {
		if s.people != nil {
			break
		}
		s.near = reach * s.size
		rows, seen, err := s.run(ctx)
		if err != nil || len(rows) >= s.size || len(rows) > 0 && seen < s.near {
			return rows, err
		}
		if len(rows)*farther/near < s.size {
			break // matches are too rare to find enough of them in a longer stretch
		}
	}
	s.near = 0
	matching, err := s.matching(ctx)
	if err != nil {
		return nil, err
	}
	if s.people != nil {
		matching = slices.DeleteFunc(slices.Clone(matching), func(id int64) bool { return !slices.Contains(s.people, id) })
	}
	s.people = append([]int64{}, matching...)
	rows, _, err := s.run(ctx)
	return rows, err
}

// matching returns all users whom the search finds, read once for a list.
func (l *attendanceList) matching(ctx context.Context) ([]int64, error) {
	if l.looked {
		return l.found, nil
	}
	found, _, err := l.directory.SearchGrams(ctx, directory.UserSearch{CompanyID: l.companyID, Hidden: true, Search: l.Search, Size: math.MaxInt32}, math.MaxInt32)
	l.found, l.looked = found, err == nil
	return found, err
}

// alongNames searches the directory by name and reads the records of the users
// found. The names in records are those of their date, so it adds the users who
// were renamed since. It reports whether rows is complete.
func (s attendanceStatement) alongNames(ctx context.Context) (rows []Row, complete bool, err error) {
	renamed, err := s.renamed(ctx)
	if err != nil || len(renamed) >= fewPeople/2 {
		return nil, false, err
	}
	asked := directory.UserSearch{CompanyID: s.companyID, Search: s.Search}
	if s.from != nil {
		asked.From = lists.PersonKey{Name: s.from.Name, ID: s.from.UserID - 1} // includes the user of the cursor, whose extra record may come next
	}
	const tries, few = 3, 9 // spare users, in place of those without a record
	for asked.Size = s.size + few; asked.Size <= (s.size+few)<<(2*tries) && asked.Size < fewPeople/2; asked.Size *= 4 {
		found, err := s.findUsers(ctx, asked, s.DirectoryVersion)
		if err != nil {
			return nil, false, err
		}
		s.until = 0
		if len(found) == asked.Size {
			s.until = found[len(found)-1]
		}
		s.people = append(append([]int64{}, found...), renamed...) // not nil, which would mean everybody
		rows, _, err = s.run(ctx)
		if err != nil || len(rows) >= s.size || len(found) < asked.Size {
			return rows, true, err
		}
	}
	return nil, false, nil
}

// renamed returns those users whom the search finds and whose name or
// department has changed since the date. A result of fewPeople/2 or more means
// that there are too many.
func (s *attendanceStatement) renamed(ctx context.Context) ([]int64, error) {
	const most = fewPeople / 2
	changed, err := s.changedUserIDs(ctx, changedUserIDsParams{s.companyID, s.first.Time().AddDate(0, 0, -2), most})
	if err != nil || len(changed) == 0 || len(changed) == most {
		return changed, err
	}
	one, two, three := s.Search.ThreePatterns()
	people, err := New(s.db.GenericPlan()).periodPeople(ctx, periodPeopleParams{CompanyID: s.companyID, Ids: changed, Pattern1: one, Pattern2: two, Pattern3: three, Size: most})
	renamed := make([]int64, len(people))
	for i, p := range people {
		renamed[i] = p.ID
	}
	return renamed, err
}
