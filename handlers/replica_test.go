package handlers_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"officeconsole/exports"
	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/cache"
	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
	"officeconsole/workday"
)

// replica returns the same console in another process: over the same database and
// files, with caches of its own.
func (s *site) replica() *site {
	s.t.Helper()
	db, err := areas.Open(s.t.Context(), s.db.Pool().Config().ConnString(), s.clock.Now)
	if err != nil {
		s.t.Fatal(err)
	}
	db.UseKeys(queriestest.Keys())
	s.t.Cleanup(db.Close)
	return newSiteOver(s.t, db, s.clock, handlers.Config{API: api.New(db, "test", nil)})
}

// on returns the same browser at another replica.
func (c *client) on(s *site) *client { return &client{s, c.http, c.header} }

// eventually fails unless a condition comes true. The clock of the test stands still, so
// nothing in a cache expires.
func eventually(t *testing.T, what string, isTrue func() bool) {
	t.Helper()
	deadline, look := time.After(time.Minute), time.NewTicker(time.Millisecond)
	defer look.Stop()
	for !isTrue() {
		select {
		case <-deadline:
			t.Fatal(what)
		case <-look.C:
		}
	}
}

// reaches fails unless a replica learns of the latest version of a part.
func (s *site) reaches(part cache.Part) {
	s.t.Helper()
	want := s.count("select version from data_versions where company_id = 1 and part = $1", string(part))
	eventually(s.t, "the replica does not learn of "+string(part), func() bool {
		return s.db.Version(queriestest.Hanbit, part) == int64(want)
	})
}

func TestSessionsOnReplicas(t *testing.T) {
	s := newSite(t)
	other := s.replica()
	const page = "/policies/communication/management"
	admin, employee := s.as(queriestest.Admin), s.as(queriestest.Employee)
	admin.on(other).get(page).want(http.StatusOK)
	employee.on(other).get("/profile").want(http.StatusOK)
	s.exec("update users set hidden_at = $1 where id = $2", s.clock.Now(), queriestest.Employee)
	for _, replica := range []*site{s, other} {
		if at := employee.on(replica).get("/profile").want(http.StatusSeeOther).location(); at != "/login?next=%2Fprofile" {
			t.Errorf("a hidden user is led to %s", at)
		}
	}
	admin.on(other).post("/logout").want(http.StatusSeeOther)
	admin.get(page).want(http.StatusSeeOther)
	second := other.as(queriestest.Admin)
	second.get(page).want(http.StatusOK)
	s.exec("delete from sign_ins")
	second.on(s).get(page).want(http.StatusSeeOther)
	second.get(page).want(http.StatusSeeOther)
}

// Failures to sign in are counted together: the sixth is refused wherever it comes.
func TestSignInLimitOfReplicas(t *testing.T) {
	s := newSite(t)
	other := s.replica()
	for i := range 5 {
		at := []*site{s, other}[i%2]
		at.nobody().post("/login", "email", queriestest.Email(queriestest.Admin), "password", "wrong").want(422).shows("이메일 또는 비밀번호")
	}
	for _, replica := range []*site{s, other} {
		replica.nobody().signIn(queriestest.Admin).want(422).shows("여러 번 틀려 잠겼습니다")
	}
}

// What one replica changes is shown by the other one, whatever it has in its caches.
func TestCachesOfReplicas(t *testing.T) {
	s := lateSite(t)
	other := s.replica()
	other.db.Listen()
	t.Run("policies", func(t *testing.T) {
		admin := s.as(queriestest.Admin)
		elsewhere := admin.on(other)
		const list = "/policies/communication/management"
		elsewhere.get(list).hides("복제본 정책")
		if _, err := s.db.Policies.Create(t.Context(), queriestest.AdminActor(t, s.db), queriestest.PolicyDraft("복제본 정책")); err != nil {
			t.Fatal(err)
		}
		elsewhere.get(list).shows("복제본 정책")
	})
	t.Run("requests for corrections", func(t *testing.T) {
		everybody := attendance.RecordScope{Scope: directory.Scope{Everybody: true}}
		pending := func() int64 {
			t.Helper()
			n, err := other.db.Attendance.PendingCorrectionCount(t.Context(), directory.Person{CompanyID: queriestest.Hanbit}, everybody, 100)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		before := pending()
		kim := s.asKim()
		kim.post(kimFriday+"/correction", "arrival", "09:34", "departure", "19:20", "reason", "회의", "last_edit", "0").want(http.StatusSeeOther)
		other.reaches(cache.Attendance)
		if n := pending(); n != before+1 {
			t.Errorf("%d requests, %d before", n, before)
		}
		kim.post(fmt.Sprintf("%s/correction/%d/withdraw", kimFriday, s.count("select max(id) from attendance_corrections"))).want(http.StatusSeeOther)
		other.reaches(cache.Attendance)
		if n := pending(); n != before {
			t.Errorf("%d requests after it was withdrawn, %d before", n, before)
		}
	})
	t.Run("records of a day", func(t *testing.T) {
		late := func() int {
			t.Helper()
			counts, err := other.db.Attendance.StatusCounts(t.Context(), queriestest.Person(t, other.db, queriestest.Hanbit, queriestest.Admin), attendance.RecordScope{Scope: directory.Scope{Everybody: true}}, workday.DateOf(s.clock.Now()), nil)
			if err != nil {
				t.Fatal(err)
			}
			return counts.ByStatus[workday.StatusLate]
		}
		before := late()
		s.clocks(queriestest.Employee, workday.In, "2026-11-20T11:00:00")
		other.reaches(cache.Attendance)
		if n := late(); n != before+1 {
			t.Errorf("%d are late, %d before", n, before)
		}
	})
	t.Run("saved files", func(t *testing.T) {
		files := func() int64 {
			t.Helper()
			sums, err := other.db.Usage.FileSums(t.Context(), queriestest.Hanbit, time.UTC, usage.FileFilter{})
			if err != nil {
				t.Fatal(err)
			}
			return sums.Files
		}
		before := files()
		_, err := s.db.Usage.TakeFileEvents(t.Context(), queriestest.Hanbit, []usage.FileEvent{{
			EventID: "replica", UserID: queriestest.Kim, Room: "대화", Name: "a.txt", Size: 1, Platform: "pc", SavedAt: s.clock.Now(), Address: netip.MustParseAddr("10.0.0.1"),
		}})
		if err != nil {
			t.Fatal(err)
		}
		other.reaches(cache.Files)
		if n := files(); n != before+1 {
			t.Errorf("%d files, %d before", n, before)
		}
	})
	t.Run("clients", func(t *testing.T) {
		admin, err := s.db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: queriestest.Hanbit, ID: queriestest.Admin})
		if err != nil {
			t.Fatal(err)
		}
		installed := func() int64 {
			t.Helper()
			counts, err := other.db.Usage.ClientCounts(t.Context(), admin, usage.PC, usage.Rules{}, 30)
			if err != nil {
				t.Fatal(err)
			}
			return counts.Installed
		}
		before := installed()
		_, err = s.db.Usage.TakeClientEvents(t.Context(), queriestest.Hanbit, []usage.ClientEvent{{
			EventID: "replica", UserID: queriestest.Kim, Platform: usage.PC, Kind: usage.ClientLogin, Version: "6.4.2", OS: "Windows 11 24H2", DeviceID: "replica", OccurredAt: s.clock.Now(),
		}})
		if err != nil {
			t.Fatal(err)
		}
		other.reaches(cache.Clients)
		if n := installed(); n != before+1 {
			t.Errorf("%d clients, %d before", n, before)
		}
	})
	t.Run("tokens of the bot", func(t *testing.T) {
		path := s.hookPath(0)
		program := other.nobody().with("Content-Type", "application/json")
		program.do(http.MethodPost, path, `{"text":"가"}`).want(http.StatusOK)
		s.hookPath(0) // ends the token before
		other.reaches(cache.Bot)
		program.do(http.MethodPost, path, `{"text":"나"}`).want(http.StatusUnauthorized)
	})
}

// A file that one replica writes is read from another one.
func TestExportOfAnotherReplica(t *testing.T) {
	s := newSite(t)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := s.replica()
	today := workday.DateOf(s.clock.Now())
	request := exports.Request{Filter: attendance.Filter{Unit: attendance.DayUnit, First: today, Last: today}, Format: exports.CSV, Locale: locales.Korean}
	p, err := s.db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: queriestest.Hanbit, ID: queriestest.Viewer})
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.db.Exports.Request(t.Context(), directory.ActorFrom(p, queries.Actor{}.Address), request.FileName(), request)
	if err != nil {
		t.Fatal(err)
	}
	page := "/logs/workingattitude/day/exports/" + strconv.FormatInt(id, 10)
	viewer := s.as(queriestest.Viewer)
	viewer.get(page).want(http.StatusOK).shows("차례를 기다리고 있습니다")
	for range 2 { // it is written once
		if err := exports.Run(t.Context(), other.db); err != nil {
			t.Fatal(err)
		}
	}
	for _, replica := range []*site{s, other} {
		if got := names(t, viewer.on(replica).get(page+"/file").want(http.StatusOK)); got != "김철수 박지민 최유진 Olivia Martin" {
			t.Errorf("the file holds %q", got)
		}
	}
}
