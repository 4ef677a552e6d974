package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// HasCluster reports whether Start would find a cluster in dir, and not create one. The
// error is ErrUnfinishedRestore if a restoration into dir was cut off, or is running.
func HasCluster(dir string) (bool, error) {
	if err := checkRestored(dir); err != nil {
		return false, err
	}
	for _, name := range []string{clusterName, completeUpgrade} {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return err == nil, explainRights(err)
		}
	}
	return false, nil
}

// initCluster creates the cluster if there is none. If it fails, there is still
// none.
func (h home) initCluster(ctx context.Context, sync bool) error {
	if _, err := os.Stat(h.data()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	unfinished := h.path(unfinishedData)
	// The socket's directory may belong to the account of a cluster that was removed.
	if err := errors.Join(os.RemoveAll(unfinished), os.RemoveAll(h.path("socket"))); err != nil {
		return err
	}
	if err := errors.Join(os.Mkdir(unfinished, 0o700), h.account.chown(unfinished)); err != nil {
		return err
	}
	arguments := []string{
		"-D", unfinished, "--username=" + superuser, "--auth=peer", // see writeAccess
		"--encoding=UTF8", "--locale-provider=icu", "--icu-locale=ko",
		// With LC_CTYPE C, pg_trgm would find no letters in Hangul.
		"--lc-collate=C", "--lc-ctype=" + unicodeLocale, "--lc-messages=C",
		"--lc-monetary=C", "--lc-numeric=C", "--lc-time=C",
		"--data-checksums", "--no-instructions",
	}
	for _, setting := range defaultSettings {
		arguments = append(arguments, "--set="+setting)
	}
	if !sync {
		arguments = append(arguments, "--no-sync")
	}
	output, err := h.command(ctx, "initdb", arguments...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w: %s", err, strings.TrimSpace(string(output)))
	}
	return os.Rename(unfinished, h.data())
}

// defaultSettings are the settings of a new cluster. Its postgresql.conf contains
// them, so that an operator may change them there.
var defaultSettings = []string{
	"max_connections=100",
	"shared_buffers=128MB",
	"min_wal_size=64MB",
	"max_wal_size=512MB",
	"jit=off",
	"log_checkpoints=off",
	"log_line_prefix=%m [%p] ",
	"timezone=UTC",
	"log_timezone=UTC",
}
