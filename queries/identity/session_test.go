package identity_test

import (
	"errors"
	"net/netip"
	"strconv"
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

func TestSignIn(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	for _, test := range []struct {
		name, email, password string
		want                  error
	}{
		{"administrator", "admin@hanbit.example", queriestest.Password, nil},
		{"upper case and spaces", " Employee@Hanbit.Example ", queriestest.Password, nil},
		{"wrong password", "admin@hanbit.example", "Console!2027", queries.Invalid("session.refused")},
		{"unknown email", "nobody@hanbit.example", queriestest.Password, queries.Invalid("session.refused")},
		{"no password set", "kim.cs@hanbit.example", queriestest.Password, queries.Invalid("session.refused")},
		{"bots have no email", "", queriestest.Password, queries.Invalid("session.refused")},
		{"hidden", "hidden@hanbit.example", queriestest.Password, queries.Invalid("session.hidden")},
		{"hidden, wrong password", "hidden@hanbit.example", "x", queries.Invalid("session.refused")},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(test.email, test.password))
			if !errors.Is(err, test.want) {
				t.Fatalf("got %v, want %v", err, test.want)
			}
			if err == nil && s.SignInID == 0 {
				t.Error("no sign-in was made")
			}
		})
	}
}

func TestSignInIsLockedAfterFiveTries(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	wrong := queriestest.Credentials("admin@hanbit.example", "wrong")
	for range 5 {
		if _, err := db.Identity.SignIn(t.Context(), wrong); !errors.Is(err, queries.Invalid("session.refused")) {
			t.Fatal(err)
		}
	}
	right := queriestest.Credentials("ADMIN@hanbit.example", queriestest.Password)
	if _, err := db.Identity.SignIn(t.Context(), right); !errors.Is(err, queries.Invalid("session.locked")) {
		t.Fatalf("sixth try: got %v", err)
	}
	if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials("employee@hanbit.example", queriestest.Password)); err != nil {
		t.Fatalf("another account: %v", err)
	}
	clock.Advance(10*time.Minute + time.Second)
	if _, err := db.Identity.SignIn(t.Context(), right); err != nil {
		t.Fatalf("after the window: %v", err)
	}
}

func TestSignInIsLockedByAddress(t *testing.T) {
	db := queriestest.New(t)
	var err error
	for i := range 51 {
		_, err = db.Identity.SignIn(t.Context(), queriestest.Credentials(string(rune('a'+i%26))+string(rune('a'+i/26))+"@nowhere.example", "x"))
	}
	if !errors.Is(err, queries.Invalid("session.locked")) {
		t.Fatalf("got %v", err)
	}
}

func TestSessionEnds(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	signIn := func(email string) identity.SignedIn {
		t.Helper()
		s, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(email, queriestest.Password))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ended := func(s identity.SignedIn) bool {
		t.Helper()
		_, err := db.Identity.SignedIn(t.Context(), s.CompanyID, s.SignInID)
		if err != nil && !errors.Is(err, queries.NotFound) {
			t.Fatal(err)
		}
		return err != nil
	}

	// 이준호 follows 연구소's policy: 1800 seconds.
	idle := signIn("employee@hanbit.example")
	if idle.IdleSeconds != 1800 {
		t.Errorf("idle seconds %d, want the 1800 of the department's policy", idle.IdleSeconds)
	}
	clock.Advance(29 * time.Minute)
	current, err := db.Identity.SignedIn(t.Context(), idle.CompanyID, idle.SignInID)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Identity.NoteActivity(t.Context(), current, netip.MustParseAddr("192.0.2.7")); err != nil {
		t.Fatal(err)
	}
	clock.Advance(29 * time.Minute)
	if ended(idle) {
		t.Error("ended although there was activity")
	}
	clock.Advance(2*time.Minute + time.Second)
	if !ended(idle) {
		t.Error("idleness did not end the session")
	}

	old := signIn("admin@hanbit.example")
	for range 10 {
		clock.Advance(48*time.Minute + time.Second)
		s, err := db.Identity.SignedIn(t.Context(), old.CompanyID, old.SignInID)
		if err != nil {
			break
		}
		if err := db.Identity.NoteActivity(t.Context(), s, netip.MustParseAddr("192.0.2.7")); err != nil {
			t.Fatal(err)
		}
	}
	if !ended(old) {
		t.Error("eight hours did not end the session")
	}

	here, there := signIn("admin@hanbit.example"), signIn("admin@hanbit.example")
	if err := db.Identity.SignOutElsewhere(t.Context(), queries.Actor{CompanyID: here.CompanyID, UserID: here.ID}, identity.Confirmation{Password: queriestest.Password}, here.SignInID); err != nil {
		t.Fatal(err)
	}
	if ended(here) || !ended(there) {
		t.Error("signing out elsewhere ended the wrong sign-in")
	}
	other := signIn("admin@other.example")
	if err := db.Identity.SignOut(t.Context(), here.CompanyID, here.ID, other.SignInID); !errors.Is(err, queries.NotFound) {
		t.Errorf("signing somebody else out: got %v", err)
	}
}

func TestChangePassword(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	s, err := db.Identity.SignIn(t.Context(), queriestest.Credentials("employee@hanbit.example", queriestest.Password))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, current, new, confirmation string
		want                             queries.FieldErrors
	}{
		{"eight characters", queriestest.Password, "Short!12", "Short!12", queries.FieldErrors{"new": "password.new.length"}},
		{"seventeen characters", queriestest.Password, "Toolong!123456789", "Toolong!123456789", queries.FieldErrors{"new": "password.new.length"}},
		{"no digit", queriestest.Password, "Password!!!", "Password!!!", queries.FieldErrors{"new": "password.new.kinds"}},
		{"no special character", queriestest.Password, "Password2026", "Password2026", queries.FieldErrors{"new": "password.new.kinds"}},
		{"own email", queriestest.Password, "employee!26", "employee!26", queries.FieldErrors{"new": "password.new.personal"}},
		{"the company's host", queriestest.Password, "x9!Hanbit", "x9!Hanbit", queries.FieldErrors{"new": "password.new.company"}},
		{"the company's name", queriestest.Password, "x9!한빛테크!a", "x9!한빛테크!a", queries.FieldErrors{"new": "password.new.company"}},
		{"the product", queriestest.Password, "OfficeConsole1!", "OfficeConsole1!", queries.FieldErrors{"new": "password.new.company"}},
		{"a word of leaks with a usual ending", queriestest.Password, "P@ssw0rd123", "P@ssw0rd123", queries.FieldErrors{"new": "password.new.easy"}},
		{"a row of keys", queriestest.Password, "1q2w3e4r!", "1q2w3e4r!", queries.FieldErrors{"new": "password.new.easy"}},
		{"the same", queriestest.Password, queriestest.Password, queriestest.Password, queries.FieldErrors{"new": "password.new.same"}},
		{"mismatch and wrong", "x", "Better!2026", "Better!2027", queries.FieldErrors{"current": "password.current.wrong", "confirmation": "password.mismatch"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := db.Identity.ChangePassword(t.Context(), s, identity.PasswordChange{Current: identity.Confirmation{Password: test.current}, New: test.new, Confirmation: test.confirmation})
			var got queries.FieldErrors
			if !errors.As(err, &got) || got.Error() != test.want.Error() {
				t.Errorf("got %v, want %v", err, test.want)
			}
			clock.Advance(11 * time.Minute) // until sign-in attempts are allowed again
		})
	}

	change := identity.PasswordChange{Current: identity.Confirmation{Password: queriestest.Password}, New: "Better!2026", Confirmation: "Better!2026"}
	if err := db.Identity.ChangePassword(t.Context(), s, change); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials("employee@hanbit.example", "Better!2026")); err != nil {
		t.Errorf("the new password: %v", err)
	}
	if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials("employee@hanbit.example", queriestest.Password)); !errors.Is(err, queries.Invalid("session.refused")) {
		t.Errorf("the old password: %v", err)
	}
}

// The allowed addresses of a policy also apply to the console itself, at
// sign-in and at every later request.
func TestSignInFromAllowedAddresses(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	here := netip.MustParseAddr("192.0.2.7")
	signIn := func(email string) (identity.SignedIn, error) {
		return db.Identity.SignIn(t.Context(), queriestest.Credentials(email, queriestest.Password))
	}
	inside, err := signIn("employee@hanbit.example")
	if err != nil {
		t.Fatal(err)
	}
	admin := queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	only := func(settings string) {
		t.Helper()
		clock.Advance(2 * time.Minute)
		p, err := db.Policies.Policy(t.Context(), queriestest.Hanbit, 6)
		if err != nil {
			t.Fatal(err)
		}
		draft := p.Version.Draft(p)
		draft.Settings, draft.Confirmed = []byte(settings), true
		if _, err := db.Policies.Update(t.Context(), directory.ActorFrom(admin, here), p.ID, p.LastNo, draft); err != nil {
			t.Fatal(err)
		}
	}

	only(`{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"office","range":"192.0.2.0/24"}]}`)
	if err := db.Identity.NoteActivity(t.Context(), inside, here); err != nil {
		t.Errorf("from a listed address: %v", err)
	}
	only(`{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"office","range":"198.51.100.0/24"}]}`)
	if _, err := signIn("employee@hanbit.example"); !errors.Is(err, queries.Invalid("session.address")) {
		t.Errorf("from another address: %v", err)
	}
	if _, err := db.Identity.IssueAccessToken(t.Context(), queriestest.Credentials("employee@hanbit.example", queriestest.Password)); !errors.Is(err, queries.Invalid("session.address")) {
		t.Errorf("a token from another address: %v", err)
	}
	if _, err := signIn("admin@hanbit.example"); err != nil {
		t.Errorf("a user of another policy: %v", err)
	}
	if err := db.Identity.NoteActivity(t.Context(), inside, here); !errors.Is(err, queries.NotFound) {
		t.Errorf("a user who was already signed in: %v", err)
	}
	if _, err := db.Identity.SignedIn(t.Context(), inside.CompanyID, inside.SignInID); !errors.Is(err, queries.NotFound) {
		t.Errorf("the sign-in goes on: %v", err)
	}
	only(`{"login_platforms":["pc","mobile"]}`)
	if _, err := signIn("employee@hanbit.example"); !errors.Is(err, queries.Invalid("session.platform")) {
		t.Errorf("by a browser: %v", err)
	}
	const blocked = "select string_agg(concat_ws(' ', kind, result, nullif(reason, ''), source), '; ' order by id) from access_events where user_id = 2 and kind like '%blocked'"
	if got := queriestest.LookUp(t, db, blocked); got != "ip_blocked refused console; ip_blocked refused api; ip_blocked refused session console; platform_blocked refused console" {
		t.Errorf("recorded %s", got)
	}
}

// Every request checks the policy without a statement of its own, until a policy
// changes.
func TestAdmissionIsCheckedWithoutStatements(t *testing.T) {
	db := queriestest.New(t)
	credentials := queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)
	in, err := db.Identity.SignIn(t.Context(), credentials)
	if err != nil {
		t.Fatal(err)
	}
	note := func() {
		t.Helper()
		s, err := db.Identity.SignedIn(t.Context(), in.CompanyID, in.SignInID)
		if err == nil {
			err = db.Identity.NoteActivity(t.Context(), s, credentials.Address)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	note() // fills the caches
	log := queriestest.LogStatements(t, db)
	note()
	if sent := log.Take(); len(sent) != 1 {
		t.Errorf("the sign-in and the check take %q", sent)
	}
}

func TestLastAccess(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	ids := []int64{queriestest.Admin, queriestest.Employee, queriestest.OtherAdmin}
	signIn := func(email string) identity.SignedIn {
		t.Helper()
		s, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(email, queriestest.Password))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	check := func(when string, want map[int64]time.Time) {
		t.Helper()
		times, err := db.Identity.LastAccess(t.Context(), queriestest.Hanbit, ids)
		if err != nil || len(times) != len(want) {
			t.Errorf("%s: %v (%v)", when, times, err)
		}
		for id, at := range want {
			if !times[id].Equal(at) {
				t.Errorf("%s: %d was seen at %v, not %v", when, id, times[id], at)
			}
		}
	}
	check("before anybody came", nil)
	signIn("employee@hanbit.example")
	signIn("admin@other.example")
	clock.Advance(time.Hour)
	ended := signIn("employee@hanbit.example")
	clock.Advance(10 * time.Minute)
	if err := db.Identity.NoteActivity(t.Context(), ended, netip.MustParseAddr("127.0.0.1")); err != nil {
		t.Fatal(err)
	}
	if err := db.Identity.SignOut(t.Context(), ended.CompanyID, ended.ID, ended.SignInID); err != nil {
		t.Fatal(err)
	}
	left := queriestest.Now.Add(70 * time.Minute)
	clock.Advance(time.Hour)
	check("two sign-ins, the later one ended", map[int64]time.Time{queriestest.Employee: left})
	clock.Advance((identity.EndedSignInDays + 1) * 24 * time.Hour)
	if err := db.Identity.CleanUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("after they are deleted", nil)
}

// A session and an access token of the same person end by the same events, and what
// has ended does not begin again.
func TestTokensEndAsSessionsDo(t *testing.T) {
	elsewhere := netip.MustParseAddr("198.51.100.9")
	for name, test := range map[string]struct {
		settings string
		from     netip.Addr // of the requests
		end      func(t *testing.T, db *areas.Areas, clock *queriestest.Clock)
		kinds    string // recorded for the session and for the token
	}{
		"by idleness": {end: func(t *testing.T, db *areas.Areas, clock *queriestest.Clock) {
			clock.Advance(32 * time.Minute)
			if err := db.Identity.EndDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}, kinds: "idle_end console, idle_end api"},
		"by age": {settings: `{"session_time_sec":28800}`, end: func(t *testing.T, db *areas.Areas, clock *queriestest.Clock) {
			clock.Advance(identity.SessionAge + time.Second)
			if err := db.Identity.EndDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}, kinds: "expired console, expired api"},
		"by a password": {end: func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) {
			if err := db.Identity.SetPassword(t.Context(), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Employee), queriestest.Password); err != nil {
				t.Fatal(err)
			}
		}, kinds: "session_revoked command, token_revoked command"},
		"by hiding": {end: func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) {
			by := queriestest.AdminActor(t, db)
			if _, err := db.Hidings.Hide(t.Context(), by, hiding.Draft{UserIDs: []int64{queriestest.Employee}}); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Hidings.Show(t.Context(), by, []int64{queriestest.Employee}); err != nil {
				t.Fatal(err)
			}
		}, kinds: "session_revoked console, token_revoked console"},
		"by another address, at once": {
			settings: `{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"office","range":"192.0.2.0/24"}]}`,
			from:     elsewhere, kinds: "ip_blocked console, ip_blocked api",
		},
		"by other platforms": {end: func(t *testing.T, db *areas.Areas, clock *queriestest.Clock) {
			clock.Advance(2 * time.Minute)
			setResearchPolicy(t, db, `{"login_platforms":["pc","mobile"]}`)
		}, kinds: "platform_blocked console, platform_blocked api"},
	} {
		t.Run(name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			if test.settings != "" {
				setResearchPolicy(t, db, test.settings)
			}
			credentials := queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)
			session, err := db.Identity.SignIn(t.Context(), credentials)
			if err != nil {
				t.Fatal(err)
			}
			token, err := db.Identity.IssueAccessToken(t.Context(), credentials)
			if err != nil {
				t.Fatal(err)
			}
			from := credentials.Address
			use := func() (bySession, byToken error) {
				s, bySession := db.Identity.SignedIn(t.Context(), session.CompanyID, session.SignInID)
				if bySession == nil {
					bySession = db.Identity.NoteActivity(t.Context(), s, from)
				}
				_, byToken = db.Identity.Bearer(t.Context(), identity.PresentedToken{Token: token.Token, Address: from})
				return bySession, byToken
			}
			if bySession, byToken := use(); bySession != nil || byToken != nil {
				t.Fatalf("before: %v, %v", bySession, byToken)
			}
			if test.end != nil {
				test.end(t, db, clock)
			}
			if test.from.IsValid() {
				from = test.from
			}
			for range 2 {
				if bySession, byToken := use(); !errors.Is(bySession, queries.NotFound) || !errors.Is(byToken, queries.NotFound) {
					t.Errorf("the session: %v, the token: %v", bySession, byToken)
				}
			}
			const kinds = "select string_agg(kind || ' ' || source, ', ' order by kind, source desc) from access_events where user_id = 2 and kind not in ('login', 'token_refused', 'password_reset')"
			if got := queriestest.LookUp(t, db, kinds); got != test.kinds {
				t.Errorf("recorded %s", got)
			}
		})
	}
}

// setResearchPolicy replaces the settings of the employee's communication policy.
func setResearchPolicy(t *testing.T, db *areas.Areas, settings string) {
	t.Helper()
	p, err := db.Policies.Policy(t.Context(), queriestest.Hanbit, queriestest.ResearchPolicyID)
	if err != nil {
		t.Fatal(err)
	}
	draft := p.Version.Draft(p)
	draft.Settings, draft.Confirmed = []byte(settings), true
	admin := directory.ActorFrom(queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin), netip.MustParseAddr("192.0.2.7"))
	if _, err := db.Policies.Update(t.Context(), admin, p.ID, p.LastNo, draft); err != nil {
		t.Fatal(err)
	}
}

// A policy limits the browsers, and the programs, with which a person is signed in at
// the same time. The oldest end.
func TestConcurrentSessions(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	setResearchPolicy(t, db, `{"concurrent_sessions":{"web":2}}`)
	credentials := func(address, client string) identity.Credentials {
		clock.Advance(time.Second)
		c := queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)
		c.Address, c.UserAgent = netip.MustParseAddr(address), client
		return c
	}
	signIn := func(address, browser string) {
		t.Helper()
		if _, err := db.Identity.SignIn(t.Context(), credentials(address, browser)); err != nil {
			t.Fatal(err)
		}
	}
	open := func(step, want string) {
		t.Helper()
		const statement = "select coalesce(string_agg(host(address) || ' ' || user_agent, ', ' order by id), '') from sign_ins where ended_at is null and user_id = 2"
		if got := queriestest.LookUp(t, db, statement); got != want {
			t.Errorf("%s: %s are open", step, got)
		}
	}
	signIn("192.0.2.7", "one")
	signIn("192.0.2.8", "two")
	signIn("192.0.2.8", "two")
	open("two devices", "192.0.2.7 one, 192.0.2.8 two, 192.0.2.8 two")
	for range 2 {
		if _, err := db.Identity.IssueAccessToken(t.Context(), credentials("192.0.2.7", "program")); err != nil {
			t.Fatal(err)
		}
	}
	signIn("192.0.2.7", "one")
	open("programs count apart", "192.0.2.7 one, 192.0.2.8 two, 192.0.2.8 two, 192.0.2.7 program, 192.0.2.7 program, 192.0.2.7 one")
	signIn("192.0.2.9", "three")
	open("a third device", "192.0.2.7 one, 192.0.2.7 program, 192.0.2.7 program, 192.0.2.7 one, 192.0.2.9 three")
	for _, client := range []string{"second", "third"} {
		if _, err := db.Identity.IssueAccessToken(t.Context(), credentials("192.0.2.7", client)); err != nil {
			t.Fatal(err)
		}
	}
	open("a third program", "192.0.2.7 one, 192.0.2.7 one, 192.0.2.9 three, 192.0.2.7 second, 192.0.2.7 third")
	const ends = "select string_agg(kind || ' ' || user_agent, ', ' order by id) from access_events where reason = 'concurrent'"
	if got := queriestest.LookUp(t, db, ends); got != "session_revoked two, session_revoked two, token_revoked program, token_revoked program" {
		t.Errorf("recorded %s", got)
	}
	if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(queriestest.Email(queriestest.Admin), queriestest.Password)); err != nil {
		t.Fatal(err)
	}
	open("somebody else", "192.0.2.7 one, 192.0.2.7 one, 192.0.2.9 three, 192.0.2.7 second, 192.0.2.7 third")
}

// Devices that are signed in at the same moment are all counted.
func TestConcurrentSessionsAtOnce(t *testing.T) {
	db := queriestest.New(t)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			c := queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)
			c.UserAgent = strconv.Itoa(i)
			if _, err := db.Identity.SignIn(t.Context(), c); err != nil && !errors.Is(err, queries.Invalid("session.locked")) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := queriestest.LookUp(t, db, "select count(*) from sign_ins where user_id = 2 and ended_at is null"); got != "1" {
		t.Errorf("%s are open", got)
	}
}
