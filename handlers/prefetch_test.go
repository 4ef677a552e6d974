package handlers_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/queriestest"
)

// A prefetch of any page changes nothing, whoever sends it, and is not in the log of reads.
func TestPrefetchWritesNothing(t *testing.T) {
	w := newHiddenWalk(t)
	places := w.places()
	var addresses []string
	for _, place := range slices.Sorted(maps.Keys(places)) {
		if strings.HasPrefix(place, "GET ") && len(places[place]) > 0 {
			addresses = append(addresses, places[place][0])
		}
	}
	readers := []*client{w.admin, w.as(queriestest.Employee)}
	w.clock.Advance(2 * time.Minute) // activity is recorded once a minute
	reads, before := w.reads(), w.contents()
	shown := 0
	for _, reader := range readers {
		for _, address := range addresses {
			for _, header := range [][2]string{{"Purpose", "prefetch"}, {"Sec-Purpose", "prefetch;prerender"}} {
				if a := reader.with("HX-Request", "true").with(header[0], header[1]).get(address); a.status == 200 {
					shown++
				} else if a.status != 204 && a.status != 303 && a.status != 404 {
					t.Errorf("%s: %d", address, a.status)
				}
			}
		}
	}
	if shown < 40 {
		t.Errorf("only %d pages were shown", shown)
	}
	if after := w.reads(); after != reads {
		t.Errorf("%d reads", after-reads)
	}
	for table, content := range w.contents() {
		if content != before[table] {
			t.Errorf("%s has changed", table)
		}
	}
}

// contents returns the hash of what each table has.
func (s *site) contents() map[string]string {
	s.t.Helper()
	rows, err := s.db.Pool().Query(s.t.Context(), "select oid::regclass::text from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition")
	if err != nil {
		s.t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		s.t.Fatal(err)
	}
	contents := map[string]string{}
	for _, table := range tables {
		var hash string
		if err := s.db.Pool().QueryRow(s.t.Context(), "select md5(coalesce(string_agg(r::text, '' order by r::text), '')) from "+table+" r").Scan(&hash); err != nil {
			s.t.Fatal(err)
		}
		contents[table] = hash
	}
	return contents
}
