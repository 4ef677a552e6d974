package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The longest name of a socket's directory: sun_path holds 104 bytes on macOS
// and 108 on Linux, with the socket's name and a final NUL.
const longestSocketDir = 103 - len("/.s.PGSQL."+port)

// shortSocketDir is a directory for the socket of a server whose own path does
// not serve, the same for each start.
func shortSocketDir(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	name := "officeconsole-" + hex.EncodeToString(sum[:8])
	if info, err := os.Stat("/run"); os.Geteuid() == 0 && err == nil && info.IsDir() {
		return filepath.Join("/run", name)
	}
	return filepath.Join("/tmp", name)
}

// makeSocketDir makes the socket's directory, closed to all but the account.
// One that is there must be just that: in /tmp anybody could have made it.
func (h home) makeSocketDir() error {
	if err := os.Mkdir(h.socketDir, 0o700); err == nil {
		return h.account.give(h.socketDir)
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(h.socketDir)
	if err != nil {
		return err
	}
	if owner := info.Sys().(*syscall.Stat_t); !info.IsDir() || info.Mode().Perm() != 0o700 || int(owner.Uid) != h.account.uid {
		return fmt.Errorf("%s is not a private directory of user %d", h.socketDir, h.account.uid)
	}
	return nil
}

// removeSocketDir removes a socket's directory outside dir.
func (h home) removeSocketDir() error {
	if h.socketDir == h.path("socket") {
		return nil
	}
	if err := os.Remove(h.socketDir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// quoteDirectory writes a path as an entry of a list of directories: it may
// hold spaces.
func quoteDirectory(path string) string {
	return `"` + strings.ReplaceAll(path, `"`, `""`) + `"`
}
