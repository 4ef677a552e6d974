package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/identity"
)

const (
	senders      = 120
	sendersRound = 20 * time.Second
	readers      = 4 // who read pages meanwhile, one after another
)

// sendersPages are the pages that are read while clock events arrive.
var sendersPages = []string{"/logs/workingattitude/day?view=all", "/policies/communication/status", "/profile"}

// manySenders measures single clock events by many senders at once, as people
// clock in at nine, beside readers of pages: the rate as a share of the rate of
// whole batches, the slowest page and event, and how many failed.
func manySenders(ctx context.Context, b *bench) error {
	database, err := b.server.withAttendance(ctx, clockers, 30)
	if err != nil {
		return err
	}
	p, err := b.startProgram(ctx, "OFFICECONSOLE_DATABASE_URL="+database)
	if err != nil {
		return err
	}
	defer p.close()
	if p.cookie, err = signIn(ctx, p.address); err != nil {
		return err
	}
	e, err := newEventSender(ctx, database, p)
	if err != nil {
		return err
	}
	defer e.client.CloseIdleConnections()
	if err := p.waitUntilIdle(ctx); err != nil {
		return err
	}
	batches, err := e.sendBatches(ctx)
	if err != nil {
		return err
	}
	single, err := e.sendSingly(ctx)
	if err != nil {
		return err
	}
	b.table.head(fmt.Sprintf("%d senders of single clock events beside %d readers of pages, %s people", senders, readers, thousands(clockers)))
	b.table.row("events a second, of those in batches", "≥ 0.05", fmt.Sprintf("%.3f", single.perSecond/batches))
	b.table.row("slowest page, s; pages read", "≤ 2", fmt.Sprintf("%.2f; %d", single.slowestPage.Seconds(), single.pages))
	b.table.row("slowest event, s; events taken in", "", fmt.Sprintf("%.2f; %d", single.slowestEvent.Seconds(), single.events))
	b.table.row("failed events and pages", "0", fmt.Sprint(single.failed))
	return nil
}

// eventSender sends clock events to the program as the messenger does.
type eventSender struct {
	program *program
	client  *http.Client
	token   string
	users   []int64
	run     int64 // part of every event's id
	sent    atomic.Int64
}

func newEventSender(ctx context.Context, database string, p *program) (*eventSender, error) {
	db, err := areas.Open(ctx, database, time.Now)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	token, err := db.Identity.IssueServiceToken(ctx, queries.Actor{CompanyID: 1}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{identity.ScopeEvents}})
	if err != nil {
		return nil, err
	}
	rows, err := db.Pool().Query(ctx, "select id from users where company_id = 1 and hidden_at is null and not bot order by id limit $1", clockers)
	if err != nil {
		return nil, err
	}
	users, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{MaxIdleConnsPerHost: senders}
	return &eventSender{program: p, client: &http.Client{Transport: transport, Timeout: time.Minute}, token: token.Token, users: users, run: time.Now().UnixNano()}, nil
}

// sendBatches sends whole batches one after another for a round and returns the
// events a second.
func (e *eventSender) sendBatches(ctx context.Context) (float64, error) {
	began, before := time.Now(), e.sent.Load()
	for time.Since(began) < sendersRound {
		if err := e.send(ctx, attendance.ClockBatch); err != nil {
			return 0, err
		}
	}
	return float64(e.sent.Load()-before) / time.Since(began).Seconds(), nil
}

type sendersOutcome struct {
	perSecond                 float64
	events, pages, failed     int64
	slowestEvent, slowestPage time.Duration
}

// sendSingly lets every sender send one event after another for a round, beside
// readers. A failure is counted and does not end the round.
func (e *eventSender) sendSingly(ctx context.Context) (sendersOutcome, error) {
	var events, pages, failed, slowestEvent, slowestPage atomic.Int64
	measure := func(count, slowest *atomic.Int64, do func() error) {
		began := time.Now()
		if err := do(); err != nil {
			failed.Add(1)
			return
		}
		count.Add(1)
		for took := int64(time.Since(began)); ; {
			known := slowest.Load()
			if took <= known || slowest.CompareAndSwap(known, took) {
				return
			}
		}
	}
	began := time.Now()
	var group errgroup.Group
	for range senders {
		group.Go(func() error {
			for time.Since(began) < sendersRound && ctx.Err() == nil {
				measure(&events, &slowestEvent, func() error { return e.send(ctx, 1) })
			}
			return ctx.Err()
		})
	}
	for i := range readers {
		group.Go(func() error {
			for turn := i; time.Since(began) < sendersRound && ctx.Err() == nil; turn++ {
				measure(&pages, &slowestPage, func() error { return e.read(ctx, sendersPages[turn%len(sendersPages)]) })
			}
			return ctx.Err()
		})
	}
	err := group.Wait()
	return sendersOutcome{
		perSecond: float64(events.Load()) / time.Since(began).Seconds(),
		events:    events.Load(), pages: pages.Load(), failed: failed.Load(),
		slowestEvent: time.Duration(slowestEvent.Load()), slowestPage: time.Duration(slowestPage.Load()),
	}, err
}

// send sends the events of the next users, who clock in and out in turns.
func (e *eventSender) send(ctx context.Context, count int) error {
	type event struct {
		ID         string    `json:"event_id"`
		UserID     int64     `json:"user_id"`
		Kind       string    `json:"kind"`
		OccurredAt time.Time `json:"occurred_at"`
		Platform   string    `json:"platform"`
		DeviceID   string    `json:"device_id"`
		Reason     string    `json:"reason"`
	}
	events := make([]event, count)
	first := int(e.sent.Add(int64(count))) - count
	for i := range events {
		n := first + i
		kind := "in"
		if n/len(e.users)%2 == 1 {
			kind = "out"
		}
		user := e.users[n%len(e.users)]
		events[i] = event{fmt.Sprintf("bench-%d-%d", e.run, n), user, kind, time.Now().UTC(), "pc", fmt.Sprint("d", user), "bench"}
	}
	body, err := json.Marshal(map[string]any{"events": events})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+e.program.address+"/api/v1/companies/1/events/clock", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+e.token)
	answer, err := e.do(request, http.StatusAccepted)
	if err != nil {
		return err
	}
	if accepted := bytes.Count(answer, []byte(`"accepted"`)); accepted != count {
		return fmt.Errorf("%d of %d events were accepted: %s", accepted, count, answer[:min(len(answer), 300)])
	}
	return nil
}

func (e *eventSender) read(ctx context.Context, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+e.program.address+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Cookie", e.program.cookie)
	request.Header.Set("Accept-Language", "ko")
	_, err = e.do(request, http.StatusOK)
	return err
}

func (e *eventSender) do(request *http.Request, want int) ([]byte, error) {
	response, err := e.client.Do(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	if response.StatusCode != want {
		return nil, fmt.Errorf("%s %s: %s", request.Method, request.URL.Path, response.Status)
	}
	return body, nil
}
