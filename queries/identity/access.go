package identity

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// Reasons in the access history. Those of the messenger are its own.
const (
	reasonPassword       = "password"
	reasonUnknown        = "unknown_account"
	reasonLocked         = "locked"
	reasonHidden         = "hidden"
	reasonDeactivated    = "deactivated"
	reasonAccount        = "account"
	reasonAddress        = "address"
	reasonSession        = "session"
	reasonSelf           = "self"
	reasonAdministrator  = "administrator"
	reasonPasswordChange = "password_changed"
	reasonPasswordReset  = "password_reset"
	reasonToken          = "token"
	reasonExpired        = "expired"
	reasonRevoked        = "revoked"
	reasonSingleSignOn   = "sso"
	reasonHandover       = "handover"
	reasonConcurrent     = "concurrent"
	reasonForeignAddress = "foreign_address"
	reasonFactor         = "factor"
	reasonFactorAdded    = "factor_added"
	reasonFactorReset    = "factor_reset"
	reasonAppAdded       = "app_added"
	reasonAppRemoved     = "app_removed"
	reasonPasskeyAdded   = "passkey_added"
	reasonPasskeyRemoved = "passkey_removed"
	reasonCodesRenewed   = "codes_renewed"
	reasonLink           = "link"
	reasonLinkExpired    = "link_expired"
)

// signOnReasons are the reasons of the refusals of single sign-on.
var signOnReasons = map[queries.Invalid]string{
	errVisit: "sso_expired", errSwitchedOff: "sso_off", errProvider: "sso_provider", errAnswer: "sso_answer", errUnknown: reasonUnknown, errHandover: "handover_expired", "secret.unavailable": "sso_provider",
	"sso.cancelled": "sso_cancelled", "sso.email.refused": "sso_email", "sso.taken": "sso_taken", errFactorRequired: "factor_required", errPending: "factor_expired",
}

// factorRefusals are the refusals of a second factor.
var factorRefusals = []queries.Invalid{errCode, errCodeUsed, errNoCode, errPasskey}

// transaction changes who has access, and records it in the access history.
type transaction struct {
	*Queries
	tx  queries.Tx
	now time.Time
}

// record stores events in the access history.
func (t *transaction) record(ctx context.Context, companyID int64, events ...usage.Access) error {
	return usage.RecordAccess(ctx, t.tx, companyID, t.now, events)
}

// attempt is an attempt to sign in.
type attempt struct {
	Credentials
	email  string // as it is compared
	source usage.AccessSource

	token     string // the access token that is issued; "" for a browser
	companyID int64  // 0 where only the email tells the company
	reason    string // that a successful attempt is recorded with
	factor    string // see factorApp
	pending   []byte // of a sign-in that waited for the second factor; nil for others

	providerID int64 // of single sign-on
	idToken    string

	accountTries, addressTries int32
	person                     directory.Person // zero until it is known
	// update stores what single sign-on says about the person, once the policy has let
	// them in; nil for others.
	update func(context.Context) (directory.Person, error)
}

// event returns the attempt as a row of the access history.
func (a attempt) event(kind usage.AccessKind, result usage.AccessResult, reason string) usage.Access {
	return usage.Access{
		UserID: queries.OrNil(a.person.ID), Kind: string(kind), Result: string(result), Reason: reason,
		Source: string(a.source), Platform: browser, Ip: usage.AddressOf(a.Address), UserAgent: a.UserAgent,
	}
}

// refusals returns the rows for a refused attempt. While an account or an address is
// locked, only the first refusal is a row, so that guessing does not fill the
// history.
func (a attempt) refusals(refused queries.Invalid) []usage.Access {
	switch refused {
	case ErrBusy:
		return nil
	case "session.platform":
		return []usage.Access{a.event(usage.AccessPlatformBlocked, "", "")}
	case "session.address":
		return []usage.Access{a.event(usage.AccessAddressBlocked, "", "")}
	case "session.hidden":
		return []usage.Access{a.event(usage.AccessLogin, usage.AccessFailed, absence(a.person.DeactivatedAt))}
	case "session.locked":
		if a.accountTries == triesPerAccount+1 || a.addressTries == triesPerAddress+1 {
			return []usage.Access{a.event(usage.AccessLogin, usage.AccessFailed, reasonLocked)}
		}
		return nil
	}
	if reason, ok := signOnReasons[refused]; ok {
		return []usage.Access{a.event(usage.AccessLogin, usage.AccessFailed, reason)}
	}
	reason := reasonPassword
	switch {
	case slices.Contains(factorRefusals, refused):
		reason = reasonFactor
	case a.person.ID == 0:
		reason = reasonUnknown
	}
	events := []usage.Access{a.event(usage.AccessLogin, usage.AccessFailed, reason)}
	if a.accountTries == triesPerAccount {
		events = append(events, a.event(usage.AccessLocked, "", reasonAccount))
	}
	if a.addressTries == triesPerAddress {
		events = append(events, a.event(usage.AccessLocked, "", reasonAddress))
	}
	return events
}

// noteRefusal records a refused attempt in the access history of the company that
// the email belongs to. One of no company is only logged. It takes the same steps
// whether or not the account exists, and an attempt stays refused if it cannot be
// recorded.
func (s *Store) noteRefusal(ctx context.Context, a attempt, err error) {
	var refused queries.Invalid
	if !errors.As(err, &refused) || len(a.refusals(refused)) == 0 {
		return
	}
	if a.companyID != 0 {
		s.noteSignOnRefusal(ctx, a, refused)
		return
	}
	account, err := usage.New(s.db.Statements()).AccessAccount(ctx, a.email)
	if errors.Is(err, queries.NotFound) {
		slog.InfoContext(ctx, "sign-in failed for an account of no company", "address", a.Address)
		return
	}
	if err == nil {
		a.person.ID = account.UserID
		events := a.refusals(refused)
		for i := range events {
			if account.UserID == 0 {
				events[i].Account = a.email
			}
		}
		err = usage.RecordAccess(ctx, s.db.Statements(), account.CompanyID, s.db.Now(), events)
	}
	if err != nil {
		slog.ErrorContext(ctx, "cannot record a refused sign-in in the access history", "address", a.Address, "err", err)
	}
}

// noteSignOnRefusal records a refused attempt of single sign-on, whose company is
// known. Of one address there are at most triesPerAddress within tryWindow, so that
// a program that goes on trying does not fill the history.
func (s *Store) noteSignOnRefusal(ctx context.Context, a attempt, refused queries.Invalid) {
	now := s.db.Now()
	tries, err := s.takeTry(ctx, takeTryParams{Subject: "sso:" + limitedAddress(a.Address).String(), Now: now, WindowStart: now.Add(-tryWindow)})
	if err != nil {
		slog.ErrorContext(ctx, "cannot count refused sign-ins", "address", a.Address, "err", err)
	}
	if err != nil || tries > triesPerAddress {
		return
	}
	for _, e := range a.refusals(refused) {
		if a.person.ID == 0 {
			e.Account = a.email
		}
		s.noteAttempt(ctx, a.companyID, e)
	}
}

// noteAttempt records an attempt of somebody of a company that was refused. It stays
// refused if it cannot be recorded.
func (s *Store) noteAttempt(ctx context.Context, companyID int64, e usage.Access) {
	if err := usage.RecordAccess(ctx, s.db.Statements(), companyID, s.db.Now(), []usage.Access{e}); err != nil {
		slog.ErrorContext(ctx, "cannot record a refusal in the access history", "kind", e.Kind, "err", err)
	}
}

// endedSession is a sign-in that was ended.
type endedSession struct {
	UserID    int64
	Address   netip.Addr
	UserAgent string
	IsToken   bool
}

// recordEnd records that sessions and tokens were ended, each from where it was used.
// by is who ended them for somebody else.
func (t *transaction) recordEnd(ctx context.Context, by queries.Actor, reason string, ended []endedSession) error {
	if len(ended) == 0 {
		return nil
	}
	events := make([]usage.Access, len(ended))
	for i, s := range ended {
		e := usage.Access{
			UserID: &s.UserID, Kind: string(usage.AccessSessionRevoked), Reason: reason, Source: string(sourceOf(by)), Platform: browser,
			Ip: usage.AddressOf(s.Address), UserAgent: s.UserAgent,
		}
		if s.IsToken {
			e.Kind = string(usage.AccessTokenRevoked)
		}
		if by.UserID != s.UserID {
			e.ActorID, e.ActorName = queries.OrNil(by.UserID), by.Name
		}
		events[i] = e
	}
	return t.record(ctx, by.CompanyID, events...)
}

// sourceOfSignIn returns through what a sign-in is used.
func sourceOfSignIn(isToken bool) usage.AccessSource {
	if isToken {
		return usage.AccessAPI
	}
	return usage.AccessConsole
}

// sourceOf returns by what an actor does something: a command has no user.
func sourceOf(by queries.Actor) usage.AccessSource {
	if by.IsProgram {
		return usage.AccessAPI
	}
	if by.UserID == 0 {
		return usage.AccessCommand
	}
	return usage.AccessConsole
}

// endAll ends every sign-in of users but one, their access tokens and those that wait
// for a second factor included. It returns how many there were.
func (t *transaction) endAll(ctx context.Context, by queries.Actor, userIDs []int64, exceptID int64, reason string) (int, error) {
	if err := t.deletePendingSignInsOf(ctx, deletePendingSignInsOfParams{by.CompanyID, userIDs}); err != nil {
		return 0, err
	}
	rows, err := t.endSignIns(ctx, endSignInsParams{CompanyID: by.CompanyID, UserIds: userIDs, ExceptID: exceptID, Now: t.now})
	if err != nil {
		return 0, err
	}
	ended := make([]endedSession, len(rows))
	for i, row := range rows {
		ended[i] = endedSession(row)
	}
	return len(ended), t.recordEnd(ctx, by, reason, ended)
}

// AccessEnd is whose access ends, why and when.
type AccessEnd struct {
	UserIDs []int64
	Reason  string // in the access history: hidden or deactivated
	At      time.Time
}

// EndAccess ends every sign-in, access token and password link of users, who are being
// hidden or deactivated, in the transaction of another rule.
func EndAccess(ctx context.Context, tx queries.Tx, by queries.Actor, end AccessEnd) error {
	t := &transaction{New(tx), tx, end.At}
	if _, err := t.deletePasswordLinks(ctx, deletePasswordLinksParams{by.CompanyID, end.UserIDs}); err != nil {
		return err
	}
	_, err := t.endAll(ctx, by, end.UserIDs, 0, end.Reason)
	return err
}

// absence is why somebody who is absent cannot sign in.
func absence(deactivatedAt *time.Time) string {
	if deactivatedAt != nil {
		return reasonDeactivated
	}
	return reasonHidden
}

// dueBatch is the number of sign-ins and of tokens that are ended in one
// transaction.
const dueBatch = 500

// EndDue ends the sign-ins that nobody used for their session time, and the sign-ins
// and service tokens that have reached their age, and records each at the time it
// ended.
// They have not been valid since; only this stores it.
func (s *Store) EndDue(ctx context.Context) error {
	for {
		ended := 0
		err := s.inTx(ctx, func(ctx context.Context, t *transaction) (err error) {
			ended, err = t.endDue(ctx)
			return err
		})
		if err != nil || ended < dueBatch {
			return err
		}
	}
}

func (t *transaction) endDue(ctx context.Context) (ended int, err error) {
	events := map[int64][]usage.Access{}
	sessions, err := t.endDueSignIns(ctx, endDueSignInsParams{Now: t.now, Size: dueBatch})
	if err != nil {
		return 0, err
	}
	for _, s := range sessions {
		kind := usage.AccessIdleEnd
		if s.Expired {
			kind = usage.AccessExpired
		}
		e := usage.Access{At: s.At, UserID: &s.UserID, Kind: string(kind), Source: string(sourceOfSignIn(s.IsToken)), Platform: browser, Ip: &s.Address, UserAgent: s.UserAgent}
		if s.IsToken {
			e.Reason = reasonToken
		}
		events[s.CompanyID] = append(events[s.CompanyID], e)
	}
	tokens, err := t.endDueTokens(ctx, endDueTokensParams{Now: t.now, Size: dueBatch})
	if err != nil {
		return 0, err
	}
	for _, token := range tokens {
		events[token.CompanyID] = append(events[token.CompanyID], usage.Access{
			At: token.At, Kind: string(usage.AccessExpired), Reason: reasonToken, Source: string(usage.AccessAPI),
		})
	}
	for companyID, of := range events {
		if err := t.record(ctx, companyID, of...); err != nil {
			return 0, err
		}
	}
	return max(len(sessions), len(tokens)), nil
}
