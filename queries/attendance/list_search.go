package attendance

import (
	"context"
	"math"
	"slices"

	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// fewPeople are found one by one; of more people, it is quicker to walk along
// the list and leave out the others.
const fewPeople = 2000

// read gives the next records; fewer than size only at the end of the part.
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
	const near, farther = 10, 40 // times what is wanted
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
			break // as rare as it is here, it would not be frequent enough farther on
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

// matching are all people whom the search finds.
func (l *attendanceList) matching(ctx context.Context) ([]int64, error) {
	if l.looked {
		return l.found, nil
	}
	found, _, err := l.directory.SearchGrams(ctx, directory.UserSearch{CompanyID: l.companyID, Hidden: true, Search: l.Search, Size: math.MaxInt32}, math.MaxInt32)
	l.found, l.looked = found, err == nil
	return found, err
}

// alongNames walks along the names of those whom the search finds: they are the
// names of the records but of who was called otherwise on the date. It tells
// whether that led to the end.
func (s attendanceStatement) alongNames(ctx context.Context) (rows []Row, complete bool, err error) {
	renamed, err := s.renamed(ctx)
	if err != nil || len(renamed) >= fewPeople/2 {
		return nil, false, err
	}
	asked := directory.UserSearch{CompanyID: s.companyID, Hidden: true, Search: s.Search}
	if s.from != nil {
		asked.From = lists.PersonKey{Name: s.from.Name, ID: s.from.UserID - 1} // who may have an extra record behind it
	}
	const tries, few = 3, 9 // who have no record
	for asked.Size = s.size + few; asked.Size <= (s.size+few)<<(2*tries) && asked.Size < fewPeople/2; asked.Size *= 4 {
		found, err := s.directory.SearchUserIDs(ctx, asked)
		if err != nil {
			return nil, false, err
		}
		s.until = 0
		if len(found) == asked.Size {
			s.until = found[len(found)-1]
		}
		s.people = append(append([]int64{}, found...), renamed...) // nil would be everybody
		rows, _, err = s.run(ctx)
		if err != nil || len(rows) >= s.size || len(found) < asked.Size {
			return rows, true, err
		}
	}
	return nil, false, nil
}

// renamed are those whom the search finds of the people who were called
// otherwise since the date; fewPeople/2 and more tell that there are too many.
func (s *attendanceStatement) renamed(ctx context.Context) ([]int64, error) {
	const most = fewPeople / 2
	changed, err := s.changedUserIDs(ctx, changedUserIDsParams{s.companyID, s.first.Time().AddDate(0, 0, -2), most})
	if err != nil || len(changed) == 0 || len(changed) == most {
		return changed, err
	}
	one, two, three := s.Search.ThreePatterns()
	people, err := s.periodPeople(ctx, periodPeopleParams{CompanyID: s.companyID, Ids: changed, Pattern1: one, Pattern2: two, Pattern3: three, Size: most})
	renamed := make([]int64, len(people))
	for i, p := range people {
		renamed[i] = p.ID
	}
	return renamed, err
}
