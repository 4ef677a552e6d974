package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"time"
)

const (
	rounds      = 8
	roundLength = 2 * time.Second
)

// list compares the policy list with the floor. Their rounds alternate, so that
// other load on the machine affects both.
func list(ctx context.Context, b *bench) error {
	database, err := b.server.url(ctx, size)
	if err != nil {
		return err
	}
	console, err := newConsole(ctx, database)
	if err != nil {
		return err
	}
	defer console.close()
	bare, err := newFloor(ctx, database, console.db)
	if err != nil {
		return err
	}
	defer bare.close()

	b.table.head(fmt.Sprintf("Policy list, 50 rows, signed in, compressed, %d connections, %s people", connections, thousands(size)))
	for _, s := range []*site{console, bare} { // warm-up
		if _, err := s.load(ctx, policiesPath, connections, roundLength); err != nil {
			return err
		}
	}
	var rate, p99, processor spread
	var here, there outcome
	for i := range rounds {
		if i%2 == 0 {
			there, err = bare.load(ctx, policiesPath, connections, roundLength)
		}
		if err == nil {
			here, err = b.profileRound(i, func() (outcome, error) { return console.load(ctx, policiesPath, connections, roundLength) })
		}
		if err == nil && i%2 == 1 {
			there, err = bare.load(ctx, policiesPath, connections, roundLength)
		}
		if err != nil {
			return err
		}
		rate, p99 = append(rate, here.perSecond/there.perSecond), append(p99, float64(here.p99)/float64(there.p99))
		processor = append(processor, float64(here.processor)/float64(there.processor))
	}
	b.table.row("requests per second, relative to the floor", "≥ 0.65", rate.String())
	b.table.row("p99, relative to the floor", "≤ 3", p99.String())
	b.table.row("processor time per request without PostgreSQL, relative to the floor", "", processor.String())
	b.table.row("processor time per request in the last round, console", "", here.processor.String())
	b.table.row("requests per second in the last round, console and floor", "", fmt.Sprintf("%.0f, %.0f", here.perSecond, there.perSecond))
	b.table.row("p50 and p99 in the last round, console", "", fmt.Sprintf("%.1f ms, %.1f ms", milliseconds(here.p50), milliseconds(here.p99)))
	b.table.row("bytes of the page, console and floor", "", fmt.Sprintf("%d, %d", here.bytes, there.bytes))
	return traffic(ctx, b, database)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// profileRound runs a round, and writes its CPU profile if one was requested.
func (b *bench) profileRound(round int, do func() (outcome, error)) (result outcome, err error) {
	if b.profile == "" || round != rounds/2 {
		return do()
	}
	file, err := os.Create(b.profile)
	if err != nil {
		return result, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return result, err
	}
	result, err = do()
	pprof.StopCPUProfile()
	return result, cmp.Or(err, file.Close())
}

// traffic counts the round trips to the database and the writing transactions
// of a request.
func traffic(ctx context.Context, b *bench, database string) error {
	proxy, err := newProxy(database)
	if err != nil {
		return err
	}
	defer proxy.close()
	console, err := newConsole(ctx, proxy.url)
	if err != nil {
		return err
	}
	defer console.close()
	client, err := console.dial(ctx)
	if err != nil {
		return err
	}
	defer client.conn.Close()
	for _, page := range []struct{ name, path string }{
		{"policy list", policiesPath},
		{"policy list, search in a department", policiesPath + "?department_id=2&q=%EC%A0%95%EC%B1%85"},
		{"profile", profilePath},
	} {
		trips, writes, err := roundTrips(ctx, console, proxy, client, page.path)
		if err != nil {
			return err
		}
		b.table.row("round trips to the database, "+page.name, "≤ 5", fmt.Sprintf("%.2f", trips))
		b.table.row("writing transactions per request, "+page.name, "0", fmt.Sprintf("%.2f", writes))
	}
	return nil
}

// roundTrips returns the round trips and the writing transactions per request.
func roundTrips(ctx context.Context, console *site, proxy *proxy, client *client, path string) (trips, writes float64, err error) {
	const times = 100
	if _, err := client.time(path, 10); err != nil { // prepares the statements
		return 0, 0, err
	}
	before, writesBefore, writesAfter := proxy.trips.Load(), int64(0), int64(0)
	if err := console.db.Pool().QueryRow(ctx, transactions).Scan(&writesBefore); err != nil {
		return 0, 0, err
	}
	if _, err := client.time(path, times); err != nil {
		return 0, 0, err
	}
	counted := proxy.trips.Load() - before - 1
	if err := console.db.Pool().QueryRow(ctx, transactions).Scan(&writesAfter); err != nil {
		return 0, 0, err
	}
	return float64(counted) / times, float64(writesAfter-writesBefore) / times, nil
}

// transactions counts the transactions of the server that wrote something: only
// those get a number.
const transactions = "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
