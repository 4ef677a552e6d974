package identity

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/queries/usage"
	"officeconsole/search"
	"officeconsole/settings"
)

// Scopes of a service token.
const (
	ScopeEvents = "events" // push clock, file, client, access and read events
	ScopeRead   = "read"   // read effective policies and what else the messenger shows
	ScopeSCIM   = "scim"   // create, change and deactivate people and departments from another directory
)

// Scopes lists all scopes.
var Scopes = []string{ScopeEvents, ScopeRead, ScopeSCIM}

// The limits of service tokens. MaxTokenOverlap is how long a rotated token can be
// valid at most.
const (
	maxTokenName      = 50
	maxTokenAddresses = 50
	maxTokenAge       = 10 * 365 * 24 * time.Hour
	MaxTokenOverlap   = 7 * 24 * time.Hour
)

// servicePrefix tells people and secret scanners what a secret is. endingLength is how
// many characters of it are stored, to recognize it.
const (
	servicePrefix = "ocs_"
	endingLength  = 4
)

// ServiceTokenDraft is what an administrator enters for a service token.
type ServiceTokenDraft struct {
	Name      string
	Scopes    []string
	Addresses []string   // IP ranges as typed (settings.ParseRange); none allows every address
	ExpiresAt *time.Time // nil for a token that lasts until it is revoked
}

// IssuedServiceToken is a new service token with its secret, which is not stored.
type IssuedServiceToken struct {
	ID    int64
	Token string
}

// TokenRecord is a service token in the change log.
type TokenRecord struct {
	Scopes    []string   `json:"scopes"`
	Addresses []string   `json:"allowed_addresses"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	Ending    string     `json:"ending"`
}

func (t Token) record() TokenRecord {
	return TokenRecord{t.Scopes, t.AllowedAddresses, t.ExpiresAt, t.Ending}
}

// TokenStatus is what can be done with a service token.
type TokenStatus string

// A rotated token works until its end beside the one that replaced it.
const (
	TokenActive  TokenStatus = "active"
	TokenRotated TokenStatus = "rotated"
	TokenExpired TokenStatus = "expired"
	TokenRevoked TokenStatus = "revoked"
)

// Status returns the status of a service token at a time.
func (t Token) Status(now time.Time) TokenStatus {
	switch t.ended(now) {
	case reasonRevoked:
		return TokenRevoked
	case reasonExpired:
		return TokenExpired
	}
	if t.RotatedAt != nil {
		return TokenRotated
	}
	return TokenActive
}

// Works reports whether programs can use the token at a time.
func (t Token) Works(now time.Time) bool { return t.ended(now) == "" }

// ended returns why the token has ended at a time, or "". One that expired is marked
// as revoked at that time later.
func (t Token) ended(now time.Time) string {
	switch {
	case t.RevokedAt != nil && (t.ExpiresAt == nil || t.RevokedAt.Before(*t.ExpiresAt)):
		return reasonRevoked
	case t.RevokedAt != nil || t.ExpiresAt != nil && !now.Before(*t.ExpiresAt):
		return reasonExpired
	}
	return ""
}

// TokenEnd returns when a token ends whose last day is a date like 2027-11-20.
func TokenEnd(lastDay string, zone *time.Location) (*time.Time, error) {
	day, err := time.ParseInLocation(time.DateOnly, lastDay, zone)
	if err != nil {
		return nil, err
	}
	end := day.AddDate(0, 0, 1)
	return &end, nil
}

// IssueServiceToken issues a token for the messenger or another program of the actor's
// company. It refuses with FieldErrors of name, scopes, allowed_addresses and
// expires_at.
func (s *Store) IssueServiceToken(ctx context.Context, by queries.Actor, d ServiceTokenDraft) (issued IssuedServiceToken, err error) {
	if err := d.check(s.db.Now()); err != nil {
		return IssuedServiceToken{}, err
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		token := Token{Name: d.Name, Scopes: d.Scopes, AllowedAddresses: d.Addresses, ExpiresAt: d.ExpiresAt}
		if issued, err = t.issue(ctx, by, &token); err != nil {
			return err
		}
		return t.recordToken(ctx, by, token, queries.Change{Action: "token.created", New: token.record()})
	})
	return issued, err
}

// RotateServiceToken replaces a service token by a new one with the same name, scopes,
// addresses and end. The token before is valid for the overlap, from 0 to
// MaxTokenOverlap. NotFound means that the company has no such token; one that has
// ended or that was replaced is a Conflict.
func (s *Store) RotateServiceToken(ctx context.Context, by queries.Actor, id int64, overlap time.Duration) (issued IssuedServiceToken, err error) {
	if overlap < 0 || overlap > MaxTokenOverlap {
		return IssuedServiceToken{}, queries.FieldErrors{"overlap": "token.overlap.invalid"}
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		old, err := t.tokenForUpdate(ctx, tokenForUpdateParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		if old.Status(t.now) != TokenActive {
			return queries.Conflict("token.rotation.ended")
		}
		token := Token{Name: old.Name, Scopes: old.Scopes, AllowedAddresses: old.AllowedAddresses, ExpiresAt: old.ExpiresAt}
		if issued, err = t.issue(ctx, by, &token); err != nil {
			return err
		}
		endsAt := t.now.Add(overlap)
		if err := t.rotateToken(ctx, rotateTokenParams{Now: t.now, EndsAt: endsAt, CompanyID: by.CompanyID, ID: id}); err != nil {
			return err
		}
		if old.ExpiresAt == nil || endsAt.Before(*old.ExpiresAt) {
			old.ExpiresAt = &endsAt
		}
		return t.recordToken(ctx, by, token, queries.Change{Action: "token.rotated", Old: old.record(), New: token.record()})
	})
	return issued, err
}

// EndServiceToken ends a service token of the actor's company, whose programs can then
// neither send nor read anything. ended is false if it had ended before. NotFound
// means that the company has no such token.
func (s *Store) EndServiceToken(ctx context.Context, by queries.Actor, id int64) (ended bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		token, err := t.tokenForUpdate(ctx, tokenForUpdateParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		revoked, err := t.revokeServiceToken(ctx, revokeServiceTokenParams{Now: t.now, CompanyID: by.CompanyID, ID: id})
		if ended = revoked > 0; err != nil || !ended {
			return err
		}
		if err := t.recordTokenAccess(ctx, by, usage.AccessTokenRevoked, reasonAdministrator); err != nil {
			return err
		}
		return t.recordToken(ctx, by, token, queries.Change{Action: "token.ended", Old: token.record()})
	})
	return ended, err
}

// issue stores a token and sets its id and ending.
func (t *transaction) issue(ctx context.Context, by queries.Actor, token *Token) (issued IssuedServiceToken, err error) {
	issued.Token = servicePrefix + newToken()
	token.Ending = issued.Token[len(issued.Token)-endingLength:]
	token.ID, err = t.insertToken(ctx, insertTokenParams{
		CompanyID: by.CompanyID, Name: token.Name, Hash: hashToken(issued.Token), Ending: token.Ending, Scopes: token.Scopes,
		AllowedAddresses: token.AllowedAddresses, Now: t.now, ExpiresAt: token.ExpiresAt,
	})
	if err != nil {
		return IssuedServiceToken{}, err
	}
	issued.ID = token.ID
	return issued, t.recordTokenAccess(ctx, by, usage.AccessTokenCreated, strings.Join(token.Scopes, ", "))
}

func (t *transaction) recordTokenAccess(ctx context.Context, by queries.Actor, kind usage.AccessKind, reason string) error {
	return t.record(ctx, by.CompanyID, usage.Access{
		Kind: string(kind), Reason: reason, Source: string(sourceOf(by)), Ip: usage.AddressOf(by.Address), ActorID: queries.OrNil(by.UserID), ActorName: by.Name,
	})
}

func (t *transaction) recordToken(ctx context.Context, by queries.Actor, token Token, change queries.Change) error {
	change.ObjectType, change.ObjectID, change.ObjectName = "token", token.ID, token.Name
	return queries.New(t.tx).RecordChange(ctx, by, t.now, change)
}

// check trims a draft, and refuses it with FieldErrors.
func (d *ServiceTokenDraft) check(now time.Time) error {
	refused := queries.FieldErrors{}
	d.Name = strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(d.Name, "\x00", ""), "")), " ")
	switch {
	case search.IsBlank(d.Name):
		refused["name"] = "token.name.required"
	case utf8.RuneCountInString(d.Name) > maxTokenName:
		refused["name"] = "token.name.long"
	}
	if len(d.Scopes) == 0 || slices.ContainsFunc(d.Scopes, func(scope string) bool { return !slices.Contains(Scopes, scope) }) {
		refused["scopes"] = "token.scope.invalid"
	}
	if d.ExpiresAt != nil && (!d.ExpiresAt.After(now) || d.ExpiresAt.After(now.Add(maxTokenAge))) {
		refused["expires_at"] = "token.expiry.invalid"
	}
	addresses := []string{}
	for _, text := range d.Addresses {
		found, code := settings.ParseRange(text)
		if code != "" {
			refused["allowed_addresses"] = "token.addresses.invalid"
		}
		addresses = append(addresses, found.Text)
	}
	if len(addresses) > maxTokenAddresses {
		refused["allowed_addresses"] = "token.addresses.many"
	}
	if len(refused) > 0 {
		return refused
	}
	d.Addresses = addresses
	return nil
}

// allows reports whether a token may be used from an address.
func allows(ranges []string, address netip.Addr) bool {
	return len(ranges) == 0 || slices.ContainsFunc(ranges, func(text string) bool {
		found, code := settings.ParseRange(text)
		return code == "" && found.Contains(address)
	})
}
