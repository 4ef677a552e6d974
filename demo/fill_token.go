package demo

import (
	"context"
	"crypto/rand"
	"net/netip"
	"time"
)

// serviceTokens creates three service tokens, which nobody knows: one that the
// messenger uses, one that nobody has used yet, and one that has expired.
func (f *filler) serviceTokens(ctx context.Context, c *Company) error {
	var rows [][]any
	add := func(name, ending string, scopes, addresses []string, created time.Time, expires, used *time.Time, from *netip.Addr) {
		hash := make([]byte, 32)
		rand.Read(hash) // never fails
		rows = append(rows, []any{f.companyID, name, hash, ending, scopes, addresses, created, expires, used, from})
	}
	server := netip.AddrFrom4([4]byte{203, 0, 113, 40})
	used, until, expired, before := c.Now().Add(-2*time.Minute), c.today.AddDate(0, 6, 0), c.today.AddDate(0, 0, -6), c.today.AddDate(0, 0, -7)
	add("이전 메신저 서버", "M4TQ", []string{"events"}, []string{}, c.officeTime(200), &expired, &before, &server)
	add("메신저 서버", "Z7KD", []string{"events", "read"}, []string{"203.0.113.40", "203.0.113.41"}, c.officeTime(20), nil, &used, &server)
	add("인사 시스템 연동", "R2WB", []string{"read"}, []string{"198.51.100.0/24"}, c.officeTime(4), &until, nil, nil)
	return f.copyTables(ctx, []demoTable{{
		"tokens", []string{"company_id", "name", "hash", "ending", "scopes", "allowed_addresses", "created_at", "expires_at", "used_at", "used_from"}, rows,
	}})
}
