package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// home is the directory of a server: its programs, cluster, socket and log.
type home struct {
	dir       string // absolute, without links
	socketDir string
	unpacked  string // the server's programs and files
	account   account
}

func openHome(dir string) (home, error) {
	dir, err := makeDir(dir)
	if err != nil {
		return home{}, err
	}
	p := home{dir: dir}
	if p.account, err = serverAccount(p.data()); err != nil {
		return home{}, err
	}
	if err := p.account.checkReach(dir); err != nil {
		return home{}, err
	}
	p.socketDir = p.path("socket")
	// In an address, a comma would separate two hosts.
	if len(p.socketDir) > longestSocketDir || strings.Contains(dir, ",") {
		p.socketDir = shortSocketDir(dir)
	}
	return p, nil
}

// makeDir makes the directory when it is missing and gives its real path. Only
// root's is open to others: the server runs as somebody else then.
func makeDir(dir string) (string, error) {
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o755
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, mode); err != nil {
			return "", err
		}
		if err := os.Chmod(dir, mode); err != nil { // whatever the umask took
			return "", err
		}
	}
	if err := unix.Access(dir, unix.R_OK|unix.W_OK|unix.X_OK); err != nil {
		return "", fmt.Errorf("the directory cannot be read and written: %w", err)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	// initdb runs the server by a shell, with its path in double quotes.
	if strings.ContainsAny(dir, "\"$`\\\n") {
		return "", errors.New("the directory's path may not contain quotation marks, dollar signs, backslashes or line feeds")
	}
	return dir, nil
}

func (h home) path(name string) string { return filepath.Join(h.dir, name) }

func (h home) data() string { return h.path("data") }

// command prepares one of the server's programs, run as the account and in an
// environment of its own, so that nothing of the caller's shows through.
func (h home) command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, filepath.Join(h.unpacked, "bin", program), arguments...)
	command.Dir = h.unpacked
	command.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	// The output is a pipe, which children may hold open after its end.
	command.WaitDelay = time.Second
	// A group of its own: Ctrl-C is for the caller, who then stops the server.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if h.account.other {
		command.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(h.account.uid), Gid: uint32(h.account.gid)}
	}
	return command
}
