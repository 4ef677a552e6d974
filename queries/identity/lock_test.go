package identity_test

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// tryFrom tries to sign in from an address.
func tryFrom(t *testing.T, db *areas.Areas, address, email, password string) error {
	t.Helper()
	c := queriestest.Credentials(email, password)
	c.Address = netip.MustParseAddr(address)
	_, err := db.Identity.SignIn(t.Context(), c)
	return err
}

// locksOf returns the locks of a company in short: the names, and the addresses with
// their failures.
func locksOf(t *testing.T, db *areas.Areas, company int64) string {
	t.Helper()
	locks, err := db.Identity.Locks(t.Context(), company)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, a := range locks.Accounts {
		text += fmt.Sprintf("%s %d %s; ", a.Name, a.Failures, a.Until.Sub(db.Now()))
	}
	for _, a := range locks.Addresses {
		text += fmt.Sprintf("%s %d/%d; ", a.Name(), a.Failures, a.Accounts)
	}
	return text
}

func TestLocks(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	const home, stranger = "198.51.100.7", "2001:db8:0:1::7"
	refused, locked := queries.Invalid("session.refused"), queries.Invalid("session.locked")
	try := func(address, email string, want error) {
		t.Helper()
		if err := tryFrom(t, db, address, email, "wrong"); !errors.Is(err, want) {
			t.Fatalf("%s from %s: %v, want %v", email, address, err, want)
		}
	}
	if got := locksOf(t, db, queriestest.Hanbit); got != "" {
		t.Errorf("at first: %s", got)
	}
	for range 4 {
		try(home, queriestest.Email(queriestest.Employee), refused)
	}
	if got := locksOf(t, db, queriestest.Hanbit); got != "" {
		t.Errorf("after four failures: %s", got)
	}
	clock.Advance(time.Minute)
	try(home, queriestest.Email(queriestest.Employee), refused)
	try(home, queriestest.Email(queriestest.Employee), locked)
	// Fifty failures from an address, two of them of this company and of one account.
	for i := range 48 {
		try(stranger, fmt.Sprintf("nobody%d@other.example", i), refused)
	}
	try(stranger, "nobody@hanbit.example", refused)
	try(stranger, "nobody@hanbit.example", refused)
	try(stranger, queriestest.Email(queriestest.Kim), locked)
	if got := locksOf(t, db, queriestest.Hanbit); got != "이준호 6 9m0s; 2001:db8:0:1::/64 3/2; " {
		t.Errorf("locked: %s", got)
	}
	if got := locksOf(t, db, queriestest.Other); got != "2001:db8:0:1::/64 48/48; " {
		t.Errorf("of the other company: %s", got)
	}
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Employee)
	if got := locksOf(t, db, queriestest.Hanbit); got != "2001:db8:0:1::/64 3/2; " {
		t.Errorf("with the person hidden: %s", got)
	}
	queriestest.Exec(t, db, "update users set hidden_at = null where id = $1", queriestest.Employee)
	clock.Advance(9*time.Minute + time.Second)
	if got := locksOf(t, db, queriestest.Hanbit); got != "2001:db8:0:1::/64 3/2; " {
		t.Errorf("after ten minutes: %s", got)
	}
	clock.Advance(2 * time.Minute)
	if got := locksOf(t, db, queriestest.Hanbit); got != "" {
		t.Errorf("later: %s", got)
	}
}

// A household of IPv6 has a network of the size /64, so another address of it is no way
// around the lock, and unlocking is for all of it.
func TestLocksOfIPv6(t *testing.T) {
	db := queriestest.New(t)
	refused, locked := queries.Invalid("session.refused"), queries.Invalid("session.locked")
	by := queriestest.AdminActor(t, db)
	for i := range 50 {
		if err := tryFrom(t, db, fmt.Sprintf("2001:db8:0:1::%x", i+1), fmt.Sprintf("nobody%d@hanbit.example", i), "wrong"); !errors.Is(err, refused) {
			t.Fatalf("the try %d: %v", i, err)
		}
	}
	email := queriestest.Email(queriestest.Employee)
	if err := tryFrom(t, db, "2001:db8:0:1:ffff::1", email, queriestest.Password); !errors.Is(err, locked) {
		t.Errorf("from the network: %v", err)
	}
	if err := tryFrom(t, db, "2001:db8:0:2::1", email, queriestest.Password); err != nil {
		t.Errorf("from the network beside it: %v", err)
	}
	if got := locksOf(t, db, queriestest.Hanbit); got != "2001:db8:0:1::/64 51/51; " {
		t.Errorf("locked: %s", got)
	}
	if unlocked, err := db.Identity.UnlockAddress(t.Context(), by, netip.MustParseAddr("2001:db8:0:1::7")); !unlocked || err != nil {
		t.Errorf("unlocked: %t, %v", unlocked, err)
	}
	if err := tryFrom(t, db, "2001:db8:0:1:ffff::1", email, queriestest.Password); err != nil {
		t.Errorf("after unlocking: %v", err)
	}
	if got := queriestest.LookUp(t, db, "select object_name from changes where action = 'address.unlocked'"); got != "2001:db8:0:1::/64" {
		t.Errorf("change log: %s", got)
	}
}

// Unlocking an address is for the accounts of one company: those of others stay
// protected against it, and whether an account exists makes no difference.
func TestUnlockAddress(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	const address = "198.51.100.7"
	refused, locked := queries.Invalid("session.refused"), queries.Invalid("session.locked")
	by, other := queriestest.AdminActor(t, db), directory.ActorFrom(queriestest.Person(t, db, queriestest.Other, queriestest.OtherAdmin), queriestest.OfficeAddress)
	unlock := func(by queries.Actor, address string, want bool) {
		t.Helper()
		parsed, err := identity.ParseLockedAddress(address)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := db.Identity.UnlockAddress(t.Context(), by, parsed); got != want || err != nil {
			t.Errorf("unlocked by company %d: %t, %v", by.CompanyID, got, err)
		}
	}
	try := func(email, password string, want error) {
		t.Helper()
		if err := tryFrom(t, db, address, email, password); !errors.Is(err, want) {
			t.Errorf("%s with %s: %v, want %v", email, password, err, want)
		}
	}
	employee, stranger, foreign := queriestest.Email(queriestest.Employee), "nobody@hanbit.example", queriestest.Email(queriestest.OtherAdmin)
	lock := func() {
		t.Helper()
		for i := range 50 {
			try(fmt.Sprintf("nobody%d@hanbit.example", i), "wrong", refused)
		}
	}
	lock()
	try(employee, queriestest.Password, locked)
	unlock(other, address, false)
	unlock(by, "203.0.113.99", false)
	try(employee, queriestest.Password, locked)

	unlock(by, address, true)
	unlock(by, address, false)
	if got := locksOf(t, db, queriestest.Hanbit); got != "" {
		t.Errorf("after unlocking: %s", got)
	}
	try(stranger, "wrong", refused)
	try(employee, "wrong", refused)
	try(employee, queriestest.Password, nil)
	try(foreign, queriestest.Password, locked)
	try("nobody@nowhere.example", "wrong", locked)
	if got := queriestest.LookUp(t, db, "select string_agg(action || ' ' || object_name || ' ' || actor_name, ', ') from changes where action like 'address.%'"); got != "address.unlocked 198.51.100.7 김서연" {
		t.Errorf("change log: %s", got)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(kind || ' ' || reason || ' ' || host(ip) || ' ' || actor_name, ', ') from access_events where kind = 'unlocked'"); got != "unlocked administrator 198.51.100.7 김서연" {
		t.Errorf("access history: %s", got)
	}

	// As many failures lock it again, for this company, and it can be unlocked again.
	for i := range 48 {
		try(fmt.Sprintf("somebody%d@hanbit.example", i), "wrong", refused)
	}
	try(stranger, "wrong", locked)
	if got := locksOf(t, db, queriestest.Hanbit); got == "" {
		t.Error("the address is not locked again")
	}
	unlock(by, address, true)
	try(stranger, "wrong", refused)

	clock.Advance(11 * time.Minute)
	try(foreign, queriestest.Password, nil)
	if got := locksOf(t, db, queriestest.Hanbit); got != "" {
		t.Errorf("later: %s", got)
	}
	clock.Advance(25 * time.Hour)
	if err := db.Identity.CleanUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from unlocked_addresses"); got != "0" {
		t.Errorf("%s unlocked addresses are left", got)
	}
}

func TestParseLockedAddress(t *testing.T) {
	for text, want := range map[string]string{" 192.0.2.7 ": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8::1": "2001:db8::1", "": "", "x": "", "fe80::1%eth0": "", "192.0.2.0/24": ""} {
		got, err := identity.ParseLockedAddress(text)
		if (err == nil) != (want != "") || want != "" && got.String() != want {
			t.Errorf("%q is %v (%v)", text, got, err)
		}
	}
}
