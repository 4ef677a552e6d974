package queries_test

import (
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/cache"
	"officeconsole/queries/queriestest"
)

// another returns the database as another process has it.
func another(t *testing.T, db *areas.Areas) *areas.Areas {
	t.Helper()
	other, err := areas.Open(t.Context(), db.Pool().Config().ConnString(), db.Now)
	if err != nil {
		t.Fatal(err)
	}
	other.UseKeys(queriestest.Keys())
	t.Cleanup(other.Close)
	return other
}

// eventually fails unless a condition comes true.
func eventually(t *testing.T, what string, isTrue func() bool) {
	t.Helper()
	deadline, look := time.After(time.Minute), time.NewTicker(5*time.Millisecond)
	defer look.Stop()
	for !isTrue() {
		select {
		case <-deadline:
			t.Fatal(what)
		case <-look.C:
		}
	}
}

// interrupt ends the connections that listen.
func interrupt(t *testing.T, db *areas.Areas) {
	t.Helper()
	ended := queriestest.LookUp(t, db, "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = '"+queries.ListenerName+"' and datname = current_database()")
	if ended != "1" {
		t.Fatalf("%s connections listen", ended)
	}
}

func wait(t *testing.T, signals <-chan struct{}) {
	t.Helper()
	select {
	case <-signals:
	case <-time.After(time.Minute):
		t.Fatal("no signal")
	}
}

func TestFollow(t *testing.T) {
	db := queriestest.New(t)
	follower := another(t, db)
	signals, leave := follower.Follow(queriestest.Hanbit)
	defer leave()
	foreign, leaveForeign := follower.Follow(queriestest.Other)
	defer leaveForeign()
	wait(t, signals) // it listens now
	wait(t, foreign)
	queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("하나"))
	wait(t, signals)
	select {
	case <-foreign:
		t.Error("a signal for a message of another company")
	default:
	}
	interrupt(t, db)
	wait(t, signals) // some may have been missed, in any company
	wait(t, foreign)
	eventually(t, "it does not listen again", func() bool {
		return queriestest.LookUp(t, db, "select count(*) from pg_stat_activity where application_name = '"+queries.ListenerName+"' and datname = current_database() and query like '%data_versions%'") == "1"
	})
}

// A process learns which versions others reach, and catches up with those that they
// reached while it did not listen.
func TestVersionsOfOtherProcesses(t *testing.T) {
	db := queriestest.New(t)
	note := func() {
		queriestest.Exec(t, db, "select note_change(1, 'files')")
	}
	note()
	other := another(t, db)
	reaches := func(want int64) {
		t.Helper()
		eventually(t, "the version is not known", func() bool { return other.Version(queriestest.Hanbit, cache.Files) == want })
	}
	if v := other.Version(queriestest.Hanbit, cache.Files); v != 0 {
		t.Errorf("version %d before it listens", v)
	}
	other.Listen()
	reaches(1)
	note()
	reaches(2)
	if v := other.Version(queriestest.Hanbit, cache.Bot); v != 0 {
		t.Errorf("version %d of another part", v)
	}
	interrupt(t, db)
	note()
	reaches(3)
}
