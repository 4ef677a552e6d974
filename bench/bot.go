package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"officeconsole/queries"
	"officeconsole/queries/bot"
)

const (
	botPeople = 1_000
	botRound  = 4 * time.Second
	botRounds = 5
	unlimited = 1e9 // calls a second
)

// bots compares sending messages to the service bot with a bare handler that
// decodes the same body and inserts one row through the same pool.
func bots(ctx context.Context, b *bench) error {
	database, err := b.server.url(ctx, botPeople)
	if err != nil {
		return err
	}
	s, err := newConsole(ctx, database)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.db.EnsurePartitions(ctx); err != nil {
		return err
	}
	ours, err := newBotTarget(ctx, s)
	if err != nil {
		return err
	}
	bare, err := newBareTarget(ctx, s.db.Pool())
	if err != nil {
		return err
	}
	defer bare.close()
	var rate, tail, perSecond, barePerSecond spread
	for range botRounds {
		floor, err := bare.load(ctx)
		if err != nil {
			return err
		}
		measured, err := ours.load(ctx)
		if err != nil {
			return err
		}
		rate, tail = append(rate, measured.perSecond/floor.perSecond), append(tail, measured.p99.Seconds()/floor.p99.Seconds())
		perSecond, barePerSecond = append(perSecond, measured.perSecond), append(barePerSecond, floor.perSecond)
	}
	b.table.head(fmt.Sprintf("Messages to the service bot by %d programs at once", connections))
	b.table.row("messages a second, relative to a bare insert", "≥ 0.30", rate.String())
	b.table.row("p99, relative to a bare insert", "≤ 3", tail.String())
	b.table.row("messages a second, and bare inserts", "", fmt.Sprintf("%.0f, %.0f", perSecond.median(), barePerSecond.median()))
	return nil
}

// botTarget is where messages are sent.
type botTarget struct {
	address, token string
	status         int // of an accepted message
	close          func()
}

func newBotTarget(ctx context.Context, s *site) (*botTarget, error) {
	s.db.Bots.SetRate(unlimited, unlimited)
	service, err := s.db.Bots.Bot(ctx, 1)
	if err != nil {
		return nil, err
	}
	token, err := s.db.Bots.Rotate(ctx, queries.Actor{CompanyID: 1}, bot.KindMessage, 0)
	if err != nil {
		return nil, err
	}
	return &botTarget{"http://" + s.address + bot.Path(bot.KindMessage, service.ID, ""), token, http.StatusAccepted, func() {}}, nil
}

// newBareTarget serves the bare handler.
func newBareTarget(ctx context.Context, pool *pgxpool.Pool) (*botTarget, error) {
	const tables = `drop schema if exists bare cascade; create schema bare;
		create table bare.messages (id bigint generated always as identity primary key, at timestamptz not null default now(), text text not null, receivers jsonb not null)`
	if _, err := pool.Exec(ctx, tables); err != nil {
		return nil, err
	}
	s, err := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Text string
			To   json.RawMessage
		}
		var id int64
		err := json.NewDecoder(r.Body).Decode(&body)
		if err == nil {
			err = pool.QueryRow(r.Context(), "insert into bare.messages (text, receivers) values ($1, $2) returning id", body.Text, body.To).Scan(&id)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprintf(w, `{"id":%d}`, id)
	}))
	if err != nil {
		return nil, err
	}
	return &botTarget{"http://" + s.address + "/", "", http.StatusAccepted, s.close}, nil
}

// load sends messages for a round over several connections.
func (t *botTarget) load(ctx context.Context) (outcome, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	took := make([][]time.Duration, connections)
	began := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for i := range connections {
		group.Go(func() error {
			for sent := time.Now(); sent.Sub(began) < botRound && ctx.Err() == nil; {
				if err := t.send(ctx, client); err != nil {
					return err
				}
				now := time.Now()
				took[i] = append(took[i], now.Sub(sent))
				sent = now
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return outcome{}, err
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	return outcome{perSecond: float64(len(all)) / time.Since(began).Seconds(), p50: all[len(all)/2], p99: all[len(all)*99/100]}, nil
}

const botBody = `{"text":"**[(FIRING:2) 디스크 사용률 92%](https://alertmanager.hanbit.example/#/alerts)** db-03","to":{"users":[2,3],"departments":[1]}}`

func (t *botTarget) send(ctx context.Context, client *http.Client) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.address, bytes.NewReader([]byte(botBody)))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if t.token != "" {
		request.Header.Set("Authorization", "Bearer "+t.token)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	answer, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	if response.StatusCode != t.status {
		return fmt.Errorf("%s: %s %s", t.address, response.Status, answer)
	}
	return nil
}
