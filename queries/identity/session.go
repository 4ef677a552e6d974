package identity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
	"officeconsole/settings"
)

const (
	// SessionAge is the maximum duration of a sign-in or an access token (spec
	// §9).
	SessionAge = 8 * time.Hour
	// NoteEvery is the minimum time between two updates of a sign-in's
	// activity, so that reading pages rarely writes. A sign-in may end by
	// idleness this much too late.
	NoteEvery = time.Minute

	// EndedSignInDays is for how many days ended sign-ins and tokens are stored.
	EndedSignInDays = 30
)

// SignedIn is a person and the sign-in of the browser or the access token they use.
type SignedIn struct {
	directory.Person
	SignInID    int64
	SeenAt      time.Time
	ExpiresAt   time.Time
	IdleSeconds int32
	ProvedAt    time.Time // when the person last proved who they are
	Demand      Demand
	hasFactor   bool       // what the rule of the company asks for
	address     netip.Addr // of the last activity
	isToken     bool
}

type signedInKey struct{}

// WithSignedIn returns a context that contains who is signed in.
func WithSignedIn(ctx context.Context, s SignedIn) context.Context {
	return context.WithValue(ctx, signedInKey{}, s)
}

// SignedInFrom returns who is signed in, and whether anybody is.
func SignedInFrom(ctx context.Context) (SignedIn, bool) {
	s, ok := ctx.Value(signedInKey{}).(SignedIn)
	return s, ok
}

// Credentials are what a user signs in with, and the address and browser. Device is
// the cookie of a browser (see NewDevice), "" without one; SentDevice says that the
// browser has sent it, because it has been here before. Code is one of the second
// factor, where the client asks for it with the password.
type Credentials struct {
	Email, Password, Code string
	InPlace               bool // a script signs in without leaving its page
	Address               netip.Addr
	UserAgent             string
	Device                string
	SentDevice            bool
}

// SignIn signs a user in to a browser. It refuses with session.refused (for an
// unknown email and a wrong password alike), session.locked or session.hidden,
// and with session.platform or session.address if the user's communication
// policy does not allow browsers or this address. All are in the access history.
// Whoever has a second factor is not signed in yet: see FactorRequired.
func (store *Store) SignIn(ctx context.Context, c Credentials) (SignedIn, error) {
	return store.enter(ctx, attempt{Credentials: c, email: normalEmail(c.Email), source: usage.AccessConsole}, store.authenticate)
}

// enter finds the person of an attempt with identify, checks the policy and the second
// factor, and stores that the person has signed in with a browser, or with an access
// token. The policy limits on how many devices a person is signed in by each of the
// two; the oldest sign-ins end.
func (s *Store) enter(ctx context.Context, a attempt, identify func(context.Context, *attempt) error) (in SignedIn, err error) {
	err = identify(ctx, &a)
	if err == nil && a.person.HiddenAt != nil {
		err = queries.Invalid("session.hidden")
	}
	var allowed admission
	if err == nil {
		allowed, err = s.admit(ctx, a.person, a.Address)
	}
	if err == nil && a.update != nil {
		a.person, err = a.update(ctx)
	}
	if err == nil {
		err = s.checkFactor(ctx, &a)
	}
	if err == nil {
		err = s.inTx(ctx, func(ctx context.Context, t *transaction) (err error) {
			in, err = t.insert(ctx, a, allowed)
			return err
		})
	}
	if err != nil {
		s.noteRefusal(ctx, a, err)
		return SignedIn{}, err
	}
	return in, nil
}

func (t *transaction) insert(ctx context.Context, a attempt, allowed admission) (SignedIn, error) {
	if err := t.endPending(ctx, a); err != nil {
		return SignedIn{}, err
	}
	demand, err := t.factorDemand(ctx, factorDemandParams{a.person.CompanyID, a.person.ID})
	if err != nil {
		return SignedIn{}, err
	}
	in := SignedIn{
		Person: a.person, SeenAt: t.now, ExpiresAt: t.now.Add(SessionAge), IdleSeconds: allowed.idleSeconds, ProvedAt: t.now,
		Demand: demand.demand(), hasFactor: demand.satisfiedBy(a.factor), address: a.Address, isToken: a.token != "",
	}
	id, err := t.insertSignIn(ctx, insertSignInParams{
		CompanyID: in.CompanyID, UserID: in.ID, Now: t.now, ExpiresAt: in.ExpiresAt, IdleSeconds: in.IdleSeconds,
		Address: a.Address, UserAgent: strings.ToValidUTF8(cut(a.UserAgent, 500), ""), TokenHash: hashUnlessEmpty(a.token), DeviceHash: hashUnlessEmpty(a.Device),
		Factor: a.factor,
	})
	if err != nil {
		return SignedIn{}, refuseHidden(err)
	}
	in.SignInID = id
	surplus, err := t.endSurplusSignIns(ctx, endSurplusSignInsParams{Now: t.now, CompanyID: in.CompanyID, UserID: in.ID, IsToken: in.isToken, Devices: allowed.devices})
	if err != nil {
		return SignedIn{}, err
	}
	ended := make([]endedSession, len(surplus))
	for i, row := range surplus {
		ended[i] = endedSession(row)
	}
	if err := t.recordEnd(ctx, queries.Actor{CompanyID: in.CompanyID, UserID: in.ID}, reasonConcurrent, ended); err != nil {
		return SignedIn{}, err
	}
	if a.providerID != 0 {
		if err := t.insertProviderSignIn(ctx, insertProviderSignInParams{in.CompanyID, in.SignInID, a.providerID, a.idToken}); err != nil {
			return SignedIn{}, err
		}
	}
	return in, t.record(ctx, in.CompanyID, a.event(usage.AccessLogin, usage.AccessOK, cmp.Or(a.reason, a.factor)))
}

// refuseHidden turns the NotFound of a statement that skips hidden users into
// the refusal: the user was hidden while signing in.
func refuseHidden(err error) error {
	if errors.Is(err, queries.NotFound) {
		return queries.Invalid("session.hidden")
	}
	return err
}

// SignedIn returns the user of a sign-in. NotFound means that it has ended: by
// signing out, by its age, by idleness, or because the user was hidden.
func (store *Store) SignedIn(ctx context.Context, companyID, signInID int64) (SignedIn, error) {
	row, err := store.signedIn(ctx, signedInParams{companyID, signInID})
	if err != nil {
		return SignedIn{}, err
	}
	if row.SignIn.ended(row.Person, store.db.Now()) != "" {
		return SignedIn{}, queries.NotFound
	}
	return newSignedIn(row.Person, row.SignIn, row.FactorDemand), nil
}

// SignedInBySession returns the data of a browser's session with the user of the
// sign-in that it names, in one statement. NotFound means that it names none, or that
// the session or the sign-in has ended.
func (store *Store) SignedInBySession(ctx context.Context, token string) (data []byte, in SignedIn, err error) {
	row, err := store.signedInBySession(ctx, token)
	if err == nil && row.SignIn.ended(row.Person, store.db.Now()) != "" {
		err = queries.NotFound
	}
	if err != nil {
		return nil, SignedIn{}, err
	}
	return row.Data, newSignedIn(row.Person, row.SignIn, row.FactorDemand), nil
}

func newSignedIn(p Person, s SignIn, d FactorDemand) SignedIn {
	return SignedIn{
		directory.Person(p), s.ID, s.SeenAt, s.ExpiresAt, s.IdleSeconds, s.ProvedAt, d.demand(), d.satisfiedBy(s.Factor), s.Address, s.TokenHash != nil,
	}
}

// ended returns why a sign-in has ended at a time, or "". One whose time has passed is
// marked as ended at that time later.
func (s SignIn) ended(of Person, now time.Time) string {
	end := s.SeenAt.Add(time.Duration(s.IdleSeconds)*time.Second + NoteEvery)
	if s.ExpiresAt.Before(end) {
		end = s.ExpiresAt
	}
	switch {
	case s.EndedAt != nil && s.EndedAt.Before(end):
		return reasonRevoked
	case s.EndedAt != nil || now.After(end):
		return reasonExpired
	case of.HiddenAt != nil:
		return absence(of.DeactivatedAt)
	}
	return ""
}

// NoteActivity is CheckAdmission, and postpones the end of a sign-in by idleness. It
// writes at most once every NoteEvery while the address is the same.
func (store *Store) NoteActivity(ctx context.Context, s SignedIn, from netip.Addr) error {
	allowed, err := store.readmit(ctx, s, from)
	if err != nil {
		return err
	}
	now := store.db.Now()
	if now.Sub(s.SeenAt) < NoteEvery && from == s.address {
		return nil
	}
	return store.noteSeen(ctx, noteSeenParams{CompanyID: s.CompanyID, ID: s.SignInID, Now: now, IdleSeconds: allowed.idleSeconds, Address: from})
}

// CheckAdmission ends a sign-in, with NotFound, that the user's communication policy
// does not allow from an address any more. A version that begins counts at once,
// because the policy comes from caches that every request can afford.
func (store *Store) CheckAdmission(ctx context.Context, s SignedIn, from netip.Addr) error {
	_, err := store.readmit(ctx, s, from)
	return err
}

func (store *Store) readmit(ctx context.Context, s SignedIn, from netip.Addr) (admission, error) {
	allowed, err := store.admit(ctx, s.Person, from)
	var refused queries.Invalid
	if errors.As(err, &refused) {
		err = errors.Join(queries.NotFound, store.endRefused(ctx, s, from, refused))
	}
	return allowed, err
}

// endRefused ends a sign-in that the policy no longer allows from an address.
func (store *Store) endRefused(ctx context.Context, s SignedIn, from netip.Addr, refused queries.Invalid) error {
	return store.inTx(ctx, func(ctx context.Context, t *transaction) error {
		ended, err := t.endSignIn(ctx, endSignInParams{CompanyID: s.CompanyID, UserID: s.ID, ID: s.SignInID, Now: t.now})
		if err != nil || len(ended) == 0 {
			return err
		}
		a := attempt{Credentials: Credentials{Address: from, UserAgent: ended[0].UserAgent}, source: sourceOfSignIn(s.isToken), person: s.Person}
		kind := usage.AccessAddressBlocked
		if refused == "session.platform" {
			kind = usage.AccessPlatformBlocked
		}
		return t.record(ctx, s.CompanyID, a.event(kind, "", reasonSession))
	})
}

// SignOut ends a sign-in of a user, who signs out; NotFound for another user's or an
// ended one.
func (s *Store) SignOut(ctx context.Context, companyID, userID, signInID int64) error {
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		ended, err := t.endSignIn(ctx, endSignInParams{CompanyID: companyID, UserID: userID, ID: signInID, Now: t.now})
		if err != nil {
			return err
		}
		if len(ended) == 0 {
			return queries.NotFound
		}
		out := usage.Access{
			UserID: &userID, Kind: string(usage.AccessLogout), Source: string(sourceOfSignIn(ended[0].IsToken)), Platform: browser,
			Ip: usage.AddressOf(ended[0].Address), UserAgent: ended[0].UserAgent,
		}
		if ended[0].IsToken {
			out.Reason = reasonToken
		}
		return t.record(ctx, companyID, out)
	})
}

// LastAccess returns by the ids of users when each was last seen in a browser.
// Sign-ins that ended more than EndedSignInDays ago are deleted, so users
// without a later one are missing.
func (s *Store) LastAccess(ctx context.Context, companyID int64, userIDs []int64) (map[int64]time.Time, error) {
	rows, err := s.lastSeen(ctx, lastSeenParams{UserIds: userIDs, CompanyID: companyID})
	times := make(map[int64]time.Time, len(rows))
	for _, row := range rows {
		times[row.UserID] = row.SeenAt
	}
	return times, err
}

// admission is what the communication policy of a user sets for a sign-in.
type admission struct {
	idleSeconds int32
	devices     int32
}

// admit checks the user's communication policy: whether it allows browsers and the
// address.
func (s *Store) admit(ctx context.Context, p directory.Person, from netip.Addr) (admission, error) {
	policy, err := s.policy.Current(ctx, p, string(settings.Communication))
	return admitBy(policy, err, p.ID, from)
}

// admitBy decides by the communication policy of a user, as it was read. Without one,
// which is NotFound, that of domain §4 applies.
func admitBy(policy settings.Values, err error, userID int64, from netip.Addr) (admission, error) {
	if errors.Is(err, queries.NotFound) {
		policy, err = settings.Defaults(settings.Communication), nil
	}
	switch {
	case err != nil:
		return admission{}, fmt.Errorf("communication policy of user %d: %w", userID, err)
	case !policy.LoginAllowed(browser):
		return admission{}, queries.Invalid("session.platform")
	case !policy.AddressAllowed(browser, from, userID):
		return admission{}, queries.Invalid("session.address")
	}
	return admission{int32(policy.SessionTime().Seconds()), policy.ConcurrentSessions(browser)}, nil
}

// browser is the name of the console's platform in policies.
const browser = settings.Web

// cut shortens s to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
