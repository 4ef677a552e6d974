package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// process measures the time until the program is ready, and its memory.
func process(ctx context.Context, b *bench) error {
	database, err := b.server.url(ctx, size)
	if err != nil {
		return err
	}
	b.table.head("The program")
	external := "OFFICECONSOLE_DATABASE_URL=" + database
	if err := starts(ctx, b, external); err != nil {
		return err
	}
	p, err := b.startProgram(ctx, external)
	if err != nil {
		return err
	}
	defer p.close()
	if err := p.waitUntilIdle(ctx); err != nil {
		return err
	}
	if err := memoryRow(b, p, "memory, idle", "< 30 MiB"); err != nil {
		return err
	}
	if p.cookie, err = signIn(ctx, p.address); err != nil {
		return err
	}
	for _, path := range []string{policiesPath, profilePath} {
		if _, err := p.load(ctx, path, connections, 8*time.Second); err != nil {
			return err
		}
		if err := memoryRow(b, p, "memory, after load on "+path, "< 60 MiB"); err != nil {
			return err
		}
	}
	return nil
}

func memoryRow(b *bench, p *program, name, target string) error {
	resident, own, err := p.memory()
	if errors.Is(err, fs.ErrNotExist) {
		b.table.row(name, target, "only measured on Linux")
		return nil
	}
	if err == nil {
		b.table.row(name, target, fmt.Sprintf("%.1f MiB (%.1f without files)", resident, own))
	}
	return err
}

func starts(ctx context.Context, b *bench, external string) error {
	const times = 5
	var onExternal, onBuiltIn, first spread
	root, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	if err := os.Chmod(root, 0o755); err != nil { // the server may run as another user
		return err
	}
	for i := range times {
		if err := start(ctx, b, &onExternal, external); err != nil {
			return err
		}
		builtIn := "OFFICECONSOLE_DATA_DIR=" + filepath.Join(root, fmt.Sprint(i))
		for _, s := range []*spread{&first, &onBuiltIn} {
			if err := start(ctx, b, s, builtIn); err != nil {
				return err
			}
		}
	}
	for _, row := range []struct {
		name, target string
		took         spread
	}{
		{"ready on a migrated external database, ms", "≤ 150", onExternal},
		{"ready on the built-in database, ms", "≤ 1,000", onBuiltIn},
		{"ready on the very first start, ms", "≤ 5,000", first},
	} {
		b.table.row(row.name, row.target, row.took.String())
	}
	return nil
}

func start(ctx context.Context, b *bench, took *spread, settings ...string) error {
	p, err := b.startProgram(ctx, settings...)
	if err != nil {
		return err
	}
	p.close()
	*took = append(*took, milliseconds(p.ready))
	return nil
}
