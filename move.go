package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"officeconsole/move"
	"officeconsole/postgres"
)

type moveCommand struct {
	To   string `required:"" xor:"direction" placeholder:"URL" help:"Copy the built-in database into the empty PostgreSQL database at this address."`
	From string `required:"" xor:"direction" placeholder:"URL" help:"Copy the database at this address into a new built-in one."`
}

func (m moveCommand) Run(ctx context.Context, c *commands) error {
	external := requireTLS(cmp.Or(m.To, m.From))
	if c.DatabaseURL != "" && requireTLS(c.DatabaseURL) != external {
		return errors.New("a move is between the built-in database and the address of --to or --from: leave out --database-url, and unset OFFICECONSOLE_DATABASE_URL and DATABASE_URL")
	}
	name, err := reach(ctx, external)
	if err != nil {
		return err
	}
	dir, err := c.dataDir()
	if err != nil {
		return err
	}
	if m.To != "" {
		if err := needCluster(dir); err != nil {
			return err
		}
	}
	server, err := postgres.Start(ctx, dir, postgres.WithUpgrade(upgradeDatabase))
	if errors.Is(err, postgres.ErrInUse) {
		return fmt.Errorf("%s is used by another officeconsole: stop the console that serves from it, or wait for its move to end: %w", dir, err)
	}
	if err != nil {
		return err
	}
	from, to := server.URL(), external
	if m.From != "" {
		from, to = external, server.URL()
	}
	began := time.Now()
	result, err := move.Copy(ctx, from, to, printProgress(c.stdout))
	if err := errors.Join(err, server.Stop()); err != nil {
		return err
	}
	m.announce(c.stdout, result, name, dir, time.Since(began))
	return nil
}

// reachTime is how long the first connection to a database may take.
const reachTime = 30 * time.Second

// reach returns the name of an external database, without its password.
func reach(ctx context.Context, url string) (name string, err error) {
	config, err := pgxpool.ParseConfig(url) // also knows the parameters of pools
	if err != nil {
		return "", fmt.Errorf("database url: %w", err)
	}
	to := config.ConnConfig
	to.RuntimeParams = nil
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, to)
	if err != nil {
		return "", fmt.Errorf("reach database: %w", err)
	}
	return fmt.Sprintf("the database %s of %s at %s:%d", to.Database, to.User, to.Host, to.Port), conn.Close(ctx)
}

func (m moveCommand) announce(out io.Writer, r move.Result, name, dir string, took time.Duration) {
	fmt.Fprintf(out, "%d rows of %d tables were copied and compared in %s.\n", r.Rows, r.Tables, took.Round(100*time.Millisecond))
	if len(r.LeftOut) > 0 {
		fmt.Fprintf(out, "Not copied, because they are not the console's: %s.\n", strings.Join(r.LeftOut, ", "))
	}
	if m.To != "" {
		fmt.Fprintf(out, "Set OFFICECONSOLE_DATABASE_URL to the address of %s, and start the console.\n", name)
		fmt.Fprintf(out, "The built-in database in %s is as it was. When the console serves from the other one, remove it: rm -r %s\n", dir, filepath.Join(dir, "data"))
	} else {
		fmt.Fprintf(out, "Unset OFFICECONSOLE_DATABASE_URL, and start the console with --data-dir %s.\n", dir)
		fmt.Fprintf(out, "%s is as it was.\n", strings.ToUpper(name[:1])+name[1:])
	}
	fmt.Fprintln(out, "Files (--blob-url) and the keys of secrets (--secret-key-file) are not in the database: they stay where they are, by default in the data directory.")
}

// printProgress prints a line a second at most.
func printProgress(out io.Writer) func(move.Progress) {
	return limitProgress(time.Second, func(p move.Progress) {
		fmt.Fprintf(out, "%3.0f %% %s: %s, %d rows\n", 100*p.Share, p.Step, p.Table, p.Rows)
	})
}

// limitProgress passes on the first progress of each interval.
func limitProgress(interval time.Duration, report func(move.Progress)) func(move.Progress) {
	var last time.Time
	return func(p move.Progress) {
		if p.Rows > 0 && time.Since(last) >= interval {
			last = time.Now()
			report(p)
		}
	}
}

// upgradeDatabase copies the built-in database to a server of another major version.
func upgradeDatabase(ctx context.Context, from, to string) error {
	_, err := move.Copy(ctx, from, to, limitProgress(10*time.Second, func(p move.Progress) {
		slog.InfoContext(ctx, "upgrading the built-in PostgreSQL", "step", string(p.Step), "table", p.Table, "rows", p.Rows, "percent", int(100*p.Share))
	}))
	if errors.Is(err, move.ErrNoConsole) { // its program ended before the first migration
		return nil
	}
	return err
}

type databaseCommand struct {
	ConfirmUpgrade confirmUpgradeCommand `cmd:"" help:"Remove the cluster that an upgrade of the built-in PostgreSQL has left, so that nobody can go back."`
}

type confirmUpgradeCommand struct{}

func (confirmUpgradeCommand) Run(c *commands) error {
	dir, err := c.dataDir()
	if err != nil {
		return err
	}
	removed, err := postgres.ConfirmUpgrade(dir)
	for _, cluster := range removed {
		fmt.Fprintf(c.stdout, "%s was removed.\n", cluster)
	}
	if err == nil && len(removed) == 0 {
		fmt.Fprintf(c.stdout, "There is no cluster of an earlier version in %s.\n", dir)
	}
	return err
}
