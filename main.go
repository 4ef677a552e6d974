// Command officeconsole is the administrator console of a workplace messenger.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"reflect"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"officeconsole/handlers/api"
	"officeconsole/postgres"
	"officeconsole/queries/areas"
	"officeconsole/queries/migrations"
	"officeconsole/static"
)

// version is set at build time.
var version = "development"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once, for example while it reads its input.
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "officeconsole:", err)
		os.Exit(exitCode(err))
	}
}

// exitCode is 2 if the input of an import was refused, and 1 if the command failed.
func exitCode(err error) int {
	if errors.Is(err, errNothingSaved) || errors.Is(err, errRefusedInPart) {
		return 2
	}
	return 1
}

// commands are the options and commands of the program (contract, "Commands").
type commands struct {
	DatabaseURL   string        `name:"database-url" env:"OFFICECONSOLE_DATABASE_URL,DATABASE_URL" placeholder:"URL" help:"PostgreSQL 15 or later. Without it the built-in one is used."`
	DirectURL     string        `name:"direct-database-url" env:"OFFICECONSOLE_DIRECT_DATABASE_URL" placeholder:"URL" help:"The database itself, where --database-url leads through a connection pooler such as PgBouncer."`
	DataDir       string        `name:"data-dir" env:"OFFICECONSOLE_DATA_DIR" placeholder:"DIR" type:"path" help:"Where the built-in PostgreSQL keeps its data. Default: the user's state directory."`
	SecretKeyFile string        `name:"secret-key-file" env:"OFFICECONSOLE_SECRET_KEY_FILE" placeholder:"FILE" type:"path" help:"Keys of the secrets in the database: 32 bytes in Base64 a line, the current one first. Default: secret.key in the data directory, which the first start creates."`
	ClockOffset   time.Duration `name:"clock-offset" env:"OFFICECONSOLE_CLOCK_OFFSET" hidden:"" help:"How far the program's clock is ahead of the system's. Only for tests."`
	ClockAt       time.Time     `name:"clock-at" env:"OFFICECONSOLE_CLOCK_AT" hidden:"" help:"The time at which the program's clock stands still. Only for tests."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`

	Serve    serveCommand    `cmd:"" default:"withargs" help:"Serve the console (default)."`
	Migrate  migrateCommand  `cmd:"" help:"Bring the schema up to date and stop."`
	Demo     demoCommand     `cmd:"" help:"Fill an empty database with the demo company."`
	Import   importCommand   `cmd:"" help:"Import from files."`
	Company  companyCommand  `cmd:"" help:"Create or list companies."`
	User     userCommand     `cmd:"" help:"Create people, set passwords, grant administration."`
	AllowIP  allowIPCommand  `cmd:"" name:"allow-ip" help:"The way back in when an address rule has shut everybody out."`
	Token    tokenCommand    `cmd:"" help:"Create service tokens for the messenger."`
	Provider providerCommand `cmd:"" help:"Providers of single sign-on."`
	Secrets  secretsCommand  `cmd:"" help:"Change the key of the secrets in the database."`
	Backup   backupCommand   `cmd:"" help:"Back up the built-in database and its files, or verify a backup."`
	Restore  restoreCommand  `cmd:"" help:"Restore a backup into an empty data directory."`
	Move     moveCommand     `cmd:"" help:"Copy the built-in database to an external PostgreSQL, or back."`
	Database databaseCommand `cmd:"" help:"Confirm an upgrade of the built-in PostgreSQL."`
	Verify   verifyCommand   `cmd:"" help:"Find out whether a row of the change log was altered or removed."`
	OpenAPI  openAPICommand  `cmd:"" name:"openapi" help:"Print the OpenAPI document of the JSON API, for generators of clients."`
	Licenses licensesCommand `cmd:"" help:"Print the licenses of everything that the program carries."`
	Version  versionCommand  `cmd:"" help:"Print the version."`

	serving      bool            // the command is serve, which needs a built-in database of its own
	mayCreate    bool            // the command creates the built-in database where there is none
	replicas     replicaOptions  // of serve
	joined       bool            // the built-in database is that of another process
	databaseLost <-chan struct{} // closed if the built-in database ended and cannot be restarted; nil for an external one

	stdin          io.Reader
	stdout, stderr io.Writer
}

// run is the whole program, so that a test can start it and stop it by
// cancelling ctx.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	c := commands{stdin: stdin, stdout: stdout, stderr: stderr}
	stopped := false
	parser, err := kong.New(&c,
		kong.Name("officeconsole"),
		kong.Description("The administrator console of a workplace messenger."),
		kong.Vars{"version": versionLine()},
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { stopped = true }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		paths,
	)
	if err != nil {
		return err
	}
	command, err := parser.Parse(args)
	if stopped { // --help was given and has been printed
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w (see officeconsole --help)", err)
	}
	err = command.Run(&c)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return explainInterrupt(err)
	}
	return explainTLS(c.explainStop(err))
}

// paths reads options that are paths. Kong takes an empty one, such as a variable in a
// list of settings that has no value, for the current directory; here it is not set.
var paths = kong.NamedMapper("path", kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
	var path string
	if err := ctx.Scan.PopValueInto("file", &path); err != nil || path == "" {
		return err
	}
	target.SetString(kong.ExpandPath(path))
	return nil
}))

// explainInterrupt is the error of a command that a signal has ended. It names what the
// command was waiting for, if err has that beside the end of the context.
func explainInterrupt(err error) error {
	if cause := besideCanceled(err); cause != nil {
		return fmt.Errorf("interrupted: %w", cause)
	}
	return errors.New("interrupted")
}

// besideCanceled returns the errors that were joined with context.Canceled.
func besideCanceled(err error) error {
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		return besideCanceled(wrapper.Unwrap())
	case interface{ Unwrap() []error }:
		var causes []error
		for _, one := range wrapper.Unwrap() {
			if errors.Is(one, context.Canceled) {
				one = besideCanceled(one)
			}
			causes = append(causes, one)
		}
		return errors.Join(causes...)
	}
	return nil
}

// open opens the database and migrates it: the one of the URL or, without a
// URL, the built-in one. closeAll closes it and stops the built-in server. The
// schema of a database that another process serves from is not changed.
func (c *commands) open(ctx context.Context) (db *areas.Areas, closeAll func(), err error) {
	at, stop, err := c.database(ctx)
	if err != nil {
		return nil, nil, err
	}
	migrate := migrations.Run
	if c.joined {
		migrate = migrations.Check
	}
	if err := migrate(ctx, at.ForSessions()); err != nil {
		stop()
		return nil, nil, err
	}
	db, err = areas.OpenAt(ctx, at, c.now)
	if err != nil {
		stop()
		return nil, nil, err
	}
	if err := errors.Join(db.EnsurePartitions(ctx), c.openKeys(ctx, db)); err != nil {
		db.Close()
		stop()
		return nil, nil, err
	}
	return db, func() { db.Close(); stop() }, nil
}

// now returns the program's time. Tests shift it with --clock-offset, or stop it with
// --clock-at.
func (c *commands) now() time.Time {
	if !c.ClockAt.IsZero() {
		return c.ClockAt
	}
	return time.Now().Add(c.ClockOffset)
}

// database returns the addresses of the database, which it starts if it is the built-in
// one.
func (c *commands) database(ctx context.Context) (at areas.Addresses, stop func(), err error) {
	if c.DatabaseURL != "" {
		at.URL = requireTLS(c.DatabaseURL)
		if c.DirectURL != "" {
			at.Direct = requireTLS(c.DirectURL)
		}
		at.MaxLag = c.replicas.MaxLag
		for _, url := range c.replicas.URLs {
			at.Replicas = append(at.Replicas, requireTLS(url))
		}
		return at, func() {}, nil
	}
	if len(c.replicas.URLs) > 0 {
		return at, nil, errors.New("--read-database-url needs --database-url: the built-in database has no replicas")
	}
	if c.DirectURL != "" {
		return at, nil, errors.New("--direct-database-url needs --database-url, which leads through the pooler")
	}
	dir, err := c.dataDir()
	if err != nil {
		return at, nil, err
	}
	if !c.serving && !c.mayCreate {
		if err := needCluster(dir); err != nil {
			return at, nil, err
		}
	}
	server, running, err := c.startOrJoin(ctx, dir)
	if errors.Is(err, postgres.ErrInUse) {
		return at, nil, fmt.Errorf("%s is used by another officeconsole: stop it, or choose another --data-dir: %w", dir, err)
	}
	if err != nil {
		return at, nil, fmt.Errorf("built-in database in %s: %w", dir, err)
	}
	if c.joined = server == nil; c.joined {
		return areas.Addresses{URL: running}, func() {}, nil
	}
	c.databaseLost = server.Done()
	return areas.Addresses{URL: server.URL()}, func() {
		if err := server.Stop(); err != nil {
			slog.Error("built-in database did not stop cleanly", "err", err)
		}
	}, nil
}

// needCluster returns an error if there is no built-in database in dir, which may be a
// mistake in --data-dir.
func needCluster(dir string) error {
	has, err := postgres.HasCluster(dir)
	switch {
	case err != nil:
		return fmt.Errorf("built-in database in %s: %w", dir, err)
	case !has:
		return fmt.Errorf("there is no built-in database in %s", dir)
	}
	return nil
}

func (c *commands) dataDir() (string, error) {
	if c.DataDir != "" {
		return c.DataDir, nil
	}
	return postgres.DefaultDir()
}

type migrateCommand struct{}

func (migrateCommand) Run(ctx context.Context, c *commands) error {
	c.mayCreate = true
	at, stop, err := c.database(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if err := migrations.Run(ctx, at.ForSessions()); err != nil {
		return err
	}
	db, err := areas.OpenAt(ctx, at, c.now)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.EnsurePartitions(ctx); err != nil {
		return err
	}
	fmt.Fprintln(c.stdout, "The schema is up to date.")
	return nil
}

type openAPICommand struct{}

func (openAPICommand) Run(c *commands) error {
	document, err := api.Document(version)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s\n", document)
	return err
}

type licensesCommand struct{}

func (licensesCommand) Run(c *commands) error {
	text, err := static.Notice()
	if err != nil {
		return err
	}
	_, err = c.stdout.Write(text)
	return err
}

type versionCommand struct{}

func (versionCommand) Run(c *commands) error {
	fmt.Fprintln(c.stdout, versionLine())
	return nil
}

func versionLine() string { return "officeconsole " + version }
