package postgres

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	osuser "os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the operating system user that the server runs as: PostgreSQL
// refuses to run as root.
type account struct {
	uid, gid int
	other    bool // a user other than this process's
}

// accountName is the system account that root's server runs as.
const accountName = "officeconsole"

// serverAccount returns the user of this process, unless that is root: then the
// owner of an existing cluster, or the account made for the server.
func serverAccount(data string) (account, error) {
	if uid := os.Geteuid(); uid != 0 {
		return account{uid: uid, gid: os.Getegid()}, nil
	}
	if info, err := os.Stat(data); err == nil {
		owner := info.Sys().(*syscall.Stat_t)
		if owner.Uid == 0 {
			return account{}, errors.New("the cluster belongs to root, but PostgreSQL refuses to run as root")
		}
		return account{uid: int(owner.Uid), gid: int(owner.Gid), other: true}, ensureEntry(owner.Uid)
	}
	own, err := makeAccount()
	if err != nil {
		return account{}, fmt.Errorf("PostgreSQL refuses to run as root and needs an unprivileged user: %w", err)
	}
	uid, uidErr := strconv.Atoi(own.Uid)
	gid, gidErr := strconv.Atoi(own.Gid)
	return account{uid: uid, gid: gid, other: true}, errors.Join(uidErr, gidErr)
}

// ensureEntry gives the owner of a cluster a name, without which PostgreSQL does not
// start. A new container does not have the accounts of the one before.
func ensureEntry(uid uint32) error {
	id := strconv.FormatUint(uint64(uid), 10)
	if _, err := osuser.LookupId(id); err == nil {
		return nil
	}
	name := accountName
	if _, err := osuser.Lookup(name); err == nil {
		name += "-" + id
	}
	output, failure := addAccount(name, "--uid="+id)
	if _, err := osuser.LookupId(id); err != nil { // another process may have been faster
		return fmt.Errorf("the cluster belongs to the user %s, who does not exist: create a system account with this number: %w %s", id, failure, output)
	}
	return nil
}

// addAccount creates a system account.
func addAccount(name string, options ...string) (output string, err error) {
	program := "useradd"
	if _, err := exec.LookPath(program); err != nil {
		program = "/usr/sbin/useradd" // which the PATH of some shells does not have
	}
	arguments := append([]string{"--system", "--no-create-home", "--home-dir=/nonexistent", "--shell=/usr/sbin/nologin"}, options...)
	text, err := exec.Command(program, append(arguments, name)...).CombinedOutput()
	return string(text), err
}

// makeAccount returns the system account, which it creates unless it exists. Where
// that is impossible it returns nobody, whose other processes can read the cluster.
func makeAccount() (*osuser.User, error) {
	if own, err := osuser.Lookup(accountName); err == nil {
		return own, nil
	}
	output, failure := addAccount(accountName)
	own, err := osuser.Lookup(accountName) // another process may have been faster
	if err == nil {
		slog.Info("created the system account that the built-in PostgreSQL runs as", "account", accountName)
		return own, nil
	}
	slog.Warn("the built-in PostgreSQL runs as nobody, which other services may share: create the system account "+accountName+" before the first start",
		"err", errors.Join(failure, err), "output", output)
	return osuser.Lookup("nobody")
}

// checkAccess returns an error that names the directory above dir which the
// account may not enter.
func (a account) checkAccess(dir string) error {
	if !a.other {
		return nil
	}
	for above := dir; ; above = filepath.Dir(above) {
		info, err := os.Stat(above)
		if err != nil {
			return err
		}
		if !a.mayEnter(info) {
			return fmt.Errorf("PostgreSQL refuses to run as root, and user %d, as which it runs instead, cannot enter %s (%v): "+
				"run `chmod a+x %s`, or choose another directory with --data-dir", a.uid, above, info.Mode(), above)
		}
		if above == filepath.Dir(above) {
			return nil
		}
	}
}

func (a account) mayEnter(info fs.FileInfo) bool {
	owner := info.Sys().(*syscall.Stat_t)
	switch {
	case int(owner.Uid) == a.uid:
		return info.Mode()&0o100 != 0
	case int(owner.Gid) == a.gid:
		return info.Mode()&0o010 != 0
	}
	return info.Mode()&0o001 != 0
}

// chown changes the owner of a new file or directory to the account.
func (a account) chown(path string) error {
	if !a.other {
		return nil
	}
	return os.Lchown(path, a.uid, a.gid)
}
