package postgres

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// asNext makes the program one of the next major version, for which the cluster and the
// unpacked server are those of the version before. The new cluster is of Major, too.
func asNext(fill Fill) Option {
	return func(s *Server) {
		s.major = "99"
		s.fill = fill
	}
}

// fillNotes copies the only table of the tests.
func fillNotes(ctx context.Context, from, to string) error {
	source, err := pgx.Connect(ctx, from)
	if err != nil {
		return err
	}
	defer source.Close(ctx)
	var notes string
	if err := source.QueryRow(ctx, "select text from notes").Scan(&notes); err != nil {
		return err
	}
	if _, err := source.Exec(ctx, "delete from notes"); !refusedWith(err, "25006") { // read_only_sql_transaction
		return errors.Join(errors.New("the earlier server lets others write"), err)
	}
	target, err := pgx.Connect(ctx, to)
	if err != nil {
		return err
	}
	defer target.Close(ctx)
	if _, err := target.Exec(ctx, "create table notes (text text)"); err != nil {
		return err
	}
	_, err = target.Exec(ctx, "insert into notes values ($1)", notes+", copied")
	return err
}

// earlier returns a directory with a cluster of the version before.
func earlier(t *testing.T) (dir string) {
	t.Helper()
	dir = openDir(t)
	s := start(t, dir, WithoutSync())
	execute(t, s, "create table notes (text text); insert into notes values ('안녕하세요')")
	stop(t, s)
	return dir
}

// An upgrade may be cut off at any point, and somebody may go back.
func TestUpgradeKeepsTheEarlierCluster(t *testing.T) {
	dir := earlier(t)
	const upgraded = "안녕하세요, copied"
	check := func(when, want string, option Option) {
		t.Helper()
		s := start(t, dir, option, WithoutSync())
		if got := text(t, s, "select text from notes"); got != want {
			t.Errorf("%s the note is %q", when, got)
		}
		stop(t, s)
		if names := list(t, dir); strings.Contains(names, "upgrade") {
			t.Errorf("%s the directory has %s", when, names)
		}
	}

	makeDir(t, dir, unfinishedUpgrade) // cut off while it was filled
	makeDir(t, dir, unfinishedUpgrade+"/base")
	makeDir(t, dir, completeUpgrade) // cut off before the swap, and outdated as soon as the cluster was used
	check("after the upgrade", upgraded, asNext(fillNotes))

	rename(t, dir, "data", completeUpgrade) // cut off in the swap
	check("after the swap", upgraded, WithUpgrade(fillNotes))

	rename(t, dir, "data", "data-new") // the way back
	rename(t, dir, "data-"+Major, "data")
	check("after going back", "안녕하세요", WithUpgrade(fillNotes))
}

func TestFailedUpgradeChangesNothing(t *testing.T) {
	dir := earlier(t)
	fails := func(context.Context, string, string) error { return errors.New("it is broken") }
	full := func(s *Server) { s.room = func(string) (uint64, error) { return 1 << 20, nil } }
	for _, c := range []struct {
		name, version string // of the cluster
		isReplaced    bool   // there is a cluster from before an earlier upgrade
		options       []Option
		says          string
	}{
		{"filling fails", Major, false, []Option{asNext(fails)}, "it is broken"},
		{"full disk", Major, false, []Option{asNext(fillNotes), full}, "not enough room"},
		{"replaced cluster", Major, true, []Option{asNext(fillNotes)}, "is in the way"},
		{"no server", "17", false, []Option{asNext(fillNotes)}, "server-… of PostgreSQL 17"},
		{"newer cluster", "100", false, []Option{asNext(fillNotes)}, "use the newer officeconsole"},
	} {
		writeVersion(t, dir, c.version)
		if c.isReplaced {
			makeDir(t, dir, "data-"+Major)
		}
		before := list(t, dir)
		if _, err := Start(t.Context(), dir, c.options...); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Fatalf("%s: %v", c.name, err)
		}
		if after := list(t, dir); after != before {
			t.Errorf("%s: the directory had %s, and has %s", c.name, before, after)
		}
		if c.isReplaced {
			if err := os.Remove(filepath.Join(dir, "data-"+Major)); err != nil {
				t.Error(err)
			}
		}
	}
	writeVersion(t, dir, Major)
	s := start(t, dir, WithoutSync())
	if got := text(t, s, "select text from notes"); got != "안녕하세요" {
		t.Errorf("the note is %q", got)
	}
}

func TestConfirmUpgrade(t *testing.T) {
	dir := openDir(t)
	if _, err := ConfirmUpgrade(dir); err == nil || !strings.Contains(err.Error(), "no built-in database") {
		t.Errorf("without a cluster: %v", err)
	}
	for name, version := range map[string]string{"data": "17", "data-17": "17", "data-9": "9", "data-old": "16", "data-15" + removedSuffix: "15"} {
		makeDir(t, dir, name)
		writeFile(t, filepath.Join(dir, name, "PG_VERSION"), version)
	}
	if _, err := ConfirmUpgrade(dir); err == nil || !strings.Contains(err.Error(), "not yet upgraded") {
		t.Errorf("before the upgrade: %v", err)
	}
	writeVersion(t, dir, Major)
	removed, err := ConfirmUpgrade(dir)
	if err != nil || len(removed) != 3 {
		t.Errorf("removed %v, %v", removed, err)
	}
	if got := list(t, dir); got != " data data-old " {
		t.Errorf("left: %s", got)
	}
	makeDir(t, dir, "data-16")
	if _, err := ConfirmUpgrade(dir); err == nil || !strings.Contains(err.Error(), "is no cluster of PostgreSQL 16") {
		t.Errorf("with a directory that is no cluster: %v", err)
	}
}

// list returns the names in a directory, except for the log and the file of locks.
func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := " "
	for _, entry := range entries {
		if entry.Name() != "postgres.log" {
			names += entry.Name() + " "
		}
	}
	return names
}

func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
}

func makeDir(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
		t.Fatal(err)
	}
}

func writeVersion(t *testing.T, dir, major string) {
	t.Helper()
	writeFile(t, filepath.Join(dir, "data", "PG_VERSION"), major)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}
