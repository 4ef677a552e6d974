package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Fill copies the database at one URL into the empty one at another.
type Fill func(ctx context.Context, from, to string) error

// WithUpgrade lets Start upgrade a cluster of an earlier major version: it creates a
// cluster beside it, which fill fills, and swaps the two. The earlier cluster stays in
// the directory as data-MAJOR until ConfirmUpgrade. Until the swap it is the one that
// counts, so that an upgrade that is cut off begins again.
func WithUpgrade(fill Fill) Option {
	return func(s *Server) { s.fill = fill }
}

// The names of the new cluster before and after it has been filled.
const (
	unfinishedUpgrade = "upgrade.unfinished"
	completeUpgrade   = "upgrade.complete"
)

// upgradeCluster upgrades the cluster if it is of an earlier major version.
func (s *Server) upgradeCluster(ctx context.Context) error {
	if err := s.home.finishSwap(); err != nil {
		return fmt.Errorf("finish the upgrade of the cluster: %w", err)
	}
	earlier, err := s.home.clusterMajor()
	if err != nil || earlier == "" || earlier == s.major {
		return err
	}
	if isNewer(earlier, s.major) {
		return fmt.Errorf("the cluster is of PostgreSQL %s, and this program contains PostgreSQL %s: use the newer officeconsole", earlier, s.major)
	}
	if err := s.upgradeFrom(ctx, earlier); err != nil {
		return fmt.Errorf("upgrade of the cluster from PostgreSQL %s to %s, which can be repeated, the cluster is as it was: %w", earlier, s.major, err)
	}
	return nil
}

func (s *Server) upgradeFrom(ctx context.Context, earlier string) (err error) {
	before := s.home.path(replacedName(earlier))
	if _, err := os.Lstat(before); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%s is in the way: it is the cluster before an earlier upgrade, move it elsewhere or remove it", before))
	}
	old, next := s.home, s.home
	if old.unpacked, err = s.home.serverOf(ctx, earlier); err != nil {
		return err
	}
	if err := s.checkRoom(); err != nil {
		return err
	}
	slog.InfoContext(ctx, "upgrading the built-in PostgreSQL, which takes a while", "from", earlier, "to", s.major, "dir", s.home.dir)
	next.cluster, next.socketDir = unfinishedUpgrade, s.home.upgradeSocketDir()
	if err := next.removeCluster(); err != nil {
		return err
	}
	err = s.fillCluster(ctx, old, next)
	if err == nil {
		err = syncFiles(next.data())
	}
	if err != nil {
		return errors.Join(err, next.removeCluster())
	}
	if err := errors.Join(os.Remove(next.path(next.serverLock())), s.home.swap(earlier)); err != nil {
		return err
	}
	slog.WarnContext(ctx, "the built-in PostgreSQL was upgraded: the cluster from before stays until `officeconsole database confirm-upgrade`", "from", earlier, "to", s.major, "cluster", before)
	return nil
}

// fillCluster creates the next cluster and fills it with the database of the old one.
// Other programs can only read the old one meanwhile. What the next one has is on the
// disk when the caller syncs it.
func (s *Server) fillCluster(ctx context.Context, old, next home) (err error) {
	if err := next.initCluster(ctx, false); err != nil {
		return fmt.Errorf("create the cluster: %w", err)
	}
	from := newServer(WithSetting("default_transaction_read_only", "on"))
	from.home = old
	if err := from.launch(ctx); err != nil {
		return fmt.Errorf("start the earlier server: %w", err)
	}
	defer func() { err = errors.Join(err, from.Stop()) }()
	to := newServer(WithoutSync())
	to.home = next
	if err := to.launch(ctx); err != nil {
		return fmt.Errorf("start the new server: %w", err)
	}
	defer func() { err = errors.Join(err, to.Stop()) }()
	if err := s.fill(ctx, from.URL(), to.URL()); err != nil {
		return err
	}
	return warnOfSettings(ctx, from, to)
}

// swap puts the complete upgrade in the place of the cluster, which it renames.
func (h home) swap(earlier string) error {
	if err := os.RemoveAll(h.path(completeUpgrade)); err != nil {
		return err
	}
	if err := os.Rename(h.path(unfinishedUpgrade), h.path(completeUpgrade)); err != nil {
		return err
	}
	if err := os.Rename(h.data(), h.path(replacedName(earlier))); err != nil {
		return err
	}
	if err := h.finishSwap(); err != nil {
		return err
	}
	return syncFiles(h.dir)
}

// finishSwap finishes a swap that was cut off after the cluster was renamed. While there
// is a cluster, a complete upgrade may be outdated and is removed.
func (h home) finishSwap() error {
	complete := h.path(completeUpgrade)
	if _, err := os.Stat(complete); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if _, err := os.Stat(h.data()); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(complete, h.data())
	} else if err != nil {
		return err
	}
	return os.RemoveAll(complete)
}

// removeCluster ends the server of a cluster that an interrupted upgrade left, and
// removes the cluster.
func (h home) removeCluster() error {
	hold, err := h.takeOver()
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(h.data()), os.Remove(h.path(h.serverLock())), hold.Close())
}

// clusterMajor returns the major version of the cluster, or "" if there is no cluster.
func (h home) clusterMajor() (string, error) {
	text, err := os.ReadFile(filepath.Join(h.data(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

func isNewer(major, than string) bool {
	a, err := strconv.Atoi(major)
	b, otherErr := strconv.Atoi(than)
	return err == nil && otherErr == nil && a > b
}

// replacedName is the name of the directory of a cluster that an upgrade has replaced.
func replacedName(major string) string { return clusterName + "-" + major }

// serverOf returns the directory of an unpacked server of a major version.
func (h home) serverOf(ctx context.Context, major string) (string, error) {
	for _, dir := range h.unpackedServers() {
		of := h
		of.unpacked = dir
		output, err := of.command(ctx, "postgres", "--version").Output() // postgres (PostgreSQL) 17.10
		if err != nil {
			slog.WarnContext(ctx, "an unpacked server does not tell its version", "dir", dir, "err", err)
			continue
		}
		words := strings.Fields(string(output))
		if version, _, _ := strings.Cut(words[len(words)-1], "."); version == major {
			return dir, nil
		}
	}
	return "", fmt.Errorf("its server (server-… of PostgreSQL %s) is not in %s: start the officeconsole from before once more, which puts it there, and stop it", major, h.dir)
}

// upgradeSocketDir is the directory for the socket of the new cluster.
func (h home) upgradeSocketDir() string {
	if dir := h.path("socket-upgrade"); h.socketDir == h.path("socket") && len(dir) <= longestSocketDir {
		return dir
	}
	return shortSocketDir(h.dir) + "-upgrade"
}

// upgradeRoom is the number of bytes that an upgrade needs beside those of the cluster:
// a new cluster and its write-ahead log.
const upgradeRoom = 768 << 20

// checkRoom returns an error if there is no room for a second cluster.
func (s *Server) checkRoom() error {
	var size uint64
	err := filepath.WalkDir(filepath.Join(s.home.data(), "base"), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += uint64(info.Size())
		}
		return err
	})
	if err != nil {
		return err
	}
	free, err := s.room(s.home.dir)
	if err != nil {
		return err
	}
	if need := size + upgradeRoom; free < need {
		return fmt.Errorf("there is not enough room in %s: %d MB are free, and %d are needed until the upgrade is confirmed", s.home.dir, free>>20, need>>20)
	}
	return nil
}

// freeSpace returns how many bytes this process may write into the file system of a
// directory.
func freeSpace(dir string) (uint64, error) {
	var stat unix.Statfs_t
	err := unix.Statfs(dir, &stat)
	return uint64(stat.Bavail) * uint64(stat.Bsize), err
}
