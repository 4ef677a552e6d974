package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"officeconsole/bench/growth"
	"officeconsole/queries"
	"officeconsole/queries/identity"
)

// connectionMemory returns the mean memory of the program's connections that no other
// process shares, in MiB.
func (m *meter) connectionMemory(ctx context.Context) (float64, error) {
	rows, err := m.db.Pool().Query(ctx, "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()")
	if err != nil {
		return 0, err
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	if err != nil {
		return 0, err
	}
	var kilobytes float64
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			return 0, err
		}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(line, ":")
			if name == "Private_Clean" || name == "Private_Dirty" {
				n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64)
				if err != nil {
					return 0, err
				}
				kilobytes += n
			}
		}
	}
	return kilobytes / float64(len(pids)) / 1024, nil
}

// streamsOfToken is how many event streams a service token may have open.
const streamsOfToken = 20

// streams measures open event streams on which nothing is sent but signs of life, and
// what the program does without them.
func (m *meter) streams(ctx context.Context, c *growth.Costs) error {
	if err := m.program.waitUntilIdle(ctx); err != nil {
		return err
	}
	idle, err := m.quiet(ctx, m.program)
	if err != nil {
		return err
	}
	_, before, err := m.program.memory()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for range openStreams / streamsOfToken {
		token, err := m.db.Identity.IssueServiceToken(ctx, queries.Actor{CompanyID: 1}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{identity.ScopeEvents, identity.ScopeRead}})
		if err != nil {
			return err
		}
		for range streamsOfToken {
			if err := m.openStream(ctx, client, token.Token); err != nil {
				return err
			}
		}
	}
	if err := m.program.waitUntilIdle(ctx); err != nil {
		return err
	}
	open, err := m.quiet(ctx, m.program)
	if err != nil {
		return err
	}
	c.Stream = each(less(open, idle), openStreams)
	_, after, err := m.program.memory()
	c.StreamKiB = (after - before) * 1024 / openStreams
	return err
}

// openStream opens an event stream, which is read until the context ends.
func (m *meter) openStream(ctx context.Context, client *http.Client, token string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+m.program.address+"/api/v1/companies/1/stream", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return fmt.Errorf("stream: %s", response.Status)
	}
	go func() {
		defer response.Body.Close()
		io.Copy(io.Discard, response.Body)
	}()
	return nil
}
