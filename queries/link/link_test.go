package link_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/link"
	"officeconsole/queries/queriestest"
)

var admin = queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}

func draft(name string) link.Draft {
	return link.Draft{Name: name, URL: "https://{host}/" + name, Visible: true}
}

func create(t *testing.T, db *areas.Areas, names ...string) []int64 {
	t.Helper()
	ids := make([]int64, len(names))
	for i, name := range names {
		var err error
		if ids[i], err = db.Links.Create(t.Context(), admin, draft(name)); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// names gives the names of a company's links in their order.
func names(t *testing.T, db *areas.Areas, companyID int64) string {
	t.Helper()
	links, err := db.Links.Links(t.Context(), companyID)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, l := range links {
		if int(l.Position) != i+1 {
			t.Errorf("%s has position %d, not %d", l.Name, l.Position, i+1)
		}
		all = append(all, l.Name)
	}
	return strings.Join(all, " ")
}

func TestRefusedLink(t *testing.T) {
	db := queriestest.New(t)
	id := create(t, db, "가")[0]
	for name, test := range map[string]struct {
		draft link.Draft
		want  queries.FieldErrors
	}{
		"nothing":  {link.Draft{}, queries.FieldErrors{"name": "link.name.required", "url": "link.url.required"}},
		"blank":    {link.Draft{Name: " \t", URL: "https://a.example"}, queries.FieldErrors{"name": "link.name.required"}},
		"unseen":   {link.Draft{Name: "\u3164", URL: "https://a.example"}, queries.FieldErrors{"name": "link.name.required"}},
		"too long": {link.Draft{Name: strings.Repeat("가", 51), Description: strings.Repeat("나", 101), URL: "https://a.example"}, queries.FieldErrors{"name": "link.name.too_long", "description": "link.description.too_long"}},
		"tab":      {link.Draft{Name: "사내\t위키", Description: "결재\t게시판", URL: "https://a.example"}, queries.FieldErrors{"name": "link.name.invalid", "description": "link.description.invalid"}},
		"reversed": {link.Draft{Name: "위키\u202e", Description: "\u202e위키", URL: "https://a.example/\u202e"}, queries.FieldErrors{"name": "link.name.invalid", "description": "link.description.invalid", "url": "link.url.invalid"}},
		"bytes":    {link.Draft{Name: "위키\xff", Description: "\xed\xa0\x80", URL: "https://a.example/\xff"}, queries.FieldErrors{"name": "link.name.invalid", "description": "link.description.invalid", "url": "link.url.invalid"}},
		"no site":  {link.Draft{Name: "가", URL: "javascript:alert(1)"}, queries.FieldErrors{"url": "link.url.scheme"}},
	} {
		_, err := db.Links.Create(t.Context(), admin, test.draft)
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || !maps.Equal(refused, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
		err = db.Links.Update(t.Context(), admin, id, 0, func(link.Draft) link.Draft { return test.draft })
		if !errors.As(err, &refused) || !maps.Equal(refused, test.want) {
			t.Errorf("%s, changed: %v, want %v", name, err, test.want)
		}
	}
	if got := names(t, db, queriestest.Hanbit); got != "가" {
		t.Errorf("the links are %s", got)
	}
}

func TestTextsOfALinkAreOneLine(t *testing.T) {
	db := queriestest.New(t)
	if _, err := db.Links.Create(t.Context(), admin, link.Draft{Name: "사내\r\n위키\u2028", Description: "결재\n게시판\u2029", URL: "https://a.example"}); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select name || '/' || description from links"); got != "사내 위키/결재 게시판" {
		t.Errorf("the texts are %q", got)
	}
}

// A link from before its characters were refused can still be switched, but gets no other
// text with them.
func TestSwitchLinkWithRefusedCharacters(t *testing.T) {
	db := queriestest.New(t)
	id := create(t, db, "가")[0]
	queriestest.Exec(t, db, "update links set name = E'사내\t위키', description = E'결재\t'")
	if err := db.Links.Update(t.Context(), admin, id, 0, func(d link.Draft) link.Draft { d.Visible = false; return d }); err != nil {
		t.Errorf("switched: %v", err)
	}
	err := db.Links.Update(t.Context(), admin, id, 0, func(d link.Draft) link.Draft { d.Name += "!"; return d })
	var refused queries.FieldErrors
	if !errors.As(err, &refused) || !maps.Equal(refused, queries.FieldErrors{"name": "link.name.invalid"}) {
		t.Errorf("renamed: %v", err)
	}
}

func TestUpdateLink(t *testing.T) {
	db := queriestest.New(t)
	id := create(t, db, "가")[0]
	hide := func(d link.Draft) link.Draft { d.Visible = false; return d }
	if err := db.Links.Update(t.Context(), admin, id, 1, hide); err != nil {
		t.Fatal(err)
	}
	if err := db.Links.Update(t.Context(), admin, id, 1, func(d link.Draft) link.Draft { d.Name = "나"; return d }); !errors.Is(err, queries.Conflict("link.changed")) {
		t.Errorf("a change of an older version: %v", err)
	}
	if err := db.Links.Update(t.Context(), admin, id, 2, hide); err != nil { // nothing to change
		t.Error(err)
	}
	got, err := db.Links.Link(t.Context(), link.LinkParams{CompanyID: queriestest.Hanbit, ID: id})
	if err != nil || got.Draft() != (link.Draft{Name: "가", URL: "https://{host}/가"}) || got.VersionNo != 2 {
		t.Errorf("the link is %+v (%v)", got, err)
	}
	other := queries.Actor{CompanyID: queriestest.Other, UserID: queriestest.OtherAdmin}
	_, deleting := db.Links.Delete(t.Context(), other, id, 0)
	_, moving := db.Links.Move(t.Context(), other, id, 0)
	for name, err := range map[string]error{
		"update":  db.Links.Update(t.Context(), other, id, 0, hide),
		"delete":  deleting,
		"restore": db.Links.Restore(t.Context(), other, id),
		"move":    moving,
	} {
		if !errors.Is(err, queries.NotFound) {
			t.Errorf("%s by another company: %v", name, err)
		}
	}
	if got := queriestest.LookUp(t, db, "select string_agg(action, ' ' order by id) from changes where object_type = 'link'"); got != "link.created link.updated" {
		t.Errorf("the change log has %s", got)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from outbox where type = 'link.changed'"); got != "2" {
		t.Errorf("the messenger is told %s times", got)
	}
}

func TestMostLinks(t *testing.T) {
	db := queriestest.New(t)
	var all []string
	for i := range link.MaxLinks {
		all = append(all, fmt.Sprint("링크", i))
	}
	ids := create(t, db, all...)
	if _, err := db.Links.Create(t.Context(), admin, draft("하나더")); !errors.Is(err, queries.Invalid("link.limit")) {
		t.Errorf("one more: %v", err)
	}
	if _, err := db.Links.Delete(t.Context(), admin, ids[0], 0); err != nil {
		t.Fatal(err)
	}
	create(t, db, "마지막")
	if err := db.Links.Restore(t.Context(), admin, ids[0]); !errors.Is(err, queries.Invalid("link.limit")) {
		t.Errorf("one more by restoring: %v", err)
	}
	if _, err := db.Links.Create(t.Context(), queries.Actor{CompanyID: queriestest.Other}, draft("다른회사")); err != nil {
		t.Errorf("of another company: %v", err)
	}
}

// Of many who add a link at the same time, as many succeed as there is room for.
func TestLastLinkIsAddedOnce(t *testing.T) {
	db := queriestest.New(t)
	for i := range link.MaxLinks - 1 {
		create(t, db, fmt.Sprint("링크", i))
	}
	var group sync.WaitGroup
	results := make([]error, 2*int(db.Pool().Config().MaxConns))
	for i := range results {
		group.Go(func() { _, results[i] = db.Links.Create(t.Context(), admin, draft(fmt.Sprint("새", i))) })
	}
	group.Wait()
	added := 0
	for _, err := range results {
		if err == nil {
			added++
		} else if !errors.Is(err, queries.Invalid("link.limit")) {
			t.Error(err)
		}
	}
	if added != 1 {
		t.Errorf("%d were added", added)
	}
}

func TestDeleteAndRestoreLink(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	ids := create(t, db, "가", "나", "다")
	for _, id := range ids[:2] {
		if _, err := db.Links.Delete(t.Context(), admin, id, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Links.Delete(t.Context(), admin, ids[0], 0); !errors.Is(err, queries.NotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	if got := names(t, db, queriestest.Hanbit); got != "다" {
		t.Errorf("after deleting: %s", got)
	}
	if err := db.Links.Restore(t.Context(), admin, ids[0]); err != nil {
		t.Fatal(err)
	}
	if got := names(t, db, queriestest.Hanbit); got != "가 다" {
		t.Errorf("after restoring: %s", got)
	}
	clock.Advance(link.RestoreTime + time.Second)
	if err := db.Links.Restore(t.Context(), admin, ids[1]); !errors.Is(err, queries.NotFound) {
		t.Errorf("restored late: %v", err)
	}
}
