package identity_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// ask returns what the browser of somebody who is signing in is asked to sign.
func ask(t *testing.T, db *areas.Areas, pending string) json.RawMessage {
	t.Helper()
	of, _, err := db.Identity.PendingPerson(t.Context(), pending)
	if err != nil {
		t.Fatal(err)
	}
	options, err := db.Identity.AskPendingPasskey(t.Context(), of, queriestest.Site)
	if err != nil {
		t.Fatal(err)
	}
	return options
}

func TestPasskeyIsASecondFactor(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	passkey := queriestest.AddPasskey(t, db, signIn(t, db, queriestest.Employee))
	others := queriestest.AddPasskey(t, db, signIn(t, db, queriestest.Viewer))
	proof := func(answer string) identity.FactorProof {
		return identity.FactorProof{Passkey: answer, Site: queriestest.Site}
	}
	pending, what := pendingOf(t, db, queriestest.Employee), recorded(t, db)

	signed := passkey.Sign(t, ask(t, db, pending))
	elsewhere := identity.FactorProof{Passkey: passkey.Sign(t, ask(t, db, pending)), Site: identity.Site{Name: "x", URL: "https://other.example"}}
	expectRefusal(t, "on another site of this server", complete(t, db, pending, elsewhere), "factor.passkey.refused")
	passkey.Origin = "https://console.example.evil.example"
	expectRefusal(t, "of another origin", complete(t, db, pending, proof(passkey.Sign(t, ask(t, db, pending)))), "factor.passkey.refused")
	passkey.Origin = "https://console.example"
	expectRefusal(t, "somebody else's", complete(t, db, pending, proof(others.Sign(t, ask(t, db, pending)))), "factor.passkey.refused")
	expectRefusal(t, "nonsense", complete(t, db, pending, proof(`{"id": 1}`)), "factor.passkey.refused")
	// The counters of the answers above are higher, but none of them was accepted.
	if err := complete(t, db, pending, proof(signed)); err != nil {
		t.Errorf("a right answer: %v", err)
	}
	pending = pendingOf(t, db, queriestest.Employee)
	expectRefusal(t, "the same answer", complete(t, db, pending, proof(signed)), "factor.passkey.refused")
	if got := what(); got != "login failed factor console 2; login failed factor console 2; login failed factor console 2; login failed factor console 2; login ok passkey console 2; login failed factor console 2" {
		t.Errorf("recorded %s", got)
	}

	options := ask(t, db, pending)
	clock.Advance(9 * time.Minute)
	if err := complete(t, db, pending, proof(passkey.Sign(t, options))); err != nil {
		t.Errorf("within the time: %v", err)
	}
	used := queriestest.LookUp(t, db, "select used_at::text from passkeys where user_id = 2")
	if used == "" {
		t.Error("the use of the passkey was not stored")
	}
}

// A passkey that was copied has an older counter than the original.
func TestCopiedPasskeyIsRefused(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	passkey := queriestest.AddPasskey(t, db, signIn(t, db, queriestest.Employee))
	passkey.Credential.Counter = 7
	pending := pendingOf(t, db, queriestest.Employee)
	if err := complete(t, db, pending, identity.FactorProof{Passkey: passkey.Sign(t, ask(t, db, pending)), Site: queriestest.Site}); err != nil {
		t.Fatal(err)
	}
	passkey.Credential.Counter = 3
	pending = pendingOf(t, db, queriestest.Employee)
	err := complete(t, db, pending, identity.FactorProof{Passkey: passkey.Sign(t, ask(t, db, pending)), Site: queriestest.Site})
	expectRefusal(t, "an older counter", err, "factor.passkey.refused")
}

// Opening the page of passkeys is no failure. What it stores is limited.
func TestAskingForAPasskeyIsNoFailure(t *testing.T) {
	db := queriestest.New(t)
	ask := func() error {
		_, err := db.Identity.AskPasskey(t.Context(), queriestest.Site, identity.Client{Address: here})
		return err
	}
	for i := range 250 {
		if err := ask(); err != nil {
			t.Fatalf("the view %d: %v", i, err)
		}
	}
	queriestest.Exec(t, db, "update sign_in_failures set failures = 5000 where subject like 'passkey:%'")
	if err := ask(); !errors.Is(err, identity.ErrBusy) {
		t.Errorf("too often: %v", err)
	}
}

func TestPasskeyAlone(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	passkey := queriestest.AddPasskey(t, db, signIn(t, db, queriestest.Employee))
	enter := func(edit func()) (identity.SignedIn, error) {
		t.Helper()
		options, err := db.Identity.AskPasskey(t.Context(), queriestest.Site, identity.Client{Address: here})
		if err != nil {
			t.Fatal(err)
		}
		edit()
		return db.Identity.SignInByPasskey(t.Context(), queriestest.Credentials("", ""), queriestest.Site, passkey.Sign(t, options))
	}
	what := recorded(t, db)
	if in, err := enter(func() {}); err != nil || in.ID != queriestest.Employee {
		t.Errorf("%+v, %v", in.Person, err)
	}
	_, err := enter(func() { passkey.Authenticator.Options.UserNotVerified = true })
	expectRefusal(t, "without asking for a fingerprint or PIN", err, "factor.passkey.refused")
	passkey.Authenticator.Options.UserNotVerified = false
	_, err = enter(func() { clock.Advance(11 * time.Minute) })
	expectRefusal(t, "too late", err, "factor.passkey.refused")
	handle := passkey.Authenticator.Options.UserHandle
	_, err = enter(func() { passkey.Authenticator.Options.UserHandle = append(make([]byte, 15), 1) })
	expectRefusal(t, "of an owner who does not exist", err, "factor.passkey.refused")
	passkey.Authenticator.Options.UserHandle = handle

	pending := pendingOf(t, db, queriestest.Employee)
	_, err = db.Identity.SignInByPasskey(t.Context(), queriestest.Credentials("", ""), queriestest.Site, passkey.Sign(t, ask(t, db, pending)))
	expectRefusal(t, "the challenge of a second factor", err, "factor.passkey.refused")
	_, err = enter(func() {
		queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Employee)
	})
	expectRefusal(t, "a hidden person", err, "session.hidden")
	if got := what(); got != "login ok passkey console 2; login failed factor console 2; login failed hidden console 2" {
		t.Errorf("recorded %s", got)
	}
}

func TestPasskeysNeedASecureName(t *testing.T) {
	for url, want := range map[string]bool{
		"https://console.example": true, "http://localhost:8080": true, "https://localhost": true,
		"http://console.example": false, "https://192.0.2.1": false, "http://127.0.0.1:8080": false, "https://[::1]": false, "": false,
	} {
		if got := (identity.Site{URL: url}).SupportsPasskeys(); got != want {
			t.Errorf("%s: %v", url, got)
		}
	}
}

// A passkey that exists already, and an answer that was given before, are refused.
func TestPasskeyIsAddedOnce(t *testing.T) {
	db, _ := queriestest.NewWithClock(t)
	in := signIn(t, db, queriestest.Employee)
	options, err := db.Identity.BeginPasskey(t.Context(), in, queriestest.Site)
	if err != nil {
		t.Fatal(err)
	}
	passkey := queriestest.NewPasskey()
	answer := passkey.Create(t, options)
	add := func(in identity.SignedIn, name, answer string) error {
		_, err := db.Identity.AddPasskey(t.Context(), in, identity.Client{}, queriestest.Site, name, answer)
		return err
	}
	refused := func(what string, err error, field string) {
		t.Helper()
		var fields queries.FieldErrors
		if !errors.As(err, &fields) || fields[field] == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("without a name", add(in, "", answer), "name")
	refused("for somebody else", add(signIn(t, db, queriestest.Viewer), "x", answer), "passkey")
	refused("after somebody else has tried", add(in, "노트북", answer), "passkey")
	if options, err = db.Identity.BeginPasskey(t.Context(), in, queriestest.Site); err != nil {
		t.Fatal(err)
	}
	if err := add(in, "노트북", passkey.Create(t, options)); err != nil {
		t.Fatal(err)
	}
	if options, err = db.Identity.BeginPasskey(t.Context(), in, queriestest.Site); err != nil {
		t.Fatal(err)
	}
	refused("the same passkey", add(in, "다른 이름", passkey.Create(t, options)), "passkey")
}
