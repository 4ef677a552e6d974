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
	dir       string // absolute, without symbolic links
	cluster   string // name of the cluster's directory
	socketDir string
	unpacked  string // directory of the server's programs and files
	account   account
}

func openHome(dir string) (home, error) {
	dir, err := realDir(dir)
	if err != nil {
		return home{}, err
	}
	p := home{dir: dir, cluster: clusterName}
	cluster := p.data()
	if _, err := os.Stat(cluster); errors.Is(err, fs.ErrNotExist) {
		cluster = p.path(completeUpgrade)
	}
	if p.account, err = serverAccount(cluster); err != nil {
		return home{}, err
	}
	if err := p.account.checkAccess(dir); err != nil {
		return home{}, err
	}
	p.socketDir = p.path("socket")
	// In a connection URL, a comma would separate two hosts.
	if len(p.socketDir) > longestSocketDir || strings.Contains(dir, ",") {
		p.socketDir = shortSocketDir(dir)
	}
	return p, nil
}

// MakeDir creates the directory of a server, and those above it, unless they
// exist. Only root's directories are open to others, because the server then
// runs as another user. Whatever else is stored in the directory may need it
// before the server does.
func MakeDir(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := MakeDir(filepath.Dir(dir)); err != nil {
		return err
	}
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o755
	}
	if err := os.Mkdir(dir, mode); errors.Is(err, fs.ErrExist) {
		return nil // another process was faster
	} else if err != nil {
		return err
	}
	return os.Chmod(dir, mode) // regardless of the umask
}

// explainRights adds to an error about missing rights who has them.
func explainRights(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w (run this as root, or as the user that the directory belongs to)", err)
	}
	return err
}

// realDir creates the directory unless it exists and returns its real path.
func realDir(dir string) (string, error) {
	if err := MakeDir(dir); err != nil {
		return "", err
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
	// initdb starts the server by a shell, with its path in double quotes.
	if strings.ContainsAny(dir, "\"$`\\\n") {
		return "", errors.New("the directory's path may not contain quotation marks, dollar signs, backslashes or line feeds")
	}
	return dir, nil
}

func (h home) path(name string) string { return filepath.Join(h.dir, name) }

// clusterName is the name of the directory of the cluster that Start runs.
const clusterName = "data"

func (h home) data() string { return h.path(h.cluster) }

// command returns a command for one of the server's programs. It runs as the
// account, without the environment of this process.
func (h home) command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, filepath.Join(h.unpacked, "bin", program), arguments...)
	command.Dir = h.unpacked
	command.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	// The output is a pipe that child processes may keep open.
	command.WaitDelay = time.Second
	// It has its own process group: Ctrl-C signals only this process, which
	// then stops the server.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if h.account.other {
		command.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(h.account.uid), Gid: uint32(h.account.gid)}
	}
	return command
}
