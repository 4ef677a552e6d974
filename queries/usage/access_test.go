package usage_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

// login is a sign-in of Kim's that is accepted.
func login(id string, before time.Duration) usage.AccessEvent {
	return usage.AccessEvent{
		EventID: id, UserID: queriestest.Kim, Kind: usage.AccessLogin, Result: usage.AccessOK, Platform: "pc", Address: netip.MustParseAddr("203.0.113.5"),
		UserAgent: "Messenger/6.3.0 (Windows)", OccurredAt: queriestest.Now.Add(-before),
	}
}

func takeAccess(t *testing.T, db *areas.Areas, events ...usage.AccessEvent) []usage.Result {
	t.Helper()
	results, err := db.Usage.TakeAccessEvents(t.Context(), queriestest.Hanbit, events)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func accessFilter(t *testing.T, query string) usage.AccessFilter {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	f, err := usage.ReadAccessFilter(values)
	if err != nil {
		t.Fatal(err)
	}
	f.Limit = 50
	return f
}

// history lists the ids of a filter's events, given as the query of the page.
func history(t *testing.T, db *areas.Areas, query string) []string {
	t.Helper()
	list, err := db.Usage.AccessEvents(t.Context(), queriestest.Hanbit, seoul, accessFilter(t, query))
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	ids := []string{}
	for _, row := range list.Rows {
		ids = append(ids, row.EventID)
	}
	return ids
}

func TestAccessEventsAreDecidedOnOneByOne(t *testing.T) {
	db := queriestest.New(t)
	with := func(change func(*usage.AccessEvent)) usage.AccessEvent {
		e := login("x", time.Hour)
		change(&e)
		return e
	}
	for _, test := range []struct {
		want   string
		change func(*usage.AccessEvent)
	}{
		{"refused event.id", func(e *usage.AccessEvent) { e.EventID = "" }},
		{"refused event.user", func(e *usage.AccessEvent) { e.UserID = queriestest.OtherKim }},
		{"refused event.user", func(e *usage.AccessEvent) { e.UserID = queriestest.Bot }},
		{"refused event.user", func(e *usage.AccessEvent) { e.UserID, e.Email = 0, "nobody@hanbit.example" }},
		{"refused event.user", func(e *usage.AccessEvent) { e.UserID, e.Result = 0, usage.AccessFailed }},
		{"refused usage.access_kind", func(e *usage.AccessEvent) { e.Kind = "dance" }},
		{"refused usage.access_kind", func(e *usage.AccessEvent) { e.Kind = usage.AccessTokenCreated }},
		{"refused usage.result", func(e *usage.AccessEvent) { e.Result = "" }},
		{"refused usage.result", func(e *usage.AccessEvent) { e.Kind, e.Result = usage.AccessLogout, usage.AccessFailed }},
		{"refused usage.platform", func(e *usage.AccessEvent) { e.Platform = "fridge" }},
		{"refused usage.too_long", func(e *usage.AccessEvent) { e.Reason = strings.Repeat("가", 101) }},
		{"refused usage.character", func(e *usage.AccessEvent) { e.Reason = "a\x00" }},
		{"refused event.time", func(e *usage.AccessEvent) { e.OccurredAt = time.Time{} }},
		{"refused event.future", func(e *usage.AccessEvent) { e.OccurredAt = queriestest.Now.Add(25 * time.Hour) }},
		{"refused usage.past", func(e *usage.AccessEvent) { e.OccurredAt = queriestest.Now.AddDate(-1, 0, -2) }},
	} {
		if got := statuses(takeAccess(t, db, with(test.change))); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	got := statuses(takeAccess(t, db, login("a", time.Hour), login("b", 300*24*time.Hour), login("a", time.Hour),
		with(func(e *usage.AccessEvent) { e.EventID, e.UserID, e.Email = "mail", 0, " KIM.CS@hanbit.example " }),
		with(func(e *usage.AccessEvent) {
			e.EventID, e.UserID, e.Email, e.Result = "unknown", 0, "Nobody@hanbit.example", usage.AccessFailed
		}),
		with(func(e *usage.AccessEvent) { e.EventID, e.Kind, e.Result = "out", usage.AccessLogout, "" }),
		with(func(e *usage.AccessEvent) {
			e.EventID, e.Kind, e.Result = "changed", usage.AccessPasswordChanged, ""
		}),
		with(func(e *usage.AccessEvent) {
			e.EventID, e.Kind, e.Result = "unchanged", usage.AccessPasswordChanged, usage.AccessFailed
		})))
	if want := "accepted, accepted, duplicate, accepted, accepted, accepted, accepted, accepted"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := history(t, db, ""); len(got) != 7 || got[6] != "b" {
		t.Errorf("stored %v", got)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(concat(account, user_id), ' ' order by event_id) from access_events where event_id in ('mail', 'unknown')"); got != "6 nobody@hanbit.example" {
		t.Errorf("users %s", got)
	}
	if _, err := db.Usage.TakeAccessEvents(t.Context(), queriestest.Hanbit, make([]usage.AccessEvent, 501)); !errors.Is(err, queries.Invalid("event.too_many")) {
		t.Errorf("501 events: %v", err)
	}
}

// A login that has not failed has no reason to fail, and may say how somebody signed in.
func TestReasonsBelongToFailures(t *testing.T) {
	db := queriestest.New(t)
	for i, test := range []struct {
		kind         usage.AccessKind
		result       usage.AccessResult
		reason, want string
	}{
		{usage.AccessLogin, usage.AccessOK, "password", ""},
		{usage.AccessLogin, usage.AccessOK, "지문", ""},
		{usage.AccessLogin, usage.AccessOK, "sso", "sso"},
		{usage.AccessLogin, usage.AccessFailed, "password", "password"},
		{usage.AccessPasswordChanged, "", "password", ""},
		{usage.AccessPasswordChanged, usage.AccessFailed, "password", "password"},
		{usage.AccessSessionRevoked, usage.AccessOK, "revoked", "revoked"},
	} {
		e := login(fmt.Sprint(i), time.Hour)
		e.Kind, e.Result, e.Reason = test.kind, test.result, test.reason
		if got := statuses(takeAccess(t, db, e)); got != "accepted" {
			t.Errorf("%+v: %s", test, got)
		}
		if got := queriestest.LookUp(t, db, "select reason from access_events where event_id = $1", e.EventID); got != test.want {
			t.Errorf("%+v: the reason is %q", test, got)
		}
	}
}

// Events that are sent again change nothing, in any order and at the same time.
func TestAccessEventsAreTakenOnce(t *testing.T) {
	db := queriestest.New(t)
	var events []usage.AccessEvent
	for i := range 100 {
		events = append(events, login(fmt.Sprint("e", i), time.Duration(i)*time.Hour))
	}
	group, ctx := errgroup.WithContext(t.Context())
	for i := range 6 {
		mine := slices.Clone(events)
		if i%2 == 1 {
			slices.Reverse(mine)
		}
		group.Go(func() error {
			_, err := db.Usage.TakeAccessEvents(context.WithoutCancel(ctx), queriestest.Hanbit, mine)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from access_events"); got != "100" {
		t.Errorf("%s rows", got)
	}
}

// What is remarkable is decided by the plain rules of the page.
func TestAccessPatterns(t *testing.T) {
	db := queriestest.New(t)
	from := func(e usage.AccessEvent, address, agent string) usage.AccessEvent {
		e.Address, e.UserAgent = netip.MustParseAddr(address), agent
		return e
	}
	failed := func(id string, before time.Duration) usage.AccessEvent {
		e := login(id, before)
		e.Result = usage.AccessFailed
		return e
	}
	const agent = "Messenger/6.3.0 (Windows)"
	takeAccess(t, db, login("first", 9*time.Hour), from(login("update", 8*time.Hour), "203.0.113.5", "Messenger/6.4.1 (Windows)"),
		from(login("elsewhere", 7*time.Hour), "198.51.100.7", agent), from(login("again", 6*time.Hour), "198.51.100.7", agent))
	takeAccess(t, db, from(login("phone", 5*time.Hour), "203.0.113.5", "Messenger/6.3.0 (Android)"), from(failed("attacker", 4*time.Hour), "192.0.2.9", agent))
	takeAccess(t, db, from(failed("attacker again", 3*time.Hour), "192.0.2.9", agent))
	for i := range 3 { // in several calls and in one
		takeAccess(t, db, failed(fmt.Sprint("f", i), time.Hour-time.Duration(i)*time.Minute))
	}
	takeAccess(t, db, failed("f3", 57*time.Minute), failed("f4", 56*time.Minute), failed("f5", 55*time.Minute), failed("later", 40*time.Minute))
	for query, want := range map[string][]string{
		"pattern=address":               {"attacker again", "attacker", "elsewhere"},
		"pattern=device":                {"phone"},
		"pattern=failures":              {"f5", "f4"},
		"pattern=failures&user_id=6":    {"f5", "f4"},
		"pattern=failures&kind=logout":  {},
		"pattern=address&q=192.0.2.9":   {"attacker again", "attacker"},
		"pattern=address&result=ok":     {"elsewhere"},
		"pattern=address&q=김철수":         {"attacker again", "attacker", "elsewhere"},
		"pattern=device&q=198.51.100.7": {},
	} {
		if got := history(t, db, query); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	if got := queriestest.LookUp(t, db, "select string_agg(failures::text, ' ' order by at) from access_events where failures > 0"); got != "5 6" {
		t.Errorf("failures %s", got)
	}
	// One address that tries many accounts.
	var spray []usage.AccessEvent
	for i := range 11 {
		e := from(failed(fmt.Sprint("spray", i), time.Minute-time.Duration(i)*time.Second), "192.0.2.200", agent)
		e.UserID, e.Email = 0, fmt.Sprintf("someone%d@hanbit.example", i)
		spray = append(spray, e)
	}
	takeAccess(t, db, spray...)
	if got := history(t, db, "pattern=failures&q=192.0.2.200"); !slices.Equal(got, []string{"spray10", "spray9"}) {
		t.Errorf("many accounts: %v", got)
	}
	counts, err := db.Usage.CountAccess(t.Context(), queriestest.Hanbit, seoul, accessFilter(t, "pattern=device"), usage.AccessList{})
	if err != nil || counts.All != 1 || counts.Patterns[usage.PatternFailures] != 4 || counts.Patterns[usage.PatternNewAddress] != 3 {
		t.Errorf("%+v (%v)", counts, err)
	}
}

// Every filter selects the same rows as a comparison row by row, page by page
// forward and backward.
func TestAccessByPage(t *testing.T) {
	db := queriestest.New(t)
	users := []int64{queriestest.Kim, queriestest.Employee, queriestest.Admin}
	var events []usage.AccessEvent
	for i := range 400 {
		e := login(fmt.Sprintf("e%03d", 999-i), time.Duration(400-i)*2*time.Hour)
		e.UserID, e.Address = users[i%3], netip.AddrFrom4([4]byte{203, 0, 113, byte(i % 4)})
		e.Kind, e.Result = usage.ReportedAccessKinds[i%len(usage.ReportedAccessKinds)], ""
		if e.Kind == usage.AccessLogin {
			e.Result = []usage.AccessResult{usage.AccessOK, usage.AccessFailed}[i/100%2]
		}
		events = append(events, e)
	}
	takeAccess(t, db, events...)
	queriestest.Exec(t, db, `update access_events set user_id = null, account = case id % 3 when 0 then '김철수' else 'Nobody@x.example' end where id % 4 = 1`)
	for query, where := range map[string]string{
		"q=nobody@x.example":                                "account = 'Nobody@x.example'",
		"q=+nobody@x.example&result=ok":                     "account = 'Nobody@x.example' and result = 'ok'",
		"q=nobody@x.example&pattern=address&kind=login":     "account = 'Nobody@x.example' and new_address and kind = 'login'",
		"q=nobody@x.example&user_id=6":                      "false",
		"q=김철수":                                             "user_id = 6 or account = '김철수'",
		"":                                                  "true",
		"user_id=6":                                         "user_id = 6",
		"q=203.0.113.1":                                     "ip = '203.0.113.1'",
		"q=%3a%3affff%3a203.0.113.1":                        "ip = '203.0.113.1'",
		"kind=login":                                        "kind = 'login'",
		"result=refused":                                    "result = 'refused'",
		"kind=login&result=failed":                          "kind = 'login' and result = 'failed'",
		"kind=logout&result=failed":                         "false",
		"user_id=6&kind=login":                              "user_id = 6 and kind = 'login'",
		"user_id=6&q=203.0.113.1":                           "user_id = 6 and ip = '203.0.113.1'",
		"q=203.0.113.1&result=ok":                           "ip = '203.0.113.1' and result = 'ok'",
		"q=김철수&result=ok":                                   "(user_id = 6 or account = '김철수') and result = 'ok'",
		"from=2026-11-01&to=2026-11-05":                     "at >= '2026-11-01T00:00+09' and at < '2026-11-06T00:00+09'",
		"kind=logout&from=2026-11-10&user_id=2":             "kind = 'logout' and at >= '2026-11-10T00:00+09' and user_id = 2",
		"user_id=6&q=203.0.113.1&kind=login":                "user_id = 6 and ip = '203.0.113.1' and kind = 'login'",
		"pattern=address":                                   "new_address",
		"pattern=address&result=failed":                     "new_address and result = 'failed'",
		"pattern=address&q=203.0.113.1":                     "new_address and ip = '203.0.113.1'",
		"pattern=address&q=203.0.113.1&kind=login":          "new_address and ip = '203.0.113.1' and kind = 'login'",
		"pattern=address&user_id=6&kind=login":              "new_address and user_id = 6 and kind = 'login'",
		"pattern=address&user_id=6&q=203.0.113.1&result=ok": "new_address and user_id = 6 and ip = '203.0.113.1' and result = 'ok'",
		"q=아무도없음":                                           "false",
	} {
		query = strings.ReplaceAll(query, "김철수", url.QueryEscape("김철수"))
		want := queriestest.LookUp(t, db, "select coalesce(string_agg(event_id, ' ' order by at desc, id desc), '') from access_events where "+where)
		f := accessFilter(t, query)
		f.Limit = 7
		var forward, backward []string
		for {
			page, err := db.Usage.AccessEvents(t.Context(), queriestest.Hanbit, seoul, f)
			if err != nil {
				t.Fatalf("%s: %v", query, err)
			}
			for _, row := range page.Rows {
				forward = append(forward, row.EventID)
			}
			if f.Cursor = page.Next; f.Cursor != nil {
				continue
			}
			for {
				var some []string
				for _, row := range page.Rows {
					some = append(some, row.EventID)
				}
				backward = append(some, backward...)
				if f.Cursor = page.Previous; f.Cursor == nil {
					break
				}
				if page, err = db.Usage.AccessEvents(t.Context(), queriestest.Hanbit, seoul, f); err != nil {
					t.Fatalf("%s: %v", query, err)
				}
			}
			break
		}
		if got := strings.Join(forward, " "); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		if got := strings.Join(backward, " "); got != want {
			t.Errorf("%s backward: %s, want %s", query, got, want)
		}
		first, err := db.Usage.AccessEvents(t.Context(), queriestest.Hanbit, seoul, accessFilter(t, query))
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for _, shown := range []usage.AccessList{{}, first} {
			counts, err := db.Usage.CountAccess(t.Context(), queriestest.Hanbit, seoul, accessFilter(t, query), shown)
			if err != nil || counts.All != int64(len(forward)) {
				t.Errorf("%s: counted %d of %d (%v)", query, counts.All, len(forward), err)
			}
		}
		if page, err := db.Usage.AccessEvents(t.Context(), queriestest.Other, seoul, accessFilter(t, query)); err != nil || len(page.Rows) > 0 {
			t.Errorf("%s: %d rows of another company (%v)", query, len(page.Rows), err)
		}
	}
}

// More rows than are counted are counted once in a while, fewer every time. A page
// that has all rows is counted without the database.
func TestAccessCounts(t *testing.T) {
	db := queriestest.New(t)
	count := func(query string) usage.AccessCounts {
		t.Helper()
		f := accessFilter(t, query)
		list, err := db.Usage.AccessEvents(t.Context(), queriestest.Hanbit, seoul, f)
		if err != nil {
			t.Fatal(err)
		}
		counts, err := db.Usage.CountAccess(t.Context(), queriestest.Hanbit, seoul, f, list)
		if err != nil {
			t.Fatal(err)
		}
		return counts
	}
	const insert = `insert into access_events (company_id, at, event_id, user_id, account, kind, result, reason, source, platform, user_agent, actor_name, received_at, new_device, new_address, failures, address_failures)
		select 1, '2026-11-01'::timestamptz + i * interval '1 second', 'e' || i, 6, '', 'login', 'ok', '', 'messenger', 'pc', '', '', now(), i %% 4 = 0, i %% 3 = 0, i %% 2, i %% 5
		from generate_series(%d, %d) i`
	want := func(query string, all, failures, devices, addresses int64) {
		t.Helper()
		counts := count(query)
		got := []int64{counts.All, counts.Patterns[usage.PatternFailures], counts.Patterns[usage.PatternNewDevice], counts.Patterns[usage.PatternNewAddress]}
		if !slices.Equal(got, []int64{all, failures, devices, addresses}) {
			t.Errorf("%q: %v", query, got)
		}
	}
	queriestest.Exec(t, db, fmt.Sprintf(insert, 1, 40)) // one page
	want("", 40, 36, 10, 13)
	want("pattern=device", 10, 36, 10, 13)
	queriestest.Exec(t, db, fmt.Sprintf(insert, 41, 1000))
	want("", 1000, 900, 250, 333)
	want("pattern=device", 250, 900, 250, 333)
	queriestest.Exec(t, db, fmt.Sprintf(insert, 1001, 1002))
	want("", 1001, 902, 250, 334)
	queriestest.Exec(t, db, fmt.Sprintf(insert, 1003, 1004))
	want("pattern=device", 250, 902, 250, 334)
	want("user_id=6", 1001, 904, 251, 334)
}

// Every filter is read in the order of its index, and only what several people or
// facets have is merged by sorting.
func TestAccessIsReadInOrder(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `insert into access_events (company_id, at, event_id, user_id, account, kind, result, reason, source, platform, ip, user_agent, actor_name, received_at, new_device, new_address, failures, address_failures)
		select 1, '2026-11-19'::timestamptz - i * interval '1 minute', 'e' || i, i % 19, '', case when i % 3 = 0 then 'logout' else 'login' end, case when i % 11 = 1 then 'failed' else 'ok' end, '', 'messenger', 'pc',
			('10.0.0.' || i % 89)::inet, '', '', now(), i % 7 = 0, i % 10 = 0, case when i % 20 = 0 then 5 else 0 end, 0
		from generate_series(1, 20000) i`)
	queriestest.Exec(t, db, "analyze access_events")
	indexes := map[string]string{} // of the partitions, with that of the table
	rows, err := db.Pool().Query(t.Context(), "select inhrelid::regclass::text, inhparent::regclass::text from pg_inherits join pg_index on indexrelid = inhparent where indrelid = 'access_events'::regclass")
	if err != nil {
		t.Fatal(err)
	}
	var partition, index string
	if _, err := pgx.ForEachRow(rows, []any{&partition, &index}, func() error {
		indexes[partition] = index
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]struct {
		index string
		sorts int
	}{
		"":                                    {"access_events_pkey", 0},
		"kind=logout":                         {"access_events_by_kind", 1},
		"result=failed":                       {"access_events_by_kind", 1},
		"user_id=6":                           {"access_events_by_user", 1},
		"user_id=6&kind=logout":               {"access_events_by_user_kind", 1},
		"q=203.0.113.1":                       {"access_events_by_address", 1},
		"q=nobody@x.example":                  {"access_events_by_account", 0},
		"q=nobody@x.example&kind=login":       {"access_events_by_account", 0},
		"q=203.0.113.1&kind=logout":           {"access_events_by_address", 1},
		"user_id=6&q=203.0.113.1":             {"access_events_by_user_address", 1},
		"user_id=6&pattern=address":           {"access_events_remarkable", 1},
		"pattern=address":                     {"access_events_new_address", 0},
		"pattern=device":                      {"access_events_new_device", 0},
		"pattern=failures":                    {"access_events_failures", 0},
		"pattern=address&kind=logout":         {"access_events_new_address_by_kind", 1},
		"pattern=device&kind=logout":          {"access_events_new_device_by_kind", 1},
		"pattern=failures&kind=logout":        {"access_events_failures_by_kind", 1},
		"pattern=address&q=10.0.0.1":          {"access_events_new_address_by_address", 0},
		"pattern=device&q=10.0.0.1&result=ok": {"access_events_new_device_by_address", 0},
		"pattern=failures&q=10.0.0.1":         {"access_events_failures_by_address", 0},
	} {
		for _, cursor := range []*lists.Cursor{nil, new(lists.TimeCursor("access", queriestest.Now, 7))} {
			f := accessFilter(t, query)
			f.Cursor = cursor
			statement, err := db.Usage.AccessStatement(t.Context(), queriestest.Hanbit, seoul, f)
			if err != nil {
				t.Fatal(err)
			}
			plan := orderedPlan(t, db, statement)
			used := map[string]bool{}
			for _, match := range regexp.MustCompile(`Scan.* using (access_events_2026_11_\S+) on`).FindAllStringSubmatch(plan, -1) {
				used[indexes[match[1]]] = true
			}
			delete(used, "access_events_pkey")
			if want.index == "access_events_pkey" && len(used) > 0 || want.index != "access_events_pkey" && (len(used) != 1 || !used[want.index]) {
				t.Errorf("%s: read by %v, want %s\n%s", query, used, want.index, plan)
			}
			if sorts := strings.Count(plan, "Sort Key"); sorts != want.sorts || strings.Contains(plan, "Seq Scan on access_events_2026_11") {
				t.Errorf("%s: %d sorts, want %d\n%s", query, sorts, want.sorts, plan)
			}
		}
	}
}

// orderedPlan returns the plan of a statement that OrderedPlan runs.
func orderedPlan(t *testing.T, db *areas.Areas, statement string) string {
	t.Helper()
	var plan strings.Builder
	if err := db.Pool().AcquireFunc(t.Context(), func(conn *pgxpool.Conn) error {
		results, err := conn.Conn().PgConn().Exec(t.Context(), "begin; set local enable_sort = off; set local enable_hashjoin = off; set local enable_mergejoin = off; explain (generic_plan, costs off) "+statement+"; rollback").ReadAll()
		if err != nil {
			return err
		}
		for _, row := range results[4].Rows {
			fmt.Fprintf(&plan, "%s\n", row[0])
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}
