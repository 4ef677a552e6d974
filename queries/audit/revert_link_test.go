package audit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/blobs"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/link"
	"officeconsole/queries/queriestest"
)

// linkOutline says in a line what links and services there are.
func linkOutline(t *testing.T, db *areas.Areas) string {
	t.Helper()
	links, err := db.Links.Links(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	services, err := db.Links.Services(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, l := range links {
		all = append(all, fmt.Sprint(l.Draft()))
	}
	for _, s := range services {
		all = append(all, fmt.Sprint(s.ID, s.Visible))
	}
	return strings.Join(all, "\n")
}

// Each change is reverted, and its reversal is reverted.
func TestRevertLinkChange(t *testing.T) {
	for name, change := range map[string]func(*areas.Areas, queries.Actor, []int64) error{
		"link.created": func(db *areas.Areas, by queries.Actor, _ []int64) error {
			_, err := db.Links.Create(t.Context(), by, link.Draft{Name: "새 링크", URL: "{host}"})
			return err
		},
		"link.updated": func(db *areas.Areas, by queries.Actor, ids []int64) error {
			return db.Links.Update(t.Context(), by, ids[1], 0, func(link.Draft) link.Draft {
				return link.Draft{Name: "다른 이름", Description: "설명", URL: "https://a.example/", IconVisible: true, Banner: blobs.Key(queriestest.Hanbit, strings.Repeat("ab", 32))}
			})
		},
		"link.deleted": func(db *areas.Areas, by queries.Actor, ids []int64) error {
			_, err := db.Links.Delete(t.Context(), by, ids[1], 0)
			return err
		},
		"link.moved": func(db *areas.Areas, by queries.Actor, ids []int64) error {
			_, err := db.Links.Move(t.Context(), by, ids[3], ids[0])
			return err
		},
		"link.ordered": func(db *areas.Areas, by queries.Actor, ids []int64) error {
			return db.Links.Order(t.Context(), by, []int64{ids[2], ids[1]})
		},
		"service.updated": func(db *areas.Areas, by queries.Actor, _ []int64) error {
			return db.Links.SetServiceVisibility(t.Context(), by, "mail", link.Visibility{"pc": false, "mobile": false})
		},
		"service.moved": func(db *areas.Areas, by queries.Actor, _ []int64) error {
			_, err := db.Links.MoveService(t.Context(), by, "poll", "chat")
			return err
		},
		"service.ordered": func(db *areas.Areas, by queries.Actor, _ []int64) error {
			return db.Links.OrderServices(t.Context(), by, []string{"chat", "work_clock"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := queriestest.New(t)
			by := queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}
			ids := make([]int64, 4)
			for i := range ids {
				var err error
				if ids[i], err = db.Links.Create(t.Context(), by, link.Draft{Name: fmt.Sprint("링크", i), URL: "{host}", Visible: i%2 == 0}); err != nil {
					t.Fatal(err)
				}
			}
			before := linkOutline(t, db)
			if err := change(db, by, ids); err != nil {
				t.Fatal(err)
			}
			after := linkOutline(t, db)
			objectType, _, _ := strings.Cut(name, ".")
			if name == "link.ordered" {
				objectType = "link_order"
			}
			c := latestChange(t, db, objectType, 0)
			if c.Action != name || !c.Revertible() || before == after {
				t.Fatalf("the change is %+v", c)
			}
			reverted, err := db.Audit.Revert(t.Context(), by, c.ID, false)
			if err != nil {
				t.Fatal(err)
			}
			if got := linkOutline(t, db); got != before {
				t.Errorf("reverted:\n%s\nwant:\n%s", got, before)
			}
			if _, err := db.Audit.Revert(t.Context(), by, reverted.Change.ID, false); err != nil {
				t.Fatal(err)
			}
			if got := linkOutline(t, db); got != after {
				t.Errorf("reverted twice:\n%s\nwant:\n%s", got, after)
			}
		})
	}
}

func TestRevertLinkChangeTooLate(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}
	id, err := db.Links.Create(t.Context(), by, link.Draft{Name: "가", URL: "{host}"})
	if err != nil {
		t.Fatal(err)
	}
	edit := func(name string) {
		t.Helper()
		if err := db.Links.Update(t.Context(), by, id, 0, func(d link.Draft) link.Draft { d.Name = name; return d }); err != nil {
			t.Fatal(err)
		}
	}
	edit("나")
	first := latestChange(t, db, "link", id)
	edit("다")
	if _, err := db.Audit.Revert(t.Context(), by, first.ID, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("after another change: %v", err)
	}
	if _, err := db.Links.Delete(t.Context(), by, id, 0); err != nil {
		t.Fatal(err)
	}
	deletion := latestChange(t, db, "link", id)
	clock.Advance(link.RestoreTime + time.Second)
	if _, err := db.Audit.Revert(t.Context(), by, deletion.ID, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("after a month: %v", err)
	}
}

// An order or visibility is reverted only as its change left it: not after another
// change, and not twice.
func TestRevertLinkChangeOnlyUnchanged(t *testing.T) {
	show := func(v link.Visibility) func(*areas.Areas, queries.Actor, []int64) error {
		return func(db *areas.Areas, by queries.Actor, _ []int64) error {
			return db.Links.SetServiceVisibility(t.Context(), by, "mail", v)
		}
	}
	move := func(moved, after int) func(*areas.Areas, queries.Actor, []int64) error {
		return func(db *areas.Areas, by queries.Actor, ids []int64) error {
			_, err := db.Links.Move(t.Context(), by, ids[moved], ids[after])
			return err
		}
	}
	order := func(first int) func(*areas.Areas, queries.Actor, []int64) error {
		return func(db *areas.Areas, by queries.Actor, ids []int64) error {
			return db.Links.Order(t.Context(), by, ids[first:first+1])
		}
	}
	moveService := func(id string) func(*areas.Areas, queries.Actor, []int64) error {
		return func(db *areas.Areas, by queries.Actor, _ []int64) error {
			_, err := db.Links.MoveService(t.Context(), by, id, "chat")
			return err
		}
	}
	orderServices := func(id string) func(*areas.Areas, queries.Actor, []int64) error {
		return func(db *areas.Areas, by queries.Actor, _ []int64) error {
			return db.Links.OrderServices(t.Context(), by, []string{"chat", id})
		}
	}
	for name, test := range map[string]struct {
		object string
		first  func(*areas.Areas, queries.Actor, []int64) error
		second func(*areas.Areas, queries.Actor, []int64) error
	}{
		"link.moved":      {"link", move(3, 0), move(3, 1)},
		"link.ordered":    {"link_order", order(2), order(3)},
		"service.updated": {"service", show(link.Visibility{"pc": false}), show(link.Visibility{"mobile": false})},
		"service.moved":   {"service", moveService("poll"), moveService("drive")},
		"service.ordered": {"service", orderServices("poll"), orderServices("drive")},
	} {
		t.Run(name, func(t *testing.T) {
			db := queriestest.New(t)
			by := queriestest.AdminActor(t, db)
			ids := make([]int64, 4)
			for i := range ids {
				var err error
				if ids[i], err = db.Links.Create(t.Context(), by, link.Draft{Name: fmt.Sprint("링크", i), URL: "{host}"}); err != nil {
					t.Fatal(err)
				}
			}
			outlines := []string{linkOutline(t, db)}
			var changes []int64
			for _, change := range []func(*areas.Areas, queries.Actor, []int64) error{test.first, test.second} {
				if err := change(db, by, ids); err != nil {
					t.Fatal(err)
				}
				c := latestChange(t, db, test.object, 0)
				if c.Action != name {
					t.Fatalf("the change is %+v", c)
				}
				changes, outlines = append(changes, c.ID), append(outlines, linkOutline(t, db))
			}
			for _, step := range []struct {
				revert  int // of changes
				refused bool
				want    string
			}{
				{0, true, outlines[2]}, {1, false, outlines[1]}, {1, true, outlines[1]}, {0, false, outlines[0]}, {0, true, outlines[0]},
			} {
				_, err := db.Audit.Revert(t.Context(), by, changes[step.revert], false)
				if refused := errors.Is(err, queries.Conflict("change.revert.changed")); refused != step.refused || !refused && err != nil {
					t.Errorf("reverting change %d: %v", step.revert, err)
				}
				if got := linkOutline(t, db); got != step.want {
					t.Errorf("after reverting change %d:\n%s\nwant:\n%s", step.revert, got, step.want)
				}
			}
		})
	}
}

// What has only been added since is no reason against reverting an order.
func TestRevertLinkOrderWithNewLinks(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	add := func(name string) int64 {
		t.Helper()
		id, err := db.Links.Create(t.Context(), by, link.Draft{Name: name, URL: "{host}"})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first, second := add("가"), add("나")
	before := linkOutline(t, db)
	if err := db.Links.Order(t.Context(), by, []int64{second, first}); err != nil {
		t.Fatal(err)
	}
	ordered := latestChange(t, db, "link_order", 0)
	added := add("다")
	if _, err := db.Audit.Revert(t.Context(), by, ordered.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Links.Delete(t.Context(), by, added, 0); err != nil {
		t.Fatal(err)
	}
	if got := linkOutline(t, db); got != before {
		t.Errorf("reverted:\n%s\nwant:\n%s", got, before)
	}
}

func TestRevertLinkDeletionOnce(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	id, err := db.Links.Create(t.Context(), by, link.Draft{Name: "가", URL: "{host}"})
	if err != nil {
		t.Fatal(err)
	}
	revertDeletionOnce(t, db, "link", id, func() error {
		_, err := db.Links.Delete(t.Context(), by, id, 0)
		return err
	})
}

// revertDeletionOnce deletes an object twice, and checks that each deletion is
// reverted only while the object is deleted by it.
func revertDeletionOnce(t *testing.T, db *areas.Areas, objectType string, id int64, del func() error) {
	t.Helper()
	by := queriestest.AdminActor(t, db)
	var deletions []int64
	for range 2 {
		if err := del(); err != nil {
			t.Fatal(err)
		}
		deletion := latestChange(t, db, objectType, id)
		deletions = append(deletions, deletion.ID)
		if len(deletions) == 2 {
			if _, err := db.Audit.Revert(t.Context(), by, deletions[0], false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
				t.Errorf("the first deletion after the second: %v", err)
			}
		}
		if _, err := db.Audit.Revert(t.Context(), by, deletion.ID, false); err != nil {
			t.Fatalf("deletion %d: %v", len(deletions), err)
		}
		if _, err := db.Audit.Revert(t.Context(), by, deletion.ID, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
			t.Errorf("deletion %d for the second time: %v", len(deletions), err)
		}
		if c := latestChange(t, db, objectType, id); c.Action != objectType+".restored" {
			t.Errorf("the latest change is %s", c.Action)
		}
	}
}
