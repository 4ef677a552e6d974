package postgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ownerOf names the variable that makes the test program start a server in the
// named directory and wait to be killed.
const ownerOf = "POSTGRES_TEST_OWNER_OF"

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerOf); dir != "" {
		own(dir)
		return
	}
	os.Exit(m.Run())
}

func own(dir string) {
	s, err := Start(context.Background(), dir)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(s.URL())
	select {}
}

func TestServerRestartsWithoutDataLoss(t *testing.T) {
	s := start(t, openDir(t))
	pool, err := pgxpool.New(t.Context(), s.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	execute(t, s, "create table numbers (number int primary key)")
	process, _ := s.home.earlierProcess()

	var committed []int
	failed := 0
	deadline := time.Now().Add(30 * time.Second)
	for number := 0; failed == 0 || len(committed) < 400; number++ {
		if number == 100 {
			go syscall.Kill(process, syscall.SIGKILL)
		}
		if _, err := pool.Exec(t.Context(), "insert into numbers values ($1)", number); err == nil {
			committed = append(committed, number)
		} else {
			failed++
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d rows committed, %d refused in 30 seconds", len(committed), failed)
		}
	}

	var kept int
	if err := pool.QueryRow(t.Context(), "select count(*) from numbers where number = any($1)", committed).Scan(&kept); err != nil {
		t.Fatal(err)
	}
	if kept != len(committed) {
		t.Errorf("%d of %d committed rows are there", kept, len(committed))
	}
	if isClosed(s.Done()) {
		t.Error("a server that came back counts as lost")
	}
}

func TestDoneWhenTheServerCannotRestart(t *testing.T) {
	s := start(t, openDir(t), WithoutSync(), func(s *Server) { s.restartTimeout = time.Second })
	if err := os.Remove(filepath.Join(s.home.data(), "PG_VERSION")); err != nil {
		t.Fatal(err)
	}
	kill(t, s.home)
	select {
	case <-s.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("nobody heard that the server is lost")
	}
}

func TestStartsAfterItsOwnerWasKilled(t *testing.T) {
	dir := openDir(t)
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), ownerOf+"="+dir)
	output, err := owner.StdoutPipe()
	if err := errors.Join(err, owner.Start()); err != nil {
		t.Fatal(err)
	}
	url, _ := bufio.NewReader(output).ReadString('\n')
	connection, err := pgx.Connect(t.Context(), strings.TrimSpace(url))
	if err != nil {
		t.Fatalf("the owner's server: %s: %v", url, err)
	}
	if _, err := connection.Exec(t.Context(), "create table kept (); insert into kept default values"); err != nil {
		t.Fatal(err)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait() // says that it was killed

	s := start(t, dir)
	if got := text(t, s, "select count(*)::text from kept"); got != "1" {
		t.Errorf("%s rows of the killed owner's are there, want 1", got)
	}
}

// A server without an owner, as it remains where the kernel does not end it.
func TestEndsAnEarlierServer(t *testing.T) {
	dir := openDir(t)
	earlier := orphan(t, dir)
	s := start(t, dir, WithoutSync())
	if err := earlier.Wait(); err != nil {
		t.Errorf("the earlier server was not stopped gently: %v", err)
	}
	execute(t, s, "select 1")
}

// A busy backend does not notice that its server was killed.
func TestEndsBackendsOfAKilledServer(t *testing.T) {
	dir := openDir(t)
	earlier := orphan(t, dir)
	busy, err := pgx.Connect(t.Context(), socketURL(earlier.home.socketDir, user, database))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := busy.Exec(context.Background(), "select count(*) from generate_series(1, 1000000000000)")
		ended <- err
	}()
	kill(t, earlier.home)
	_ = earlier.Wait() // says that it was killed

	s := start(t, dir, WithoutSync())
	if err := <-ended; err == nil {
		t.Error("the query ended well")
	}
	execute(t, s, "select 1")
}

type orphanServer struct {
	*exec.Cmd
	home home
}

// orphan starts a server in dir without a supervisor.
func orphan(t *testing.T, dir string) orphanServer {
	t.Helper()
	s := start(t, dir, WithoutSync())
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := s.home.makeSocketDir(); err != nil {
		t.Fatal(err)
	}
	hold, err := s.home.takeOver()
	if err != nil {
		t.Fatal(err)
	}
	command := s.command(hold)
	command.SysProcAttr.Pdeathsig = 0
	command.Stdout, command.Stderr = nil, nil
	if err := errors.Join(command.Start(), hold.Close()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() }) // if the test failed early
	alone := newServer()
	alone.home, alone.process = s.home, command.Process
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := alone.waitUntilReady(ctx); err != nil {
		t.Fatal(err)
	}
	return orphanServer{command, s.home}
}

// kill kills the first process of the server in a home.
func kill(t *testing.T, p home) {
	t.Helper()
	process, ok := p.earlierProcess()
	if !ok {
		t.Fatal("no server is noted in the cluster")
	}
	if err := syscall.Kill(process, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// In a container, where few process ids are used, the id of a killed server soon belongs to
// another process of the account.
func TestStartsWhereTheProcessIDIsTakenAgain(t *testing.T) {
	dir := openDir(t)
	other := start(t, openDir(t), WithoutSync())
	s := start(t, dir, WithoutSync())
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := s.home.makeSocketDir(); err != nil {
		t.Fatal(err)
	}
	lock := fmt.Sprintf("%d\n%s\n0\n%s\n%s\n\n", other.process.Pid, s.home.data(), port, s.home.socketDir)
	for _, file := range []string{filepath.Join(s.home.data(), "postmaster.pid"), filepath.Join(s.home.socketDir, ".s.PGSQL."+port+".lock")} {
		if err := os.WriteFile(file, []byte(lock), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.home.account.chown(file); err != nil {
			t.Fatal(err)
		}
	}
	execute(t, start(t, dir, WithoutSync()), "select 1")
}
