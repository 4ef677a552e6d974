package link_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"officeconsole/queries"
	"officeconsole/queries/queriestest"
)

func TestMoveLink(t *testing.T) {
	for _, test := range []struct {
		id, after int // of the links 1 to 4; 0 is the beginning
		want      string
	}{
		{3, 0, "다 가 나 라"}, {1, 4, "나 다 라 가"}, {1, 2, "나 가 다 라"}, {4, 2, "가 나 라 다"}, {2, 1, "가 나 다 라"}, {1, 0, "가 나 다 라"}, {2, 2, "가 나 다 라"},
	} {
		db := queriestest.New(t)
		ids := append([]int64{0}, create(t, db, "가", "나", "다", "라")...)
		if _, err := db.Links.Move(t.Context(), admin, ids[test.id], ids[test.after]); err != nil {
			t.Error(err)
		}
		if got := names(t, db, queriestest.Hanbit); got != test.want {
			t.Errorf("%d after %d: %s, want %s", test.id, test.after, got, test.want)
		}
	}
}

func TestMoveLinkAfterDeletedOne(t *testing.T) {
	db := queriestest.New(t)
	ids := create(t, db, "가", "나", "다")
	if _, err := db.Links.Delete(t.Context(), admin, ids[1], 0); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Links.Move(t.Context(), admin, ids[0], ids[1]); !errors.Is(err, queries.Conflict("link.neighbor_deleted")) {
		t.Errorf("after a deleted link: %v", err)
	}
	if _, err := db.Links.Move(t.Context(), admin, ids[1], 0); !errors.Is(err, queries.NotFound) {
		t.Errorf("a deleted link: %v", err)
	}
	if got := names(t, db, queriestest.Hanbit); got != "가 다" {
		t.Errorf("the links are %s", got)
	}
}

// Two people who move links at the same time both get what they did.
func TestMoveLinksAtTheSameTime(t *testing.T) {
	db := queriestest.New(t)
	ids := create(t, db, "가", "나", "다", "라", "마", "바")
	var group sync.WaitGroup
	for _, move := range [][2]int64{{ids[5], 0}, {ids[0], ids[3]}} {
		group.Go(func() {
			if _, err := db.Links.Move(t.Context(), admin, move[0], move[1]); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := names(t, db, queriestest.Hanbit); got != "바 나 다 라 가 마" {
		t.Errorf("the links are %s", got)
	}
}

func TestOrderLinks(t *testing.T) {
	db := queriestest.New(t)
	ids := create(t, db, "가", "나", "다", "라")
	for name, test := range map[string]struct {
		ids  []int64
		want queries.Invalid
	}{
		"twice":   {[]int64{ids[0], ids[1], ids[0]}, "link.order.twice"},
		"unknown": {[]int64{ids[0], 999}, "link.order.unknown"},
	} {
		err := db.Links.Order(t.Context(), admin, test.ids)
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || refused["ids"] != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := db.Links.Order(t.Context(), admin, []int64{ids[3], ids[1]}); err != nil {
		t.Fatal(err)
	}
	if got := names(t, db, queriestest.Hanbit); got != "라 나 가 다" {
		t.Errorf("the links are %s", got)
	}
}

// After whatever happens, positions are 1, 2, 3 … and every link is there once.
func TestOrderHolds(t *testing.T) {
	db := queriestest.New(t)
	number := 0
	rapid.Check(t, func(r *rapid.T) {
		links, err := db.Links.Links(t.Context(), queriestest.Hanbit)
		if err != nil {
			r.Fatal(err)
		}
		any := func(label string) int64 {
			return links[rapid.IntRange(0, len(links)-1).Draw(r, label)].ID
		}
		switch action := rapid.SampledFrom([]string{"create", "delete", "move", "first"}).Draw(r, "action"); {
		case len(links) == 0 || action == "create" && len(links) < 40:
			number++
			create(t, db, fmt.Sprint("링크", number))
		case action == "delete":
			id := any("id")
			if _, err := db.Links.Delete(t.Context(), admin, id, 0); err != nil {
				r.Fatal(err)
			}
			if rapid.Bool().Draw(r, "restored") {
				if err := db.Links.Restore(t.Context(), admin, id); err != nil {
					r.Fatal(err)
				}
			}
		case action == "move":
			if _, err := db.Links.Move(t.Context(), admin, any("id"), any("after")); err != nil {
				r.Fatal(err)
			}
		case action == "first":
			if _, err := db.Links.Move(t.Context(), admin, any("id"), 0); err != nil {
				r.Fatal(err)
			}
		}
		names(t, db, queriestest.Hanbit)
	})
}
