package queries

import (
	"net/netip"
)

// Actor is who changes something, and from which address.
type Actor struct {
	CompanyID int64
	UserID    int64 // 0 for an operator or a program
	Name      string
	Address   netip.Addr
	IsProgram bool // a program that calls the API; UserID is 0
}

// OrNil returns an id for a nullable column: nil for 0.
func OrNil(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}
