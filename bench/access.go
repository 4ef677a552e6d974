package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/lists"
	"officeconsole/queries/usage"
)

// fullAccesses is the number of rows of the large company with -full.
const fullAccesses = 50_000_000

// access compares the access history, as logPart describes.
func access(ctx context.Context, b *bench) error {
	rows := b.accesses
	if b.full {
		rows = fullAccesses
	}
	return logPart{
		title: "Access history", path: "/manage/security/access", table: "access_events", rows: rows, filters: accessFilters(),
		load: loadAccesses, next: nextAccesses, take: takeAccesses,
		copies: []copiedTable{{"access_events", "order by id", "at >= $1"}, {"access_origins", "", "first_at >= $1"}},
	}.measure(ctx, b)
}

func accessFilters() []logFilter {
	return []logFilter{
		{"all", ""},
		{"a result", "result=failed"},
		{"a kind", "kind=logout"},
		{"a rare kind", "kind=password_changed"},
		{"a kind with a result", "kind=login&result=ok"},
		{"a month", monthQuery()},
		{"a result in a month", "result=failed&" + monthQuery()},
		{"many failures", "pattern=failures"},
		{"new devices", "pattern=device"},
		{"new addresses", "pattern=address"},
		{"new addresses of a result", "pattern=address&result=failed"},
		{"new addresses of a rare kind", "pattern=address&kind=password_changed"},
		{"a person", "user_id=100"},
		{"a result of a person", "user_id=100&result=failed"},
		{"a rare kind of a person", "user_id=100&kind=password_changed"},
		{"new addresses of a person", "user_id=100&pattern=address"},
		{"people of a name", "q=" + url.QueryEscape("김서")},
		{"a result of people of a name", "result=failed&q=" + url.QueryEscape("김서")},
		{"new addresses of people of a name", "pattern=address&q=" + url.QueryEscape("김서")},
		{"an address", "q=10.0.7.1"},
		{"a result from an address", "result=failed&q=10.0.7.1"},
		{"a rare kind from an address", "kind=password_changed&q=10.0.7.1"},
		{"a person from an address", "user_id=100&q=10.0.7.1"},
		{"a kind of a person from an address", "kind=logout&user_id=100&q=10.0.7.1"},
		{"a person from an address in a month", "user_id=100&q=10.0.7.1&" + monthQuery()},
		{"new devices from an address", "pattern=device&q=10.0.7.1"},
		{"an address of nobody", "q=198.51.100.1"},
		{"a name of nobody", "q=" + url.QueryEscape("없는이름")},
	}
}

// benchAccess makes up what happened at a time.
func benchAccess(random *rand.Rand, at time.Time) usage.Access {
	userID, address := 1+random.Int64N(logPeople-100), netip.AddrFrom4([4]byte{10, 0, byte(random.IntN(250)), 1})
	a := usage.Access{
		CompanyID: 1, At: at.Truncate(time.Microsecond), UserID: &userID, Kind: string(usage.AccessLogin), Result: string(usage.AccessOK), Source: string(usage.AccessMessenger),
		Platform: usage.Platforms[min(random.IntN(8), 3)], Ip: &address, UserAgent: fmt.Sprintf("Messenger/6.%d (Windows 11)", random.IntN(4)), ReceivedAt: at.Truncate(time.Microsecond),
		NewAddress: random.IntN(500) == 0, NewDevice: random.IntN(700) == 0,
	}
	switch n := random.IntN(100); {
	case n < 40:
		a.Kind = string(usage.AccessLogout)
	case n < 45:
		a.Result, a.Reason = string(usage.AccessFailed), "password"
		if random.IntN(50) == 0 {
			a.Failures = usage.ManyFailures
		}
	case n == 45 && random.IntN(10) == 0:
		a.Kind = string(usage.AccessPasswordChanged)
	}
	return a
}

func loadAccesses(ctx context.Context, tx queries.Tx, random *rand.Rand, from, to int, at func(id int) time.Time) error {
	var rows usage.AccessRows
	for id := from; id < to; id++ {
		a := benchAccess(random, at(id))
		a.EventID = fmt.Sprint("a", id)
		rows.Add(a)
	}
	return usage.LoadAccess(ctx, tx, rows)
}

func nextAccesses(ctx context.Context, db *areas.Areas, page url.Values) (*lists.Cursor, error) {
	filter, err := usage.ReadAccessFilter(page)
	if err != nil {
		return nil, err
	}
	filter.Limit = pageSize
	list, err := db.Usage.AccessEvents(ctx, 1, time.UTC, filter)
	return list.Next, err
}

func takeAccesses(ctx context.Context, db *areas.Areas, random *rand.Rand, prefix string, at time.Time) error {
	events := make([]usage.AccessEvent, logBatch)
	for i := range events {
		a := benchAccess(random, at)
		events[i] = usage.AccessEvent{EventID: fmt.Sprint(prefix, i), UserID: *a.UserID, Kind: usage.AccessKind(a.Kind), Result: usage.AccessResult(a.Result), Reason: a.Reason,
			Platform: a.Platform, Address: *a.Ip, UserAgent: a.UserAgent, OccurredAt: at.Add(time.Duration(i) * time.Millisecond)}
	}
	return allAccepted(db.Usage.TakeAccessEvents(ctx, 1, events))
}
