package identity_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

var employee = queriestest.Email(queriestest.Employee)

// pendingOf signs somebody in who has a second factor, up to that.
func pendingOf(t *testing.T, db *areas.Areas, userID int64) string {
	t.Helper()
	_, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(queriestest.Email(userID), queriestest.Password))
	var required identity.FactorRequired
	if !errors.As(err, &required) {
		t.Fatalf("no second factor was required: %v", err)
	}
	return required.Pending
}

func complete(t *testing.T, db *areas.Areas, pending string, p identity.FactorProof) error {
	t.Helper()
	_, err := db.Identity.CompleteSignIn(t.Context(), pending, queriestest.Credentials("", ""), p)
	return err
}

func expectRefusal(t *testing.T, what string, err error, want queries.Invalid) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %s", what, err, want)
	}
}

func TestAuthenticatorApp(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	in, elsewhere := signIn(t, db, queriestest.Employee), signIn(t, db, queriestest.Employee)
	if err := db.Identity.EnrolApp(t.Context(), in.Person); err != nil {
		t.Fatal(err)
	}
	signIn(t, db, queriestest.Employee) // an app that is not confirmed asks for nothing
	const moreThanTries = 6
	for range moreThanTries {
		for _, typed := range []string{"", "12345", "1234567", "12345a", "가나"} {
			_, err := db.Identity.ConfirmApp(t.Context(), in, identity.Client{}, typed)
			expectRefusal(t, typed, err, "factor.code.digits")
		}
	}
	_, err := db.Identity.ConfirmApp(t.Context(), in, identity.Client{}, "00 00 00")
	expectRefusal(t, "wrong first code", err, "factor.code.wrong")
	what := recorded(t, db)
	secret, codes := queriestest.EnrolApp(t, db, in)
	if len(codes) != 10 {
		t.Errorf("recovery codes: %v", codes)
	}
	if _, err := db.Identity.SignedIn(t.Context(), elsewhere.CompanyID, elsewhere.SignInID); !errors.Is(err, queries.NotFound) {
		t.Errorf("another session goes on without the factor: %v", err)
	}
	if again, err := db.Identity.SignedIn(t.Context(), in.CompanyID, in.SignInID); err != nil || again.LacksFactor() {
		t.Errorf("the session that added it: %v", err)
	}
	if err := db.Identity.EnrolApp(t.Context(), in.Person); !errors.As(err, new(queries.Conflict)) {
		t.Errorf("a second app: %v", err)
	}
	if got := what(); !strings.HasSuffix(got, "factor_changed ok app_added console 2") {
		t.Errorf("recorded %s", got)
	}

	code := func(steps int) identity.FactorProof {
		return identity.FactorProof{Code: queriestest.AppCode(t, secret, clock.Now().Add(time.Duration(steps)*30*time.Second))}
	}
	pending := pendingOf(t, db, queriestest.Employee)
	expectRefusal(t, "the code of the enrolment", complete(t, db, pending, code(0)), "factor.code.used")
	expectRefusal(t, "two steps ahead", complete(t, db, pending, code(2)), "factor.code.wrong")
	expectRefusal(t, "no code", complete(t, db, pending, identity.FactorProof{}), "factor.code.form")
	clock.Advance(time.Minute)
	spaced := code(0).Code[:3] + " " + code(0).Code[3:]
	if err := complete(t, db, pending, identity.FactorProof{Code: spaced}); err != nil {
		t.Errorf("a right code: %v", err)
	}
	expectRefusal(t, "the same sign-in in another tab", complete(t, db, pending, code(1)), "session.factor.expired")
	pending = pendingOf(t, db, queriestest.Employee)
	expectRefusal(t, "the same code", complete(t, db, pending, code(0)), "factor.code.used")
	expectRefusal(t, "the code before", complete(t, db, pending, code(-1)), "factor.code.used")
	if err := complete(t, db, pending, code(1)); err != nil {
		t.Errorf("one step ahead: %v", err)
	}
	if got := what(); got != "login failed factor console 2; login failed factor console 2; login failed factor console 2; login ok app console 2; "+
		"login failed factor console 2; login failed factor console 2; login ok app console 2" {
		t.Errorf("recorded %s", got)
	}
	pending = pendingOf(t, db, queriestest.Employee)
	clock.Advance(10*time.Minute + time.Second)
	expectRefusal(t, "too late", complete(t, db, pending, code(0)), "session.factor.expired")
	expectRefusal(t, "no sign-in", complete(t, db, "", code(0)), "session.factor.expired")
}

// A code that two browsers send at the same moment lets one of them in.
func TestFactorCodeCountsOnceAtTheSameMoment(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	secret, _ := queriestest.EnrolApp(t, db, signIn(t, db, queriestest.Employee))
	clock.Advance(time.Minute)
	pending := []string{pendingOf(t, db, queriestest.Employee), pendingOf(t, db, queriestest.Employee), pendingOf(t, db, queriestest.Employee)}
	results := make([]error, len(pending))
	var all sync.WaitGroup
	for i := range pending {
		all.Go(func() {
			results[i] = complete(t, db, pending[i], identity.FactorProof{Code: queriestest.AppCode(t, secret, clock.Now())})
		})
	}
	all.Wait()
	entered := 0
	for _, err := range results {
		if err == nil {
			entered++
		} else {
			expectRefusal(t, "the others", err, "factor.code.used")
		}
	}
	if entered != 1 {
		t.Errorf("%d entered: %v", entered, results)
	}
}

func TestRecoveryCodes(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	in := signIn(t, db, queriestest.Employee)
	if _, err := db.Identity.RenewCodes(t.Context(), in, identity.Client{}); !errors.Is(err, queries.NotFound) {
		t.Errorf("codes without a second factor: %v", err)
	}
	_, codes := queriestest.EnrolApp(t, db, in)
	pending := pendingOf(t, db, queriestest.Employee)
	expectRefusal(t, "a made-up code", complete(t, db, pending, identity.FactorProof{Code: "ABCD-2345"}), "factor.code.wrong")
	if err := complete(t, db, pending, identity.FactorProof{Code: strings.ToLower(codes[3])}); err != nil {
		t.Errorf("a code in lower case: %v", err)
	}
	pending = pendingOf(t, db, queriestest.Employee)
	expectRefusal(t, "the same code", complete(t, db, pending, identity.FactorProof{Code: codes[3]}), "factor.code.wrong")
	if factors, err := db.Identity.Factors(t.Context(), in.CompanyID, in.ID); err != nil || factors != (identity.Factors{App: true, Codes: 9}) {
		t.Errorf("%+v, %v", factors, err)
	}
	renewed, err := db.Identity.RenewCodes(t.Context(), in, identity.Client{})
	if err != nil || len(renewed) != 10 {
		t.Fatalf("%v, %v", renewed, err)
	}
	expectRefusal(t, "a code before the new ones", complete(t, db, pending, identity.FactorProof{Code: codes[0]}), "factor.code.wrong")
	if err := complete(t, db, pending, identity.FactorProof{Code: renewed[0]}); err != nil {
		t.Errorf("a new code: %v", err)
	}
	stored := queriestest.LookUp(t, db, "select string_agg(encode(hash, 'escape'), ' ') from recovery_codes")
	if strings.Contains(stored, strings.ReplaceAll(renewed[1], "-", "")) {
		t.Error("the codes are stored as they are")
	}
}

// Wrong factors are counted as wrong passwords are, and unlocking forgets them.
func TestFactorIsLockedAfterFiveTries(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	secret, _ := queriestest.EnrolApp(t, db, signIn(t, db, queriestest.Employee))
	clock.Advance(time.Minute)
	pending := pendingOf(t, db, queriestest.Employee)
	for range 6 { // more than there are tries
		expectRefusal(t, "what cannot be a code", complete(t, db, pending, identity.FactorProof{Code: "12345"}), "factor.code.form")
	}
	what := recorded(t, db)
	for range 5 {
		expectRefusal(t, "a wrong code", complete(t, db, pending, identity.FactorProof{Code: "000000"}), "factor.code.wrong")
	}
	right := identity.FactorProof{Code: queriestest.AppCode(t, secret, clock.Now())}
	for range 2 {
		expectRefusal(t, "after five", complete(t, db, pending, right), "session.locked")
	}
	failed := strings.Repeat("login failed factor console 2; ", 5)
	if got := what(); got != failed+"locked refused account console 2; login failed locked console 2" {
		t.Errorf("recorded %s", got)
	}
	if until, err := db.Identity.LockedUntil(t.Context(), queriestest.Hanbit, queriestest.Employee); err != nil || until.IsZero() {
		t.Errorf("locked until %v, %v", until, err)
	}
	if unlocked, err := db.Identity.Unlock(t.Context(), queriestest.AdminActor(t, db), queriestest.Employee); err != nil || !unlocked {
		t.Fatalf("%v, %v", unlocked, err)
	}
	if err := complete(t, db, pending, right); err != nil {
		t.Errorf("unlocked: %v", err)
	}
}

// Whoever was hidden between the two steps does not get in.
func TestHiddenPersonHasNoSecondStep(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	secret, _ := queriestest.EnrolApp(t, db, signIn(t, db, queriestest.Employee))
	clock.Advance(time.Minute)
	pending := pendingOf(t, db, queriestest.Employee)
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Employee)
	err := complete(t, db, pending, identity.FactorProof{Code: queriestest.AppCode(t, secret, clock.Now())})
	expectRefusal(t, "hidden meanwhile", err, "session.hidden")
}

// A password that was set meanwhile ends what waits for the second factor.
func TestNewPasswordEndsPendingSignIns(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	in := signIn(t, db, queriestest.Employee)
	secret, _ := queriestest.EnrolApp(t, db, in)
	clock.Advance(time.Minute)
	pending := pendingOf(t, db, queriestest.Employee)
	if err := db.Identity.SetPassword(t.Context(), in.Person, "Another!2026"); err != nil {
		t.Fatal(err)
	}
	err := complete(t, db, pending, identity.FactorProof{Code: queriestest.AppCode(t, secret, clock.Now())})
	expectRefusal(t, "after the password was set", err, "session.factor.expired")
}

// A program sends the code with the password, and has no other way in.
func TestAccessTokenNeedsTheSecondFactor(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	secret, codes := queriestest.EnrolApp(t, db, signIn(t, db, queriestest.Employee))
	clock.Advance(time.Minute)
	what := recorded(t, db)
	with := func(code string) identity.Credentials {
		c := queriestest.Credentials(employee, queriestest.Password)
		c.Code = code
		return c
	}
	for code, want := range map[string]queries.Invalid{"": "session.factor.required", "000000": "factor.code.wrong"} {
		_, err := db.Identity.IssueAccessToken(t.Context(), with(code))
		expectRefusal(t, "code "+code, err, want)
	}
	inPlace := with("")
	inPlace.InPlace = true
	_, err := db.Identity.SignIn(t.Context(), inPlace)
	expectRefusal(t, "in place", err, "session.factor.required")
	for _, code := range []string{queriestest.AppCode(t, secret, clock.Now()), codes[0]} {
		if _, err := db.Identity.IssueAccessToken(t.Context(), with(code)); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
	wrong := with(codes[1])
	wrong.Password = "wrong"
	_, err = db.Identity.IssueAccessToken(t.Context(), wrong)
	expectRefusal(t, "a wrong password with a right code", err, "session.refused")
	if left := queriestest.LookUp(t, db, "select count(*) from recovery_codes where used_at is null"); left != "9" {
		t.Errorf("%s recovery codes are left", left)
	}
	if got := what(); !strings.Contains(got, "login failed factor_required api 2") || !strings.Contains(got, "login failed factor api 2") || !strings.Contains(got, "login ok recovery api 2") {
		t.Errorf("recorded %s", got)
	}
}

func TestDeleteFactors(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	in := signIn(t, db, queriestest.Employee)
	queriestest.EnrolApp(t, db, in)
	queriestest.AddPasskey(t, db, in)
	passkeys, err := db.Identity.Passkeys(t.Context(), in.CompanyID, in.ID)
	if err != nil || len(passkeys) != 1 || passkeys[0].Name != "휴대폰" {
		t.Fatalf("%+v, %v", passkeys, err)
	}
	other := signIn(t, db, queriestest.Viewer)
	for name, err := range map[string]error{
		"rename another's": db.Identity.RenamePasskey(t.Context(), other.Person, passkeys[0].ID, "x"),
		"delete another's": db.Identity.DeletePasskey(t.Context(), other, identity.Client{}, passkeys[0].ID),
		"no app":           db.Identity.DeleteApp(t.Context(), other, identity.Client{}),
	} {
		if !errors.Is(err, queries.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{" ", strings.Repeat("가", 51), "a\x00"} {
		if err := db.Identity.RenamePasskey(t.Context(), in.Person, passkeys[0].ID, name); !errors.As(err, new(queries.FieldErrors)) {
			t.Errorf("%q: %v", name, err)
		}
	}
	rule := func(of identity.RequiredOf, version int32) {
		t.Helper()
		draft := identity.FactorRuleDraft{RequiredOf: of, GraceDays: 14, TrustsSignOn: true}
		if err := db.Identity.SaveFactorRule(t.Context(), queriestest.AdminActor(t, db), version, draft); err != nil {
			t.Fatal(err)
		}
	}
	rule(identity.RequiredOfEverybody, 0)
	if err := db.Identity.DeleteApp(t.Context(), in, identity.Client{}); err != nil {
		t.Errorf("one of two: %v", err)
	}
	expectRefusal(t, "the last one", db.Identity.DeletePasskey(t.Context(), in, identity.Client{}, passkeys[0].ID), "factor.last")
	if factors, err := db.Identity.Factors(t.Context(), in.CompanyID, in.ID); err != nil || factors != (identity.Factors{Passkeys: 1, Codes: 10}) {
		t.Errorf("%+v, %v", factors, err)
	}
	rule(identity.RequiredOfNobody, 1)
	if err := db.Identity.DeletePasskey(t.Context(), in, identity.Client{}, passkeys[0].ID); err != nil {
		t.Errorf("the last one: %v", err)
	}
	if left := fmt.Sprint(db.Identity.Factors(t.Context(), in.CompanyID, in.ID)); left != "{false 0 0} <nil>" {
		t.Errorf("left %s", left)
	}
	signIn(t, db, queriestest.Employee)
}
