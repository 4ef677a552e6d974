package queries

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A userSearch asks for the next people, by name, whom a search finds.
type userSearch struct {
	companyID   int64
	hidden      bool    // hidden people too
	departments []int64 // nil for all
	search      Search
	from        personKey // the people behind it; backward, those before it
	backward    bool      // the nearest first
	size        int
}

// searchStretch is how many names a search looks at first: as many as are read in
// less than a millisecond.
const searchStretch = 2000

// searchUserIDs looks at the next names first: people whom many searches find are
// met there. Only for who is rare there it asks the index of the grams, which does
// not know the order of names: everybody it finds has to be read and sorted. Which
// way is the quicker one is not known before. So both look farther by turns until
// one is through, which takes a small multiple of the quicker one alone.
func (db *DB) searchUserIDs(ctx context.Context, s userSearch) (ids []int64, err error) {
	const growth, rare = 4, 8
	for stretch := db.searchStretch; ; stretch *= growth {
		along, end, err := db.searchNames(ctx, s, stretch)
		if err != nil || end == (personKey{}) {
			return append(ids, along...), err
		}
		if len(along)*rare < s.size {
			if found, complete, err := db.searchGrams(ctx, s, stretch); err != nil || complete {
				return append(ids, found...), err
			}
		}
		ids, s.size, s.from = append(ids, along...), s.size-len(along), end
	}
}

// searchNames gives those whom the search finds in a stretch of the names, and the
// place where the stretch ends unless there are enough or no more names.
func (db *DB) searchNames(ctx context.Context, s userSearch, stretch int) (ids []int64, end personKey, err error) {
	var q searchStatement
	names := fmt.Sprintf("from users where company_id = %s and %s", q.arg(s.companyID), q.next(s))
	rows, err := freshlyPlanned{db.pool}.Query(ctx, fmt.Sprintf(
		`select along.ids, coalesce(last.name, ''), coalesce(last.id, 0)
		from (select array(
			select id from (select id, name, department_id, hidden_at, search_text %[1]s order by %[2]s limit %[3]d) stretch
			where %[4]s order by %[2]s limit %[5]d
		) as ids) along
		left join lateral (select name, id %[1]s and cardinality(along.ids) < %[5]d order by %[2]s offset %[3]d - 1 limit 1) last on true`,
		names, s.order(), stretch, q.found(s), s.size), q...)
	if err != nil {
		return nil, end, err
	}
	type answer struct {
		IDs []int64
		End personKey
	}
	found, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (a answer, err error) {
		return a, row.Scan(&a.IDs, &a.End.Name, &a.End.ID)
	})
	return found.IDs, found.End, err
}

// searchGrams asks the index for at most so many people. It reports whether those
// are all who have the grams; where there are more, nobody of them is given.
func (db *DB) searchGrams(ctx context.Context, s userSearch, most int) (ids []int64, complete bool, err error) {
	var q searchStatement
	rows, err := freshlyPlanned{db.pool}.Query(ctx, fmt.Sprintf(
		`with holders as materialized (
			select id, name collate "ko-x-icu" as name, department_id, hidden_at, search_text from users_with_grams(%s, %s::text[], %d)
		) select (select count(*) from holders), array(select id from holders where %s and %s order by %s limit %d)`,
		q.arg(s.companyID), q.arg(s.search.Grams), most, q.next(s), q.found(s), s.order(), s.size), q...)
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

func (s userSearch) order() string {
	if s.backward {
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
func (q *searchStatement) next(s userSearch) string {
	if s.backward {
		return fmt.Sprintf("(name, id) < (%s::text, %s::bigint)", q.arg(s.from.Name), q.arg(s.from.ID))
	}
	return fmt.Sprintf("(name, id) > (%s::text, %s::bigint)", q.arg(s.from.Name), q.arg(s.from.ID))
}

// found is the condition for whom a search finds.
func (q *searchStatement) found(s userSearch) string {
	conditions := []string{"true"}
	for _, pattern := range s.search.Patterns() {
		conditions = append(conditions, "search_text like "+q.arg(pattern)+"::text")
	}
	if !s.hidden {
		conditions = append(conditions, "hidden_at is null")
	}
	if s.departments != nil {
		conditions = append(conditions, "department_id = any ("+q.arg(s.departments)+"::bigint[])")
	}
	return strings.Join(conditions, " and ")
}
