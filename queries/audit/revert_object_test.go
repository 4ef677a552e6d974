package audit_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/hiding"
	"officeconsole/queries/link"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
	"officeconsole/workday"
)

func objectReversal(t *testing.T, db *areas.Areas, id int64) ([]audit.Difference, error) {
	t.Helper()
	c, err := db.Audit.Change(t.Context(), audit.ChangeParams{CompanyID: queriestest.Hanbit, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	return db.Audit.ObjectReversal(t.Context(), c)
}

// A reversal sets a whole object back until a later change replaces its version.
func TestObjectReversal(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by, ctx := queriestest.AdminActor(t, db), t.Context()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Minute)
	}
	setsBack := func(id int64, want bool) {
		t.Helper()
		if got, err := objectReversal(t, db, id); err != nil || len(got) > 0 != want {
			t.Errorf("reverting change %d changes %+v, %v", id, got, err)
		}
	}

	_, err := db.Webhooks.Create(ctx, by, webhook.Draft{URL: "https://a.example/", Enabled: true})
	do(err)
	setsBack(lastChange(t, db), false) // of a new webhook nothing is reverted
	update := func(url string) int64 {
		t.Helper()
		do(db.Webhooks.Update(ctx, by, 0, webhook.Draft{URL: url, Enabled: true}))
		return lastChange(t, db)
	}
	first := update("https://b.example/")
	setsBack(first, true)
	_, err = db.Webhooks.RotateSecret(ctx, by, time.Hour)
	do(err)
	do(db.Webhooks.EndPreviousSecret(ctx, by))
	setsBack(first, true) // the secret is no part of it
	second := update("https://c.example/")
	setsBack(first, false)
	setsBack(second, true)
	do(db.Webhooks.Delete(ctx, by, 0))
	setsBack(second, false)

	v := queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, true, queriestest.Kim))
	registered := lastChange(t, db)
	setsBack(registered, true)
	clock.Advance(time.Minute)
	do(db.Attendance.DeleteViewer(ctx, by, v.ID, 0))
	deleted := lastChange(t, db)
	setsBack(registered, false)
	setsBack(deleted, true)
	clock.Advance(policy.RestoreTime)
	if got, err := objectReversal(t, db, deleted); !errors.Is(err, queries.Invalid("change.revert.late")) {
		t.Errorf("too late, reverting the deletion changes %+v, %v", got, err)
	}
}

// Of a change that a later one has replaced it is not said what reverting it does; a later
// change of something else replaces nothing.
func TestObjectReversalAfterChanges(t *testing.T) {
	hide := func(t *testing.T, db *areas.Areas, by queries.Actor) error {
		_, err := db.Hidings.Hide(t.Context(), by, hiding.Draft{UserIDs: []int64{queriestest.Kim}, Kind: hiding.Leave})
		return err
	}
	show := func(t *testing.T, db *areas.Areas, by queries.Actor) error {
		_, err := db.Hidings.Show(t.Context(), by, []int64{queriestest.Kim})
		return err
	}
	deactivate := func(t *testing.T, db *areas.Areas, by queries.Actor) error {
		_, err := db.Hidings.Deactivate(t.Context(), by, hiding.Deactivation{UserIDs: []int64{queriestest.Kim}})
		return err
	}
	reactivate := func(t *testing.T, db *areas.Areas, by queries.Actor) error {
		_, err := db.Hidings.Reactivate(t.Context(), by, []int64{queriestest.Kim})
		return err
	}
	type step func(t *testing.T, db *areas.Areas, by queries.Actor) error
	move := func(at, after int) step {
		return func(t *testing.T, db *areas.Areas, by queries.Actor) error {
			_, err := db.Links.Move(t.Context(), by, linkIDs(t, db)[at], linkIDs(t, db)[after])
			return err
		}
	}
	orderLast := func(t *testing.T, db *areas.Areas, by queries.Actor) error {
		ids := linkIDs(t, db)
		return db.Links.Order(t.Context(), by, ids[len(ids)-1:])
	}
	add := func(t *testing.T, db *areas.Areas, by queries.Actor) error {
		_, err := db.Links.Create(t.Context(), by, link.Draft{Name: "새 링크", URL: "{host}"})
		return err
	}
	deleteFirst := func(t *testing.T, db *areas.Areas, by queries.Actor) error {
		_, err := db.Links.Delete(t.Context(), by, linkIDs(t, db)[0], 0)
		return err
	}
	services := func(ids ...string) step {
		return func(t *testing.T, db *areas.Areas, by queries.Actor) error {
			return db.Links.OrderServices(t.Context(), by, append([]string{"chat"}, ids...))
		}
	}
	visible := func(id string, on link.Visibility) step {
		return func(t *testing.T, db *areas.Areas, by queries.Actor) error {
			return db.Links.SetServiceVisibility(t.Context(), by, id, on)
		}
	}
	for name, test := range map[string]struct {
		before, change, later step
		want                  bool
	}{
		"a hiding that has ended":                       {nil, hide, show, false},
		"a hiding of somebody who was deactivated":      {nil, hide, deactivate, true},
		"a showing of somebody who was hidden again":    {hide, show, hide, false},
		"a deactivation that has ended":                 {nil, deactivate, reactivate, false},
		"a reactivation of somebody deactivated again":  {deactivate, reactivate, deactivate, false},
		"a reactivation of somebody who was hidden":     {deactivate, reactivate, hide, true},
		"a moved link that moved again":                 {nil, move(0, 2), move(2, 0), false},
		"a moved link before which another one is gone": {nil, move(2, 0), deleteFirst, false},
		"a moved link that another one has pushed away": {nil, move(2, 0), move(2, 0), false},
		"a moved link whose former neighbor moved":      {nil, move(1, 3), move(0, 1), true},
		"a moved link after which one was added":        {nil, move(0, 2), add, true},
		"an order of links before another one":          {nil, orderLast, orderLast, false},
		"an order of links after which one was added":   {nil, orderLast, add, true},
		"a new link that moved":                         {nil, add, orderLast, true},
		"an order of services before another one":       {nil, services("poll"), services("mail"), false},
		"an order of services one of which is hidden":   {nil, services("poll"), visible("mail", link.Visibility{"pc": false}), true},
		"a service that was switched again":             {nil, visible("mail", link.Visibility{"pc": false}), visible("mail", link.Visibility{"web": false}), false},
		"a service after another one":                   {nil, visible("mail", link.Visibility{"pc": false}), visible("poll", link.Visibility{"pc": false}), true},
	} {
		t.Run(name, func(t *testing.T) {
			db, clock := queriestest.NewWithClock(t)
			by := queriestest.AdminActor(t, db)
			do := func(s step) {
				t.Helper()
				clock.Advance(time.Minute)
				if err := s(t, db, by); err != nil {
					t.Fatal(err)
				}
			}
			for range 4 {
				do(add)
			}
			if test.before != nil {
				do(test.before)
			}
			do(test.change)
			changed := lastChange(t, db)
			do(test.later)
			got, err := objectReversal(t, db, changed)
			isPrevented := errors.Is(err, queries.Invalid("change.revert.changed"))
			if err != nil && !isPrevented || len(got) > 0 != test.want {
				t.Errorf("reverting changes %+v, %v", got, err)
			}
			_, err = db.Audit.Revert(t.Context(), by, changed, false)
			if test.want && err != nil || isPrevented && !errors.Is(err, queries.Conflict("change.revert.changed")) {
				t.Errorf("reverting: %v", err)
			}
		})
	}
}

func linkIDs(t *testing.T, db *areas.Areas) (ids []int64) {
	t.Helper()
	links, err := db.Links.Links(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range links {
		ids = append(ids, l.ID)
	}
	return ids
}

// A link that was moved returns behind the link that it followed, also where that one has
// moved since; where it was deleted, it is known before that the link cannot return.
func TestObjectReversalOfMove(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by, ctx := queriestest.AdminActor(t, db), t.Context()
	move := func(id, after int64) int64 {
		t.Helper()
		clock.Advance(time.Minute)
		if _, err := db.Links.Move(ctx, by, id, after); err != nil {
			t.Fatal(err)
		}
		return lastChange(t, db)
	}
	for _, name := range []string{"가", "나", "다", "라", "마"} {
		if _, err := db.Links.Create(ctx, by, link.Draft{Name: name, URL: "{host}"}); err != nil {
			t.Fatal(err)
		}
	}
	ids := linkIDs(t, db)
	neighbor, moved := ids[1], ids[2]
	change := move(moved, ids[4])
	move(neighbor, 0)
	move(neighbor, ids[3])
	got, err := objectReversal(t, db, change)
	if err != nil || len(got) != 1 || got[0].Field != "position" || string(got[0].Old)+" "+string(got[0].New) != "5 4" {
		t.Fatalf("reverting changes %+v, %v", got, err)
	}
	if _, err := db.Audit.Revert(ctx, by, change, false); err != nil || slices.Index(linkIDs(t, db), moved)+1 != 4 {
		t.Errorf("the links are %v: %v", linkIDs(t, db), err)
	}

	change = move(moved, 0)
	if _, err := db.Links.Delete(ctx, by, neighbor, 0); err != nil {
		t.Fatal(err)
	}
	if got, err := objectReversal(t, db, change); !errors.Is(err, queries.Invalid("link.neighbor_deleted")) {
		t.Errorf("reverting changes %+v, %v", got, err)
	}
	if _, err := db.Audit.Revert(ctx, by, change, false); !errors.Is(err, queries.Conflict("link.neighbor_deleted")) {
		t.Errorf("reverting: %v", err)
	}
}

// It is known before that a secret is not stored, and that the time of a reservation is over.
func TestObjectReversalIsRefused(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by, ctx := queriestest.AdminActor(t, db), t.Context()
	isRefused := func(want queries.Invalid) {
		t.Helper()
		clock.Advance(time.Minute)
		if got, err := objectReversal(t, db, lastChange(t, db)); !errors.Is(err, want) {
			t.Errorf("reverting changes %+v, %v, want %v", got, err, want)
		}
		if _, err := db.Audit.Revert(ctx, by, lastChange(t, db), false); !errors.Is(err, want) {
			t.Errorf("reverting: %v, want %v", err, want)
		}
	}
	p := queriestest.NewSignOnProvider(t, db)
	id := p.Create(t, db, p.Draft())
	clock.Advance(time.Minute)
	if err := db.Identity.UpdateProvider(ctx, by, id, 0, p.Draft()); err != nil {
		t.Fatal(err)
	}
	isRefused("provider.revert.secret")

	at := queriestest.Now.Add(time.Hour)
	n, err := db.Notices.Create(ctx, by, notice.Draft{Title: "점검", Body: "본문", Targets: notice.Targets{Everyone: true}, PublishAt: &at})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Notices.Delete(ctx, by, n.ID, 0); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	isRefused("notice.restore.missed")
}

// Somebody who is hidden again stays hidden on the day that has come.
func TestObjectReversalWithoutPastDay(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by, ctx := queriestest.AdminActor(t, db), t.Context()
	day := workday.DateOf(queriestest.Now) + 2
	if _, err := db.Hidings.Hide(ctx, by, hiding.Draft{UserIDs: []int64{queriestest.Kim}, Kind: hiding.Leave, ShowAgainOn: day}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	if _, err := db.Hidings.Show(ctx, by, []int64{queriestest.Kim}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		got, err := objectReversal(t, db, lastChange(t, db))
		if hasDay := slices.ContainsFunc(got, func(d audit.Difference) bool { return d.Field == "show_again_on" }); err != nil || hasDay != want {
			t.Errorf("reverting changes %+v, %v", got, err)
		}
		clock.Advance(48 * time.Hour)
	}
}
