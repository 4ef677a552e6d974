package handlers_test

import (
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// The link to customer support leads to a page that needs no scripts. Scripts get a drawer
// with the same.
func TestSupport(t *testing.T) {
	s := newSite(t)
	for _, user := range []int64{queriestest.Admin, queriestest.Employee} {
		page := s.as(user).with("User-Agent", "Browser/1").get("/support").want(200).shows("1661-5975", "Browser/1", `href="/support" aria-current="page"`)
		if n := strings.Count(page.body, `id="support-facts"`); n != 1 {
			t.Errorf("user %d: %d elements have the id of the facts, want 1", user, n)
		}
	}
	s.as(queriestest.Admin).get("/profile").shows(`href="/support" data-support`).hides("1661-5975")
	drawer := s.as(queriestest.Admin).with("HX-Request", "true").get("/support").want(200).shows(`<dialog id="support"`, "1661-5975").hides("<html")
	if n := strings.Count(drawer.body, `id="support-facts"`); n != 1 {
		t.Errorf("the drawer has the facts %d times, want once", n)
	}
}
