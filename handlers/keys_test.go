package handlers_test

import (
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestLetterKeys(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	letters := func() bool { return strings.Contains(admin.get("/logs/workingattitude/day").body, "data-letters") }
	if !letters() {
		t.Fatal("they are off")
	}
	if a := admin.post("/profile/keys"); a.status != 303 || a.location() != "/profile" {
		t.Errorf("got %d to %q", a.status, a.location())
	}
	if page := admin.get("/profile").body; !strings.Contains(page, "한 글자 단축키를 껐습니다.") || strings.Contains(page, `name="letters" value="on" checked`) {
		t.Error("the profile says that they are on")
	}
	if letters() {
		t.Error("they are on after switching them off")
	}
	admin.post("/profile/keys", "letters", "on")
	if !letters() {
		t.Error("they are off after switching them on")
	}
	if page := s.as(queriestest.Employee).get("/profile").body; strings.Contains(page, "한 글자 단축키") {
		t.Error("it is offered to somebody without such a page")
	}
}
