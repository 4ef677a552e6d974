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

// longestSocketDir is the maximum length of the path of a socket's directory:
// sun_path holds 104 bytes on macOS and 108 on Linux, including the socket's
// name and a final NUL.
const longestSocketDir = 103 - len("/.s.PGSQL."+port)

// shortSocketDir returns a directory for the socket of a server whose own path
// is too long or unsuitable. It is the same for each start.
func shortSocketDir(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	name := "officeconsole-" + hex.EncodeToString(sum[:8])
	if info, err := os.Stat("/run"); os.Geteuid() == 0 && err == nil && info.IsDir() {
		return filepath.Join("/run", name)
	}
	return filepath.Join("/tmp", name)
}

// makeSocketDir creates the socket's directory, which only the account may
// enter. It refuses an existing directory with other rights, because anybody
// could have created it in /tmp.
func (h home) makeSocketDir() error {
	if err := os.Mkdir(h.socketDir, 0o700); err == nil {
		return h.account.chown(h.socketDir)
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

// removeSocketDir removes the socket's directory if it is outside dir.
func (h home) removeSocketDir() error {
	if h.socketDir == h.path("socket") {
		return nil
	}
	if err := os.Remove(h.socketDir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// quoteDirectory quotes a path for a setting that is a list of directories,
// because it may contain spaces.
func quoteDirectory(path string) string {
	return `"` + strings.ReplaceAll(path, `"`, `""`) + `"`
}
