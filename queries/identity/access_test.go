package identity_test

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// recorded returns what the access history gained since the call before, the oldest
// first: "login ok 2; locked refused account 2".
func recorded(t *testing.T, db *areas.Areas) func() string {
	last := queriestest.LookUp(t, db, "select coalesce(max(id), 0) from access_events")
	return func() string {
		t.Helper()
		const text = `select coalesce(string_agg(concat_ws(' ', kind, result, nullif(reason, ''), source, nullif(account, ''), user_id, nullif(actor_name, '')), '; ' order by id), '')
			from access_events where id > $1::bigint`
		got := queriestest.LookUp(t, db, text, last)
		last = queriestest.LookUp(t, db, "select coalesce(max(id), 0) from access_events")
		return got
	}
}

func signIn(t *testing.T, db *areas.Areas, userID int64) identity.SignedIn {
	t.Helper()
	s, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(queriestest.Email(userID), queriestest.Password))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every kind of event is recorded where it happens.
func TestAccessIsRecorded(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	ctx, email := t.Context(), queriestest.Email(queriestest.Employee)
	admin := queriestest.AdminActor(t, db)
	person, err := db.Directory.Person(ctx, directory.PersonParams{CompanyID: queriestest.Hanbit, ID: queriestest.Employee})
	if err != nil {
		t.Fatal(err)
	}
	what := recorded(t, db)
	expect := func(step, want string) {
		t.Helper()
		if got := what(); got != want {
			t.Errorf("%s: recorded %q, want %q", step, got, want)
		}
	}
	refused := func(err error) {
		t.Helper()
		if !errors.As(err, new(queries.Invalid)) {
			t.Fatalf("not refused: %v", err)
		}
	}
	try := func(email, password string) {
		t.Helper()
		_, err := db.Identity.SignIn(ctx, queriestest.Credentials(email, password))
		refused(err)
	}

	first := signIn(t, db, queriestest.Employee)
	expect("signing in", "login ok console 2")
	if err := db.Identity.SignOut(ctx, first.CompanyID, first.ID, first.SignInID); err != nil {
		t.Fatal(err)
	}
	expect("signing out", "logout ok console 2")
	try(email, "wrong")
	expect("a wrong password", "login failed password console 2")
	try("Nobody@hanbit.example", "wrong")
	expect("an unknown account of the company", "login failed unknown_account console nobody@hanbit.example")
	try("nobody@nowhere.example", "wrong")
	expect("an account of no company", "")
	try(queriestest.Email(queriestest.Hidden), queriestest.Password)
	expect("a hidden user", "login failed hidden console 5")

	for range 4 {
		try(email, "wrong")
	}
	expect("too many tries", strings.Repeat("login failed password console 2; ", 4)+"locked refused account console 2")
	for range 3 {
		try(email, queriestest.Password)
	}
	expect("while locked, only once", "login failed locked console 2")
	if until, err := db.Identity.LockedUntil(ctx, queriestest.Hanbit, queriestest.Employee); err != nil || !until.After(clock.Now()) {
		t.Errorf("locked until %v (%v)", until, err)
	}
	if unlocked, err := db.Identity.Unlock(ctx, admin, queriestest.Employee); err != nil || !unlocked {
		t.Fatalf("unlocked: %t, %v", unlocked, err)
	}
	expect("unlocking", "unlocked ok administrator console 2 김서연")
	if unlocked, err := db.Identity.Unlock(ctx, admin, queriestest.Employee); err != nil || unlocked {
		t.Errorf("unlocked twice: %t, %v", unlocked, err)
	}
	expect("unlocking again", "")

	token, err := db.Identity.IssueAccessToken(ctx, queriestest.Credentials(email, queriestest.Password))
	if err != nil {
		t.Fatal(err)
	}
	expect("a token", "login ok api 2")
	bearer, err := db.Identity.Bearer(ctx, identity.PresentedToken{Token: token.Token, Address: queriestest.OfficeAddress})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Identity.SignOut(ctx, queriestest.Hanbit, queriestest.Employee, bearer.SignedIn.SignInID); err != nil {
		t.Fatal(err)
	}
	expect("signing out by the API", "logout ok token api 2")
	if _, err := db.Identity.IssueServiceToken(ctx, queries.Actor{CompanyID: queriestest.Hanbit}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{"events", "read"}}); err != nil {
		t.Fatal(err)
	}
	expect("a service token", "token_created ok events, read command")

	here := signIn(t, db, queriestest.Employee)
	signIn(t, db, queriestest.Employee)
	what()
	if err := db.Identity.ChangePassword(ctx, here, identity.PasswordChange{Current: identity.Confirmation{Password: queriestest.Password}, New: "Another!2026", Confirmation: "Another!2026"}); err != nil {
		t.Fatal(err)
	}
	expect("a password", "password_changed ok console 2; session_revoked ok password_changed console 2")
	if err := db.Identity.SetPassword(ctx, person, queriestest.Password); err != nil {
		t.Fatal(err)
	}
	expect("a reset", "password_reset ok command 2 officeconsole; session_revoked ok password_reset command 2 officeconsole")

	changed := func(current string) error {
		return db.Identity.ChangePassword(ctx, here, identity.PasswordChange{Current: identity.Confirmation{Password: current}, New: "Another!2026", Confirmation: "Another!2027"})
	}
	for range 7 {
		if err := changed("wrong"); !errors.As(err, new(queries.FieldErrors)) {
			t.Fatalf("not refused: %v", err)
		}
	}
	expect("wrong current passwords", strings.Repeat("password_changed failed password console 2; ", 5)+"password_changed failed locked console 2")
	clock.Advance(11 * time.Minute)
	if err := changed(queriestest.Password); !errors.As(err, new(queries.FieldErrors)) {
		t.Fatalf("not refused: %v", err)
	}
	expect("a right current password with a wrong confirmation", "")

	session := signIn(t, db, queriestest.Employee)
	if _, err := db.Identity.IssueAccessToken(ctx, queriestest.Credentials(email, queriestest.Password)); err != nil {
		t.Fatal(err)
	}
	what()
	if ended, err := db.Identity.EndSession(ctx, admin, identity.Confirmation{}, queriestest.Employee, session.SignInID); err != nil || !ended {
		t.Fatalf("ended: %t, %v", ended, err)
	}
	expect("ending a session", "session_revoked ok administrator console 2 김서연")
	tokens, err := db.Identity.SignIns(ctx, identity.SignInsParams{CompanyID: queriestest.Hanbit, UserID: queriestest.Employee, Now: clock.Now()})
	if err != nil || len(tokens) != 1 || !tokens[0].IsToken {
		t.Fatalf("%v (%v)", tokens, err)
	}
	if ended, err := db.Identity.EndSession(ctx, admin, identity.Confirmation{}, queriestest.Employee, tokens[0].ID); err != nil || !ended {
		t.Fatalf("ended: %t, %v", ended, err)
	}
	expect("ending a token", "token_revoked ok administrator console 2 김서연")
	if ended, err := db.Identity.EndSession(ctx, admin, identity.Confirmation{}, queriestest.Employee, session.SignInID); err != nil || ended {
		t.Errorf("ended twice: %t, %v", ended, err)
	}
	if ended, err := db.Identity.EndSession(ctx, admin, identity.Confirmation{}, queriestest.Employee, tokens[0].ID); err != nil || ended {
		t.Errorf("ended twice: %t, %v", ended, err)
	}
	for _, id := range []int64{session.SignInID, 999_999} {
		if _, err := db.Identity.EndSession(ctx, admin, identity.Confirmation{}, queriestest.Kim, id); !errors.Is(err, queries.NotFound) {
			t.Errorf("the session %d of somebody else: %v", id, err)
		}
	}
	expect("ending what has ended", "")

	signIn(t, db, queriestest.Employee)
	what()
	if _, err := db.Hidings.Hide(ctx, admin, hiding.Draft{UserIDs: []int64{queriestest.Employee}}); err != nil {
		t.Fatal(err)
	}
	expect("hiding", "session_revoked ok hidden console 2 김서연")
	if _, err := db.Hidings.Show(ctx, admin, []int64{queriestest.Employee}); err != nil {
		t.Fatal(err)
	}

	signIn(t, db, queriestest.Employee)
	old, err := db.Identity.IssueAccessToken(ctx, queriestest.Credentials(email, queriestest.Password))
	if err != nil || old.Token == "" {
		t.Fatal(err)
	}
	what()
	for range 2 {
		clock.Advance(4*time.Hour + time.Minute)
		if err := db.Identity.EndDue(ctx); err != nil {
			t.Fatal(err)
		}
	}
	expect("time", "idle_end ok console 2; idle_end ok token api 2")

	all := signIn(t, db, queriestest.Employee)
	what()
	if n, err := db.Identity.EndAll(ctx, admin, identity.Confirmation{}, queriestest.Employee, 0); err != nil || n != 1 {
		t.Fatalf("ended %d, %v", n, err)
	}
	expect("ending all", "session_revoked ok administrator console 2 김서연")
	if _, err := db.Identity.SignedIn(ctx, queriestest.Hanbit, all.SignInID); !errors.Is(err, queries.NotFound) {
		t.Errorf("the session goes on: %v", err)
	}
	messages := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if last := messages[len(messages)-1]; last.Type != "session.revoke" || string(last.Payload) != `{"user_ids": [2]}` {
		t.Errorf("%s %s", last.Type, last.Payload)
	}
	const changes = "select string_agg(action || ' ' || object_name, ', ' order by id) from changes where action in ('user.signed_out', 'user.unlocked')"
	if got := queriestest.LookUp(t, db, changes); got != "user.unlocked 이준호, user.signed_out 이준호, user.signed_out 이준호, user.signed_out 이준호" {
		t.Errorf("change log: %s", got)
	}
}

// More failed sign-ins at once than the pool has connections end, each recorded.
func TestManyFailuresAtOnceAreRecorded(t *testing.T) {
	db := queriestest.New(t)
	var all sync.WaitGroup
	callers := 2 * int(db.Pool().Config().MaxConns)
	for i := range callers {
		all.Go(func() {
			c := queriestest.Credentials("nobody"+string(rune('a'+i%26))+string(rune('a'+i/26))+"@hanbit.example", "x")
			c.Address = netip.AddrFrom4([4]byte{198, 51, 100, byte(i)})
			if _, err := db.Identity.SignIn(t.Context(), c); !errors.Is(err, queries.Invalid("session.refused")) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := queriestest.LookUp(t, db, "select count(*) from access_events where reason = 'unknown_account'"); got != strconv.Itoa(callers) {
		t.Errorf("%s of %d are recorded", got, callers)
	}
}

// A refused token is recorded once for each company, address and reason in ten
// minutes.
func TestRefusedTokensAreRecorded(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	ctx := t.Context()
	issue := func() string {
		t.Helper()
		token, err := db.Identity.IssueAccessToken(ctx, queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password))
		if err != nil {
			t.Fatal(err)
		}
		return token.Token
	}
	expired, revoked := issue(), issue()
	bearer, err := db.Identity.Bearer(ctx, identity.PresentedToken{Token: revoked, Address: queriestest.OfficeAddress})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Identity.SignOut(ctx, queriestest.Hanbit, queriestest.Employee, bearer.SignedIn.SignInID); err != nil {
		t.Fatal(err)
	}
	clock.Advance(identity.SessionAge + time.Minute)
	what := recorded(t, db)
	present := func(token, address string, companyID int64) {
		t.Helper()
		p := identity.PresentedToken{Token: token, CompanyID: companyID, Address: netip.MustParseAddr(address), UserAgent: "curl/8"}
		if _, err := db.Identity.Bearer(ctx, p); !errors.Is(err, queries.NotFound) {
			t.Fatalf("not refused: %v", err)
		}
	}
	expect := func(step, want string) {
		t.Helper()
		if got := what(); got != want {
			t.Errorf("%s: recorded %q, want %q", step, got, want)
		}
	}
	const unknown = "token_refused refused unknown_token api"
	for range 3 {
		present("made up", "203.0.113.5", queriestest.Hanbit)
	}
	expect("an unknown token", unknown)
	present("made up too", "203.0.113.6", queriestest.Hanbit)
	present("made up too", "203.0.113.5", queriestest.Other)
	expect("from another address, and to another company", unknown+"; "+unknown)
	present("made up", "203.0.113.7", 0)
	present("made up", "203.0.113.7", 999_999)
	expect("to no company", "")
	present(revoked, "203.0.113.5", queriestest.Hanbit)
	present(expired, "203.0.113.5", 0)
	expect("tokens that ended", "token_refused refused revoked api 2; token_refused refused expired api 2")
	if err := db.Identity.EndDue(ctx); err != nil {
		t.Fatal(err)
	}
	what()
	clock.Advance(11 * time.Minute)
	present(expired, "203.0.113.5", 0)
	present("made up", "203.0.113.5", queriestest.Hanbit)
	expect("later", "token_refused refused expired api 2; "+unknown)
	const row = "select host(ip) || ' ' || user_agent || ' ' || (user_id is null) from access_events where company_id = 1 order by id desc limit 1"
	if got := queriestest.LookUp(t, db, row); got != "203.0.113.5 curl/8 true" {
		t.Errorf("the row is %s", got)
	}
}
