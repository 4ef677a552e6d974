package postgres

import (
	"os"
	"os/exec"
	osuser "os/user"
	"path/filepath"
	"strings"
	"testing"
)

// A cluster in a new container belongs to a user whom the container does not know.
func TestOwnerOfAClusterGetsAnEntry(t *testing.T) {
	if os.Geteuid() != 0 {
		return // every user of a process that is not root's has an entry
	}
	const unknown = 64_123
	data := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(data, unknown, unknown); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if made, err := osuser.LookupId("64123"); err == nil {
			_ = exec.Command("/usr/sbin/userdel", made.Username).Run()
		}
	})
	for range 2 { // the second time it has one
		owner, err := serverAccount(data)
		if _, missing := osuser.LookupId("64123"); (missing == nil) != (err == nil) {
			t.Errorf("the entry: %v, but the server's account: %v", missing, err)
		}
		if err != nil && !strings.Contains(err.Error(), "the user 64123, who does not exist") { // the machine cannot create accounts
			t.Error(err)
		}
		if err == nil && owner.uid != unknown {
			t.Errorf("the server runs as %d", owner.uid)
		}
	}
}
