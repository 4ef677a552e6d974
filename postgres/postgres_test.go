package postgres

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
)

func TestKeepsDataAcrossStops(t *testing.T) {
	dir := openDir(t)
	s := start(t, dir)
	execute(t, s, "create table notes (text text); insert into notes values ('안녕하세요')")
	stop(t, s)
	s = start(t, dir)
	if got := text(t, s, "select text from notes"); got != "안녕하세요" {
		t.Errorf("after a stop and a start the note is %q", got)
	}
}

func TestMajorIsThatOfTheServer(t *testing.T) {
	s := start(t, openDir(t), WithoutSync())
	if got := text(t, s, "select (current_setting('server_version_num')::int / 10000)::text"); got != Major {
		t.Errorf("the server is PostgreSQL %s, not %s", got, Major)
	}
}

func TestKoreanAndExtensions(t *testing.T) {
	s := start(t, openDir(t), WithoutSync(), WithSetting("work_mem", "12MB"))
	for query, want := range map[string]string{
		"show timezone":         "UTC",
		"show work_mem":         "12MB",
		"show listen_addresses": "",
		"select string_agg(name, ' ' order by name collate \"ko-x-icu\") from unnest(array['이', 'Kim', '김', '강', 'あ']) name": "강 김 이 Kim あ",
	} {
		if got := text(t, s, query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for _, extension := range []string{"pg_trgm", "btree_gin", "btree_gist", "ltree", "pgcrypto", "citext", "unaccent", "intarray"} {
		execute(t, s, "create extension "+extension)
	}
	if got := text(t, s, "select (cardinality(show_trgm('한빛테크')) > 0)::text"); got != "true" {
		t.Error("pg_trgm sees no letters in Hangul")
	}
}

func TestSecondStartIsRefused(t *testing.T) {
	dir := openDir(t)
	s := start(t, dir, WithoutSync())
	_, err := Start(t.Context(), dir)
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), dir) {
		t.Fatalf("a second start in %s: %v", dir, err)
	}
	execute(t, s, "select 1")
}

func TestStartsInAnyPath(t *testing.T) {
	for name, path := range map[string]string{
		"long":  strings.Repeat("long/", 30) + "path",
		"words": `it's 한국, 100%? & more`,
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, filepath.Join(openDir(t), path), WithoutSync())
			execute(t, s, "select 1")
		})
	}
}

// A path that is not so long that the socket is elsewhere.
func TestAddressOfAnySocketDirectory(t *testing.T) {
	for _, dir := range []string{"/srv/my data/socket", "/srv/a+b/socket", `/srv/it's 한국 100%? & more`} {
		if config, err := pgx.ParseConfig(socketURL(dir, user, database)); err != nil || config.Host != dir {
			t.Errorf("%s becomes %v (%v)", dir, config, err)
		}
	}
	s := start(t, filepath.Join(openDir(t), "my data"), WithoutSync())
	if s.home.socketDir != s.home.path("socket") {
		t.Errorf("the socket is in %s", s.home.socketDir)
	}
}

// What an operator has set for other databases is not for the built-in one.
func TestEnvironmentOfOtherDatabases(t *testing.T) {
	for name, value := range map[string]string{
		"PGHOST": "db.example", "PGPORT": "1", "PGUSER": "somebody", "PGDATABASE": "other", "PGSSLMODE": "verify-full", "PGCONNECT_TIMEOUT": "10s",
		"PGTARGETSESSIONATTRS": "read-only", "PGOPTIONS": "-c search_path=other", "PGTZ": "Asia/Seoul", "PGCHANNELBINDING": "require",
		"PGREQUIREAUTH": "scram-sha-256", "PGMINPROTOCOLVERSION": "3.2", "PGMAXPROTOCOLVERSION": "nonsense",
	} {
		t.Setenv(name, value)
	}
	s := start(t, openDir(t), WithoutSync())
	if got := text(t, s, "select current_setting('timezone') || ' ' || current_setting('search_path')"); got != `UTC "$user", public` {
		t.Errorf("the session has %s", got)
	}
}

func TestStartThatCannotConnectEnds(t *testing.T) {
	t.Setenv("PGSERVICE", "none")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := Start(ctx, openDir(t), WithoutSync()); err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "service") {
		t.Errorf("with an unknown service: %v", err)
	}
}

// A server that runs but does not answer is waited for, but not for ever.
func TestServerThatDoesNotAnswer(t *testing.T) {
	s := start(t, openDir(t), WithoutSync())
	s.answerTime, s.reportTime = 300*time.Millisecond, 100*time.Millisecond
	dir := s.home.socketDir
	s.home.socketDir = filepath.Join(dir, "none")
	defer func() { s.home.socketDir = dir }()
	log := captureLog(t)
	if err := s.waitUntilReady(t.Context()); err == nil || !strings.Contains(err.Error(), "does not answer") || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(log.String(), "no such file") {
		t.Errorf("the log does not say what is waited for: %s", log)
	}
}

// captureLog returns what the program logs during a test.
func captureLog(t *testing.T) *bytes.Buffer {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &log
}

func TestErrorNamesTheInaccessibleDirectory(t *testing.T) {
	closed := openDir(t)
	dir := filepath.Join(closed, "data")
	// Root may enter any directory, so a test that runs as root closes it to the
	// server's user.
	mode := map[bool]os.FileMode{true: 0o700, false: 0o500}[os.Geteuid() == 0]
	if err := os.Chmod(closed, mode); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), closed) {
		t.Errorf("in a closed directory: %v", err)
	}
	if os.Geteuid() == 0 && !strings.Contains(err.Error(), "chmod a+x "+closed+"`") {
		t.Errorf("the error does not say what to do: %v", err)
	}
}

func TestRefusesPathsWithShellCharacters(t *testing.T) {
	dir := filepath.Join(openDir(t), "$(date)")
	if _, err := Start(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "may not contain") {
		t.Errorf("in %s: %v", dir, err)
	}
}

func TestFileInPlaceOfDirectory(t *testing.T) {
	file := filepath.Join(openDir(t), "file")
	if err := os.WriteFile(file, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("in a file: %v", err)
	}
}

func TestInterruptedFirstStartIsRepeated(t *testing.T) {
	dir := openDir(t)
	for _, unfinished := range []string{"data.unfinished", "server.unfinished/bin", "server-0000000000000000"} {
		if err := os.MkdirAll(filepath.Join(dir, unfinished), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	start(t, dir, WithoutSync())
	left, err := filepath.Glob(filepath.Join(dir, "server*"))
	if err != nil || len(left) != 2 { // the server and its lock
		t.Errorf("left over: %v, %v", left, err)
	}
}

// What a killed restoration has left is not taken for a directory without a cluster.
func TestUnfinishedRestoreIsRefused(t *testing.T) {
	dir := openDir(t)
	r, err := BeginRestoration(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), dir); !errors.Is(err, ErrInUse) {
		t.Errorf("a start beside a restoration: %v", err)
	}
	if err := r.lock.Close(); err != nil { // which the end of the process does
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), dir); !errors.Is(err, ErrUnfinishedRestore) {
		t.Errorf("start: %v", err)
	}
	if _, err := BeginRestoration(dir); !errors.Is(err, ErrUnfinishedRestore) {
		t.Errorf("another restoration: %v", err)
	}
	if has, err := HasCluster(dir); has || !errors.Is(err, ErrUnfinishedRestore) {
		t.Errorf("a cluster: %t, %v", has, err)
	}
}

func TestAbandonedRestoreLeavesNothing(t *testing.T) {
	dir := openDir(t)
	r, err := BeginRestoration(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "blobs"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := r.Abandon(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("in the directory: %v (%v)", entries, err)
	}
}

func TestCancelledStartLeavesNothingRunning(t *testing.T) {
	dir := openDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	start(t, dir, WithoutSync())
}

func TestFailedStartReportsTheServersLog(t *testing.T) {
	dir := openDir(t)
	stop(t, start(t, dir, WithoutSync()))
	version := filepath.Join(dir, "data", "PG_VERSION")
	if err := os.WriteFile(version, []byte("12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	makeDir(t, dir, "server-earlier")
	_, err := Start(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), "initialized by PostgreSQL version 12") {
		t.Errorf("with a cluster of an older version: %v", err)
	}
	if !strings.Contains(list(t, dir), "server-earlier") {
		t.Error("the server that the cluster needs was removed")
	}
	if err := os.WriteFile(version, []byte("18\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	start(t, dir, WithoutSync())
}

func TestProgramWithoutArchive(t *testing.T) {
	p := home{dir: t.TempDir()}
	if err := p.unpack(fstest.MapFS{}, false); !errors.Is(err, errNotBuilt) {
		t.Errorf("without an archive: %v", err)
	}
}

// openDir returns a directory that the server can enter when root runs the
// test, unlike t.TempDir.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "postgres-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(os.Chmod(dir, 0o755), os.RemoveAll(dir)); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func start(t *testing.T, dir string, options ...Option) *Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := Start(ctx, dir, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

func execute(t *testing.T, s *Server, statement string) {
	t.Helper()
	if _, err := connect(t, s).Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, s *Server, query string) (text string) {
	t.Helper()
	if err := connect(t, s).QueryRow(t.Context(), query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

func connect(t *testing.T, s *Server) *pgx.Conn {
	t.Helper()
	connection, err := pgx.Connect(t.Context(), s.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close(context.Background()) })
	return connection
}

func TestRunningServerOfAnotherProcess(t *testing.T) {
	dir := openDir(t)
	if _, err := Running(t.Context(), dir); !errors.Is(err, ErrNotReady) {
		t.Errorf("without a server: %v", err)
	}
	s := start(t, dir, WithoutSync())
	if url, err := Running(t.Context(), dir); err != nil || url != s.URL() {
		t.Errorf("got %s, want %s (%v)", url, s.URL(), err)
	}
	stop(t, s)
	if _, err := Running(t.Context(), dir); !errors.Is(err, ErrNotReady) {
		t.Errorf("once it has stopped: %v", err)
	}
}
