// Package postgres runs the PostgreSQL server that the program contains: it
// unpacks it, creates its cluster or upgrades one of an earlier major version,
// restarts it after a crash and stops it.
//
// Everything is in one directory: the unpacked server (server-HASH), the
// cluster (data), the socket and the log. The server listens on a unix socket
// only, where it lets in the user who started it, and root.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	database  = "officeconsole"
	user      = "console"       // owns the database, may do nothing else
	superuser = "officeconsole" // created with the cluster
	port      = "5432"          // only part of the socket's name
)

// Major is the major version of the server, which only reads clusters of its own.
const Major = "18"

// ErrInUse means that another process uses the directory.
var ErrInUse = errors.New("another process is using this directory")

// Server is a running PostgreSQL server.
type Server struct {
	home           home
	settings       []string // arguments for the server, -c name=value
	sync           bool
	restartTimeout time.Duration // how long restarts may fail before Done is closed
	user           string        // the role in URL
	answerTime     time.Duration // how long a server that runs may not answer before Start fails
	reportTime     time.Duration // how often Start logs what it waits for
	major          string        // Major, except in tests
	fill           Fill          // nil if the cluster is not upgraded
	room           func(dir string) (bytes uint64, err error)
	lock           *os.File // nil for a server of an upgrade, for which that of Start holds
	log            *rotatingLog

	ready    chan struct{} // closed once the database answers
	stopping chan struct{} // closed by Stop
	stop     sync.Once
	ended    chan struct{} // closed when no server runs and none will be started
	failure  error         // the reason, once ended is closed
	done     chan struct{}

	mutex   sync.Mutex
	process *os.Process
}

// Option changes how the server runs.
type Option func(*Server)

// WithoutSync lets the server confirm commits before the data is on the disk.
// It is for tests: a crash of the machine or of the server loses data.
func WithoutSync() Option {
	return func(s *Server) {
		s.sync = false
		for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
			WithSetting(name, "off")(s)
		}
	}
}

// AsSuperuser makes URL connect as the superuser. It is for tests and benchmarks,
// which create databases.
func AsSuperuser() Option {
	return func(s *Server) { s.user = superuser }
}

// WithSetting sets a server setting, as in postgresql.conf.
func WithSetting(name, value string) Option {
	return func(s *Server) { s.settings = append(s.settings, "-c", name+"="+value) }
}

// Start unpacks the server into dir, creates a cluster and the program's
// database, each unless it exists, and returns once the database answers. The
// caller must Stop the server. The error is ErrInUse if another process uses
// dir, and ErrUnfinishedRestore if a restoration into it was cut off.
func Start(ctx context.Context, dir string, options ...Option) (*Server, error) {
	s := newServer(options...)
	if err := s.start(ctx, dir); err != nil {
		return nil, fmt.Errorf("built-in PostgreSQL in %s: %w", dir, err)
	}
	return s, nil
}

func newServer(options ...Option) *Server {
	s := &Server{
		sync:           true,
		restartTimeout: time.Minute,
		answerTime:     time.Minute,
		reportTime:     10 * time.Second,
		user:           user,
		major:          Major,
		room:           freeSpace,
		ready:          make(chan struct{}),
		stopping:       make(chan struct{}),
		ended:          make(chan struct{}),
		done:           make(chan struct{}),
	}
	for _, option := range options {
		option(s)
	}
	return s
}

func (s *Server) start(ctx context.Context, dir string) (err error) {
	if s.home, err = openHome(dir); err != nil {
		return explainRights(err)
	}
	if s.lock, err = s.home.takeLock("lock"); err != nil {
		return explainRights(err)
	}
	if err = checkRestored(s.home.dir); err == nil {
		err = s.prepare(ctx)
	}
	if err == nil {
		err = s.launch(ctx)
	}
	if err != nil {
		return errors.Join(err, s.lock.Close())
	}
	return nil
}

// prepare creates what the server needs in the directory.
func (s *Server) prepare(ctx context.Context) error {
	if err := s.home.unpack(built, s.sync); err != nil {
		return fmt.Errorf("unpack the server: %w", err)
	}
	if s.fill != nil {
		if err := s.upgradeCluster(ctx); err != nil {
			return err
		}
	}
	s.home.removeEarlierServers(s.major)
	if err := s.home.initCluster(ctx, s.sync); err != nil {
		return fmt.Errorf("create the cluster: %w", err)
	}
	return nil
}

// launch starts the server and returns once the database answers. If it fails, no
// server runs.
func (s *Server) launch(ctx context.Context) error {
	if err := s.home.makeSocketDir(); err != nil {
		return fmt.Errorf("create the socket's directory: %w", err)
	}
	if err := s.home.writeAccess(ctx); err != nil {
		return fmt.Errorf("limit the access: %w", err)
	}
	var err error
	if s.log, err = openLog(s.home.path("postgres.log"), s.home.account); err != nil {
		return err
	}
	go s.supervise()
	if err := s.waitUntilReady(ctx); err != nil {
		return errors.Join(err, s.end())
	}
	close(s.ready)
	return nil
}

// URL returns the database's URL for pgx.
func (s *Server) URL() string {
	return socketURL(s.home.socketDir, s.user, database)
}

// socketURL names what pgx would else take from the environment, such as
// PGTARGETSESSIONATTRS: operators set that for other databases. The service that
// PGSERVICE names must still exist.
func socketURL(dir, user, database string) string {
	address := url.URL{Scheme: "postgres", User: url.User(user), Path: "/" + database}
	parameters := url.Values{
		"host":                 {dir},
		"port":                 {port},
		"connect_timeout":      {"0"},
		"target_session_attrs": {"any"},
		"timezone":             {"UTC"},
		"options":              {""},
		"sslcertmode":          {"allow"},
		"min_protocol_version": {"3.0"},
		"max_protocol_version": {"3.0"},
		"channel_binding":      {"prefer"},
		"require_auth":         {""},
	}
	// pgx takes a plus sign as it is, and not for a space.
	address.RawQuery = strings.ReplaceAll(parameters.Encode(), "+", "%20")
	return address.String()
}

// Done returns a channel that is closed when the server has ended unexpectedly
// and cannot be restarted. A server that crashes and is restarted does not
// close it.
func (s *Server) Done() <-chan struct{} {
	return s.done
}

// Stop closes all connections, stops the server and waits until it has ended.
// It may be called more than once.
func (s *Server) Stop() error {
	var err error
	s.stop.Do(func() {
		err = s.end()
		if s.lock != nil {
			err = errors.Join(err, s.lock.Close())
		}
	})
	return err
}

func (s *Server) end() error {
	close(s.stopping)
	return errors.Join(s.shutDown(), s.home.removeSocketDir(), s.log.Close())
}

// shutDown sends signals until the server ends: fast shutdown, immediate
// shutdown, kill. After the last two, the next start recovers from the
// write-ahead log without loss of data.
func (s *Server) shutDown() error {
	for _, step := range []struct {
		signal  syscall.Signal
		timeout time.Duration
	}{
		{syscall.SIGINT, 20 * time.Second},
		{syscall.SIGQUIT, 5 * time.Second},
		{syscall.SIGKILL, 5 * time.Second},
	} {
		s.signal(step.signal)
		select {
		case <-s.ended:
			return nil
		case <-time.After(step.timeout):
		}
	}
	return fmt.Errorf("cannot stop the PostgreSQL server in %s", s.home.dir)
}

// DefaultDir returns the default directory of the server: in the user's state
// directory or, for root, whose own directory the server's user cannot enter,
// in /var/lib.
func DefaultDir() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/lib/officeconsole", nil
	}
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "officeconsole"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no directory for the built-in PostgreSQL: %w", err)
	}
	return filepath.Join(home, ".local", "state", "officeconsole"), nil
}
