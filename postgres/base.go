package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Base is a base backup of the cluster of a running server: its files, which change
// while they are copied, and the write-ahead log from which a server that starts on
// the copies makes them whole. CopyData, Stop and CopyLog are called in this order.
type Base struct {
	conn        *pgx.Conn
	data        string // directory of the cluster
	first, last string // names of the segments of the log that recovery needs
	label       string
}

// WriteFile takes a file of a cluster, or a directory, whose content is nil. Names are
// relative to the cluster, with slashes. Content has size bytes.
type WriteFile func(name string, size int64, content io.Reader) error

// BeginBase begins a base backup of the cluster in dir, in which this or another
// process runs a server. The server keeps the log that the backup needs until Close.
func BeginBase(ctx context.Context, dir string) (*Base, error) {
	conn, err := Connect(ctx, dir)
	if err != nil {
		return nil, err
	}
	b := &Base{conn: conn, data: filepath.Join(dir, "data")}
	if err := b.begin(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("begin the base backup: %w", err), b.Close())
	}
	return b, nil
}

// Connect connects as the superuser to the server that a process runs in dir. The
// time-outs in the server's settings do not hold for the connection: reading everything
// takes long.
func Connect(ctx context.Context, dir string) (*pgx.Conn, error) {
	url, err := runningAs(ctx, dir, superuser)
	if err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"statement_timeout", "transaction_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"} {
		config.RuntimeParams[name] = "0"
	}
	return pgx.ConnectConfig(ctx, config)
}

func (b *Base) begin(ctx context.Context) error {
	spaces, err := os.ReadDir(filepath.Join(b.data, "pg_tblspc"))
	if err != nil {
		return explainRights(err)
	}
	if len(spaces) > 0 {
		return errors.New("the cluster has tablespaces, which are outside of its directory: back it up with PostgreSQL's own tools")
	}
	// The slot ends with the connection.
	slot := "officeconsole_backup_" + strings.ToLower(rand.Text())
	if _, err := b.conn.Exec(ctx, "select pg_create_physical_replication_slot($1, true, true)", slot); err != nil {
		return err
	}
	return b.conn.QueryRow(ctx, "select pg_walfile_name(pg_backup_start('officeconsole', true))").Scan(&b.first)
}

// controlFile says where recovery begins; it is copied after everything else.
const controlFile = "global/pg_control"

// emptied are the directories whose contents a server creates again when it starts.
var emptied = []string{"pg_dynshmem", "pg_notify", "pg_replslot", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans", "pg_wal"}

// left are the files that belong to the running server or to one of its processes.
var left = regexp.MustCompile(`^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|.*\.tmp|pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+.*)$`)

// CopyData copies the files of the cluster.
func (b *Base) CopyData(ctx context.Context, write WriteFile) error {
	if err := b.copyDir(ctx, ".", write); err != nil {
		return err
	}
	return b.copyControl(write)
}

func (b *Base) copyDir(ctx context.Context, dir string, write WriteFile) error {
	entries, err := os.ReadDir(filepath.Join(b.data, filepath.FromSlash(dir)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // of a database that was dropped meanwhile
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, entry.Name())
		switch {
		case left.MatchString(entry.Name()) || name == controlFile:
		case slices.Contains(emptied, name):
			err = write(name, 0, nil)
		case entry.IsDir():
			if err = write(name, 0, nil); err == nil {
				err = b.copyDir(ctx, name, write)
			}
		case entry.Type().IsRegular():
			err = b.copyFile(ctx, name, write)
		default:
			err = fmt.Errorf("%s is neither a file nor a directory", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a file with the size that it has at first. What is written to it
// meanwhile is in the log, and so is that it was removed or became shorter.
func (b *Base) copyFile(ctx context.Context, name string, write WriteFile) error {
	file, err := os.Open(filepath.Join(b.data, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return explainRights(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	content := io.MultiReader(contextReader{ctx, file}, zeros{})
	return write(name, info.Size(), io.LimitReader(content, info.Size()))
}

// copyControl copies a file that no log repairs: two equal reads prove that the server
// did not write it meanwhile.
func (b *Base) copyControl(write WriteFile) error {
	const tries = 100
	var before []byte
	for range tries {
		now, err := os.ReadFile(filepath.Join(b.data, controlFile))
		if err != nil {
			return err
		}
		if bytes.Equal(now, before) {
			return write(controlFile, int64(len(now)), bytes.NewReader(now))
		}
		before = now
	}
	return fmt.Errorf("%s is written all the time", controlFile)
}

// Stop ends the copying of the data: a server that starts on the copies has what was
// committed before Stop.
func (b *Base) Stop(ctx context.Context) error {
	var last, label string
	err := b.conn.QueryRow(ctx, "select pg_walfile_name(lsn), labelfile from pg_backup_stop(false)").Scan(&last, &label)
	if err != nil {
		return fmt.Errorf("end the base backup: %w", err)
	}
	b.last, b.label = last, label
	return nil
}

// CopyLog copies the log that recovery needs.
func (b *Base) CopyLog(ctx context.Context, write WriteFile) error {
	for _, dir := range []string{"pg_wal/archive_status", "pg_wal/summaries"} {
		if err := write(dir, 0, nil); err != nil {
			return err
		}
	}
	segments, err := os.ReadDir(filepath.Join(b.data, "pg_wal"))
	if err != nil {
		return err
	}
	copied := 0
	for _, segment := range segments { // in the order of their names
		name := segment.Name()
		if len(name) != len(b.first) || name < b.first || name > b.last {
			continue
		}
		if copied == 0 && name != b.first {
			return fmt.Errorf("the server has removed its log from %s on", b.first)
		}
		if err := b.copyFile(ctx, "pg_wal/"+name, write); err != nil {
			return err
		}
		copied++
	}
	if copied == 0 {
		return fmt.Errorf("the server has no log from %s to %s", b.first, b.last)
	}
	return write("backup_label", int64(len(b.label)), strings.NewReader(b.label))
}

// Close ends the backup. The server gives up one that was not stopped.
func (b *Base) Close() error { return b.conn.Close(context.Background()) }

// zeros takes the place of the rest of a file that became shorter.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// contextReader fails once its context has ended.
type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}
