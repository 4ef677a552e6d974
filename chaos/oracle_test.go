package main

import (
	"slices"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

const prefix = "chaos TEST "

func TestOracle(t *testing.T) {
	db := queriestest.New(t)
	const insertEvent = "insert into clock_events (company_id, user_id, at, event_id, kind, occurred_at, received_at) values (1, 2, $2, $1, 'in', $2, $2)"
	for _, row := range []struct{ name, at string }{
		{"stored", "2026-11-02"}, {"twice", "2026-11-02"}, {"twice", "2026-11-03"}, {"open, done", "2026-11-02"},
		{"open, twice", "2026-11-02"}, {"open, twice", "2026-11-03"}, {"never sent", "2026-11-02"},
	} {
		queriestest.Exec(t, db, insertEvent, prefix+row.name, row.at)
	}
	queriestest.Exec(t, db, insertEvent, "chaos OTHER of another load", "2026-11-02")
	const insertVersion = `insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, search_text, created_at)
		values (1, 5, $2, now(), true, 'chaos', $1, 'chaos', now())`
	queriestest.Exec(t, db, insertVersion, prefix+"stored", 11)
	queriestest.Exec(t, db, insertVersion, prefix+"renumbered", 12)
	const insertNotice = "insert into notices (company_id, title, body, search_text, everyone, publish_at, author_id, created_at, updated_at) values (1, $1, '', '', true, now(), 1, now(), now())"
	queriestest.Exec(t, db, insertNotice, prefix+"stored")
	for _, hash := range []string{"1", "2"} {
		queriestest.Exec(t, db, "insert into tokens (company_id, hash, created_at, name) values (1, $2, now(), $1)", prefix+"twice", []byte(hash))
	}

	l := newLedger()
	l.leaveOpen(events, prefix+"stored") // and acknowledged when it was sent again
	for _, name := range []string{"stored", "twice", "missing"} {
		l.acknowledge(events, prefix+name)
	}
	l.leaveOpen(events, prefix+"open, done", prefix+"open, twice", prefix+"open, not done")
	l.acknowledgeVersion(prefix+"stored", version{5, 11})
	l.acknowledgeVersion(prefix+"renumbered", version{5, 13})
	l.acknowledge(notices, prefix+"stored", prefix+"missing")
	l.acknowledgeToken(prefix+"twice", "secret")

	conn, err := db.Pool().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	s, err := readStored(t.Context(), conn.Conn(), 1, prefix)
	if err != nil {
		t.Fatal(err)
	}
	j := l.judge(s)
	for _, test := range []struct {
		what string
		got  []string
		want []string
	}{
		{"lost", j.lost, []string{
			"events: chaos TEST missing",
			"notices: chaos TEST missing",
			"policies: chaos TEST renumbered was acknowledged as {5 13} and is {5 12}",
		}},
		{"doubled", j.doubled, []string{
			"events: chaos TEST never sent is there 1 times although it was refused or never sent",
			"events: chaos TEST open, twice, which was not answered, is there 2 times",
			"events: chaos TEST twice is there 2 times",
			"tokens: chaos TEST twice is there 2 times",
		}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s:\n%s\nwant:\n%s", test.what, strings.Join(test.got, "\n"), strings.Join(test.want, "\n"))
		}
	}
	if j.unknown != 3 || j.happened != 1 {
		t.Errorf("of %d writes without an answer %d were done", j.unknown, j.happened)
	}
}
