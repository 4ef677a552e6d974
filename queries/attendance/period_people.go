package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// fewIDs is the number of users who are read at once, at most.
const fewIDs = 2000

// withoutRecord is the number of users of a page, such as bots, who may have no
// record without making another step necessary.
const withoutRecord = 5

// next returns the users after a key who may have something to show, and the
// key of the last one. There are three ways to find them: among those who
// exceed the hours of the filter; in the order of the directory; or by the
// statuses of the records, for the whole company and for statuses so rare that
// too few users of the directory have them.
func (r *periodReader) next(ctx context.Context, after lists.PersonKey) (people []periodPeopleRow, last lists.PersonKey, end bool, err error) {
	const tries = 3 // steps in the directory, each four times as large as the one before, until statuses are read instead
	selective := r.filter.Status != "" || r.filter.Edited
	size := min(fewIDs, (max(r.size(), 20)+withoutRecord)<<(2*min(r.stepped, tries)))
	r.stepped++
	switch {
	case r.over != nil:
		people, last, end, err = r.alongOver(ctx, after, size)
	case selective && (r.stepped > tries || r.filter.Search.Empty() && r.within == nil):
		people, last, end, err = r.alongDays(ctx, after, r.ofEachDay()<<min(r.stepped-1, tries))
		selective = r.within != nil
	default:
		people, end, err = r.alongDirectory(ctx, after, size)
		last, end = lastName(people), end || len(people) == 0
	}
	if err == nil && selective {
		people, err = r.matching(ctx, people)
	}
	return people, last, end, err
}

// size returns the number of users to read for a page: one more than it shows.
func (r *periodReader) size() int { return r.filter.Limit + 1 }

func lastName(people []periodPeopleRow) lists.PersonKey {
	if len(people) == 0 {
		return lists.PersonKey{}
	}
	last := people[len(people)-1]
	return lists.PersonKey{Name: last.Name, ID: last.ID}
}

// people runs periodPeople with the search of the filter.
func (r *periodReader) people(ctx context.Context, arg periodPeopleParams) ([]periodPeopleRow, error) {
	arg.CompanyID = r.reader.CompanyID
	arg.Pattern1, arg.Pattern2, arg.Pattern3 = r.filter.Search.ThreePatterns()
	return r.generic.periodPeople(ctx, arg)
}

// alongOver reads the next of those who exceed the hours of the filter.
func (r *periodReader) alongOver(ctx context.Context, after lists.PersonKey, size int) (people []periodPeopleRow, last lists.PersonKey, end bool, err error) {
	over := r.over
	if after != (lists.PersonKey{}) {
		at := slices.IndexFunc(over, func(p lists.PersonKey) bool { return p.ID == after.ID })
		over = over[at+1:]
		if at < 0 { // the user of the cursor no longer exceeds them
			if over, err = r.inOrder(ctx, r.reader.CompanyID, ids(over), after); err != nil {
				return nil, after, false, err
			}
		}
	}
	end = len(over) <= size
	over = over[:min(len(over), size)]
	if len(over) == 0 {
		return nil, after, true, nil
	}
	people, err = r.people(ctx, periodPeopleParams{Ids: ids(over), Size: int32(size)})
	return people, over[len(over)-1], end, err
}

// since returns the time after which a change of the directory may differ from
// the records of the period. It is two days earlier, because records are
// created ahead and dates begin earlier in other zones.
func (r *periodReader) since() time.Time { return (r.filter.First - 2).Time() }

func ids(keys []lists.PersonKey) []int64 {
	ids := make([]int64, len(keys))
	for i, p := range keys {
		ids[i] = p.ID
	}
	return ids
}

// alongDirectory returns the next users by name, of the departments that the reader sees
// or chose, and those who were in these departments during the period, and the reader. A
// cache has them until the directory changes. Every request reads its version with its
// user.
func (r *periodReader) alongDirectory(ctx context.Context, after lists.PersonKey, size int) (people []periodPeopleRow, end bool, err error) {
	if len(r.within) > directory.FewDepartments { // a long key
		return r.readDirectory(ctx, after, size)
	}
	key := directoryStepKey{companyID: r.reader.CompanyID, after: after, size: size}
	key.patterns[0], key.patterns[1], key.patterns[2] = r.filter.Search.ThreePatterns()
	if r.within != nil {
		key.departments, key.first = fmt.Sprint(r.within), r.filter.First
	}
	if !r.scope.Everybody {
		key.readerID = r.reader.ID
	}
	valid := func(s directoryStep) bool { return s.directoryVersion == r.reader.DirectoryVersion }
	step, err := r.steps.GetValid(ctx, key, valid, func(ctx context.Context) (directoryStep, error) {
		people, end, err := r.readDirectory(ctx, after, size)
		return directoryStep{people, end, r.reader.DirectoryVersion}, err
	})
	return slices.Clone(step.people), step.end, err
}

// directoryStep is a result of alongDirectory as of a directory_version.
type directoryStep struct {
	people           []periodPeopleRow
	end              bool
	directoryVersion int64
}

type directoryStepKey struct {
	companyID   int64
	readerID    int64 // 0 for a reader who sees everybody
	departments string
	first       workday.Date // 0 without departments
	patterns    [3]string
	after       lists.PersonKey
	size        int
}

// maxDirectorySteps is the size of the cache. A page of fifty users takes some six
// kilobytes.
const maxDirectorySteps = 256

func newDirectorySteps(now func() time.Time) *cache.Cache[directoryStepKey, directoryStep] {
	const page = 200 // larger steps are for filters that select few users
	return cache.New[directoryStepKey](cache.Options[directoryStep]{
		Name: "attendance_people", Size: maxDirectorySteps, Now: now, Keep: func(s directoryStep) bool { return len(s.people) <= page },
	})
}

// readDirectory is alongDirectory without the cache.
func (r *periodReader) readDirectory(ctx context.Context, after lists.PersonKey, size int) (people []periodPeopleRow, end bool, err error) {
	company, searched := r.reader.CompanyID, !r.filter.Search.Empty()
	if r.within == nil && !searched {
		rows, err := r.generic.peopleByName(ctx, peopleByNameParams{company, after.Name, after.ID, int32(size)})
		for _, row := range rows {
			people = append(people, periodPeopleRow(row))
		}
		return people, len(people) < size, err
	}
	arg := periodPeopleParams{AfterName: after.Name, AfterID: after.ID, Size: int32(size)}
	if !searched && len(r.within) <= directory.FewDepartments {
		rows, err := r.generic.peopleOfDepartments(ctx, peopleOfDepartmentsParams{r.within, company, after.Name, after.ID, int32(size)})
		if err != nil {
			return nil, false, err
		}
		for _, row := range rows {
			people, arg.Ids = append(people, periodPeopleRow(row)), append(arg.Ids, row.ID)
		}
	} else if r.within == nil || len(r.within) > 0 {
		arg.Ids, err = r.directory.UserIDs(ctx, directory.UserFilter{
			CompanyID: company, Scope: directory.Scope{Everybody: r.within == nil, DepartmentIDs: r.within}, Search: r.filter.Search, Hidden: true,
		}, after, int32(size))
		if err != nil {
			return nil, false, err
		}
	}
	listed := len(arg.Ids)
	if r.within != nil {
		former, err := r.formerPeople(ctx, formerPeopleParams{company, r.within, r.since(), after.Name, after.ID, int32(size)})
		if err != nil {
			return nil, false, err
		}
		for _, one := range former {
			arg.Ids = append(arg.Ids, one.ID)
		}
		if !r.scope.Everybody {
			arg.Ids = append(arg.Ids, r.reader.ID)
		}
	}
	if searched || len(people) < len(arg.Ids) {
		people, err = r.people(ctx, arg)
	}
	return people, listed < size && len(people) < size, err
}

// alongDays reads the next records of each day by name, as many as ofEachDay
// returns. The names are those of the day; users who were renamed since are
// found by their history, under the present name.
func (r *periodReader) alongDays(ctx context.Context, after lists.PersonKey, size int) (people []periodPeopleRow, last lists.PersonKey, end bool, err error) {
	next, err := r.nextOfDays(ctx, after, size)
	if err != nil {
		return nil, after, false, err
	}
	if end = len(next) == 0 || !next[0].More && len(next) < r.ofDays(); !end {
		one := next[len(next)-1]
		last = lists.PersonKey{Name: one.RecordName, ID: one.ID}
	}
	var changed []changedPeopleRow
	isUnchanged := len(next) > 0 && !next[0].Changed
	if !isUnchanged {
		if changed, err = r.changedPeople(ctx, changedPeopleParams{r.reader.CompanyID, r.since(), after.Name, after.ID, last.Name, last.ID, fewIDs}); err != nil {
			return nil, after, false, err
		}
	}
	if r.filter.Search.Empty() && (isUnchanged || areUnderPresentNames(next, changed)) {
		for _, one := range next {
			people = append(people, periodPeopleRow{one.ID, one.Name, one.EmployeeID, one.Hidden, one.DepartmentID})
		}
		return people, last, end, nil
	}
	arg := periodPeopleParams{AfterName: after.Name, AfterID: after.ID, UntilName: last.Name, UntilID: last.ID, Size: fewIDs}
	for _, one := range next {
		arg.Ids = append(arg.Ids, one.ID)
	}
	for _, one := range changed {
		arg.Ids = append(arg.Ids, one.ID)
	}
	people, err = r.people(ctx, arg)
	if err == nil && len(people) == fewIDs {
		last, end = lastName(people), false
	}
	return people, last, end, err
}

// areUnderPresentNames reports whether users have the names of their records still, and
// whether those who have changed are among them.
func areUnderPresentNames(next []peopleOfStatusRow, changed []changedPeopleRow) bool {
	isRenamed := func(one peopleOfStatusRow) bool { return one.Name != one.RecordName }
	isMissing := func(c changedPeopleRow) bool {
		return !slices.ContainsFunc(next, func(one peopleOfStatusRow) bool { return one.ID == c.ID })
	}
	return !slices.ContainsFunc(next, isRenamed) && !slices.ContainsFunc(changed, isMissing)
}

// ofEachDay returns the number of records that are read of each day at first:
// what usually fills a page. With fewer days, each of them must give more.
func (r *periodReader) ofEachDay() int {
	size := max(r.size()/7, 2)
	if days := r.filter.Last - r.filter.First + 1; days <= 14 {
		size *= 2
	}
	return size
}

// ofDays returns the maximum number of users found in the records of the days:
// more than a page only where not all of them will be on it.
func (r *periodReader) ofDays() int {
	if r.within == nil && r.filter.Search.Empty() {
		return r.size() + withoutRecord
	}
	return fewIDs
}

func (r *periodReader) nextOfDays(ctx context.Context, after lists.PersonKey, size int) ([]peopleOfStatusRow, error) {
	arg := peopleOfStatusParams{
		CompanyID: r.reader.CompanyID, Statuses: r.filter.statuses(), First: r.filter.First.Time(), Last: r.filter.Last.Time(),
		AfterName: after.Name, AfterID: after.ID, Size: int64(size), Most: int64(r.ofDays()), Since: r.since(),
	}
	for d := r.filter.First; d <= r.filter.Last; d++ {
		arg.Dates = append(arg.Dates, d.Time())
	}
	if r.filter.Status != "" {
		return r.generic.peopleOfStatus(ctx, arg)
	}
	edited, err := r.generic.peopleEdited(ctx, peopleEditedParams{
		CompanyID: arg.CompanyID, Dates: arg.Dates, First: arg.First, Last: arg.Last, AfterName: arg.AfterName, AfterID: arg.AfterID, Size: arg.Size, Most: arg.Most, Since: arg.Since,
	})
	next := make([]peopleOfStatusRow, len(edited))
	for i, e := range edited {
		next[i] = peopleOfStatusRow(e)
	}
	return next, err
}

// matching returns those of the users whose months contain records that the
// filter chooses.
func (r *periodReader) matching(ctx context.Context, people []periodPeopleRow) ([]periodPeopleRow, error) {
	if len(people) == 0 {
		return nil, nil
	}
	arg := monthsMatchingParams{
		CompanyID: r.reader.CompanyID, First: monthOf(r.filter.First).Time(), Last: r.filter.Last.Time(), Edited: r.filter.Edited,
	}
	for _, p := range people {
		arg.Ids = append(arg.Ids, p.ID)
	}
	for _, status := range r.filter.statuses() {
		arg.Statuses |= 1 << codeOf(monthStatuses, status)
	}
	rows, err := r.generic.monthsMatching(ctx, arg)
	match := make(map[int64]bool, len(rows))
	for _, row := range rows {
		match[row.UserID] = match[row.UserID] || r.sees(row.UserID, row.DepartmentID)
	}
	return slices.DeleteFunc(people, func(p periodPeopleRow) bool { return !match[p.ID] }), err
}
