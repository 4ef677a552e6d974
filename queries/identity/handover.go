package identity

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// handoverAge is how long a code of the messenger can be used.
const handoverAge = time.Minute

// errHandover is the refusal of a code that was used or has expired.
const errHandover = queries.Invalid("sso.handover")

// Handover is a code with which the messenger hands a person over to a browser.
type Handover struct {
	Code      string
	ExpiresAt time.Time
}

// IssueHandover returns a code for a person who is signed in to the messenger.
// NotFound means that the company has no such person, or that they are hidden.
func (s *Store) IssueHandover(ctx context.Context, companyID, userID int64) (Handover, error) {
	h := Handover{newToken(), s.db.Now().Add(handoverAge)}
	added, err := s.insertHandover(ctx, insertHandoverParams{Code: hashToken(h.Code), ExpiresAt: h.ExpiresAt, CompanyID: companyID, UserID: userID})
	if err == nil && added == 0 {
		err = queries.NotFound
	}
	return h, err
}

// TakeHandover signs in the person for whom a code was issued. It refuses with
// sso.handover, and as SignIn does for everybody whom the policy does not let in.
func (s *Store) TakeHandover(ctx context.Context, code string, address netip.Addr, userAgent string) (signedIn SignedIn, err error) {
	row, err := s.takeHandover(ctx, hashToken(code))
	if errors.Is(err, queries.NotFound) {
		slog.InfoContext(ctx, "an unknown or used code of the messenger was refused", "address", address)
		return signedIn, errHandover
	}
	if err != nil {
		return signedIn, err
	}
	a := attempt{Credentials: Credentials{Address: address, UserAgent: userAgent}, source: usage.AccessConsole, companyID: row.CompanyID, reason: reasonHandover, factor: factorHandover}
	identify := func(ctx context.Context, a *attempt) error {
		a.person, err = s.directory.Person(ctx, directory.PersonParams{CompanyID: row.CompanyID, ID: row.UserID})
		if err == nil && s.db.Now().After(row.ExpiresAt) {
			err = errHandover
		}
		return err
	}
	return s.enter(ctx, a, identify)
}
