package hiding_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func deactivate(t *testing.T, db *areas.Areas, ids ...int64) hiding.Result {
	t.Helper()
	result, err := db.Hidings.Deactivate(t.Context(), queriestest.AdminActor(t, db), hiding.Deactivation{UserIDs: ids, Reason: "퇴사"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// absentIDs are the hidden users and, after a slash, the deactivated ones.
func absentIDs(t *testing.T, db *areas.Areas) string {
	t.Helper()
	return hiddenIDs(t, db) + "/" + queriestest.LookUp(t, db,
		"select coalesce(string_agg(id::text, ' ' order by id), '') from users where company_id = 1 and deactivated_at is not null")
}

// A leaver's sign-ins on three devices and tokens end at once and for good, with a
// reason in the access history, and every policy counts one person less.
func TestDeactivateEndsAccess(t *testing.T) {
	db := queriestest.New(t)
	credentials := queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)
	for range 3 {
		if _, err := db.Identity.SignIn(t.Context(), credentials); err != nil {
			t.Fatal(err)
		}
	}
	token, err := db.Identity.IssueAccessToken(t.Context(), credentials)
	if err != nil {
		t.Fatal(err)
	}
	const open = "select count(*)::text from sign_ins where user_id = 2 and ended_at is null"
	before := queriestest.LookUp(t, db, open)
	deactivate(t, db, queriestest.Employee)
	if after := queriestest.LookUp(t, db, open); before != "4" || after != "0" {
		t.Errorf("%s sign-ins before, %s after", before, after)
	}
	if _, err := db.Identity.Bearer(t.Context(), identity.PresentedToken{Token: token.Token}); !errors.Is(err, queries.NotFound) {
		t.Errorf("the token: %v", err)
	}
	if _, err := db.Identity.SignIn(t.Context(), credentials); !errors.Is(err, queries.Invalid("session.hidden")) {
		t.Errorf("signing in: %v", err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(kind || ' ' || result || ' ' || reason, ', ' order by kind, result) from access_events where user_id = 2 and reason = 'deactivated'"); got !=
		"login failed deactivated, session_revoked ok deactivated, session_revoked ok deactivated, session_revoked ok deactivated, token_revoked ok deactivated" {
		t.Errorf("access history: %s", got)
	}
	if _, err := db.Hidings.Reactivate(t.Context(), queriestest.AdminActor(t, db), []int64{queriestest.Employee}); err != nil {
		t.Fatal(err)
	}
	if after := queriestest.LookUp(t, db, open); after != "0" {
		t.Errorf("%s sign-ins are revived", after)
	}
	if _, err := db.Identity.SignIn(t.Context(), credentials); err != nil {
		t.Errorf("signing in again: %v", err)
	}
	var types []string
	for _, m := range queriestest.Messages(t, db, queriestest.Hanbit, 0) {
		types = append(types, m.Type+" "+string(m.Payload))
	}
	if got := strings.Join(types, " "); got != `user.deactivated {"user_ids": [2]} session.revoke {"user_ids": [2]} user.reactivated {"user_ids": [2]}` {
		t.Errorf("messages %s", got)
	}
	got := queriestest.LookUp(t, db, "select string_agg(action || ' ' || object_id || ' ' || actor_name || ' ' || coalesce(old, new), '; ' order by id) from changes where company_id = 1")
	if want := `user.deactivated 2 김서연 {"reason": "퇴사", "source": "administrator", "hiding_id": 2}; user.reactivated 2 김서연 {"reason": "퇴사", "source": "administrator", "hiding_id": 2}`; got != want {
		t.Errorf("change log %s", got)
	}
}

// Hiding and deactivating are independent: somebody appears again when both have
// ended, and other programs are told only then.
func TestDeactivateAHiddenUser(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.AdminActor(t, db)
	deactivate(t, db, queriestest.Hidden, queriestest.Kim)
	if got := absentIDs(t, db); got != "5 6/5 6" {
		t.Fatalf("deactivated: %s", got)
	}
	if _, err := db.Hidings.Hide(t.Context(), admin, hiding.Draft{UserIDs: []int64{queriestest.Kim}}); !refuses(err, hiding.RefusedLeft) {
		t.Errorf("hiding who is deactivated: %v", err)
	}
	if _, err := db.Hidings.Reactivate(t.Context(), admin, []int64{queriestest.Hidden, queriestest.Kim}); err != nil {
		t.Fatal(err)
	}
	if got := absentIDs(t, db); got != "5/" {
		t.Errorf("reactivated: %s", got)
	}
	deactivate(t, db, queriestest.Hidden)
	if _, err := db.Hidings.Show(t.Context(), admin, []int64{queriestest.Hidden}); err != nil {
		t.Fatal(err)
	}
	if got := absentIDs(t, db); got != "5/5" {
		t.Errorf("shown: %s", got)
	}
	if _, err := db.Hidings.Show(t.Context(), admin, []int64{queriestest.Hidden}); !errors.Is(err, queries.NotFound) {
		t.Errorf("shown twice: %v", err)
	}
	var told []string
	for _, m := range queriestest.Messages(t, db, queriestest.Hanbit, 0) {
		if m.Type != "session.revoke" {
			told = append(told, m.Type+string(m.Payload))
		}
	}
	if got := strings.Join(told, " "); got != `user.deactivated{"user_ids": [5, 6]} user.reactivated{"user_ids": [6]} user.deactivated{"user_ids": [5]}` {
		t.Errorf("told: %s", got)
	}
}

func refuses(err error, why queries.Invalid) bool {
	var fields queries.FieldErrors
	return errors.As(err, &fields) && fields["user_ids"] == why
}

func TestDeactivateRefuses(t *testing.T) {
	db := queriestest.New(t)
	operator := queries.Actor{CompanyID: queriestest.Hanbit, Name: "officeconsole"}
	admin := queriestest.AdminActor(t, db)
	deactivate(t, db, queriestest.Kim)
	for name, c := range map[string]struct {
		by  queries.Actor
		ids []int64
		why queries.Invalid
	}{
		"nobody":               {admin, nil, hiding.RefusedNobody},
		"unknown":              {admin, []int64{queriestest.Viewer, 999999}, hiding.RefusedUnknown},
		"of another company":   {admin, []int64{queriestest.OtherKim}, hiding.RefusedUnknown},
		"oneself":              {admin, []int64{queriestest.Viewer, queriestest.Admin}, "deactivation.target.self"},
		"a bot":                {admin, []int64{queriestest.Bot}, "deactivation.target.bot"},
		"twice":                {admin, []int64{queriestest.Viewer, queriestest.Kim}, hiding.RefusedLeft},
		"the last one":         {operator, []int64{queriestest.Admin}, "deactivation.target.last_admin"},
		"a deactivated caller": {queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Kim}, []int64{queriestest.Viewer}, ""},
	} {
		_, err := db.Hidings.Deactivate(t.Context(), c.by, hiding.Deactivation{UserIDs: c.ids})
		if c.why == "" && !errors.Is(err, queries.Invalid("session.hidden")) || c.why != "" && !refuses(err, c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := db.Hidings.Deactivate(t.Context(), admin, hiding.Deactivation{UserIDs: []int64{queriestest.Viewer}, Reason: strings.Repeat("가", 201)}); err == nil {
		t.Error("a long reason is stored")
	}
	if got := absentIDs(t, db); got != "5 6/6" {
		t.Errorf("absent: %s", got)
	}
	if _, err := db.Hidings.Reactivate(t.Context(), admin, []int64{queriestest.Hidden, queriestest.Employee}); !errors.Is(err, queries.NotFound) {
		t.Errorf("reactivating who is not deactivated: %v", err)
	}
}

// Another rule deactivates any number of people in its own transaction: nobody if it
// fails.
func TestDeactivateIn(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	program := queries.Actor{CompanyID: queriestest.Hanbit, Name: "인사 시스템"}
	leave := func(fail error, ids ...int64) error {
		return db.InTx(t.Context(), func(ctx context.Context, tx queries.Tx) error {
			if _, err := hiding.DeactivateIn(ctx, tx, program, clock.Now(), hiding.Deactivation{UserIDs: ids, Source: hiding.Provisioning}); err != nil {
				return err
			}
			return fail
		})
	}
	failure := errors.New("a later row is refused")
	if err := leave(failure, queriestest.Kim, queriestest.Employee, queriestest.Kim); !errors.Is(err, failure) || absentIDs(t, db) != "5/" {
		t.Errorf("%v, %s are absent", err, absentIDs(t, db))
	}
	if err := leave(nil); err != nil {
		t.Errorf("nobody: %v", err)
	}
	if err := leave(nil, queriestest.Kim, queriestest.Employee, queriestest.Kim); err != nil || absentIDs(t, db) != "2 5 6/2 6" {
		t.Errorf("%v, %s are absent", err, absentIDs(t, db))
	}
	clock.Advance(time.Minute)
	deactivate(t, db, queriestest.Viewer)
	for address, want := range map[string]string{
		"state=deactivated":                       "3 administrator, 6 provisioning, 2 provisioning",
		"state=deactivated&source=administrator":  "3 administrator",
		"state=deactivated&source=import":         "",
		"state=deactivated&q=김철수":                 "6 provisioning",
		"":                                        "5 administrator",
		"state=hidden&kind=leave&source=whatever": "5 administrator",
	} {
		var got []string
		for _, row := range list(t, db, address) {
			got = append(got, fmt.Sprint(row.UserID, " ", row.Source))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q", address, got)
		}
	}
	ids, err := db.Hidings.HiddenIDs(t.Context(), queriestest.Hanbit)
	if err != nil || fmt.Sprint(ids) != "[2 3 5 6]" {
		t.Errorf("whom the messenger must not let in: %v, %v", ids, err)
	}
}

func list(t *testing.T, db *areas.Areas, address string) []hiding.HiddenUser {
	t.Helper()
	query, err := url.ParseQuery(address)
	if err != nil {
		t.Fatal(err)
	}
	f, err := hiding.ReadFilter(query)
	if err != nil {
		t.Fatal(err)
	}
	f.Limit = 10
	page, err := db.Hidings.List(t.Context(), queriestest.Hanbit, f)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := db.Hidings.Count(t.Context(), queriestest.Hanbit, f); err != nil || n != int64(len(page.Rows)) {
		t.Errorf("%s: %d counted, %v", address, n, err)
	}
	return page.Rows
}

// Undo takes a deactivation and a reactivation back, with its source.
func TestUndoDeactivation(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.AdminActor(t, db)
	done := deactivate(t, db, queriestest.Kim, queriestest.Hidden)
	hide(t, db, queriestest.Employee)
	undone, err := db.Hidings.Undo(t.Context(), admin, done.Set)
	if err != nil || undone.Hidden || undone.State != hiding.Deactivated || absentIDs(t, db) != "2 5/" {
		t.Fatalf("%+v, %v, %s are absent", undone, err, absentIDs(t, db))
	}
	again, err := db.Hidings.Undo(t.Context(), admin, undone.Set)
	if err != nil || !again.Hidden || again.State != hiding.Deactivated || absentIDs(t, db) != "2 5 6/5 6" {
		t.Errorf("%+v, %v, %s are absent", again, err, absentIDs(t, db))
	}
}
