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
	if _, err := db.Audit.Revert(t.Context(), by, first.ID, false); !errors.Is(err, queries.Conflict("link.changed")) {
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
