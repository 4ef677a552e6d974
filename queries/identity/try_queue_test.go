package identity_test

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// Strangers whose passwords are being checked neither delay people at devices and in
// networks that they have used before, nor fill the memory: of each network a limited
// number waits, and nobody waits for another network.
func TestStrangersDoNotDelayKnownDevices(t *testing.T) {
	db := queriestest.New(t)
	device := identity.NewDevice()
	try := func(ctx context.Context, user int64, address, device string) error {
		c := queriestest.Credentials(queriestest.Email(user), queriestest.Password)
		c.Address, c.Device, c.SentDevice = netip.MustParseAddr(address), device, device != ""
		_, err := db.Identity.SignIn(ctx, c)
		return err
	}
	if err := try(t.Context(), queriestest.Employee, "192.0.2.7", device); err != nil {
		t.Fatal(err)
	}
	release := identity.HoldStrangers(t)
	var all sync.WaitGroup
	waiting, leave := context.WithCancel(t.Context())
	results := make(chan error, identity.WaitingTries+2)
	for range identity.WaitingTries + 2 { // one is checked, WaitingTries wait, and one is refused
		all.Go(func() { results <- try(waiting, queriestest.Viewer, "203.0.113.5", "") })
	}
	if err := <-results; !errors.Is(err, identity.ErrBusy) {
		t.Errorf("more than may wait: %v", err)
	}
	if err := try(t.Context(), queriestest.Employee, "203.0.113.6", device); err != nil {
		t.Errorf("a known device in the strangers' network: %v", err)
	}
	if err := try(t.Context(), queriestest.Employee, "192.0.2.99", ""); err != nil {
		t.Errorf("a known network: %v", err)
	}
	madeUp := identity.NewDevice()
	if err := try(waiting, queriestest.Employee, "203.0.113.7", madeUp); !errors.Is(err, identity.ErrBusy) {
		t.Errorf("a device that was made up, in the strangers' network: %v", err)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from access_events where result = 'failed'"); got != "0" {
		t.Errorf("%s failures are recorded of attempts that were not decided", got)
	}
	leave()
	all.Wait()
	release()
	if err := try(t.Context(), queriestest.Viewer, "203.0.113.5", ""); err != nil {
		t.Errorf("when nobody waits any more: %v", err)
	}
}
