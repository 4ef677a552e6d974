package identity

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/usage"
)

// MostLocks is the number of locked accounts, and of locked addresses, that are listed.
const MostLocks = 200

// Locks are what a company's people cannot sign in to, or from, because of too many
// failures, the latest first and at most MostLocks of each.
type Locks struct {
	Accounts  []LockedAccount
	Addresses []LockedAddress
}

// LockedAccount is an account that is locked for strangers, for a known device or for a
// known network.
type LockedAccount struct {
	UserID       int64
	Name, Email  string
	Department   string
	Failures     int
	Since, Until time.Time
}

// LockedAddress is an address that is locked for a company, of IPv6 with all of its
// network of the size /64.
type LockedAddress struct {
	Address      netip.Addr // one from which signing in failed
	Failures     int        // of the company's accounts that are in its access history
	Accounts     int        // how many accounts they tried
	Since, Until time.Time
}

// Name is the address, or the network of IPv6.
func (l LockedAddress) Name() string { return addressName(l.Address) }

func addressName(address netip.Addr) string {
	if address.Is4() {
		return address.String()
	}
	return netip.PrefixFrom(limitedAddress(address), 64).String()
}

// limitedAddress returns what stands for an address where tries are limited: the first
// address of its network for IPv6, because one household has a whole /64.
func limitedAddress(address netip.Addr) netip.Addr {
	if address.Is4() {
		return address
	}
	return netip.PrefixFrom(address.WithZone(""), 64).Masked().Addr()
}

// Locks returns the accounts of a company that are locked, and the addresses as far as
// the company's accounts were tried from them.
func (s *Store) Locks(ctx context.Context, companyID int64) (locks Locks, err error) {
	start := s.db.Now().Add(-tryWindow)
	rows, err := s.lockedAccounts(ctx, lockedAccountsParams{CompanyID: companyID, WindowStart: start, Most: triesPerAccount, Size: MostLocks})
	if err != nil {
		return Locks{}, fmt.Errorf("locked accounts: %w", err)
	}
	for _, row := range rows {
		locks.Accounts = append(locks.Accounts, LockedAccount{row.ID, row.Name, row.Email, row.Department, int(row.Failures), row.Since, row.Since.Add(tryWindow)})
	}
	locks.Addresses, err = s.Queries.lockedAddresses(ctx, companyID, start)
	return locks, err
}

func (q *Queries) lockedAddresses(ctx context.Context, companyID int64, start time.Time) (locked []LockedAddress, err error) {
	failed, err := q.failedAddresses(ctx, failedAddressesParams{CompanyID: companyID, WindowStart: start})
	if err != nil {
		return nil, fmt.Errorf("addresses of failures: %w", err)
	}
	rows := map[string]failedAddressesRow{}
	var subjects []string
	for _, row := range failed {
		subject := addressSubject(row.Address, companyID, row.Unlocked)
		rows[subject], subjects = row, append(subjects, subject)
	}
	locks, err := q.locksOf(ctx, locksOfParams{Subjects: subjects, Most: triesPerAddress, WindowStart: start, Size: MostLocks})
	if err != nil {
		return nil, fmt.Errorf("locked addresses: %w", err)
	}
	for _, lock := range locks {
		row := rows[lock.Subject]
		locked = append(locked, LockedAddress{row.Address, int(row.Tries), int(row.Accounts), lock.Since, lock.Since.Add(tryWindow)})
	}
	return locked, nil
}

// addressSubject returns what the tries from an address are counted by: those of one
// company's accounts apart where the company has unlocked the address.
func addressSubject(address netip.Addr, companyID int64, unlocked bool) string {
	subject := "address:" + limitedAddress(address).String()
	if unlocked {
		subject += fmt.Sprintf(":company:%d", companyID)
	}
	return subject
}

// unlockedSubject returns what an attempt from a locked address is counted by if the
// company that its email belongs to has unlocked the address, or "". Whether there is
// an account does not matter, so that nobody can find that out.
func (s *Store) unlockedSubject(ctx context.Context, a attempt) (string, error) {
	account, err := usage.New(s.db.Statements()).AccessAccount(ctx, a.email)
	if errors.Is(err, queries.NotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("company of an email: %w", err)
	}
	unlocked, err := s.isUnlockedAddress(ctx, isUnlockedAddressParams{account.CompanyID, limitedAddress(a.Address), s.db.Now().Add(-tryWindow)})
	if err != nil || !unlocked {
		return "", err
	}
	return addressSubject(a.Address, account.CompanyID, true), nil
}

// UnlockAddress lets people of the actor's company sign in from a locked address again,
// with as many failures as from any other. Accounts of other companies are not
// affected. unlocked is false if the address was not locked for the company any more.
func (s *Store) UnlockAddress(ctx context.Context, by queries.Actor, address netip.Addr) (unlocked bool, err error) {
	name, address := addressName(address.Unmap()), limitedAddress(address.Unmap())
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		locked, err := t.lockedAddresses(ctx, by.CompanyID, t.now.Add(-tryWindow))
		if err != nil {
			return err
		}
		unlocked = slices.ContainsFunc(locked, func(l LockedAddress) bool { return limitedAddress(l.Address) == address })
		if !unlocked {
			return nil
		}
		if err := t.unlockAddress(ctx, unlockAddressParams{CompanyID: by.CompanyID, Address: address, Now: t.now}); err != nil {
			return err
		}
		if err := t.forgetTries(ctx, addressSubject(address, by.CompanyID, true)); err != nil {
			return err
		}
		if err := t.record(ctx, by.CompanyID, usage.Access{
			Kind: string(usage.AccessUnlocked), Reason: reasonAdministrator, Source: string(sourceOf(by)), Ip: usage.AddressOf(address),
			ActorID: queries.OrNil(by.UserID), ActorName: by.Name,
		}); err != nil {
			return err
		}
		return queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{Action: "address.unlocked", ObjectType: "address", ObjectName: name})
	})
	return unlocked, err
}

// ParseLockedAddress reads an address as Locks returns it; NotFound for any other text.
func ParseLockedAddress(text string) (netip.Addr, error) {
	address, err := netip.ParseAddr(strings.TrimSpace(text))
	if err != nil || address.Zone() != "" {
		return netip.Addr{}, queries.NotFound
	}
	return address.Unmap(), nil
}
