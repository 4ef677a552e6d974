package queries

import (
	"context"
	"slices"
	"time"

	"officeconsole/workday"
)

// fewIDs is up to how many people are looked up by id rather than passed by.
const fewIDs = 2000

// next gives the people behind a place who may have something to show, and the
// place behind them. There are three ways to them: those who exceed the hours,
// if they are few; along the directory; along the statuses of the days, for all
// of the company and for what is so rare that the directory shows too few.
func (r *periodReader) next(ctx context.Context, after DirectoryPlace) (people []periodPeopleRow, place DirectoryPlace, end bool, err error) {
	const tries = 3 // of the directory, each four times as large, before statuses are walked along
	selective := r.filter.Status != "" || r.filter.Edited
	size := min(fewIDs, max(r.filter.Size, 20)<<(2*min(r.stepped, tries)))
	r.stepped++
	switch {
	case r.over != nil && len(r.over) <= fewIDs:
		people, err = r.people(ctx, periodPeopleParams{Ids: r.over, AfterName: after.Name, AfterID: after.ID, Size: int32(size)})
		place, end = lastPlace(people), len(people) < size
	case selective && (r.stepped > tries || r.filter.Search.Empty() && r.within == nil):
		people, place, end, err = r.alongDays(ctx, after, size)
	default:
		people, end, err = r.alongDirectory(ctx, after, size)
		place, end = lastPlace(people), end || len(people) == 0
	}
	if err == nil && r.over != nil {
		people = slices.DeleteFunc(people, func(p periodPeopleRow) bool {
			_, in := slices.BinarySearch(r.over, p.ID)
			return !in
		})
	}
	if err == nil && selective {
		people, err = r.matching(ctx, people)
	}
	return people, place, end, err
}

func lastPlace(people []periodPeopleRow) DirectoryPlace {
	if len(people) == 0 {
		return DirectoryPlace{}
	}
	last := people[len(people)-1]
	return DirectoryPlace{last.Name, last.ID}
}

// people completes the parameters: the filter's search, and whoever the
// directory does not show where they were in the period.
func (r *periodReader) people(ctx context.Context, arg periodPeopleParams) ([]periodPeopleRow, error) {
	arg.CompanyID = r.reader.CompanyID
	arg.Pattern1, arg.Pattern2, arg.Pattern3 = r.filter.Search.Patterns()
	return New(freshlyPlanned{r.pool}).periodPeople(ctx, arg)
}

// since is a time from which changes of the directory matter to the period.
// Records are made ahead, and dates begin elsewhere before they do in Greenwich.
func (r *periodReader) since() time.Time { return (r.filter.First - 2).Time() }

func (r *periodReader) alongDirectory(ctx context.Context, after DirectoryPlace, size int) (people []periodPeopleRow, end bool, err error) {
	arg := periodPeopleParams{AfterName: after.Name, AfterID: after.ID, Size: int32(size), Since: r.since()}
	if r.within == nil || len(r.within) > 0 {
		arg.Ids, err = r.directoryUserIDs(ctx, DirectoryFilter{
			CompanyID: r.reader.CompanyID, Scope: r.scope.Scope, DepartmentID: r.filter.DepartmentID, Search: r.filter.Search, Hidden: true,
		}, after, int32(size))
		if err != nil {
			return nil, false, err
		}
	}
	arg.DepartmentIds = r.within
	if r.within != nil {
		arg.Self = r.reader.ID
	}
	people, err = r.people(ctx, arg)
	return people, len(arg.Ids) < size && len(people) < size, err
}

// alongDays walks along the names of the records of each day. They are the names
// of that day: who is called otherwise now comes by the history, at the place of
// the present name.
func (r *periodReader) alongDays(ctx context.Context, after DirectoryPlace, size int) (people []periodPeopleRow, place DirectoryPlace, end bool, err error) {
	var next []peopleOfStatusRow
	dates := r.dates()
	q := New(freshlyPlanned{r.pool})
	first, last := r.filter.First.Time(), r.filter.Last.Time()
	if r.filter.Status != "" {
		next, err = q.peopleOfStatus(ctx, peopleOfStatusParams{
			CompanyID: r.reader.CompanyID, Dates: dates, Statuses: r.filter.statuses(), First: first, Last: last,
			Everybody: r.within == nil, DepartmentIds: r.within, AfterName: after.Name, AfterID: after.ID, Size: int32(size),
		})
	} else {
		var edited []peopleEditedRow
		edited, err = q.peopleEdited(ctx, peopleEditedParams{
			CompanyID: r.reader.CompanyID, Dates: dates, First: first, Last: last,
			Everybody: r.within == nil, DepartmentIds: r.within, AfterName: after.Name, AfterID: after.ID, Size: int32(size),
		})
		for _, e := range edited {
			next = append(next, peopleOfStatusRow(e))
		}
	}
	if err != nil {
		return nil, after, false, err
	}
	arg := periodPeopleParams{AfterName: after.Name, AfterID: after.ID, Size: fewIDs, Renamed: true, Since: r.since()}
	for _, n := range next {
		arg.Ids = append(arg.Ids, n.UserID)
	}
	if r.within != nil {
		arg.Self = r.reader.ID
	}
	if end = len(next) < size; !end {
		place = DirectoryPlace{next[size-1].Name, next[size-1].UserID}
		arg.UntilName, arg.UntilID = place.Name, place.ID
	}
	people, err = r.people(ctx, arg)
	if err == nil && len(people) == fewIDs {
		place, end = lastPlace(people), false
	}
	return people, place, end, err
}

// matching are those of the people whose records can let them through.
func (r *periodReader) matching(ctx context.Context, people []periodPeopleRow) ([]periodPeopleRow, error) {
	ids := make([]int64, len(people))
	for i, p := range people {
		ids[i] = p.ID
	}
	rows, err := r.recordsMatching(ctx, recordsMatchingParams{
		CompanyID: r.reader.CompanyID, Ids: ids, First: r.filter.First.Time(), Last: r.filter.Last.Time(),
		Statuses: r.filter.statuses(), Edited: r.filter.Edited,
	})
	match := make(map[int64]bool, len(rows))
	for _, row := range rows {
		match[row.UserID] = match[row.UserID] || r.sees(row.UserID, row.DepartmentID)
	}
	return slices.DeleteFunc(people, func(p periodPeopleRow) bool { return !match[p.ID] }), err
}

func (r *periodReader) dates() []time.Time {
	dates := make([]time.Time, 0, r.filter.Last-r.filter.First+1)
	for d := r.filter.First; d <= r.filter.Last; d++ {
		dates = append(dates, workday.Date(d).Time())
	}
	return dates
}
