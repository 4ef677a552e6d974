package directory

import (
	"context"
	"fmt"
	"strings"

	"officeconsole/queries/lists"
	"officeconsole/search"

	"github.com/jackc/pgx/v5"
)

// UserSearch describes a search for users by name.
type UserSearch struct {
	CompanyID   int64
	Hidden      bool    // includes hidden users
	Departments []int64 // nil for every department
	Search      search.Search
	From        lists.PersonKey // the users after it or, backward, before it
	Backward    bool            // the nearest first
	Size        int
}

// A search in the order of the names reads searchStretch of them at a time, which
// takes a millisecond. One by the index of grams sorts at most searchMatches users.
const (
	searchStretch = 2000
	searchMatches = 4000
)

// SearchUserIDs returns the next users whom a search finds, by name. Where PostgreSQL
// expects enough of them among the next names, it reads these. Other searches use the
// index of grams, whose results have to be sorted, as the index is not in the order
// of the names. Where too many matches are expected for that, or the index finds too
// many, they are so frequent that further names are read instead.
func (store *Store) SearchUserIDs(ctx context.Context, s UserSearch) (ids []int64, err error) {
	expected, err := store.expect(ctx, s)
	if err != nil {
		return nil, err
	}
	if expected.isDense(store.searchStretch, s.Size) {
		var end lists.PersonKey
		if ids, end, err = store.searchNames(ctx, s, store.searchStretch); err != nil || end == (lists.PersonKey{}) {
			return ids, err
		}
		s.Size, s.From = s.Size-len(ids), end
	}
	if expected.matches < float64(store.searchMatches) {
		more, complete, err := store.SearchGrams(ctx, s, store.searchMatches)
		if err != nil || complete {
			return append(ids, more...), err
		}
	}
	more, err := store.searchAllNames(ctx, s)
	return append(ids, more...), err
}

// searchExpectation is what PostgreSQL expects of a search by its statistics.
type searchExpectation struct{ matches, users float64 }

// isDense reports whether a stretch of names is expected to hold size matches, or
// every user.
func (e searchExpectation) isDense(stretch, size int) bool {
	return e.users <= float64(stretch) || e.matches*float64(stretch) >= e.users*float64(size)
}

// expect returns what PostgreSQL expects of a search. It reads no users.
func (store *Store) expect(ctx context.Context, s UserSearch) (searchExpectation, error) {
	var q searchStatement
	rows, err := store.db.CustomPlan().Query(ctx, fmt.Sprintf(
		"explain (format json) select from (select department_id, hidden_at, search_text from users where company_id = %s offset 0) everybody where %s",
		q.arg(s.CompanyID), q.found(s)), q...) // offset 0 plans the condition after the company's users
	if err != nil {
		return searchExpectation{}, err
	}
	type plan struct {
		Rows  float64 `json:"Plan Rows"`
		Plans []plan
	}
	plans, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[[]struct{ Plan plan }])
	if err != nil {
		return searchExpectation{}, err
	}
	matches := plans[0].Plan
	return searchExpectation{matches.Rows, matches.Plans[0].Rows}, nil
}

// searchNames returns the users whom the search finds among the next names, and
// the last of these names unless there were enough users or no more names.
func (store *Store) searchNames(ctx context.Context, s UserSearch, stretch int) (ids []int64, end lists.PersonKey, err error) {
	statement, args := s.namesStatement(stretch)
	rows, err := store.db.CustomPlan().Query(ctx, statement, args...)
	if err != nil {
		return nil, end, err
	}
	type answer struct {
		IDs []int64
		End lists.PersonKey
	}
	found, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (a answer, err error) {
		return a, row.Scan(&a.IDs, &a.End.Name, &a.End.ID)
	})
	return found.IDs, found.End, err
}

func (s UserSearch) namesStatement(stretch int) (statement string, args []any) {
	var q searchStatement
	names := fmt.Sprintf("from users where company_id = %s and %s", q.arg(s.CompanyID), q.next(s))
	statement = fmt.Sprintf(
		`select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text %[1]s order by %[2]s limit %[3]d) stretch
			where %[4]s order by %[2]s limit %[5]d
		) as ids offset 0) along
		left join lateral (select name, id %[1]s and cardinality(along.ids) < %[5]d order by %[2]s offset %[3]d - 1 limit 1) last on true`,
		names, s.order(), stretch, q.found(s), s.Size)
	return statement, q
}

// searchAllNames returns the users whom the search finds among all further
// names. They are expected to be frequent, so PostgreSQL reads the names in their
// order until it has found enough.
func (store *Store) searchAllNames(ctx context.Context, s UserSearch) ([]int64, error) {
	var q searchStatement
	rows, err := store.db.CustomPlan().Query(ctx, fmt.Sprintf(
		"select id from users where company_id = %s and %s and %s order by %s limit %d",
		q.arg(s.CompanyID), q.next(s), q.found(s), s.order(), s.Size), q...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// SearchGrams returns the users whom the search finds by the index of grams. If
// most users or more have the grams, complete is false and it returns nobody.
func (store *Store) SearchGrams(ctx context.Context, s UserSearch, most int) (ids []int64, complete bool, err error) {
	statement, args := s.gramsStatement(most)
	rows, err := store.db.CustomPlan().Query(ctx, statement, args...)
	if err != nil {
		return nil, false, err
	}
	type answer struct {
		Holders int
		IDs     []int64
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[answer])
	if err != nil || found.Holders >= most {
		return nil, false, err
	}
	return found.IDs, true, nil
}

func (s UserSearch) gramsStatement(most int) (statement string, args []any) {
	var q searchStatement
	statement = fmt.Sprintf(
		`with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from search_users(%s, %s::text[], %d)
		) select (select count(*) from holders), array(select id from holders where %s and %s order by %s limit %d)`,
		q.arg(s.CompanyID), q.arg(s.Search.Grams), most, q.next(s), q.found(s), s.order(), s.Size)
	return statement, q
}

func (s UserSearch) order() string {
	if s.Backward {
		return "name desc, id desc"
	}
	return "name, id"
}

// searchStatement holds the arguments of a statement that is being built.
type searchStatement []any

func (q *searchStatement) arg(value any) string {
	*q = append(*q, value)
	return fmt.Sprint("$", len(*q))
}

// next returns the condition for users after the key of a search or, backward,
// before it.
func (q *searchStatement) next(s UserSearch) string {
	if s.Backward {
		return fmt.Sprintf("(name, id) < (%s::text, %s::bigint)", q.arg(s.From.Name), q.arg(s.From.ID))
	}
	return fmt.Sprintf("(name, id) > (%s::text, %s::bigint)", q.arg(s.From.Name), q.arg(s.From.ID))
}

// found returns the condition for users whom a search finds.
func (q *searchStatement) found(s UserSearch) string {
	conditions := []string{"true"}
	for _, pattern := range s.Search.Patterns() {
		conditions = append(conditions, "search_text like "+q.arg(pattern)+"::text")
	}
	if !s.Hidden {
		conditions = append(conditions, "hidden_at is null")
	}
	if s.Departments != nil {
		conditions = append(conditions, "department_id = any ("+q.arg(s.Departments)+"::bigint[])")
	}
	return strings.Join(conditions, " and ")
}
