package handlers_test

import (
	"regexp"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

// A client that was installed just now is not idle, and the page and its file say the
// same of it.
func TestNewInstallationIsNotIdle(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	event := usage.ClientEvent{EventID: "i", UserID: queriestest.Kim, Platform: usage.PC, Kind: usage.ClientInstall, Version: "6.4.2", OS: "Windows 11", DeviceID: "d", OccurredAt: s.clock.Now().Add(-5 * time.Minute)}
	if results, err := s.db.Usage.TakeClientEvents(t.Context(), queriestest.Hanbit, []usage.ClientEvent{event}); err != nil || results[0].Status != usage.Accepted {
		t.Fatal(results, err)
	}
	page := admin.get(pcClientsPath).want(200).shows("30일 이상 미사용 0", "로그인 없음")
	if idle := regexp.MustCompile(`30일 이상 미사용</dt><dd>0</dd>`); !idle.MatchString(page.body) {
		t.Error("the figure counts the installation as idle")
	}
	admin.get(pcClientsPath + "?state=idle").want(200).hides("김철수")
	admin.get(pcClientsPath + "/export?format=csv&q=김철수").want(200).shows("로그인 없음").hides("미사용")
	s.clock.Advance(31 * 24 * time.Hour)
	admin.signIn(queriestest.Admin)
	admin.get(pcClientsPath+"?state=idle").want(200).shows("김철수", "로그인 없음", "30일 이상 미사용 1")
	admin.get(pcClientsPath + "/export?format=csv&q=김철수").want(200).shows("로그인 없음")
	event.EventID, event.Kind, event.OccurredAt = "u", usage.ClientUninstall, s.clock.Now()
	if _, err := s.db.Usage.TakeClientEvents(t.Context(), queriestest.Hanbit, []usage.ClientEvent{event}); err != nil {
		t.Fatal(err)
	}
	admin.get(pcClientsPath + "?q=김철수").want(200).shows("제거됨")
	if people := regexp.MustCompile(`1–7 of 7\b`); !people.MatchString(admin.get("/en" + pcClientsPath).want(200).hides("7 people</").text()) {
		t.Error("the range of the list is not written as in other lists")
	}
	admin.get(pcClientsPath + "/export?format=csv&q=김철수").want(200).shows("제거됨").hides("미설치")
}

// A search that is refused leaves the rows beside the message.
func TestRefusedSearchKeepsTheList(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(hiddenPath+"?q=x").want(422).shows(`role="alert"`, "정하윤", `value="x"`)
	admin.get(hiddenPath+"?q=x&state=deactivated").want(422).shows(`role="alert"`, "비활성 사용자가 없습니다")
	admin.get(pcClientsPath+"?q=x").want(422).shows(`role="alert"`, "김철수", `value="x"`)
}
