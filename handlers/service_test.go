package handlers_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

const servicesPath = "/manage/link/convenience"

// services gives the ids of the services in the table, and what the preview shows.
func (c *client) services(query string) (ids, preview string) {
	c.site.t.Helper()
	a := c.get(servicesPath + query).want(200)
	for _, row := range regexp.MustCompile(`<tr id="service-(\w+)"`).FindAllStringSubmatch(a.body, -1) {
		ids += " " + row[1]
	}
	dock := regexp.MustCompile(`(?s)<ol class="dock">.*?</ol>`).FindString(a.text())
	for _, shown := range regexp.MustCompile(`(?s)</svg>\s*([^<]+?)\s*</li>`).FindAllStringSubmatch(dock, -1) {
		preview += "," + shown[1]
	}
	return strings.TrimPrefix(ids, " "), strings.TrimPrefix(preview, ",")
}

const usualServices = "chat mail meeting screen_share drive board calendar poll translation remote_support contacts work_clock"

func TestServices(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	ids, preview := admin.services("")
	if ids != usualServices || strings.Count(preview, ",") != 11 {
		t.Errorf("%s; preview %s", ids, preview)
	}
	if _, preview := admin.services("?platform=mobile"); strings.Count(preview, ",") != 9 || strings.Contains(preview, "화면 공유") {
		t.Errorf("preview of mobile: %s", preview)
	}
	admin.get(servicesPath+"?platform=mobile").shows("12/12", "10/10", "지원 안 함", "항상", `href="`+servicesPath+`?platform=web"`)
	for _, path := range []string{"?platform=watch", "?platform=PC"} {
		admin.get(servicesPath + path).want(404)
		admin.post(servicesPath+"/mail/visibility"+path, "pc", "false").want(404)
		admin.post(servicesPath+"/mail/position"+path, "after", "chat").want(404)
	}
	for language, title := range map[string]string{"": "편의 서비스", "/en": "Convenience services", "/ja": `<html lang="ja">`} {
		admin.get(language + servicesPath).want(200).shows(title).hides("⟦")
	}
}

func TestServiceSwitches(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const here = servicesPath + "?platform=web"
	admin.post(servicesPath+"/poll/visibility?platform=web", "web", "false").leads(here)
	admin.get(here).shows("투표’ 노출을 껐습니다.", "실행 취소", "11/12", "숨긴 서비스: 투표")
	if _, preview := admin.services("?platform=web"); strings.Contains(preview, "투표") {
		t.Errorf("the preview of the web shows %s", preview)
	}
	if _, preview := admin.services("?platform=pc"); !strings.Contains(preview, "투표") {
		t.Errorf("the preview of the PC shows %s", preview)
	}
	admin.post(servicesPath+"/mail/visibility?platform=web", "web", "false", "pc", "false").leads(here)
	admin.undo(here).leads(here)
	admin.get(here).shows("숨긴 서비스: 투표").hides("숨긴 서비스: 투표,")
	if n := s.count("select count(*) from convenience_services where id = 'mail' and platforms = '{pc,web,mobile}'"); n != 1 {
		t.Error("not every platform is undone")
	}
	for path, message := range map[string]string{
		"/chat/visibility":         "대화는",
		"/screen_share/visibility": "이 환경에서는 지원하지 않는 서비스",
	} {
		admin.post(servicesPath+path, "pc", "false", "mobile", "true").want(422).shows(message)
	}
	admin.post(servicesPath+"/fax/visibility", "pc", "false").want(404)
	admin.post(servicesPath + "/mail/visibility").want(404)
}

func TestMoveService(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const here = servicesPath + "?platform=mobile"
	admin.post(servicesPath+"/poll/position?platform=mobile", "after", "chat").leads(here)
	admin.get(here).shows("투표’의 순서를 바꿨습니다.")
	if ids, preview := admin.services("?platform=mobile"); !strings.HasPrefix(ids, "chat poll mail") || !strings.HasPrefix(preview, "대화,투표,") {
		t.Errorf("%s; preview %s", ids, preview)
	}
	admin.post(servicesPath+"/poll/position", "after", "work_clock").leads(servicesPath + "?platform=pc")
	admin.undo(servicesPath).leads(servicesPath + "?platform=pc")
	if ids, _ := admin.services(""); !strings.HasPrefix(ids, "chat poll mail") {
		t.Errorf("undone: %s", ids)
	}
	admin.post(servicesPath+"/chat/position", "after", "mail").want(422).shows("대화는")
	for _, unknown := range []string{"", "0", "fax"} {
		admin.post(servicesPath+"/mail/position", "after", unknown).want(404)
	}
	admin.post(servicesPath+"/fax/position", "after", "chat").want(404)
}

func TestServicesForAdministratorsOnly(t *testing.T) {
	s := newSite(t)
	employee, other := s.as(queriestest.Employee), s.as(queriestest.OtherAdmin)
	s.as(queriestest.Admin).post(servicesPath+"/poll/visibility", "pc", "false").leads(servicesPath + "?platform=pc")
	for _, path := range []string{"/poll/visibility", "/poll/position"} {
		employee.post(servicesPath+path, "pc", "true", "after", "chat").leads("/logs/workingattitude/day")
	}
	employee.get(servicesPath).leads("/logs/workingattitude/day")
	s.nobody().get(servicesPath).leads("/login?next=" + url.QueryEscape(servicesPath))
	if _, preview := other.services(""); !strings.Contains(preview, "투표") {
		t.Errorf("another company sees %s", preview)
	}
}
