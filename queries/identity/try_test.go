package identity_test

import (
	"errors"
	"net/netip"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// Guessing locks who guesses: neither a device nor a network from which the person has
// signed in before.
func TestGuessingLocksTheGuesser(t *testing.T) {
	db := queriestest.New(t)
	ctx, device := t.Context(), identity.NewDevice()
	try := func(password, address, device string) error {
		c := queriestest.Credentials(queriestest.Email(queriestest.Employee), password)
		c.Address, c.Device = netip.MustParseAddr(address), device
		_, err := db.Identity.SignIn(ctx, c)
		return err
	}
	expect := func(step string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", step, got, want)
		}
	}
	refused, locked := queries.Invalid("session.refused"), queries.Invalid("session.locked")
	lock := func(address, device string) {
		t.Helper()
		for range 5 {
			expect("a guess", try("wrong", address, device), refused)
		}
		expect("a guess too many", try(queriestest.Password, address, device), locked)
	}
	isLocked := func(step string, want bool) {
		t.Helper()
		until, err := db.Identity.LockedUntil(ctx, queriestest.Hanbit, queriestest.Employee)
		if err != nil || !until.IsZero() != want {
			t.Errorf("%s: locked until %v (%v)", step, until, err)
		}
	}
	expect("the first time", try(queriestest.Password, "192.0.2.7", device), nil)
	isLocked("at first", false)

	lock("203.0.113.5", "")
	isLocked("by a stranger", true)
	expect("a made-up device", try(queriestest.Password, "203.0.113.5", "made up"), locked)
	expect("the device, behind the stranger's address", try(queriestest.Password, "203.0.113.5", device), nil)
	expect("the network", try(queriestest.Password, "192.0.2.99", ""), nil)

	lock("192.0.2.50", "")
	expect("the device, in the network of a guesser", try(queriestest.Password, "192.0.2.50", device), nil)
	lock("192.0.2.7", device)
	expect("another person with this device", func() error {
		c := queriestest.Credentials(queriestest.Email(queriestest.Admin), queriestest.Password)
		c.Device = device
		_, err := db.Identity.SignIn(ctx, c)
		return err
	}(), nil)

	if unlocked, err := db.Identity.Unlock(ctx, queriestest.AdminActor(t, db), queriestest.Employee); err != nil || !unlocked {
		t.Fatalf("unlocked: %t, %v", unlocked, err)
	}
	isLocked("after unlocking", false)
	for _, from := range [][2]string{{"192.0.2.7", device}, {"192.0.2.50", ""}, {"203.0.113.5", ""}} {
		expect("after unlocking, from "+from[0], try(queriestest.Password, from[0], from[1]), nil)
	}
	lock("198.51.100.5", "")
	if err := db.Identity.SetPassword(ctx, queriestest.Person(t, db, queriestest.Hanbit, queriestest.Employee), "Another!2026"); err != nil {
		t.Fatal(err)
	}
	isLocked("after setting a password", false)
	expect("with the password that was set", try("Another!2026", "198.51.100.5", ""), nil)
}

// Fifty failures behind an address do not lock devices that people know.
func TestKnownDevicesPassALockedAddress(t *testing.T) {
	db := queriestest.New(t)
	known := queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)
	known.Device = identity.NewDevice()
	if _, err := db.Identity.SignIn(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		_, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(string(rune('a'+i%26))+string(rune('a'+i/26))+"@nowhere.example", "x"))
		if !errors.Is(err, queries.Invalid("session.refused")) {
			t.Fatal(err)
		}
	}
	if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(queriestest.Email(queriestest.Admin), queriestest.Password)); !errors.Is(err, queries.Invalid("session.locked")) {
		t.Errorf("a stranger: %v", err)
	}
	if _, err := db.Identity.SignIn(t.Context(), known); err != nil {
		t.Errorf("a known device: %v", err)
	}
}

// Whoever knows their password is not locked out of changing it by new passwords that
// break the rules.
func TestRightPasswordsAreNotCounted(t *testing.T) {
	db := queriestest.New(t)
	s := signIn(t, db, queriestest.Employee)
	for range 7 {
		err := db.Identity.ChangePassword(t.Context(), s, identity.PasswordChange{Current: identity.Confirmation{Password: queriestest.Password}, New: "short", Confirmation: "short"})
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || refused["current"] != "" {
			t.Fatal(err)
		}
	}
}
