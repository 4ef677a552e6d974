package queriestest

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/postgres"
	"officeconsole/queries/migrations"
)

// Standby is a server of a test's own with the cast, and a read replica of it.
type Standby struct {
	Primary, Replica string // their URLs
	t                testing.TB
	replica          *postgres.Server
}

// NewStandby starts a primary and its replica.
func NewStandby(t testing.TB) *Standby {
	t.Helper()
	in, err := os.MkdirTemp(filepath.Dir(folder()), "officeconsole-standby-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(in) })
	// The server's account, which is another one if root runs the test, replicates.
	access := filepath.Join(in, "access.conf")
	if err := os.WriteFile(access, []byte("local all all trust\nlocal replication all trust\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(in, 0o755); err != nil {
		t.Fatal(err)
	}
	s := &Standby{t: t}
	start := func(name string, options ...postgres.Option) *postgres.Server {
		options = append(options, postgres.WithoutSync(), postgres.AsSuperuser(), postgres.WithSetting("hba_file", access))
		server, err := postgres.Start(context.Background(), filepath.Join(in, name), options...)
		if err != nil {
			t.Fatal(err)
		}
		return server
	}
	first := start("primary")
	if err := migrations.Run(t.Context(), first.URL()); err != nil {
		t.Fatal(err)
	}
	if err := fill(t.Context(), first.URL()); err != nil {
		t.Fatal(err)
	}
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", filepath.Join(in, "primary"), filepath.Join(in, "replica")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(in, "replica", "data", "standby.signal"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	primary := start("primary")
	t.Cleanup(func() { primary.Stop() })
	s.Primary = primary.URL()
	at, err := url.Parse(s.Primary)
	if err != nil {
		t.Fatal(err)
	}
	s.replica = start("replica", postgres.WithSetting("primary_conninfo", "host="+at.Query().Get("host")+" port="+at.Query().Get("port")+" user="+at.User.Username()))
	t.Cleanup(func() { s.replica.Stop() })
	s.Replica = s.replica.URL()
	return s
}

// Run runs a statement on the replica, such as select pg_wal_replay_pause().
func (s *Standby) Run(statement string) {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), s.Replica)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close(s.t.Context())
	if _, err := conn.Exec(s.t.Context(), statement); err != nil {
		s.t.Fatal(err)
	}
}

// StopReplica stops the replica.
func (s *Standby) StopReplica() {
	s.t.Helper()
	if err := s.replica.Stop(); err != nil {
		s.t.Fatal(err)
	}
}
