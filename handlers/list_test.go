package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// A list and its file take every filter of theirs together. Filters of other
// lists do not change a page; a file that would have to ignore one is not found,
// because it would hold what nobody asked for.
func TestEveryFilterAtOnce(t *testing.T) {
	c := aWeek(t).as(queriestest.Admin)
	const shared = "q=김철수&department_id=2&edited=1&"
	for path, own := range map[string]string{
		"/logs/workingattitude/day":        shared + "date=2026-11-18&status=late&device=pc&sort=-worked",
		weekLog:                            shared + "date=2026-11-18&status=late&over=52",
		monthLog:                           shared + "month=2026-11&status=late&sort=-late",
		"/logs/workingattitude/management": shared + "from=2026-11-16&to=2026-11-20&status=late&device=pc&deleted=1",
	} {
		c.get(path + "?" + own).want(200)
		c.get(path + "/export?format=csv&" + own).want(200)
	}
	for path, foreign := range map[string]string{
		"/logs/workingattitude/day":        "over=52&deleted=1",
		weekLog:                            "device=pc&deleted=1",
		monthLog:                           "device=pc&deleted=1&over=52",
		"/logs/workingattitude/management": "over=52&sort=-late",
	} {
		c.get(path + "?" + foreign).want(200)
		c.get(path + "/export?format=csv&" + foreign).want(404)
	}
	c.get("/policies/communication/management?q=영업&status=enabled&department_id=2&sort=name").want(200)
	c.get("/policies/communication/status?q=김철수&source=default&department_id=2&policy_id=1").want(200)
	c.get("/policies/workingattitude/manager?q=김철수&editing=yes").want(200)
}

func TestLongSearch(t *testing.T) {
	s := newSite(t)
	admin := s.nobody()
	admin.signIn(queriestest.Admin)
	long := strings.Repeat("가", 201)
	for _, page := range []string{
		"/logs/workingattitude/day", "/logs/workingattitude/week", "/policies/communication/management", "/policies/communication/status",
		"/logs/communication/file", "/policies/workingattitude/manager", "/manage/notice", "/manage/use/hidden",
		"/manage/security/access", "/manage/security/changes",
	} {
		a := admin.get(page + "?q=" + url.QueryEscape(long))
		if a.status == http.StatusNotFound {
			t.Errorf("%s is no page", page)
			continue
		}
		a.want(http.StatusUnprocessableEntity).shows("검색어는 200자까지 입력할 수 있습니다.", long)
	}
}

// A search text that is too short changes nothing in the list but the message above it.
func TestRefusedSearchShowsTheRows(t *testing.T) {
	c := aWeek(t).as(queriestest.Admin)
	for _, path := range []string{
		"/logs/workingattitude/day?view=all&date=2026-11-18",
		weekLog + "?date=2026-11-18",
		"/logs/workingattitude/month?month=2026-11",
		"/logs/workingattitude/management?from=2026-11-18&to=2026-11-18",
		"/policies/communication/status?source=default",
	} {
		rows := c.get(path).want(200).rows()
		refused := c.get(path+"&q=z").want(422).shows(`value="z"`, `role="alert"`)
		if refused.rows() == "" || !strings.HasSuffix(rows, refused.rows()) { // a week without filters also has a board
			t.Errorf("%s shows %q, want %q", path, refused.rows(), rows)
		}
	}
}
