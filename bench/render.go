package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"officeconsole/demo"
)

const (
	renderRounds = 7
	renderRound  = time.Second
)

// benchPage is a page to load, with the target of its figures.
type benchPage struct{ name, path, target string }

// renderPages are the pages with the most expensive rows. {date} is a workday.
var renderPages = []benchPage{
	{"day", "/logs/workingattitude/day?view=all", "≥ 0.30"},
	{"desk", "/logs/workingattitude/day", "≥ 0.30"},
	{"day, a workday", "/logs/workingattitude/day?date={date}", "≥ 0.30"},
	{"status", "/policies/communication/status", "≥ 0.30"},
	{"month", "/logs/workingattitude/month", "≥ 0.25"},
	{"policies", policiesPath, "≥ 0.60"},
	{"access history", "/manage/security/access", "≥ 0.40"},
	{"saved files", "/logs/communication/file", "≥ 0.40"},
}

// render compares pages of the demo company, as the program serves them, with
// the plain floor, and with another program if one is given.
func render(ctx context.Context, b *bench) error {
	database, err := b.server.companyDatabase(ctx, demo.Options{Employees: 1200, Days: 90})
	if err != nil {
		return err
	}
	bare, err := newPlain(ctx, database)
	if err != nil {
		return err
	}
	defer bare.close()
	console, err := newConsole(ctx, database)
	if err != nil {
		return err
	}
	defer console.close()
	choice, err := placeholders(ctx, console.db)
	if err != nil {
		return err
	}
	if b.profile != "" {
		return profilePages(ctx, b, console, choice)
	}
	var programs []*program
	for _, binary := range []string{b.binary, b.before} {
		if binary == "" {
			continue
		}
		p, err := startProgram(ctx, binary, "OFFICECONSOLE_DATABASE_URL="+database)
		if err != nil {
			return err
		}
		defer p.close()
		if p.cookie, err = signIn(ctx, p.address); err != nil {
			return err
		}
		if err := p.waitUntilIdle(ctx); err != nil {
			return err
		}
		programs = append(programs, p)
	}
	b.table.head(fmt.Sprintf("Pages of the demo company, signed in, compressed, %d connections", connections))
	for _, page := range renderPages {
		page.path = choice.Replace(page.path)
		if err := renderPage(ctx, b, bare, programs, page); err != nil {
			return fmt.Errorf("%s: %w", page.name, err)
		}
	}
	return renderTrips(ctx, b, database, choice)
}

// renderTrips prints the round trips to the database of each page.
func renderTrips(ctx context.Context, b *bench, database string, choice *strings.Replacer) error {
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
	for _, page := range renderPages {
		trips, _, err := roundTrips(ctx, console, proxy, client, choice.Replace(page.path))
		if err != nil {
			return fmt.Errorf("%s: %w", page.name, err)
		}
		b.table.row(page.name+": round trips to the database", "", fmt.Sprintf("%.2f", trips))
	}
	return nil
}

// pageFigures are the figures of a page from one program.
type pageFigures struct {
	rate                spread // relative to the plain floor
	processor, database spread // milliseconds per request of the program and of the database server
	bytes               int
}

func renderPage(ctx context.Context, b *bench, bare *site, programs []*program, page benchPage) error {
	name, target := page.name, page.target
	figures := make([]pageFigures, len(programs))
	for i := range renderRounds + 1 {
		floor, err := bare.load(ctx, page.path, connections, renderRound)
		if err != nil {
			return err
		}
		for j, p := range programs {
			before, databaseBefore, err := b.processorTimes(p)
			if err != nil {
				return err
			}
			served, err := p.load(ctx, page.path, connections, renderRound)
			if err != nil {
				return err
			}
			after, databaseAfter, err := b.processorTimes(p)
			if err != nil {
				return err
			}
			if i == 0 {
				continue // plans and pools
			}
			f := &figures[j]
			f.rate = append(f.rate, served.perSecond/floor.perSecond)
			requests := served.perSecond * renderRound.Seconds()
			f.processor = append(f.processor, milliseconds(after-before)/requests)
			f.database = append(f.database, milliseconds(databaseAfter-databaseBefore)/requests)
			f.bytes = served.bytes
		}
	}
	for j, f := range figures {
		if j > 0 {
			name, target = name+", before", ""
		}
		b.table.row(name+": requests per second, relative to the plain floor", target, f.rate.String())
		b.table.row(name+": processor time per request, ms; bytes", "", fmt.Sprintf("%s; %d", f.processor, f.bytes))
		b.table.row(name+": the database's processor time per request, ms", "", f.database.String())
	}
	return nil
}

// processorTimes returns the processor times of a program and of the database
// server so far.
func (b *bench) processorTimes(p *program) (program, database time.Duration, err error) {
	if program, err = p.processorTime(); err != nil {
		return 0, 0, err
	}
	database, err = b.server.processorTime()
	return program, database, err
}

// profilePages writes the CPU profile of a round of every page.
func profilePages(ctx context.Context, b *bench, console *site, choice *strings.Replacer) (err error) {
	file, err := os.Create(b.profile)
	if err != nil {
		return err
	}
	for i := range 2 {
		for _, page := range renderPages {
			if _, err := console.load(ctx, choice.Replace(page.path), connections, 3*renderRound); err != nil {
				return err
			}
		}
		if i == 0 { // plans and pools
			err = pprof.StartCPUProfile(file)
		}
		if err != nil {
			return err
		}
	}
	pprof.StopCPUProfile()
	return cmp.Or(err, file.Close())
}
