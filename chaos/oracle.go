package main

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// judgement is what the database has of what was acknowledged.
type judgement struct {
	lost, doubled      []string
	unknown, happened  int // writes without an answer, and how many of them were done
	damaged            string
	checkedByKind      map[kind]int
	tokensThatAnswered int
}

// stored are the rows of a run: how many each name has, by kind, and the version of
// each description.
type stored struct {
	rows     map[kind]map[string]int
	versions map[string]version
}

// statements select the names of a run, of a company and with a prefix.
var statements = map[kind]string{
	events:   "select event_id, 0, 0 from clock_events where company_id = $1 and starts_with(event_id, $2)",
	notices:  "select title::text, 0, 0 from notices where company_id = $1 and starts_with(title, $2)",
	tokens:   "select name, 0, 0 from tokens where company_id = $1 and starts_with(name, $2)",
	policies: "select description, policy_id, no from policy_versions where company_id = $1 and starts_with(description, $2)",
}

// readStored reads the rows whose names begin with a prefix.
func readStored(ctx context.Context, conn *pgx.Conn, company int64, prefix string) (stored, error) {
	s := stored{rows: map[kind]map[string]int{}, versions: map[string]version{}}
	for _, k := range kinds {
		s.rows[k] = map[string]int{}
		rows, err := conn.Query(ctx, statements[k], company, prefix)
		if err != nil {
			return s, err
		}
		var name string
		var v version
		_, err = pgx.ForEachRow(rows, []any{&name, &v.policy, &v.no}, func() error {
			s.rows[k][name]++
			if k == policies {
				s.versions[name] = v
			}
			return nil
		})
		if err != nil {
			return s, fmt.Errorf("read %s: %w", k, err)
		}
	}
	return s, nil
}

// judge compares the ledger with the rows. What was acknowledged must be there once.
// What was not answered may be there, but not twice. A row that nobody asked for is
// doubled, too.
func (l *ledger) judge(s stored) judgement {
	l.mu.Lock()
	defer l.mu.Unlock()
	j := judgement{checkedByKind: map[kind]int{}}
	for _, k := range kinds {
		for name := range l.acknowledged[k] {
			j.checkedByKind[k]++
			switch n := s.rows[k][name]; {
			case n == 0:
				j.lost = append(j.lost, fmt.Sprintf("%s: %s", k, name))
			case n > 1:
				j.doubled = append(j.doubled, fmt.Sprintf("%s: %s is there %d times", k, name, n))
			case k == policies && s.versions[name] != l.versions[name]:
				j.lost = append(j.lost, fmt.Sprintf("%s: %s was acknowledged as %v and is %v", k, name, l.versions[name], s.versions[name]))
			}
		}
		for name := range l.unknown[k] {
			j.unknown++
			switch n := s.rows[k][name]; {
			case n == 1:
				j.happened++
			case n > 1:
				j.doubled = append(j.doubled, fmt.Sprintf("%s: %s, which was not answered, is there %d times", k, name, n))
			}
		}
		for name, n := range s.rows[k] {
			if !l.acknowledged[k][name] && !l.unknown[k][name] {
				j.doubled = append(j.doubled, fmt.Sprintf("%s: %s is there %d times although it was refused or never sent", k, name, n))
			}
		}
	}
	slices.Sort(j.lost)
	slices.Sort(j.doubled)
	return j
}

// oracle compares what was acknowledged with what there is, after a load has ended.
type oracle struct {
	database string
	verify   []string // the command that verifies the change log
	settings []string // its whole environment
}

// judge waits until the database answers, reads it, asks the consoles whether the
// tokens are valid, and verifies the hashes of the change log.
func (o oracle) judge(ctx context.Context, l *load) (judgement, error) {
	var j judgement
	conn, err := connect(ctx, o.database, time.Minute)
	if err != nil {
		return j, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	s, err := readStored(ctx, conn, l.company.id, l.prefix)
	if err != nil {
		return j, err
	}
	j = l.ledger.judge(s)
	if err := o.tryTokens(ctx, l, &j); err != nil {
		return j, err
	}
	command := exec.CommandContext(ctx, o.verify[0], o.verify[1:]...)
	command.Env = o.settings
	if output, err := command.CombinedOutput(); err != nil {
		j.damaged = fmt.Sprintf("%v: %s", err, strings.TrimSpace(string(output)))
	}
	return j, nil
}

// tryTokens sends an empty batch of events with every token that was acknowledged.
func (o oracle) tryTokens(ctx context.Context, l *load, j *judgement) error {
	c := newClient(l.consoles, 0, newTally(time.Now()))
	defer c.close()
	for name, secret := range l.ledger.secrets {
		header := http.Header{"Authorization": {"Bearer " + secret}}
		for deadline := time.Now().Add(time.Minute); ; {
			a := c.json(ctx, http.MethodPost, l.company.eventsPath(), header, map[string]any{"events": []any{}})
			if a.outcome == done {
				j.tokensThatAnswered++
				break
			}
			if a.outcome == refused {
				j.lost = append(j.lost, fmt.Sprintf("tokens: %s is refused: %v", name, a))
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("no console answers: %v", a)
			}
			if !wait(ctx, retryPause) {
				return ctx.Err()
			}
		}
	}
	return nil
}

// connect connects to the database, which may be starting.
func connect(ctx context.Context, database string, patience time.Duration) (*pgx.Conn, error) {
	for deadline := time.Now().Add(patience); ; {
		attempt, cancel := context.WithTimeout(ctx, 5*time.Second)
		conn, err := pgx.Connect(attempt, database)
		cancel()
		if err == nil || time.Now().After(deadline) {
			return conn, err
		}
		if !wait(ctx, retryPause) {
			return nil, ctx.Err()
		}
	}
}
