package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// laboratory is where the faults happen: a directory with the demo company, of which
// every fault gets a copy.
type laboratory struct {
	binary string
	root   string // everything of this run
	base   string // data directory with the company
}

// newLaboratory fills a database with the demo company.
func newLaboratory(ctx context.Context, binary string, employees, days int) (*laboratory, error) {
	root, err := os.MkdirTemp("", "chaos")
	if err != nil {
		return nil, err
	}
	b := &laboratory{binary: binary, root: root, base: filepath.Join(root, "base")}
	if err := os.Chmod(root, 0o755); err != nil { // the database may run as another user
		return nil, errors.Join(err, b.close())
	}
	command := exec.CommandContext(ctx, binary, "demo", "--employees", fmt.Sprint(employees), "--days", fmt.Sprint(days))
	command.Env = environment("OFFICECONSOLE_DATA_DIR=" + b.base)
	if output, err := command.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("fill the demo company: %w (make build makes the program): %s", err, output), b.close())
	}
	return b, nil
}

func (b *laboratory) close() error { return os.RemoveAll(b.root) }

// site is a running installation: one console with its built-in database, or some with
// an external one.
type site struct {
	dir      string // data directory of the first console
	database string
	programs []*program
	server   *server // nil where the database is built in
	links    []*link // between the database and each console
	disk     *disk   // nil where the directory is on no disk of its own
	undo     []func() error
}

func (s *site) later(undo func() error) { s.undo = append(s.undo, undo) }

// close ends everything that belongs to the site, the latest first.
func (s *site) close() error {
	var errs []error
	for _, undo := range slices.Backward(s.undo) {
		errs = append(errs, undo())
	}
	s.undo = nil
	return errors.Join(errs...)
}

// consoles are the addresses of the consoles.
func (s *site) consoles() (all []string) {
	for _, p := range s.programs {
		all = append(all, p.url())
	}
	return all
}

// cluster is the directory of the database's files.
func (s *site) cluster() string { return filepath.Join(s.dir, "data") }

// copyTo copies the company.
func (b *laboratory) copyTo(ctx context.Context, dir string) error {
	output, err := exec.CommandContext(ctx, "cp", "-a", b.base, dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("copy the company: %w: %s", err, output)
	}
	return nil
}

// newDir returns the name of a directory for a fault.
func (b *laboratory) newDir(name string) string {
	return filepath.Join(b.root, strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, name)+fmt.Sprint(time.Now().UnixNano()%1e6))
}

// builtIn starts a console with its built-in database.
func (b *laboratory) builtIn(ctx context.Context, s *site) error {
	dir := b.newDir("built-in")
	if err := b.copyTo(ctx, dir); err != nil {
		return err
	}
	s.later(func() error { return os.RemoveAll(dir) })
	return b.serve(ctx, s, dir)
}

// serve starts a console in a directory that has the company.
func (b *laboratory) serve(ctx context.Context, s *site, dir string) error {
	p := &program{binary: b.binary, dir: dir, log: b.newDir("log")}
	for _, address := range []*string{&p.address, &p.metrics} {
		var err error
		if *address, err = freeAddress(); err != nil {
			return err
		}
	}
	s.dir, s.database = dir, socketURL(dir)
	return s.add(ctx, p)
}

// add starts a console of the site.
func (s *site) add(ctx context.Context, p *program) error {
	if err := p.start(ctx); err != nil {
		return err
	}
	s.programs = append(s.programs, p)
	s.later(p.stop)
	return nil
}

// external starts a console whose database is a server of its own.
func (b *laboratory) external(ctx context.Context, s *site) error {
	if err := b.database(ctx, s, &server{dir: b.newDir("database")}); err != nil {
		return err
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	return s.add(ctx, b.beside(s, address, s.database, nil))
}

// database starts a server with a copy of the company.
func (b *laboratory) database(ctx context.Context, s *site, external *server) error {
	if err := b.copyTo(ctx, external.dir); err != nil {
		return err
	}
	s.later(func() error { return os.RemoveAll(external.dir) })
	s.dir, s.server, s.database = external.dir, external, socketURL(external.dir)
	if err := external.start(ctx); err != nil {
		return err
	}
	s.later(external.stop)
	return nil
}

// beside returns a console with the files and the key of the site.
func (b *laboratory) beside(s *site, address, database string, in *namespace) *program {
	dir := b.newDir("console")
	settings := []string{"OFFICECONSOLE_DATABASE_URL=" + database, "OFFICECONSOLE_BLOB_URL=" + filepath.Join(s.dir, "blobs")}
	key := filepath.Join(s.dir, "secret.key")
	if _, err := os.Stat(key); err == nil {
		settings = append(settings, "OFFICECONSOLE_SECRET_KEY_FILE="+key)
	}
	return &program{binary: b.binary, dir: dir, log: b.newDir("log"), address: address, namespace: in, settings: environment(settings...)}
}

// oracle judges a load on the site.
func (b *laboratory) oracle(s *site) oracle {
	settings := []string{"OFFICECONSOLE_DATA_DIR=" + s.dir}
	if s.server != nil {
		settings = b.beside(s, "", s.database, nil).settings
		settings = append(settings, "OFFICECONSOLE_DATA_DIR="+b.newDir("verify"))
	}
	return oracle{database: s.database, verify: []string{b.binary, "verify"}, settings: environment(settings...)}
}
