package usage_test

import (
	"strings"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

// An id is unique for its user: the same id of somebody else is another event, also at
// the same time, in one call and in several.
func TestEventIDsAreUniqueForTheirUser(t *testing.T) {
	for name, kind := range map[string]struct {
		take  func(db *areas.Areas, users ...int64) []usage.Result
		table string
	}{
		"files": {func(db *areas.Areas, users ...int64) []usage.Result {
			var events []usage.FileEvent
			for _, id := range users {
				e := saved("shared", time.Hour)
				e.UserID = id
				events = append(events, e)
			}
			return take(t, db, events...)
		}, "saved_files"},
		"clients": {func(db *areas.Areas, users ...int64) []usage.Result {
			var events []usage.ClientEvent
			for _, id := range users {
				e := clientLogin("shared", "6.4.2", time.Hour)
				e.UserID = id
				events = append(events, e)
			}
			return takeClients(t, db, events...)
		}, "client_events"},
		"access": {func(db *areas.Areas, users ...int64) []usage.Result {
			var events []usage.AccessEvent
			for _, id := range users {
				e := login("shared", time.Hour)
				e.UserID = id
				events = append(events, e)
			}
			return takeAccess(t, db, events...)
		}, "access_events"},
	} {
		t.Run(name, func(t *testing.T) {
			db := queriestest.New(t)
			for _, call := range []struct {
				users []int64
				want  string
			}{
				{[]int64{queriestest.Kim}, "accepted"},
				{[]int64{queriestest.Employee}, "accepted"},
				{[]int64{queriestest.Kim, queriestest.Employee}, "duplicate, duplicate"},
				{[]int64{queriestest.Foreigner, queriestest.Manager, queriestest.Foreigner, queriestest.Kim}, "accepted, accepted, duplicate, duplicate"},
			} {
				if got := statuses(kind.take(db, call.users...)); got != call.want {
					t.Errorf("of %v: %s, want %s", call.users, got, call.want)
				}
			}
			stored := queriestest.LookUp(t, db, "select string_agg(user_id::text, ' ' order by user_id) from "+kind.table+" where event_id = 'shared'")
			if stored != "2 4 6 7" {
				t.Errorf("stored for the users %s", stored)
			}
		})
	}
}

// The id of an event of an account that the company does not have is unique for the
// account.
func TestEventIDsAreUniqueForTheirAccount(t *testing.T) {
	db := queriestest.New(t)
	failed := func(email string) usage.AccessEvent {
		e := login("shared", time.Hour)
		e.UserID, e.Email, e.Result = 0, email, usage.AccessFailed
		return e
	}
	ofKim := failed("kim.cs@hanbit.example")
	ofKim.UserID = queriestest.Kim
	for i, call := range []struct {
		events []usage.AccessEvent
		want   string
	}{
		{[]usage.AccessEvent{failed("ghost@hanbit.example")}, "accepted"},
		{[]usage.AccessEvent{failed("nobody@hanbit.example")}, "accepted"},
		{[]usage.AccessEvent{failed(" NOBODY@hanbit.example"), failed("ghost@hanbit.example")}, "duplicate, duplicate"},
		{[]usage.AccessEvent{failed("kim.cs@hanbit.example"), ofKim}, "accepted, duplicate"},
		{[]usage.AccessEvent{ofKim}, "duplicate"},
		{[]usage.AccessEvent{failed("one@hanbit.example"), failed("two@hanbit.example"), failed("One@hanbit.example")}, "accepted, accepted, duplicate"},
		{[]usage.AccessEvent{failed("a\x00b"), failed("")}, "refused usage.character, refused event.user"},
	} {
		if got := statuses(takeAccess(t, db, call.events...)); got != call.want {
			t.Errorf("call %d: %s, want %s", i, got, call.want)
		}
	}
	want := "6 ghost@hanbit.example nobody@hanbit.example one@hanbit.example two@hanbit.example"
	if got := queriestest.LookUp(t, db, "select string_agg(concat(user_id, account), ' ' order by concat(user_id, account)) from access_events"); got != want {
		t.Errorf("stored for %s, want %s", got, want)
	}
	// The account becomes somebody's before the event is sent again.
	queriestest.Exec(t, db, "update users set email = 'ghost@hanbit.example' where company_id = 1 and id = 6")
	if got := statuses(takeAccess(t, db, failed("ghost@hanbit.example"))); got != "duplicate" {
		t.Error(got)
	}
}

// The database itself refuses an event that is stored already, also one without a user:
// two calls may store it at the same moment.
func TestStoredEventsAreUnique(t *testing.T) {
	db := queriestest.New(t)
	take(t, db, saved("a", time.Hour))
	takeClients(t, db, clientLogin("a", "6.4.2", time.Hour))
	ghost := login("a", time.Hour)
	ghost.UserID, ghost.Email, ghost.Result = 0, "ghost@hanbit.example", usage.AccessFailed
	takeAccess(t, db, login("a", time.Hour), ghost)
	for _, table := range []string{"saved_files", "client_events", "access_events where user_id is null", "access_events where user_id is not null"} {
		name, _, _ := strings.Cut(table, " ")
		columns := queriestest.LookUp(t, db, "select string_agg(attname, ', ') from pg_attribute where attrelid = '"+name+"'::regclass and attnum > 0 and attname <> 'id' and not attisdropped")
		_, err := db.Pool().Exec(t.Context(), "insert into "+name+" ("+columns+") select "+columns+" from "+table)
		if err == nil || !strings.Contains(err.Error(), "23505") {
			t.Errorf("%s: stored twice: %v", table, err)
		}
	}
}
