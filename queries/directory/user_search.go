package directory

import (
	"context"
	"fmt"
	"strings"

	"officeconsole/queries"
	"officeconsole/search"

	"github.com/jackc/pgx/v5"
)

// A userSearch asks for the next people, by name, whom a search finds.
type UserSearch struct {
	CompanyID   int64
	Hidden      bool    // hidden people too
	Departments []int64 // nil for all
	Search      search.Search
	From        queries.PersonKey // the people behind it; backward, those before it
	Backward    bool              // the nearest first
	Size        int
}

// searchStretch is how many names a search looks at first: as many as are read in
// less than a millisecond.
const searchStretch = 2000

// SearchUserIDs looks at the next names first: people whom many searches find are
// met there. Only for who is rare there it asks the index of the grams, which does
// not know the order of names: everybody it finds has to be read and sorted. Which
// way is the quicker one is not known before. So both look farther by turns until
// one is through, which takes a small multiple of the quicker one alone.
func (store *Store) SearchUserIDs(ctx context.Context, s UserSearch) (ids []int64, err error) {
	const growth, rare = 4, 8
	for stretch := store.searchStretch; ; stretch *= growth {
		along, end, err := store.searchNames(ctx, s, stretch)
		if err != nil || end == (queries.PersonKey{}) {
			return append(ids, along...), err
		}
		if len(along)*rare < s.Size {
			if found, complete, err := store.SearchGrams(ctx, s, stretch); err != nil || complete {
				return append(ids, found...), err
			}
		}
		ids, s.Size, s.From = append(ids, along...), s.Size-len(along), end
	}
}

// searchNames gives those whom the search finds in a stretch of the names, and the
// place where the stretch ends unless there are enough or no more names.
func (store *Store) searchNames(ctx context.Context, s UserSearch, stretch int) (ids []int64, end queries.PersonKey, err error) {
	var q searchStatement
	names := fmt.Sprintf("from users where company_id = %s and %s", q.arg(s.CompanyID), q.next(s))
	rows, err := store.db.CustomPlan().Query(ctx, fmt.Sprintf(
		`select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text %[1]s order by %[2]s limit %[3]d) stretch
			where %[4]s order by %[2]s limit %[5]d
		) as ids) along
		left join lateral (select name, id %[1]s and cardinality(along.ids) < %[5]d order by %[2]s offset %[3]d - 1 limit 1) last on true`,
		names, s.order(), stretch, q.found(s), s.Size), q...)
	if err != nil {
		return nil, end, err
	}
	type answer struct {
		IDs []int64
		End queries.PersonKey
	}
	found, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (a answer, err error) {
		return a, row.Scan(&a.IDs, &a.End.Name, &a.End.ID)
	})
	return found.IDs, found.End, err
}

// SearchGrams asks the index for at most so many people. It reports whether those
// are all who have the grams; where there are more, nobody of them is given.
func (store *Store) SearchGrams(ctx context.Context, s UserSearch, most int) (ids []int64, complete bool, err error) {
	var q searchStatement
	rows, err := store.db.CustomPlan().Query(ctx, fmt.Sprintf(
		`with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from users_with_grams(%s, %s::text[], %d)
		) select (select count(*) from holders), array(select id from holders where %s and %s order by %s limit %d)`,
		q.arg(s.CompanyID), q.arg(s.Search.Grams), most, q.next(s), q.found(s), s.order(), s.Size), q...)
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

func (s UserSearch) order() string {
	if s.Backward {
		return "name desc, id desc"
	}
	return "name, id"
}

// searchStatement is the arguments of a statement that is being written.
type searchStatement []any

func (q *searchStatement) arg(value any) string {
	*q = append(*q, value)
	return fmt.Sprint("$", len(*q))
}

// next is the condition for people behind the place of a search, or before it.
func (q *searchStatement) next(s UserSearch) string {
	if s.Backward {
		return fmt.Sprintf("(name, id) < (%s::text, %s::bigint)", q.arg(s.From.Name), q.arg(s.From.ID))
	}
	return fmt.Sprintf("(name, id) > (%s::text, %s::bigint)", q.arg(s.From.Name), q.arg(s.From.ID))
}

// found is the condition for whom a search finds.
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
