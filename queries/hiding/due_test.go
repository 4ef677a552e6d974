package hiding_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
	"officeconsole/workday"
)

// Users are shown again when their company's day has come, by nobody, and nothing that
// ended when they were hidden is revived.
func TestShowDue(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	admin := queriestest.AdminActor(t, db)
	token, err := db.Identity.IssueAccessToken(t.Context(), queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password))
	if err != nil {
		t.Fatal(err)
	}
	today := workday.DateOf(queriestest.Now)
	for _, day := range []workday.Date{today - 1, today} {
		_, err := db.Hidings.Hide(t.Context(), admin, hiding.Draft{UserIDs: []int64{queriestest.Employee}, ShowAgainOn: day})
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || refused["show_again_on"] != "hiding.show_again_on.past" {
			t.Errorf("until %s: %v", day, err)
		}
	}
	if _, err := db.Hidings.Hide(t.Context(), admin, hiding.Draft{UserIDs: []int64{queriestest.Employee}, Kind: hiding.Leave, Reason: "휴직", ShowAgainOn: today + 2}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Hidings.Hide(t.Context(), admin, hiding.Draft{UserIDs: []int64{queriestest.Kim}, Kind: hiding.Leave}); err != nil {
		t.Fatal(err)
	}
	show := func() string {
		t.Helper()
		if err := db.Hidings.ShowDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		return hiddenIDs(t, db)
	}
	seoul, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance((today+2).At(0, seoul).Sub(clock.Now()) - time.Minute)
	if ids := show(); ids != "2 5 6" {
		t.Errorf("a minute before the day %s are hidden", ids)
	}
	clock.Advance(time.Minute)
	for range 2 {
		if ids := show(); ids != "5 6" {
			t.Errorf("on the day %s are hidden", ids)
		}
	}
	if _, err := db.Identity.Bearer(t.Context(), identity.PresentedToken{Token: token.Token}); !errors.Is(err, queries.NotFound) {
		t.Errorf("the token is valid: %v", err)
	}
	change := queriestest.LookUp(t, db, "select string_agg(concat_ws(' ', action, actor_user_id, actor_name, old->>'show_again_on'), '|') from changes where action = 'user.shown'")
	if strings.TrimSpace(change) != "user.shown  "+(today+2).String() {
		t.Errorf("the change log has %q", change)
	}
}

// A user who is hidden again after the day has come remains hidden.
func TestHiddenAgainAfterTheDay(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	admin := queriestest.AdminActor(t, db)
	hidden, err := db.Hidings.Hide(t.Context(), admin, hiding.Draft{UserIDs: []int64{queriestest.Employee}, ShowAgainOn: workday.DateOf(queriestest.Now) + 10})
	if err != nil {
		t.Fatal(err)
	}
	until := func() string {
		t.Helper()
		return queriestest.LookUp(t, db, "select coalesce(max(show_again_on)::text, 'none') from hidings where user_id = $1 and shown_at is null", queriestest.Employee)
	}
	shown, err := db.Hidings.Undo(t.Context(), admin, hidden.Set)
	if err != nil {
		t.Fatal(err)
	}
	again, err := db.Hidings.Undo(t.Context(), admin, shown.Set)
	if want := (workday.DateOf(queriestest.Now) + 10).String(); err != nil || until() != want {
		t.Fatalf("hidden again before the day until %s: %v", until(), err)
	}
	if shown, err = db.Hidings.Undo(t.Context(), admin, again.Set); err != nil {
		t.Fatal(err)
	}
	clock.Advance(20 * 24 * time.Hour)
	if _, err = db.Hidings.Undo(t.Context(), admin, shown.Set); err != nil || until() != "none" {
		t.Errorf("hidden again after the day until %s: %v", until(), err)
	}
	if err := db.Hidings.ShowDue(t.Context()); err != nil || hiddenIDs(t, db) != "2 5" {
		t.Errorf("then %s are hidden: %v", hiddenIDs(t, db), err)
	}
}
