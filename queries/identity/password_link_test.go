package identity_test

import (
	"errors"
	"fmt"
	"net/netip"
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

const (
	chosenPassword = "Fresh!Air2027"
	linkRefused    = queries.Invalid("password_link.refused")
)

// passwordLink returns a new link of the employee.
func passwordLink(t *testing.T, db *areas.Areas) identity.PresentedLink {
	t.Helper()
	link, err := db.Identity.CreatePasswordLink(t.Context(), queriestest.AdminActor(t, db), queriestest.Employee)
	if err != nil {
		t.Fatal(err)
	}
	return identity.PresentedLink{Secret: link.Secret, Address: netip.MustParseAddr("198.51.100.7"), UserAgent: "browser"}
}

func TestPasswordLink(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	ctx, email := t.Context(), queriestest.Email(queriestest.Employee)
	what := recorded(t, db)
	signedIn := signIn(t, db, queriestest.Employee)
	token, err := db.Identity.IssueAccessToken(ctx, queriestest.Credentials(email, queriestest.Password))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if err := tryFrom(t, db, "203.0.113.9", email, "wrong"); !errors.Is(err, queries.Invalid("session.refused")) {
			t.Fatal(err)
		}
	}
	what()

	link := passwordLink(t, db)
	if got, want := what(), "password_link ok administrator console 2 김서연"; got != want {
		t.Errorf("creating: %q, want %q", got, want)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(concat_ws(' ', action, object_id, actor_name), ', ') from changes"); got != "user.password_link_created 2 김서연" {
		t.Errorf("changes: %s", got)
	}
	if n := len(link.Secret); n != 52 { // five bits each
		t.Errorf("the secret has %d characters", n)
	}
	clock.Advance(identity.PasswordLinkAge - time.Second)
	for range 60 { // looking at the page is no attempt to guess
		of, err := db.Identity.PersonOfPasswordLink(ctx, link)
		if err != nil || of.ID != queriestest.Employee || of.CompanyID != queriestest.Hanbit {
			t.Fatalf("%+v, %v", of, err)
		}
	}
	for range 5 { // of the address that the person does not know
		if err := tryFrom(t, db, "203.0.113.9", email, "wrong"); !errors.Is(err, queries.Invalid("session.refused")) {
			t.Fatal(err)
		}
	}
	what()
	if err := db.Identity.ResetPassword(ctx, identity.PasswordReset{PresentedLink: link, New: chosenPassword, Confirmation: chosenPassword}); err != nil {
		t.Fatal(err)
	}
	// The sign-ins of the day before had ended by themselves.
	if got, want := what(), "password_reset ok link console 2; unlocked ok self console 2 이준호"; got != want {
		t.Errorf("using: %q, want %q", got, want)
	}
	if _, err := db.Identity.SignedIn(ctx, queriestest.Hanbit, signedIn.SignInID); !errors.Is(err, queries.NotFound) {
		t.Errorf("the session: %v", err)
	}
	if _, err := db.Identity.Bearer(ctx, identity.PresentedToken{Token: token.Token}); !errors.Is(err, queries.NotFound) {
		t.Errorf("the token: %v", err)
	}
	if err := tryFrom(t, db, "203.0.113.9", email, queriestest.Password); !errors.Is(err, queries.Invalid("session.refused")) {
		t.Errorf("the password before: %v", err)
	}
	if err := tryFrom(t, db, "203.0.113.9", email, chosenPassword); err != nil {
		t.Errorf("the new password: %v", err)
	}
	if _, err := db.Identity.PersonOfPasswordLink(ctx, link); !errors.Is(err, linkRefused) {
		t.Errorf("the used link: %v", err)
	}
}

func TestPasswordLinkEndsSessions(t *testing.T) {
	db := queriestest.New(t)
	ctx := t.Context()
	signedIn := signIn(t, db, queriestest.Employee)
	what := recorded(t, db)
	if err := db.Identity.ResetPassword(ctx, identity.PasswordReset{PresentedLink: passwordLink(t, db), New: chosenPassword, Confirmation: chosenPassword}); err != nil {
		t.Fatal(err)
	}
	if got, want := what(), "password_link ok administrator console 2 김서연; password_reset ok link console 2; session_revoked ok password_reset console 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := db.Identity.SignedIn(ctx, queriestest.Hanbit, signedIn.SignInID); !errors.Is(err, queries.NotFound) {
		t.Errorf("the session: %v", err)
	}
}

// A link ends with whatever makes it needless or dangerous.
func TestPasswordLinkEnds(t *testing.T) {
	person := directory.PersonParams{CompanyID: queriestest.Hanbit, ID: queriestest.Employee}
	for name, end := range map[string]func(*testing.T, *areas.Areas, *queriestest.Clock) error{
		"replaced": func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) error { passwordLink(t, db); return nil },
		"expired": func(_ *testing.T, _ *areas.Areas, clock *queriestest.Clock) error {
			clock.Advance(identity.PasswordLinkAge)
			return nil
		},
		"changed": func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) error {
			return db.Identity.ChangePassword(t.Context(), signIn(t, db, queriestest.Employee), identity.PasswordChange{
				Current: identity.Confirmation{Password: queriestest.Password}, New: chosenPassword, Confirmation: chosenPassword,
			})
		},
		"set by an operator": func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) error {
			p, err := db.Directory.Person(t.Context(), person)
			return errors.Join(err, db.Identity.SetPassword(t.Context(), p, chosenPassword))
		},
		"hidden": func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) error {
			_, err := db.Hidings.Hide(t.Context(), queriestest.AdminActor(t, db), hiding.Draft{UserIDs: []int64{queriestest.Employee}, Kind: hiding.Leave, Reason: "육아 휴직"})
			return err
		},
		"deactivated": func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) error {
			_, err := db.Hidings.Deactivate(t.Context(), queriestest.AdminActor(t, db), hiding.Deactivation{UserIDs: []int64{queriestest.Employee}, Reason: "퇴사"})
			return err
		},
		"withdrawn": func(t *testing.T, db *areas.Areas, _ *queriestest.Clock) error {
			withdrawn, err := db.Identity.WithdrawPasswordLink(t.Context(), queriestest.AdminActor(t, db), queriestest.Employee)
			if again, err := db.Identity.WithdrawPasswordLink(t.Context(), queriestest.AdminActor(t, db), queriestest.Employee); again || err != nil || !withdrawn {
				t.Errorf("withdrawn: %t, again: %t, %v", withdrawn, again, err)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			link := passwordLink(t, db)
			if err := end(t, db, clock); err != nil {
				t.Fatal(err)
			}
			what := recorded(t, db)
			hash := queriestest.LookUp(t, db, "select hash from passwords where user_id = 2")
			if _, err := db.Identity.PersonOfPasswordLink(t.Context(), link); !errors.Is(err, linkRefused) {
				t.Errorf("the page: %v", err)
			}
			if err := db.Identity.ResetPassword(t.Context(), identity.PasswordReset{PresentedLink: link, New: "Other!Air2027", Confirmation: "Other!Air2027"}); !errors.Is(err, linkRefused) {
				t.Errorf("the form: %v", err)
			}
			if queriestest.LookUp(t, db, "select hash from passwords where user_id = 2") != hash {
				t.Error("the password changed")
			}
			want := ""
			if name == "expired" { // is still known
				want = "password_reset failed link_expired console 2; password_reset failed link_expired console 2"
			}
			if got := what(); got != want {
				t.Errorf("recorded %q, want %q", got, want)
			}
		})
	}
}

func TestRefusedPasswordLinks(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.AdminActor(t, db)
	for _, test := range []struct {
		user int64
		by   queries.Actor
		want error
	}{
		{queriestest.Admin, admin, queries.Invalid("password_link.own")},
		{queriestest.Hidden, admin, queries.Invalid("password_link.absent")},
		{queriestest.Bot, admin, queries.NotFound},
		{queriestest.OtherAdmin, admin, queries.NotFound},
		{queriestest.Employee, queries.Actor{CompanyID: queriestest.Other, UserID: queriestest.OtherAdmin}, queries.NotFound},
		{999999, admin, queries.NotFound},
	} {
		if link, err := db.Identity.CreatePasswordLink(t.Context(), test.by, test.user); !errors.Is(err, test.want) || link.Secret != "" {
			t.Errorf("of %d by %d: %v, want %v", test.user, test.by.UserID, err, test.want)
		}
	}
	link := passwordLink(t, db)
	if _, err := db.Identity.WithdrawPasswordLink(t.Context(), queries.Actor{CompanyID: queriestest.Other}, queriestest.Employee); !errors.Is(err, queries.NotFound) {
		t.Errorf("withdrawn by another company: %v", err)
	}
	if _, err := db.Identity.PersonOfPasswordLink(t.Context(), link); err != nil {
		t.Error(err)
	}
}

func TestResetPasswordRules(t *testing.T) {
	db := queriestest.New(t)
	link := passwordLink(t, db)
	for _, test := range []struct {
		password, confirmation string
		want                   queries.FieldErrors
	}{
		{"short", "short", queries.FieldErrors{"new": "password.new.length"}},
		{"employee!2026", "employee!2026", queries.FieldErrors{"new": "password.new.personal"}},
		{"Hanbit!20267", "Hanbit!20267", queries.FieldErrors{"new": "password.new.company"}},
		{queriestest.Password, queriestest.Password, queries.FieldErrors{"new": "password.new.same"}},
		{chosenPassword, "Fresh!Air2028", queries.FieldErrors{"confirmation": "password.mismatch"}},
	} {
		err := db.Identity.ResetPassword(t.Context(), identity.PasswordReset{PresentedLink: link, New: test.password, Confirmation: test.confirmation})
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || fmt.Sprint(refused) != fmt.Sprint(test.want) {
			t.Errorf("%s: %v, want %v", test.password, err, test.want)
		}
	}
	signIn(t, db, queriestest.Employee)
	if err := db.Identity.ResetPassword(t.Context(), identity.PasswordReset{PresentedLink: link, New: chosenPassword, Confirmation: chosenPassword}); err != nil {
		t.Errorf("after the refusals: %v", err)
	}
}

// Inventing links is limited for each address, and so is trying which password the
// person had before.
func TestPasswordLinkTriesAreLimited(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	link, locked := passwordLink(t, db), queries.Invalid("session.locked")
	invented := link
	for range 60 { // somebody who opens the page without a link
		if _, err := db.Identity.PersonOfPasswordLink(t.Context(), identity.PresentedLink{Address: link.Address}); !errors.Is(err, linkRefused) {
			t.Fatalf("without a link: %v", err)
		}
	}
	for i := range 50 {
		invented.Secret = fmt.Sprint("invented", i)
		if _, err := db.Identity.PersonOfPasswordLink(t.Context(), invented); !errors.Is(err, linkRefused) {
			t.Fatalf("try %d: %v", i, err)
		}
	}
	if _, err := db.Identity.PersonOfPasswordLink(t.Context(), link); !errors.Is(err, locked) {
		t.Errorf("after fifty tries: %v", err)
	}
	elsewhere := link
	elsewhere.Address = netip.MustParseAddr("198.51.100.8")
	if _, err := db.Identity.PersonOfPasswordLink(t.Context(), elsewhere); err != nil {
		t.Errorf("from another address: %v", err)
	}
	if err := tryFrom(t, db, link.Address.String(), queriestest.Email(queriestest.Employee), queriestest.Password); err != nil {
		t.Errorf("signing in: %v", err)
	}
	clock.Advance(10*time.Minute + time.Second)
	reset := identity.PasswordReset{PresentedLink: link, New: queriestest.Password, Confirmation: queriestest.Password}
	for i := range 50 {
		if err := db.Identity.ResetPassword(t.Context(), reset); !errors.As(err, new(queries.FieldErrors)) {
			t.Fatalf("guess %d: %v", i, err)
		}
	}
	if err := db.Identity.ResetPassword(t.Context(), reset); !errors.Is(err, locked) {
		t.Errorf("after fifty guesses: %v", err)
	}
}

// Of simultaneous uses of a link one sets the password.
func TestPasswordLinkIsUsedOnce(t *testing.T) {
	db := queriestest.New(t)
	link := passwordLink(t, db)
	var group sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		group.Go(func() {
			password := fmt.Sprintf("Fresh!Air202%d", i)
			errs[i] = db.Identity.ResetPassword(t.Context(), identity.PasswordReset{PresentedLink: link, New: password, Confirmation: password})
		})
	}
	group.Wait()
	used := -1
	for i, err := range errs {
		if err == nil && used < 0 {
			used = i
		} else if !errors.Is(err, linkRefused) {
			t.Errorf("use %d: %v", i, err)
		}
	}
	if err := tryFrom(t, db, "203.0.113.9", queriestest.Email(queriestest.Employee), fmt.Sprintf("Fresh!Air202%d", used)); err != nil {
		t.Errorf("the password of use %d: %v", used, err)
	}
}

func TestCleanUpOfPasswordLinks(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	passwordLink(t, db)
	for _, step := range []struct {
		after time.Duration
		want  string
	}{{0, "1"}, {47 * time.Hour, "1"}, {2 * time.Hour, "0"}} {
		clock.Advance(step.after)
		if err := db.Identity.CleanUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := queriestest.LookUp(t, db, "select count(*)::text from password_links"); got != step.want {
			t.Errorf("after another %s: %s links", step.after, got)
		}
	}
}
