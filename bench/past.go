package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// pastDays is how far into the past the part past changes a policy.
const pastDays = 30

// pastPages are loaded while records are computed again, by one connection.
var pastPages = []benchPage{
	{name: "day", path: "/logs/workingattitude/day?date={date}"},
	{name: "month", path: "/logs/workingattitude/month?month={month}"},
	{name: "policies", path: policiesPath},
}

// past measures computing the records of a month again after a change of the
// default policy, and the time of pages meanwhile.
func past(ctx context.Context, b *bench) error {
	database, err := b.server.withAttendance(ctx, b.pastPeople, pastDays)
	if err != nil {
		return err
	}
	s, err := newConsole(ctx, database)
	if err != nil {
		return err
	}
	defer s.close()
	choice, err := placeholders(ctx, s.db)
	if err != nil {
		return err
	}
	load := func(rounds int, going func() bool) (times []spread, err error) {
		times = make([]spread, len(pastPages))
		for i := 0; i < rounds && going(); i++ {
			for j, page := range pastPages {
				took, err := s.load(ctx, choice.Replace(page.path), 1, 200*time.Millisecond)
				if err != nil {
					return nil, err
				}
				times[j] = append(times[j], milliseconds(took.p50))
			}
		}
		return times, nil
	}
	if _, err := load(2, func() bool { return true }); err != nil { // warm-up
		return err
	}
	usual, err := load(5, func() bool { return true })
	if err != nil {
		return err
	}
	b.table.head(fmt.Sprintf("A policy of the past, %s people and %d days", thousands(b.pastPeople), pastDays))
	if err := b.recomputeAlone(ctx, s.db); err != nil {
		return err
	}
	if err := b.savePast(ctx, s.db); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- s.db.Attendance.RecomputePast(ctx) }()
	meanwhile, loadErr := load(1_000_000, func() bool { return len(done) == 0 })
	if err := cmp.Or(<-done, loadErr); err != nil {
		return err
	}
	for j, page := range pastPages {
		b.table.row(page.name+": time meanwhile, relative to the usual", "≤ 2", fmt.Sprintf("%.2f (%.1f ms, %.1f ms)", meanwhile[j].median()/usual[j].median(), meanwhile[j].median(), usual[j].median()))
	}
	return nil
}

// recomputeAlone measures computing the records again while nothing else happens.
// Processor time shows the work also where the machine is busy with something else.
func (b *bench) recomputeAlone(ctx context.Context, db *areas.Areas) error {
	if err := b.savePast(ctx, db); err != nil {
		return err
	}
	if b.profile != "" {
		file, err := os.Create(b.profile)
		if err != nil {
			return err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
	}
	used := func() (program, server time.Duration, err error) {
		if program, err = processorTimeOf(os.Getpid(), false); err == nil {
			server, err = b.server.processorTime()
		}
		return program, server, err
	}
	program, server, err := used()
	if err != nil {
		return err
	}
	start := time.Now()
	if err := db.Attendance.RecomputePast(ctx); err != nil {
		return err
	}
	took := time.Since(start)
	pprof.StopCPUProfile()
	programAfter, serverAfter, err := used()
	if err != nil {
		return err
	}
	program, server = programAfter-program, serverAfter-server
	var records, people int64
	if err := db.Pool().QueryRow(ctx, "select records_changed, people from attendance_recomputations where company_id = 1 order by id desc limit 1").Scan(&records, &people); err != nil {
		return err
	}
	b.table.row("computing the records again", "", fmt.Sprintf("%.1f s, %d records changed", took.Seconds(), records))
	b.table.row("processor time of the program and of PostgreSQL", "", fmt.Sprintf("%.1f s, %.1f s", program.Seconds(), server.Seconds()))
	b.table.row("the same for 100,000 people, extrapolated", "≤ 180 s", fmt.Sprintf("%.0f s, of it processor time %.0f s", took.Seconds()*100_000/float64(people), (program+server).Seconds()*100_000/float64(people)))
	return nil
}

// savePast saves a version of the default policy that starts as early as the records
// do, with another grace for being late than the version before.
func (b *bench) savePast(ctx context.Context, db *areas.Areas) error {
	var id, user int64
	if err := db.Pool().QueryRow(ctx, "select id, (select min(id) from users where company_id = 1 and is_admin) from policies where company_id = 1 and kind = 'workingattitude' and is_default").Scan(&id, &user); err != nil {
		return err
	}
	p, err := db.Policies.Policy(ctx, 1, id)
	if err != nil {
		return err
	}
	earliest, err := db.Policies.EarliestStart(ctx, 1)
	if err != nil {
		return err
	}
	person, err := db.Directory.Person(ctx, directory.PersonParams{CompanyID: 1, ID: user})
	if err != nil {
		return err
	}
	draft := p.Version.Draft(p)
	first := max(earliest, workday.DateOf(time.Now())-pastDays)
	draft.EffectiveFrom = policy.Start{When: policy.StartAt, Local: first.String() + "T00:00"}
	draft.Settings = fmt.Appendf(nil, `{"grace_in_min":%d}`, 1+p.LastNo%60)
	draft.Confirmed = true
	change := func() (policy.Preview, error) {
		return db.Policies.PreviewDraft(ctx, queries.Actor{CompanyID: 1, UserID: user, Name: person.Name}, draft, id)
	}
	start := time.Now()
	preview, err := change()
	if err != nil {
		return err
	}
	found, err := db.Attendance.PreviewPast(ctx, 1, *preview.Past)
	if err != nil {
		return err
	}
	b.table.row("preview", "", fmt.Sprintf("%.2f s, %d records, exact: %v, from %s", time.Since(start).Seconds(), found.Records, found.IsExact, first))
	_, err = db.Policies.Update(ctx, queries.Actor{CompanyID: 1, UserID: user, Name: person.Name}, id, 0, draft)
	return err
}
