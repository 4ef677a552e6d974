package handlers_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/hiding"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/replica"
	"officeconsole/workday"
)

// A replicated is a console over a database with a read replica.
type replicated struct {
	*site
	standby *queriestest.Standby
}

func newReplicated(t *testing.T, standby *queriestest.Standby, maxLag time.Duration) replicated {
	t.Helper()
	clock := queriestest.NewClock()
	at := areas.Addresses{URL: standby.Primary, Replicas: []string{standby.Replica}, MaxLag: maxLag}
	db, err := areas.OpenAt(t.Context(), at, clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	db.UseKeys(queriestest.Keys())
	return replicated{newSiteOver(t, db, clock, handlers.Config{API: api.New(db, "test", nil)}), standby}
}

// becomes waits until a check finds the replica in a state.
func (s replicated) becomes(want replica.State) {
	s.t.Helper()
	eventually(s.t, "the replica does not become "+string(want), func() bool { return s.db.Replicas()[0].Status().State == want })
}

// catchesUp waits until a check finds that the replica has replayed everything.
func (s replicated) catchesUp() {
	s.t.Helper()
	ctx := replica.WithUser(s.t.Context(), replica.User{CompanyID: queriestest.Hanbit, ID: -1})
	if err := s.db.InTx(ctx, func(context.Context, queries.Tx) error { return nil }); err != nil {
		s.t.Fatal(err)
	}
	eventually(s.t, "the replica does not catch up", func() bool { return replica.From(s.db.ReadFromReplica(ctx)) != nil })
}

// replicaRequests counts the requests that a replica might answer, by what did.
func replicaRequests(t *testing.T) map[string]int {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, family := range families {
		if family.GetName() != "officeconsole_replica_requests_total" {
			continue
		}
		for _, m := range family.GetMetric() {
			n[m.GetLabel()[0].GetValue()] = int(m.GetCounter().GetValue())
		}
	}
	return n
}

// Every list reads from the replica, with no statement that only the primary takes.
func TestListsReadFromReplica(t *testing.T) {
	s := newReplicated(t, queriestest.NewStandby(t), time.Hour)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	admin, manager := s.as(queriestest.Admin), s.as(queriestest.Manager)
	s.catchesUp()
	for reader, paths := range map[*client][]string{
		admin: {
			"/logs/workingattitude/day", "/logs/workingattitude/day?date=2026-11-20", "/logs/workingattitude/day?q=kim", "/logs/workingattitude/day/export?format=csv",
			"/logs/workingattitude/week", "/logs/workingattitude/week?over=40", "/logs/workingattitude/week/export?format=xlsx",
			"/logs/workingattitude/month", "/logs/workingattitude/month?sort=-late", "/logs/workingattitude/month/export?format=csv",
			"/logs/workingattitude/month/payroll", "/logs/workingattitude/month/payroll/export?format=csv",
			"/logs/workingattitude/management", "/logs/workingattitude/management/export?format=csv",
			"/logs/communication/file", "/logs/communication/file/export?format=csv",
			"/manage/security/access", "/manage/security/access/export?format=csv",
			"/manage/security/changes", "/manage/security/changes/export?format=csv",
			"/manage/security/reads", "/manage/security/reads/export?format=csv",
			"/manage/use/agent/pc", "/manage/use/agent/mobile", "/manage/use/agent/pc/export?format=csv",
			"/api/v1/companies/1/users/1/logs/workingattitude?unit=day", "/api/v1/companies/1/users/1/logs/workingattitude?unit=month",
			"/api/v1/companies/1/users/1/logs/communication/files", "/api/v1/companies/1/users/1/security/access",
			"/api/v1/companies/1/users/1/audit", "/api/v1/companies/1/users/1/audit/reads",
		},
		manager: {"/logs/workingattitude/day", "/logs/workingattitude/week", "/logs/workingattitude/month", "/logs/workingattitude/month/export?format=csv"},
	} {
		for _, path := range paths {
			s.catchesUp() // a file is noted as a download, which is a write
			before := replicaRequests(t)
			eventually(t, path+" is not read from the replica", func() bool {
				reader.get(path).want(http.StatusOK)
				return replicaRequests(t)["replica"] > before["replica"]
			})
		}
	}
	s.catchesUp()
	s.standby.StopReplica()
	admin.get("/logs/workingattitude/day").want(http.StatusOK) // no check has missed it yet
}

const replicatedDay = "/logs/workingattitude/day?date=2026-11-20"

// seesOldDay fails unless a reader gets the day from the replica, without an arrival that
// it has not replayed. On a busy machine the last check may be too old at first.
func (c *client) seesOldDay() {
	c.site.t.Helper()
	eventually(c.site.t, "the day is not read from the replica", func() bool {
		page := c.get(replicatedDay).want(http.StatusOK).shows("김철수")
		return !strings.Contains(page.text(), "09:34")
	})
}

// Somebody finds what they wrote, whatever the replica has, and everybody what must not
// be old.
func TestReplicaIsNotReadBeforeOwnWrites(t *testing.T) {
	s := newReplicated(t, queriestest.NewStandby(t), time.Hour)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(10 * time.Hour)
	admin, manager := s.as(queriestest.Admin), s.as(queriestest.Manager)
	other := newReplicated(t, s.standby, time.Hour) // another process
	other.clock.Advance(10 * time.Hour)
	s.catchesUp()
	other.catchesUp()
	s.standby.Run("select pg_wal_replay_pause()")

	s.clocks(queriestest.Kim, workday.In, "2026-11-20T09:34:12") // as the messenger reports it
	for _, reader := range []*client{admin, manager, admin.on(other.site), manager.on(other.site)} {
		reader.seesOldDay()
	}
	admin.post(holidaysPath, "name", "여름 휴가", "first_date", "2027-08-02", "last_date", "2027-08-06").want(http.StatusSeeOther)
	for _, reader := range []*client{admin, admin.on(other.site)} {
		reader.get(replicatedDay).want(http.StatusOK).shows("김철수", "09:34")
	}
	manager.seesOldDay()
	eventually(t, "the page does not say how old it is", func() bool {
		return strings.Contains(manager.get(replicatedDay).text(), "초 전의 기록을 표시하고 있습니다")
	})

	if _, err := s.db.Hidings.Hide(t.Context(), queriestest.AdminActor(t, s.db), hiding.Draft{UserIDs: []int64{queriestest.Foreigner}}); err != nil {
		t.Fatal(err)
	}
	manager.get(replicatedDay).want(http.StatusOK).shows("09:34")

	s.standby.Run("select pg_wal_replay_resume()")
	s.catchesUp()
	before := replicaRequests(t)
	eventually(t, "the replica is not read after it has caught up", func() bool {
		manager.get(replicatedDay).want(http.StatusOK).shows("09:34")
		return replicaRequests(t)["replica"] > before["replica"]
	})
}

// A replica that is behind, gone or none any more is not read.
func TestUnfitReplicasAreNotRead(t *testing.T) {
	standby := queriestest.NewStandby(t)
	s := newReplicated(t, standby, 250*time.Millisecond)
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(10 * time.Hour)
	admin := s.as(queriestest.Admin)
	s.becomes(replica.Current)
	standby.Run("select pg_wal_replay_pause()")
	s.clocks(queriestest.Kim, workday.In, "2026-11-20T09:34:12")
	s.becomes(replica.Behind)
	admin.get(replicatedDay).want(http.StatusOK).shows("09:34")

	foreign := areas.Addresses{URL: queriestest.URL(t), Replicas: []string{standby.Replica}, MaxLag: time.Hour}
	db, err := areas.OpenAt(t.Context(), foreign, s.clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	eventually(t, "a replica of another database is not found out", func() bool { return db.Replicas()[0].Status().State == replica.Foreign })

	itself := areas.Addresses{URL: standby.Primary, Replicas: []string{standby.Primary}, MaxLag: time.Hour}
	if db, err = areas.OpenAt(t.Context(), itself, s.clock.Now); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	eventually(t, "the database itself is taken for a replica", func() bool { return db.Replicas()[0].Status().State == replica.Primary })

	standby.Run("select pg_wal_replay_resume()")
	s.becomes(replica.Current)
	standby.Run("select pg_promote()")
	s.becomes(replica.Promoted)
	s.clocks(queriestest.Kim, workday.Out, "2026-11-20T18:02:51")
	admin.get(replicatedDay).want(http.StatusOK).shows("18:02")

	standby.StopReplica()
	s.becomes(replica.Away)
	admin.get(replicatedDay).want(http.StatusOK).shows("18:02")
}
