package postgres

import (
	"context"
	"net"
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func TestProgramIsNoSuperuser(t *testing.T) {
	s := start(t, openDir(t), WithoutSync())
	if got := text(t, s, "select current_user || ' ' || (rolsuper or rolcreatedb or rolcreaterole or rolreplication)::text from pg_roles where rolname = current_user"); got != "console false" {
		t.Errorf("got %s", got)
	}
	for _, statement := range []string{"copy (select 1) to program 'true'", "set session_replication_role = replica", "create database other"} {
		if _, err := connect(t, s).Exec(t.Context(), statement); !refusedWith(err, "42501") { // insufficient_privilege
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// Only the user who started the server may connect, and not what else runs as the
// server's account.
func TestOthersOfTheAccountMayNotConnect(t *testing.T) {
	if os.Geteuid() != 0 {
		return // the server's account is the user's own
	}
	s := start(t, openDir(t), WithoutSync())
	for _, role := range []string{user, superuser} {
		config, err := pgx.ParseConfig(socketURL(s.home.socketDir, role, database))
		if err != nil {
			t.Fatal(err)
		}
		config.DialFunc = func(_ context.Context, network, address string) (net.Conn, error) {
			return dialAs(s.home.account.uid, network, address)
		}
		conn, err := pgconn.ConnectConfig(t.Context(), &config.Config)
		if err == nil {
			_ = conn.Close(t.Context())
		}
		if !refusedWith(err, "28000") {
			t.Errorf("the server's account as %s: %v", role, err)
		}
	}
	execute(t, s, "select 1")
}

// dialAs connects as another user, which only this thread becomes.
func dialAs(uid int, network, address string) (net.Conn, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, _, failed := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); failed != 0 {
		return nil, failed
	}
	defer syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), 0, ^uintptr(0))
	return net.Dial(network, address)
}
