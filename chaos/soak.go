package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/time/rate"
)

const (
	soakEmployees = 1200
	soakDays      = 60
	capacityTime  = 30 * time.Second
	soakShare     = 0.7
	eighths       = 8
	samplesOfPart = 8 // in each eighth
)

// soakPace is the mix of a soak: three pages for each small batch of events, and a few
// saves.
var soakPace = pace{eventWriters: 4, batch: 5, savePause: 10 * time.Second, readers: 12}

// soak drives a console for a duration at a share of its capacity, and prints what it
// uses and whether that grows.
func soak(ctx context.Context, binary string, lasting time.Duration, r *report) (err error) {
	b, err := newLaboratory(ctx, binary, soakEmployees, soakDays)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	s := &site{}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := b.builtIn(ctx, s); err != nil {
		return err
	}
	c := company{email: "admin@hanbit.example", password: demoPassword}
	if err := c.setUp(ctx, s.consoles(), s.database); err != nil {
		return err
	}
	if err := c.limitLogs(ctx, s); err != nil {
		return err
	}
	capacity, err := measureCapacity(ctx, s, &c)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.out, "Capacity: %.0f calls of events and pages a second. The load is %.0f %% of it for %v.\n\n", capacity, 100*soakShare, lasting)
	limit := rate.NewLimiter(rate.Limit(soakShare*capacity), 1)
	steady := soakPace
	steady.admit = limit.Wait
	l := startLoad(ctx, s.consoles(), &c, steady)
	defer l.end()
	k := &soakRun{laboratory: b, site: s, load: l, report: r}
	if err := k.watch(ctx, lasting); err != nil {
		return err
	}
	l.end()
	found, err := b.oracle(s).judge(ctx, l)
	if err != nil {
		return err
	}
	k.conclude(found)
	return nil
}

// limitLogs makes the events of clients older than a month go.
func (c *company) limitLogs(ctx context.Context, s *site) error {
	admin := &session{client: newClient(s.consoles(), 0, newTally(time.Now())), company: c}
	defer admin.close()
	if err := admin.signIn(ctx); err != nil {
		return err
	}
	a := admin.json(ctx, http.MethodPut, c.own()+"/security/retention", admin.header(), map[string]int{"access_months": 24, "file_months": 1, "client_months": 1})
	if a.outcome != done {
		return fmt.Errorf("set the retention: %v", a)
	}
	return nil
}

// measureCapacity returns how many calls of events and pages a second the console
// answers when every client sends the next one at once.
func measureCapacity(ctx context.Context, s *site, c *company) (float64, error) {
	l := startLoad(ctx, s.consoles(), c, soakPace)
	defer l.end()
	wait(ctx, capacityTime/3) // to warm up
	before, began := l.tally.sent(), time.Now()
	wait(ctx, capacityTime)
	capacity := float64(l.tally.sent()-before) / time.Since(began).Seconds()
	if capacity < 1 {
		return 0, errors.Join(ctx.Err(), errors.New("the console answers less than one request a second"))
	}
	return capacity, ctx.Err()
}

// soakRun is the steady part of a soak.
type soakRun struct {
	*laboratory
	*site
	load    *load
	report  *report
	samples []sample
	deleted int // old rows that the retention has deleted
}

// watch takes samples until the duration is over. At the end of every eighth it prints
// one, and has old rows deleted.
func (k *soakRun) watch(ctx context.Context, lasting time.Duration) error {
	conn, err := pgx.Connect(ctx, k.site.database)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	k.head()
	began := time.Now()
	for n := 1; n <= eighths*samplesOfPart; n++ {
		due := began.Add(lasting * time.Duration(n) / (eighths * samplesOfPart))
		if !wait(ctx, time.Until(due)) {
			return ctx.Err()
		}
		now, err := takeSample(ctx, k.programs[0], conn, k.cluster())
		if err != nil {
			return fmt.Errorf("take a sample: %w", err)
		}
		now.at, now.requests = time.Since(began), k.load.tally.sent()
		k.samples = append(k.samples, now)
		if n%samplesOfPart == 0 {
			k.row(now)
			if err := k.retain(ctx, conn, n); err != nil {
				return fmt.Errorf("delete old rows: %w", err)
			}
		}
	}
	return nil
}

// oldRows are how many events of clients a run of the retention has to delete.
const oldRows = 20_000

// retain adds old events of clients, and has them deleted by the job of another console
// on the same database: the job runs at a start and then once a day.
func (k *soakRun) retain(ctx context.Context, conn *pgx.Conn, n int) error {
	_, err := conn.Exec(ctx, `insert into client_events (company_id, event_id, occurred_at, user_id, platform, device_id, kind, version, os, device_name, received_at)
		select $1, format('chaos-%s-%s', $2::int, i), now() - interval '40 days', $3, 'pc', 'chaos', 'login', '6.0.0', 'Windows 11', 'chaos', now() from generate_series(1, $4::int) i`,
		k.load.company.id, n, k.load.company.users[0], oldRows)
	if err != nil {
		return err
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	other := k.beside(k.site, address, k.site.database, nil)
	if err := other.start(ctx); err != nil {
		return err
	}
	left := oldRows
	for end := time.Now().Add(time.Minute); left > 0 && time.Now().Before(end) && err == nil; wait(ctx, retryPause) {
		err = conn.QueryRow(ctx, "select count(*) from client_events where company_id = $1 and occurred_at < now() - interval '39 days'", k.load.company.id).Scan(&left)
	}
	k.deleted += oldRows - left
	if left > 0 && err == nil {
		err = fmt.Errorf("%d rows are still there after a minute", left)
	}
	return errors.Join(err, other.stop(), os.RemoveAll(other.dir))
}

// median returns the median of a figure in one of the eighths.
func (k *soakRun) median(eighth int, of func(sample) float64) float64 {
	var values []float64
	for _, s := range k.samples[(eighth-1)*samplesOfPart : eighth*samplesOfPart] {
		values = append(values, of(s))
	}
	slices.Sort(values)
	return values[len(values)/2]
}
