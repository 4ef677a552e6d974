package identity_test

import (
	"errors"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func saveRule(t *testing.T, db *areas.Areas, version int32, of identity.RequiredOf, days int, trusts bool) {
	t.Helper()
	if err := db.Identity.SaveFactorRule(t.Context(), queriestest.AdminActor(t, db), version, identity.FactorRuleDraft{RequiredOf: of, GraceDays: days, TrustsSignOn: trusts}); err != nil {
		t.Fatal(err)
	}
}

func TestFactorRule(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	admin, in, other := signIn(t, db, queriestest.Admin), signIn(t, db, queriestest.Employee), signIn(t, db, queriestest.OtherAdmin)
	now := func(s identity.SignedIn) identity.SignedIn {
		t.Helper()
		s, err := db.Identity.SignedIn(t.Context(), s.CompanyID, s.SignInID)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	expect := func(what string, s identity.SignedIn, lacks, confined bool) {
		t.Helper()
		if s = now(s); s.LacksFactor() != lacks || s.IsConfined(clock.Now()) != confined {
			t.Errorf("%s: lacks a factor %v, confined %v", what, s.LacksFactor(), s.IsConfined(clock.Now()))
		}
	}
	by := queriestest.AdminActor(t, db)
	for name, draft := range map[string]identity.FactorRuleDraft{"required_of": {RequiredOf: "some"}, "grace_days": {RequiredOf: "nobody", GraceDays: 366}} {
		var refused queries.FieldErrors
		if err := db.Identity.SaveFactorRule(t.Context(), by, 0, draft); !errors.As(err, &refused) || refused[name] == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	expect("no rule", admin, false, false)
	saveRule(t, db, 0, identity.RequiredOfAdministrators, 14, true)
	if err := db.Identity.SaveFactorRule(t.Context(), by, 0, identity.FactorRuleDraft{RequiredOf: identity.RequiredOfNobody}); !errors.As(err, new(queries.Conflict)) {
		t.Errorf("an old version: %v", err)
	}
	saveRule(t, db, 1, identity.RequiredOfAdministrators, 14, true)
	if rule, err := db.Identity.FactorRule(t.Context(), queriestest.Hanbit); err != nil || rule.VersionNo != 1 {
		t.Errorf("the same rule once more is version %d, %v", rule.VersionNo, err)
	}
	expect("an administrator", admin, true, false)
	expect("an employee", in, false, false)
	expect("of another company", other, false, false)

	rule, err := db.Identity.FactorRule(t.Context(), queriestest.Hanbit)
	zone := time.FixedZone("", 9*3600)
	day := clock.Now().In(zone).AddDate(0, 0, 15)
	if want := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone); err != nil || !rule.AdministratorsDueAt.Equal(want) || !rule.EverybodyDueAt.IsZero() {
		t.Errorf("due at %v, want %v; everybody %v, %v", rule.AdministratorsDueAt, want, rule.EverybodyDueAt, err)
	}
	clock.Advance(24 * time.Hour)
	saveRule(t, db, 1, identity.RequiredOfEverybody, 14, true)
	later, err := db.Identity.FactorRule(t.Context(), queriestest.Hanbit)
	if err != nil || !later.AdministratorsDueAt.Equal(rule.AdministratorsDueAt) || !later.EverybodyDueAt.Equal(rule.AdministratorsDueAt.AddDate(0, 0, 1)) {
		t.Errorf("%+v, %v", later, err)
	}
	in = signIn(t, db, queriestest.Employee)
	expect("everybody", in, true, false)
	saveRule(t, db, 2, identity.RequiredOfEverybody, 0, true)
	expect("without grace", in, true, true)
	queriestest.EnrolApp(t, db, in)
	expect("with an app", in, false, false)
	counts, err := db.Identity.CountFactors(t.Context(), queriestest.Hanbit)
	if err != nil || counts != (identity.FactorCounts{People: 7, Lacking: 6, Administrators: 1, AdministratorsLacking: 1}) {
		t.Errorf("%+v, %v", counts, err)
	}

	last := queriestest.LookUp(t, db, "select max(id) from changes where action = 'factor_rule.updated'")
	var id int64
	if err := db.Pool().QueryRow(t.Context(), "select $1::text::bigint", last).Scan(&id); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Audit.Revert(t.Context(), by, id, false); err != nil {
		t.Fatal(err)
	}
	if rule, err = db.Identity.FactorRule(t.Context(), queriestest.Hanbit); err != nil || rule.GraceDays != 14 || rule.RequiredOf != identity.RequiredOfEverybody || rule.VersionNo != 4 {
		t.Errorf("reverted: %+v, %v", rule, err)
	}
}

// A trusted single sign-on, and the messenger, vouch for people; others do not.
func TestFactorRuleTrustsSignOn(t *testing.T) {
	s := newSignOn(t, nil)
	db, clock := s.db, s.clock
	in := signIn(t, db, queriestest.Employee)
	secret, _ := queriestest.EnrolApp(t, db, in)
	handover := func() error {
		t.Helper()
		h, err := db.Identity.IssueHandover(t.Context(), queriestest.Hanbit, queriestest.Employee)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Identity.TakeHandover(t.Context(), h.Code, here, "test")
		return err
	}
	saveRule(t, db, 0, identity.RequiredOfEverybody, 0, true)
	done, err := s.complete(s.back(s.begin()))
	if err != nil || done.LacksFactor() {
		t.Errorf("single sign-on: %v", err)
	}
	if err := handover(); err != nil {
		t.Errorf("messenger: %v", err)
	}
	saveRule(t, db, 1, identity.RequiredOfEverybody, 0, false)
	if before, err := db.Identity.SignedIn(t.Context(), done.CompanyID, done.SignInID); err != nil || !before.IsConfined(clock.Now()) {
		t.Errorf("a session that is not trusted any more: %v", err)
	}
	var required identity.FactorRequired
	if err := handover(); !errors.As(err, &required) {
		t.Errorf("messenger without trust: %v", err)
	}
	if _, err = s.complete(s.back(s.begin())); !errors.As(err, &required) {
		t.Fatalf("single sign-on without trust: %v", err)
	}
	clock.Advance(time.Minute)
	entered, err := db.Identity.CompleteSignIn(t.Context(), required.Pending, queriestest.Credentials("", ""), identity.FactorProof{Code: queriestest.AppCode(t, secret, clock.Now())})
	if err != nil || entered.LacksFactor() {
		t.Fatalf("%+v, %v", entered, err)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from provider_sign_ins where sign_in_id = $1::bigint and id_token <> ''", entered.SignInID); n != "1" {
		t.Errorf("%s sign-ins end at the provider, too", n)
	}
}

func TestProve(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	in, what := signIn(t, db, queriestest.Employee), recorded(t, db)
	proved := func() bool {
		t.Helper()
		s, err := db.Identity.SignedIn(t.Context(), in.CompanyID, in.SignInID)
		if err != nil {
			t.Fatal(err)
		}
		return s.HasProved(clock.Now())
	}
	if !proved() {
		t.Error("signing in is no proof")
	}
	clock.Advance(identity.ProofAge)
	if proved() {
		t.Error("the proof has no end")
	}
	password := identity.Proof{Password: queriestest.Password, From: identity.Client{Address: here}}
	expectRefusal(t, "a wrong password", db.Identity.Prove(t.Context(), in, identity.Proof{Password: "wrong"}), "password.current.wrong")
	if err := db.Identity.Prove(t.Context(), in, password); err != nil || !proved() {
		t.Errorf("the password: %v", err)
	}
	secret, _ := queriestest.EnrolApp(t, db, in)
	passkey := queriestest.AddPasskey(t, db, in)
	clock.Advance(identity.ProofAge)
	expectRefusal(t, "the password of somebody with a second factor", db.Identity.Prove(t.Context(), in, password), "factor.code.form")
	if proved() {
		t.Error("a refused proof counts")
	}
	code := identity.Proof{From: password.From, FactorProof: identity.FactorProof{Code: queriestest.AppCode(t, secret, clock.Now())}}
	if err := db.Identity.Prove(t.Context(), in, code); err != nil || !proved() {
		t.Errorf("a code: %v", err)
	}
	expectRefusal(t, "the same code", db.Identity.Prove(t.Context(), in, code), "factor.code.used")
	options, err := db.Identity.AskProof(t.Context(), in, queriestest.Site)
	if err != nil {
		t.Fatal(err)
	}
	signed := identity.Proof{From: password.From, FactorProof: identity.FactorProof{Passkey: passkey.Sign(t, options), Site: queriestest.Site}}
	if err := db.Identity.Prove(t.Context(), in, signed); err != nil {
		t.Errorf("a passkey: %v", err)
	}
	expectRefusal(t, "the same answer", db.Identity.Prove(t.Context(), in, signed), "factor.passkey.refused")
	if got := what(); got != "proved failed password console 2; proved ok console 2; factor_changed ok app_added console 2; factor_changed ok passkey_added console 2; "+
		"proved failed factor console 2; proved ok app console 2; proved failed factor console 2; proved ok passkey console 2; proved failed factor console 2" {
		t.Errorf("recorded %s", got)
	}

	// Somebody who comes by single sign-on alone has nothing to prove with.
	queriestest.Exec(t, db, "delete from passwords where user_id = $1", queriestest.Viewer)
	h, err := db.Identity.IssueHandover(t.Context(), queriestest.Hanbit, queriestest.Viewer)
	if err != nil {
		t.Fatal(err)
	}
	without, err := db.Identity.TakeHandover(t.Context(), h.Code, here, "test")
	if err != nil {
		t.Fatal(err)
	}
	expectRefusal(t, "without a password", db.Identity.Prove(t.Context(), without, password), "proof.sign_in")
}

func TestResetFactors(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	in := signIn(t, db, queriestest.Employee)
	queriestest.EnrolApp(t, db, in)
	queriestest.AddPasskey(t, db, in)
	clock.Advance(time.Minute)
	pending := pendingOf(t, db, queriestest.Employee)
	by, what := queriestest.AdminActor(t, db), recorded(t, db)
	if _, err := db.Identity.ResetFactors(t.Context(), by, queriestest.OtherAdmin); !errors.Is(err, queries.NotFound) {
		t.Errorf("of another company: %v", err)
	}
	if _, err := db.Identity.ResetFactors(t.Context(), by, queriestest.Admin); !errors.As(err, new(queries.Conflict)) {
		t.Errorf("one's own: %v", err)
	}
	for i, want := range []bool{true, false} {
		if reset, err := db.Identity.ResetFactors(t.Context(), by, queriestest.Employee); err != nil || reset != want {
			t.Errorf("reset %d: %v, %v", i, reset, err)
		}
	}
	if got := what(); got != "factor_reset ok administrator console 2 김서연; session_revoked ok factor_reset console 2 김서연" {
		t.Errorf("recorded %s", got)
	}
	if changes := queriestest.LookUp(t, db, "select string_agg(concat_ws(' ', action, object_id, old, new), ', ') from changes where action like 'user.%'"); changes != "user.factors_reset 2" {
		t.Errorf("in the change log: %s", changes)
	}
	expectRefusal(t, "a sign-in that waited", complete(t, db, pending, identity.FactorProof{Code: "000000"}), "session.factor.expired")
	in = signIn(t, db, queriestest.Employee)
	if !in.Demand.WasReset {
		t.Error("the person does not read about it")
	}
	if err := db.Identity.AcknowledgeReset(t.Context(), in.Person); err != nil {
		t.Fatal(err)
	}
	if in, err := db.Identity.SignedIn(t.Context(), in.CompanyID, in.SignInID); err != nil || in.Demand.WasReset {
		t.Errorf("the person reads about it again: %v", err)
	}
}

// The job deletes what nobody has answered.
func TestOldChallengesAreDeleted(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	queriestest.AddPasskey(t, db, signIn(t, db, queriestest.Employee))
	pending := pendingOf(t, db, queriestest.Employee)
	ask(t, db, pending)
	const left = "select (select count(*) from pending_sign_ins) || ' ' || (select count(*) from passkey_challenges)"
	for _, step := range []struct {
		after time.Duration
		want  string
	}{{9 * time.Minute, "1 1"}, {2 * time.Minute, "0 0"}} {
		clock.Advance(step.after)
		if err := db.Identity.CleanUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := queriestest.LookUp(t, db, left); got != step.want {
			t.Errorf("after %s: %s", step.after, got)
		}
	}
}
