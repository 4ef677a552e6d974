package queries_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

func TestOutbox(t *testing.T) {
	db := queriestest.New(t)
	d := queriestest.PolicyDraft("새 정책", queriestest.DepartmentTarget(queriestest.Overseas))
	d.Move = true
	p := queriestest.CreatePolicy(t, db, d)
	all := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if len(all) != 2 || all[0].Type != "policy.changed" || !all[0].At.Equal(queriestest.Now) {
		t.Fatalf("got %+v", all)
	}
	var payload struct {
		Kind      string `json:"kind"`
		PolicyID  int64  `json:"policy_id"`
		VersionNo int32  `json:"version_no"`
	}
	if err := json.Unmarshal(all[0].Payload, &payload); err != nil || payload.Kind != "communication" || payload.PolicyID != p.ID || payload.VersionNo != 1 {
		t.Errorf("got %s, %v", all[0].Payload, err)
	}
	if rest := queriestest.Messages(t, db, queriestest.Hanbit, all[0].ID); len(rest) != 1 || rest[0].ID != all[1].ID {
		t.Errorf("after the first message: %+v", rest)
	}
	if others := queriestest.Messages(t, db, queriestest.Other, 0); len(others) > 0 {
		t.Errorf("another company: %+v", others)
	}
	if last, err := db.LastMessageID(t.Context(), queriestest.Hanbit); err != nil || last != all[1].ID {
		t.Errorf("got %d, %v", last, err)
	}
	if _, err := db.Policies.Create(t.Context(), queriestest.AdminActor(t, db), d); err == nil || len(queriestest.Messages(t, db, queriestest.Hanbit, 0)) != 2 {
		t.Error("a refused save published a message")
	}
}

// A reader that always continues after the last id it has read misses no
// message, in whatever order transactions commit.
func TestOutboxIsReadInOrder(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	const writers, each = 4, 10
	var writing sync.WaitGroup
	for w := range writers {
		writing.Add(1)
		go func() {
			defer writing.Done()
			for i := range each {
				if _, err := db.Policies.Create(t.Context(), by, queriestest.PolicyDraft(fmt.Sprintf("정책 %d %d", w, i))); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	finished := make(chan struct{})
	go func() { writing.Wait(); close(finished) }()
	seen, last := 0, int64(0)
	read := func() {
		for _, m := range queriestest.Messages(t, db, queriestest.Hanbit, last) {
			seen, last = seen+1, m.ID
		}
	}
	for running := true; running; {
		select {
		case <-finished:
			running = false
		default:
		}
		read()
	}
	if seen != writers*each {
		t.Errorf("saw %d of %d messages", seen, writers*each)
	}
}

// The lock that keeps ids in order is held until the end of a transaction.
// Another transaction that publishes meanwhile waits, and gets a later id.
func TestOutboxWaitsForEarlierIDs(t *testing.T) {
	db := queriestest.New(t)
	tx, err := db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	if _, err := tx.Exec(t.Context(), "select pg_advisory_xact_lock(hashtextextended('outbox', 1))"); err != nil {
		t.Fatal(err)
	}
	var early int64
	if err := tx.QueryRow(t.Context(), "insert into outbox (company_id, at, type, payload) values (1, now(), 'test', '{}') returning id").Scan(&early); err != nil {
		t.Fatal(err)
	}
	saved := make(chan error, 1)
	by := queriestest.AdminActor(t, db)
	go func() {
		_, err := db.Policies.Create(t.Context(), by, queriestest.PolicyDraft("새 정책"))
		saved <- err
	}()
	waiting := func() bool {
		return queriestest.LookUp(t, db, "select count(*) from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and locktype = 'advisory' and not granted") == "1"
	}
	deadline, look := time.After(time.Minute), time.NewTicker(10*time.Millisecond)
	defer look.Stop()
	for !waiting() {
		select {
		case err := <-saved:
			t.Fatalf("saved without waiting: %v", err)
		case <-deadline:
			t.Fatal("nobody waits for the lock")
		case <-look.C:
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-saved; err != nil {
		t.Fatal(err)
	}
	if all := queriestest.Messages(t, db, queriestest.Hanbit, 0); len(all) != 2 || all[0].ID != early {
		t.Errorf("got %+v", all)
	}
}

func TestOldMessagesAreRemoved(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("하나"))
	clock.Advance(queries.MessageDays * 24 * time.Hour)
	queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("둘"))
	if err := db.Identity.CleanUp(t.Context()); err != nil || len(queriestest.Messages(t, db, queriestest.Hanbit, 0)) != 2 {
		t.Errorf("removed too early: %v", err)
	}
	clock.Advance(time.Second)
	if err := db.Identity.CleanUp(t.Context()); err != nil || len(queriestest.Messages(t, db, queriestest.Hanbit, 0)) != 1 {
		t.Errorf("not removed: %v", err)
	}
}
