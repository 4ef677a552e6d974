package hiding_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/hiding"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

func TestList(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	admin := queriestest.AdminActor(t, db)
	for i, id := range []int64{queriestest.Kim, queriestest.Foreigner, queriestest.Japanese} {
		clock.Advance(time.Minute)
		if _, err := db.Hidings.Hide(t.Context(), admin, hiding.Draft{UserIDs: []int64{id}, Kind: hiding.Kinds[i], Reason: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		address, want string
		count         int64
	}{
		"all":                    {"", "[8 7 6 5]", 4},
		"by name":                {"q=김철", "[6]", 1},
		"by initials":            {"q=ㄱㅊㅅ", "[6]", 1},
		"by department":          {"q=해외영업", "[7]", 1},
		"by name and department": {"q=정하윤 연구소", "[5]", 1},
		"by kind":                {"kind=leave", "[7 5]", 2},
		"by kind and name":       {"kind=leave&q=Olivia", "[7]", 1},
		"nobody":                 {"q=없는사람", "[]", 0},
	} {
		query, err := url.ParseQuery(c.address)
		if err != nil {
			t.Fatal(err)
		}
		f, err := hiding.ReadFilter(query)
		if err != nil {
			t.Fatal(err)
		}
		f.Limit = 2
		var ids, back []int64
		var page lists.Page[hiding.HiddenUser]
		for {
			if page, err = db.Hidings.List(t.Context(), queriestest.Hanbit, f); err != nil {
				t.Fatal(err)
			}
			for _, row := range page.Rows {
				ids = append(ids, row.UserID)
			}
			if page.Next == nil {
				break
			}
			f.Cursor = page.Next
		}
		if got := fmt.Sprint(ids); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
		for f.Cursor = page.Previous; f.Cursor != nil; f.Cursor = page.Previous {
			if page, err = db.Hidings.List(t.Context(), queriestest.Hanbit, f); err != nil {
				t.Fatal(err)
			}
			for _, row := range page.Rows {
				back = append(back, row.UserID)
			}
		}
		if len(ids) > 2 && fmt.Sprint(back) != fmt.Sprint(ids[:2]) {
			t.Errorf("%s backward: %v", name, back)
		}
		if n, err := db.Hidings.Count(t.Context(), queriestest.Hanbit, f); err != nil || n != c.count {
			t.Errorf("%s: %d counted, %v", name, n, err)
		}
	}
	page, err := db.Hidings.List(t.Context(), queriestest.Hanbit, hiding.Filter{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	row := page.Rows[0]
	if row.Name != "佐藤ひろし" || row.Department != "일본지사" || row.HiddenByName != "김서연" || row.Kind != hiding.ContractEnd || row.Reason != "2" || !row.HiddenAt.Equal(clock.Now()) {
		t.Errorf("%+v", row)
	}
	if page, err := db.Hidings.List(t.Context(), queriestest.Other, hiding.Filter{Limit: 10}); err != nil || len(page.Rows) > 0 {
		t.Errorf("another company's: %v %v", page.Rows, err)
	}
	if _, err := hiding.ReadFilter(url.Values{"kind": {"x"}, "cursor": {"x"}, "q": {"a"}}); len(err.(queries.FieldErrors)) != 3 {
		t.Errorf("refused: %v", err)
	}
}

func TestConsequences(t *testing.T) {
	db := queriestest.New(t)
	for range 2 {
		if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Identity.IssueAccessToken(t.Context(), queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)); err != nil {
		t.Fatal(err)
	}
	queriestest.RegisterViewer(t, db, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithSubtree(queriestest.Sales)}, false, queriestest.Employee))
	got, err := db.Hidings.Consequences(t.Context(), queriestest.Hanbit, []int64{queriestest.Employee, queriestest.Japanese})
	if want := (hiding.Consequences{SignIns: 2, Tokens: 1, Policies: 1, Viewers: 1}); err != nil || got != want {
		t.Errorf("%+v %v", got, err)
	}
}
