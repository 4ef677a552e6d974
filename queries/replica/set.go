// Package replica knows which read replicas of the database may answer, and how far
// behind they are.
//
// A replica is a standby server of PostgreSQL that replays the write-ahead log of the
// primary, the database that takes the writes. It may answer a reader if it has replayed
// what the reader wrote last, and is not further behind than the operator allows.
package replica

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Position is a place in the write-ahead log: the number of bytes before it.
type Position int64

const (
	// checkEvery is the pause between two checks. Until the next one has seen that a
	// replica has replayed somebody's write, they read from the primary.
	checkEvery = 200 * time.Millisecond

	// checkTimeout is how long a check may take, and how old the last one may be for its
	// answer to count.
	checkTimeout = time.Second
)

// State is whether a replica can answer, and why not.
type State string

// The states of a replica.
const (
	Current  State = "current"  // it may answer
	Behind   State = "behind"   // it is further behind than allowed
	Away     State = "away"     // it does not answer, or nobody knows how far behind it is
	Primary  State = "primary"  // it is the primary
	Promoted State = "promoted" // it takes writes although it is not the primary
	Foreign  State = "foreign"  // it is a replica of another database
)

// Status is what the last check found.
type Status struct {
	State State
	Lag   time.Duration // how old what it shows is; at least, if it is Behind
	Err   error         // why it is Away
}

// Replica is one replica. It is safe for concurrent use.
type Replica struct {
	Name string // HOST:PORT
	Pool *pgxpool.Pool

	mutex    sync.Mutex
	status   Status
	replayed Position
	at       time.Time // of the last check that ended
}

// New returns a replica that has not been checked yet.
func New(name string, pool *pgxpool.Pool) *Replica {
	return &Replica{Name: name, Pool: pool, status: Status{State: Away, Err: errUnchecked}}
}

var errUnchecked = errors.New("not checked yet")

// Status returns what the last check found.
func (r *Replica) Status() Status {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.status.State != Away && time.Since(r.at) > 2*checkTimeout {
		return Status{State: Away, Err: errors.New("no check has ended lately")}
	}
	return r.status
}

// hasReplayed reports whether a replica may answer somebody whose last write is at a
// position.
func (r *Replica) hasReplayed(wrote Position) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.status.State == Current && r.replayed >= wrote && time.Since(r.at) <= checkTimeout
}

// Set are the replicas of a database. It is safe for concurrent use.
type Set struct {
	replicas []*Replica
	primary  *pgxpool.Pool
	maxLag   time.Duration
	next     atomic.Uint32

	mutex    sync.Mutex
	progress progress
	server   server // the primary
}

// server tells databases, and the servers that run one, apart.
type server struct {
	system  string // of the database, which its replicas share
	started time.Time
}

// NewSet returns the replicas of a primary, of which none is chosen that is more than
// maxLag behind.
func NewSet(primary *pgxpool.Pool, maxLag time.Duration, replicas ...*Replica) *Set {
	return &Set{primary: primary, maxLag: maxLag, replicas: replicas}
}

// Replicas returns all of them.
func (s *Set) Replicas() []*Replica { return s.replicas }

// Close closes the connections to the replicas.
func (s *Set) Close() {
	for _, r := range s.replicas {
		r.Pool.Close()
	}
}

// Choose returns a replica that has replayed the log up to a position, in turn if there
// are several, or nil.
func (s *Set) Choose(wrote Position) *Replica {
	first := s.next.Add(1)
	for i := range s.replicas {
		r := s.replicas[(int(first)+i)%len(s.replicas)]
		if r.hasReplayed(wrote) {
			return r
		}
	}
	return nil
}

// Watch checks the primary and every replica until ctx ends.
func (s *Set) Watch(ctx context.Context) {
	var checks sync.WaitGroup
	checks.Go(func() { repeat(ctx, s.checkPrimary) })
	for _, r := range s.replicas {
		checks.Go(func() { repeat(ctx, func(ctx context.Context) { s.check(ctx, r) }) })
	}
	checks.Wait()
}

func repeat(ctx context.Context, check func(context.Context)) {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for {
		limited, cancel := context.WithTimeout(ctx, checkTimeout)
		check(limited)
		cancel()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

const primaryPosition = `select (pg_current_wal_flush_lsn() - '0/0')::bigint, (select system_identifier from pg_control_system())::text, pg_postmaster_start_time()`

// checkPrimary notes how far the log of the primary has come. Without an answer, nobody
// knows how far behind the replicas are.
func (s *Set) checkPrimary(ctx context.Context) {
	var reached Position
	var primary server
	began := time.Now()
	if err := s.primary.QueryRow(ctx, primaryPosition).Scan(&reached, &primary.system, &primary.started); err != nil {
		slog.DebugContext(ctx, "cannot read how far the log of the database has come", "err", err)
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.server = primary
	s.progress.note(began, reached)
}

const replicaPosition = `select pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint, (select system_identifier from pg_control_system())::text, pg_postmaster_start_time()`

func (s *Set) check(ctx context.Context, r *Replica) {
	var isReplica bool
	var replayed Position
	var at server
	err := r.Pool.QueryRow(ctx, replicaPosition).Scan(&isReplica, &replayed, &at.system, &at.started)
	if err != nil && errors.Is(context.Cause(ctx), context.Canceled) {
		return // the program ends
	}
	now := time.Now()
	status := s.judge(now, isReplica, replayed, at)
	if err != nil {
		status = Status{State: Away, Err: err}
	}
	r.mutex.Lock()
	before := r.status
	r.status, r.replayed, r.at = status, replayed, now
	r.mutex.Unlock()
	if before.State != status.State {
		report(ctx, r.Name, status)
	}
}

// judge returns the status of a replica that has answered.
func (s *Set) judge(now time.Time, isReplica bool, replayed Position, at server) Status {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	lag, known := s.progress.lag(now, replayed)
	switch {
	case !known:
		return Status{State: Away, Err: errors.New("the database that takes the writes does not answer")}
	case at.system != s.server.system:
		return Status{State: Foreign}
	case !isReplica && at.started.Equal(s.server.started):
		return Status{State: Primary}
	case !isReplica:
		return Status{State: Promoted}
	case lag > s.maxLag:
		return Status{State: Behind, Lag: lag}
	}
	return Status{State: Current, Lag: lag}
}

func report(ctx context.Context, name string, status Status) {
	level := slog.LevelWarn
	if status.State == Current || status.State == Primary {
		level = slog.LevelInfo
	}
	attributes := []any{"replica", name, "state", string(status.State), "lag", fmt.Sprint(status.Lag.Round(time.Millisecond))}
	if status.Err != nil {
		attributes = append(attributes, "err", status.Err)
	}
	slog.Log(ctx, level, "read replica", attributes...)
}
