package hiding_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func hide(t *testing.T, db *areas.Areas, ids ...int64) hiding.Result {
	t.Helper()
	result, err := db.Hidings.Hide(t.Context(), queriestest.AdminActor(t, db), hiding.Draft{UserIDs: ids, Kind: hiding.Leaver, Reason: "퇴사"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func hiddenIDs(t *testing.T, db *areas.Areas) string {
	t.Helper()
	return queriestest.LookUp(t, db, "select coalesce(string_agg(id::text, ' ' order by id), '') from users where company_id = 1 and hidden_at is not null")
}

// Everything that a hidden user had open ends, and showing them again revives
// nothing.
func TestHideEndsAccess(t *testing.T) {
	db := queriestest.New(t)
	credentials := queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)
	var signIns []int64
	for range 2 {
		s, err := db.Identity.SignIn(t.Context(), credentials)
		if err != nil {
			t.Fatal(err)
		}
		signIns = append(signIns, s.SignInID)
	}
	token, err := db.Identity.IssueAccessToken(t.Context(), credentials)
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string, signInRefused error) {
		t.Helper()
		for _, id := range signIns {
			if _, err := db.Identity.SignedIn(t.Context(), queriestest.Hanbit, id); !errors.Is(err, queries.NotFound) {
				t.Errorf("%s: the sign-in goes on: %v", when, err)
			}
		}
		if _, err := db.Identity.Bearer(t.Context(), identity.PresentedToken{Token: token.Token}); !errors.Is(err, queries.NotFound) {
			t.Errorf("%s: the token is valid: %v", when, err)
		}
		if _, err := db.Identity.SignIn(t.Context(), credentials); !errors.Is(err, signInRefused) {
			t.Errorf("%s: signing in: %v, not %v", when, err, signInRefused)
		}
		if _, err := db.Identity.IssueAccessToken(t.Context(), credentials); !errors.Is(err, signInRefused) {
			t.Errorf("%s: a token: %v, not %v", when, err, signInRefused)
		}
	}
	last := int64(0)
	hide(t, db, queriestest.Employee)
	check("hidden", queries.Invalid("session.hidden"))
	if _, err := db.Hidings.Show(t.Context(), queriestest.AdminActor(t, db), []int64{queriestest.Employee}); err != nil {
		t.Fatal(err)
	}
	check("shown again", nil)
	var types []string
	for _, m := range queriestest.Messages(t, db, queriestest.Hanbit, last) {
		types = append(types, m.Type+" "+string(m.Payload))
	}
	want := `user.hidden {"user_ids": [2]} session.revoke {"user_ids": [2]} user.shown {"user_ids": [2]}`
	if got := strings.Join(types, " "); got != want {
		t.Errorf("messages %s", got)
	}
	got := queriestest.LookUp(t, db, "select string_agg(action || ' ' || object_id || ' ' || actor_name || ' ' || coalesce(old, new), '; ' order by id) from changes where company_id = 1")
	if want := `user.hidden 2 김서연 {"kind": "leaver", "reason": "퇴사", "hiding_id": 2}; user.shown 2 김서연 {"kind": "leaver", "reason": "퇴사", "hiding_id": 2}`; got != want {
		t.Errorf("change log %s", got)
	}
}

// A user who is signing in while being hidden either does not get in, or what
// they got ends.
func TestHideWhileSigningIn(t *testing.T) {
	db := queriestest.New(t)
	credentials := queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)
	begun := make(chan struct{})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			<-begun
			var err error
			if i%2 == 0 {
				_, err = db.Identity.SignIn(t.Context(), credentials)
			} else {
				_, err = db.Identity.IssueAccessToken(t.Context(), credentials)
			}
			if refused := queries.Invalid(""); err != nil && !errors.As(err, &refused) {
				t.Error(err)
			}
		})
	}
	close(begun)
	hide(t, db, queriestest.Employee)
	all.Wait()
	const open = `select count(*) from sign_ins where user_id = 2 and ended_at is null`
	if got := queriestest.LookUp(t, db, "select ("+open+")::text"); got != "0" {
		t.Errorf("%s are open", got)
	}
}

func TestHideRefuses(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, "update users set is_admin = true where id = $1", queriestest.Manager)
	many := make([]int64, hiding.MaxPeople+1)
	for i := range many {
		many[i] = int64(i + 1)
	}
	operator := queries.Actor{CompanyID: queriestest.Hanbit, Name: "officeconsole"}
	admin := queriestest.AdminActor(t, db)
	for name, c := range map[string]struct {
		by    queries.Actor
		draft hiding.Draft
		field string
		why   queries.Invalid
		names string
	}{
		"nobody":               {admin, hiding.Draft{}, "user_ids", hiding.RefusedNobody, ""},
		"too many":             {admin, hiding.Draft{UserIDs: many}, "user_ids", hiding.RefusedMany, ""},
		"unknown":              {admin, hiding.Draft{UserIDs: []int64{queriestest.Kim, 999999}}, "user_ids", hiding.RefusedUnknown, ""},
		"of another company":   {admin, hiding.Draft{UserIDs: []int64{queriestest.OtherKim}}, "user_ids", hiding.RefusedUnknown, ""},
		"oneself":              {admin, hiding.Draft{UserIDs: []int64{queriestest.Kim, queriestest.Admin}}, "user_ids", hiding.RefusedSelf, "김서연"},
		"a bot":                {admin, hiding.Draft{UserIDs: []int64{queriestest.Bot}}, "user_ids", hiding.RefusedBot, "공지봇"},
		"twice":                {admin, hiding.Draft{UserIDs: []int64{queriestest.Kim, queriestest.Hidden}}, "user_ids", hiding.RefusedHidden, "정하윤"},
		"all administrators":   {operator, hiding.Draft{UserIDs: []int64{queriestest.Kim, queriestest.Admin, queriestest.Manager}}, "user_ids", hiding.RefusedLast, "김서연 최유진"},
		"a kind":               {admin, hiding.Draft{UserIDs: []int64{queriestest.Kim}, Kind: "holiday"}, "kind", "hiding.kind.invalid", ""},
		"a reason":             {admin, hiding.Draft{UserIDs: []int64{queriestest.Kim}, Reason: strings.Repeat("가", 201)}, "reason", "hiding.reason.long", ""},
		"an unreadable reason": {admin, hiding.Draft{UserIDs: []int64{queriestest.Kim}, Reason: "a\x00"}, "reason", "error.unreadable", ""},
	} {
		_, err := db.Hidings.Hide(t.Context(), c.by, c.draft)
		var fields queries.FieldErrors
		if !errors.As(err, &fields) || fields[c.field] != c.why {
			t.Errorf("%s: %v", name, err)
		}
		var refusal *hiding.Refusal
		var names []string
		if errors.As(err, &refusal) {
			for _, p := range refusal.People {
				names = append(names, p.Name)
			}
		}
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("%s: names %q", name, got)
		}
	}
	if got := hiddenIDs(t, db); got != "5" {
		t.Errorf("hidden: %s", got)
	}
	for name, ids := range map[string][]int64{"visible": {queriestest.Kim}, "unknown": {999999}, "of another company": {queriestest.OtherKim}} {
		if _, err := db.Hidings.Show(t.Context(), admin, ids); !errors.Is(err, queries.NotFound) {
			t.Errorf("showing %s: %v", name, err)
		}
	}
	if _, err := db.Hidings.Show(t.Context(), admin, nil); !errors.As(err, &queries.FieldErrors{}) {
		t.Errorf("showing nobody: %v", err)
	}
}

// Of two administrators who hide each other at once, one is refused; of two who
// hide the same user, too.
func TestHideAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		whom [2]int64 // whom the administrator and the manager hide
	}{
		"each other":    {[2]int64{queriestest.Manager, queriestest.Admin}},
		"the same user": {[2]int64{queriestest.Kim, queriestest.Kim}},
	} {
		t.Run(name, func(t *testing.T) {
			db := queriestest.New(t)
			queriestest.Exec(t, db, "update users set is_admin = true where id = $1", queriestest.Manager)
			actors := []queries.Actor{queriestest.AdminActor(t, db), queriestest.ManagerActor(t, db)}
			var all sync.WaitGroup
			refused := make([]bool, 2)
			for i, by := range actors {
				all.Go(func() {
					_, err := db.Hidings.Hide(t.Context(), by, hiding.Draft{UserIDs: []int64{c.whom[i]}})
					var invalid queries.Invalid
					refused[i] = errors.As(err, &queries.FieldErrors{}) || errors.As(err, &invalid)
					if err != nil && !refused[i] {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if refused[0] == refused[1] {
				t.Errorf("refused: %v", refused)
			}
			if got := len(strings.Fields(hiddenIDs(t, db))); got != 2 { // with the one who always is
				t.Errorf("%d are hidden", got)
			}
		})
	}
}

// The number of statements does not depend on the number of people.
func TestHideMany(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `insert into users (company_id, department_id, name, email, search_text, search_grams)
		select 1, 3, '직원 ' || n, 'many' || n || '@hanbit.example', '', '{}' from generate_series(1, $1::int) n`, hiding.MaxPeople)
	var ids []int64
	rows, err := db.Pool().Query(t.Context(), "select id from users where email like 'many%' order by id")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	admin := queriestest.AdminActor(t, db)
	log := queriestest.LogStatements(t, db)
	hide(t, db, queriestest.Kim)
	few := len(log.Take())
	hidden := hide(t, db, ids...)
	if many := len(log.Take()); many != few {
		t.Errorf("%d statements for one user, %d for %d", few, many, len(ids))
	}
	if len(hidden.People) != hiding.MaxPeople {
		t.Errorf("%d were hidden", len(hidden.People))
	}
	log.Take()
	undone, err := db.Hidings.Undo(t.Context(), admin, hidden.Set)
	if err != nil || undone.Hidden || len(undone.People) != hiding.MaxPeople {
		t.Errorf("undone: %d %v %v", len(undone.People), undone.Hidden, err)
	}
	if n := len(log.Take()); n > few+2 {
		t.Errorf("%d statements to undo", n)
	}
	if got := hiddenIDs(t, db); got != "5 6" {
		t.Errorf("hidden: %s", got)
	}
	if got := queriestest.LookUp(t, db, "select count(*)::text from changes where action = 'user.shown'"); got != fmt.Sprint(hiding.MaxPeople) {
		t.Errorf("%s changes", got)
	}
}

func TestUndo(t *testing.T) {
	db := queriestest.New(t)
	admin := queriestest.AdminActor(t, db)
	first := hide(t, db, queriestest.Kim, queriestest.Employee, queriestest.Foreigner)
	shown, err := db.Hidings.Show(t.Context(), admin, []int64{queriestest.Kim, queriestest.Employee})
	if err != nil {
		t.Fatal(err)
	}
	// Who was shown since stays as they are.
	if r, err := db.Hidings.Undo(t.Context(), admin, first.Set); err != nil || r.Hidden || !slices.Equal(r.People, []hiding.Named{{ID: queriestest.Foreigner, Name: "Olivia Martin"}}) {
		t.Errorf("undo of hiding: %v %v", r, err)
	}
	hide(t, db, queriestest.Kim)
	if r, err := db.Hidings.Undo(t.Context(), admin, shown.Set); err != nil || !r.Hidden || !slices.Equal(r.People, []hiding.Named{{ID: queriestest.Employee, Name: "이준호"}}) {
		t.Errorf("undo of showing: %v %v", r, err)
	}
	if got := hiddenIDs(t, db); got != "2 5 6" {
		t.Errorf("hidden: %s", got)
	}
	if got := queriestest.LookUp(t, db, "select kind || ' ' || reason from hidings where user_id = 2 and shown_at is null"); got != "leaver 퇴사" {
		t.Errorf("hidden again: %s", got)
	}
	other := queries.Actor{CompanyID: queriestest.Other, UserID: queriestest.OtherAdmin, Name: "한도윤"}
	for name, c := range map[string]struct {
		by  queries.Actor
		set int64
	}{"again": {admin, first.Set}, "unknown": {admin, 99999}, "of another company": {other, first.Set + 1}} {
		if _, err := db.Hidings.Undo(t.Context(), c.by, c.set); !errors.Is(err, queries.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
