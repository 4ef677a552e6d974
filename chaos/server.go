package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// server is a PostgreSQL server apart from the console, with the programs and a copy of
// the cluster of a built-in one.
type server struct {
	dir       string // of a built-in server, which is stopped
	namespace *namespace
	address   string // at which it listens besides its socket; "" for none
	command   *exec.Cmd
	ended     chan struct{}
}

// The names are those of the built-in server.
const (
	databaseName = "officeconsole"
	databaseRole = "console"
	databasePort = "5432"
)

func (s *server) cluster() string { return filepath.Join(s.dir, "data") }

// socketURL is the address of the database in a data directory.
func socketURL(dir string) string {
	return fmt.Sprintf("postgres:///%s?host=%s&port=%s&user=%s", databaseName, filepath.Join(dir, "socket"), databasePort, databaseRole)
}

// start starts the server and waits until it answers.
func (s *server) start(ctx context.Context) error {
	programs, err := filepath.Glob(filepath.Join(s.dir, "server-*", "bin", "postgres"))
	if err != nil || len(programs) != 1 {
		return errors.Join(err, fmt.Errorf("the programs of PostgreSQL are not in %s", s.dir))
	}
	owner, err := os.Stat(s.cluster())
	if err != nil {
		return err
	}
	account := owner.Sys().(*syscall.Stat_t)
	access := "local all all trust\n" // only the owner and root may enter the directory of the socket
	if s.address != "" {
		access += "host all all " + network + " trust\n"
	}
	hba := filepath.Join(s.dir, "external_hba.conf")
	if err := os.WriteFile(hba, []byte(access), 0o644); err != nil {
		return err
	}
	if err := makeFor(filepath.Join(s.dir, "socket"), account); err != nil {
		return err
	}
	arguments := s.namespace.enter()
	if os.Geteuid() == 0 {
		arguments = append(arguments, "setpriv", "--reuid", strconv.Itoa(int(account.Uid)), "--regid", strconv.Itoa(int(account.Gid)), "--clear-groups")
	}
	arguments = append(arguments, programs[0], "-D", s.cluster(), "-k", filepath.Join(s.dir, "socket"), "-p", databasePort,
		"-c", "listen_addresses="+s.address, "-c", "hba_file="+hba, "-c", "logging_collector=off")
	log, err := os.OpenFile(filepath.Join(s.dir, "external.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	s.command = exec.Command(arguments[0], arguments[1:]...)
	s.command.Dir = s.dir
	s.command.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "TZ=UTC"}
	s.command.Stdout, s.command.Stderr = log, log
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.command.Start(); err != nil {
		return err
	}
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)
		_ = s.command.Wait() // says how it was stopped
	}()
	conn, err := connect(ctx, socketURL(s.dir), time.Minute)
	if err != nil {
		return errors.Join(fmt.Errorf("the external database does not answer: %w", err), s.stop())
	}
	return conn.Close(ctx)
}

// makeFor creates a directory that only an account may enter, unless it exists.
func makeFor(dir string, account *syscall.Stat_t) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return os.Chown(dir, int(account.Uid), int(account.Gid))
}

// stop stops the server; its connections end.
func (s *server) stop() error {
	if s.command == nil {
		return nil
	}
	_ = s.command.Process.Signal(syscall.SIGINT) // an error means that it has ended
	select {
	case <-s.ended:
		return nil
	case <-time.After(stopTime):
	}
	killAll(append(descendants(s.command.Process.Pid), s.command.Process.Pid))
	<-s.ended
	return errors.New("the external database did not stop and was killed")
}
