package handlers_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
	"officeconsole/sender"
)

const webhookPath = "/manage/use/webhook/outgoing"

// addWebhook gives the company of a client a webhook.
func (c *client) addWebhook() {
	c.site.t.Helper()
	c.post(webhookPath, "version", "0", "url", "https://hooks.example/console", "all", "true").leads(webhookPath)
}

// attempt makes the next attempt of the webhook with a result.
func (s *site) attempt(result webhook.Result) {
	s.t.Helper()
	leased, err := s.db.Webhooks.Lease(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	a, err := s.db.Webhooks.Next(s.t.Context(), leased)
	if err == nil {
		err = s.db.Webhooks.Finish(s.t.Context(), a, result)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.db.Webhooks.Release(s.t.Context(), leased); err != nil {
		s.t.Fatal(err)
	}
}

// publish adds a message.
func (s *site) publish() {
	s.t.Helper()
	if err := s.db.Publish(s.t.Context(), queriestest.Hanbit, s.clock.Now(), "link.changed", struct{}{}); err != nil {
		s.t.Fatal(err)
	}
}

func TestWebhookPage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(webhookPath).want(200).shows("보낼 주소가 없습니다", "?new=1").hides("<table", `name="url"`)
	admin.get(webhookPath+"?new=1").want(200).shows(`name="url"`, `name="all" value="true" checked`, "바로가기 변경").hides("서명 비밀 값")
	admin.addWebhook()
	page := admin.get(webhookPath).want(200).shows("주소를 등록했습니다", "지금 복사해 두세요", "보낸 내용 없음", `value="https://hooks.example/console"`, "전달 기록이 없습니다", "현재 비밀 값")
	secret := regexp.MustCompile(`<code id="new-secret">(whsec_[^<]+)</code>`).FindStringSubmatch(page.text())
	if e, err := s.db.Webhooks.Endpoint(t.Context(), queriestest.Hanbit); err != nil || secret == nil || e.Secret != secret[1] {
		t.Fatalf("the page shows the secret %v, %v", secret, err)
	}
	admin.get(webhookPath).want(200).hides("whsec_"+secret[1][6:20], "지금 복사해 두세요")
	admin.get(webhookPath + "?new=1").want(200).shows("전달 기록")
	s.as(queriestest.OtherAdmin).get(webhookPath).want(200).shows("보낼 주소가 없습니다")

	admin.post(webhookPath, "version", "1", "url", "https://hooks.example/2", "all", "false", "type", "link.changed").leads(webhookPath)
	admin.get("/en"+webhookPath).want(200).shows("The destination was saved.", `value="https://hooks.example/2"`, `name="all" value="false" checked`, `value="link.changed" checked`).hides(`value="policy.changed" checked`)
	stale := admin.post(webhookPath, "version", "1", "url", "https://hooks.example/3", "all", "false", "type", "policy.changed").want(409)
	stale.shows("김서연 님이 11월 20일 10:00에 먼저 저장했습니다", `value="https://hooks.example/3"`, `value="policy.changed" checked`).hides(`value="link.changed" checked`)
	admin.post(webhookPath, "version", "0", "url", "https://hooks.example/3", "all", "true").want(409).shows("먼저 저장했습니다", `name="version" value="2"`)

	admin.get(webhookPath+"?delete=1").want(200).shows("주소를 삭제하시겠습니까?", "https://hooks.example/2", `name="version" value="2"`)
	admin.post(webhookPath+"/delete", "version", "1").want(409)
	admin.post(webhookPath+"/delete", "version", "2").leads(webhookPath)
	admin.get(webhookPath).shows("주소를 삭제했습니다.", "보낼 주소가 없습니다")
}

// Saving over what somebody else has saved says who that was; saving again replaces it.
func TestSaveWebhookTwice(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addWebhook()
	s.exec("update users set is_admin = true where company_id = 1 and id = $1", queriestest.Employee)
	s.as(queriestest.Employee).post(webhookPath, "version", "1", "url", "https://hooks.example/second", "all", "true").leads(webhookPath)
	typed := form{"version", "1", "url", "https://hooks.example/mine", "all", "true"}
	for language, text := range map[string]string{"": "먼저 저장했습니다", "/en": "saved first", "/ja": "先に保存しました"} {
		admin.post(language+webhookPath, typed...).want(409).shows(text, `href="`+language+webhookPath+`" target="_blank"`).hides("⟦")
	}
	conflict := admin.post(webhookPath, typed...).want(409)
	admin.post(webhookPath, typed.with("version", conflict.field("version"))...).leads(webhookPath)
	if n := s.count("select count(*) from webhooks where url = 'https://hooks.example/mine'"); n != 1 {
		t.Error("saving again has not replaced the webhook")
	}
}

// Saving a webhook that somebody has deleted loses nothing that was typed: saving it once
// more adds it anew. Anything else that is done with it says who deleted it.
func TestDeletedWebhook(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addWebhook()
	admin.post(webhookPath+"/delete", "version", "1").leads(webhookPath)
	const gone = "김서연 님이 2026년 11월 20일 10:00에 이 주소를 삭제했습니다"
	for _, action := range []string{"/delete", "/enabling", "/resumption", "/secret/rotation", "/secret/end", "/test", "/deliveries/1/redelivery"} {
		admin.post(webhookPath+action, "version", "1", "enabled", "false", "overlap", "0").leads(webhookPath)
		admin.get(webhookPath).want(200).shows(gone)
	}
	typed := form{"version", "1", "url", "https://hooks.example/mine", "all", "false", "type", "policy.changed"}
	for language, text := range map[string]string{"/en": "김서연 deleted this address at", "/ja": "この送信先を削除しました"} {
		admin.post(language+webhookPath, typed...).want(409).shows(text).hides("⟦")
	}
	again := admin.post(webhookPath, typed...).want(409).shows(gone, "새로 등록", `value="https://hooks.example/mine"`, `value="policy.changed" checked`)
	admin.post(webhookPath, typed.with("version", again.field("version"))...).leads(webhookPath)
	admin.get(webhookPath).want(200).shows("https://hooks.example/mine", `id="new-secret"`)
	s.as(queriestest.OtherAdmin).post(webhookPath, typed.with("url", "")...).want(404)
}

func TestWebhookFormRefuses(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, test := range []struct {
		language string
		pairs    []string
		shows    []string
	}{
		{"", []string{"all", "true"}, []string{"URL을 입력해 주세요.", `href="#url"`, `id="url-error"`}},
		{"", []string{"url", "http://hooks.example", "all", "false"}, []string{"https://로 시작하는", "하나 이상 선택해 주세요", `href="#types"`, `name="all" value="false" checked`, `value="http://hooks.example"`}},
		{"/en", []string{"url", "https://127.0.0.1/", "all", "true"}, []string{"Addresses of the internal network", `value="https://127.0.0.1/"`}},
		{"/ja", []string{"url", "https://10.0.0.1/", "all", "true"}, []string{`<html lang="ja">`, "社内ネットワーク"}},
		{"", []string{"url", `javascript:alert("x")`, "all", "true"}, []string{"보낼 수 있는 URL이 아닙니다", `value="javascript:alert("x")"`}},
		{"", []string{"url", "https://hooks.example/" + strings.Repeat("a", 500), "all", "true"}, []string{"500자까지"}},
		{"", []string{"url", "https://hooks.example", "all", "false", "type", "all"}, []string{"없는 종류"}},
	} {
		admin.post(test.language+webhookPath, append(test.pairs, "version", "0")...).want(422).shows(test.shows...).hides("⟦")
	}
	admin.addWebhook()
	admin.post(webhookPath, "version", "1", "url", "https://192.168.0.1/", "all", "true").want(422).shows("사내망", "전달 기록", `value="https://192.168.0.1/"`)
	if n := s.count("select count(*) from webhooks where url = 'https://hooks.example/console'"); n != 1 {
		t.Error("a refused URL was stored")
	}
}

func TestEnableWebhook(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addWebhook()
	admin.post(webhookPath+"/enabling", "enabled", "false").leads(webhookPath)
	admin.get(webhookPath).shows("껐습니다", "사용 안 함", `aria-pressed="false"`)
	admin.post(webhookPath + "/test").want(422)
	admin.post(webhookPath+"/enabling", "enabled", "true").leads(webhookPath)
	admin.undo(webhookPath).leads(webhookPath)
	if n := s.count("select count(*) from webhooks where not enabled and version_no = 4"); n != 1 {
		t.Error("not undone")
	}
	// An address that is private by now can be disabled only.
	s.exec("update webhooks set url = 'https://10.0.0.1/'")
	admin.post(webhookPath+"/enabling", "enabled", "true").want(422).shows("사내망")
	s.exec("update webhooks set enabled = true")
	admin.post(webhookPath+"/enabling", "enabled", "false").leads(webhookPath)
}

func TestRotateWebhookSecret(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addWebhook()
	admin.get(webhookPath)
	admin.post(webhookPath+"/secret/rotation", "overlap", "1").leads(webhookPath)
	admin.get(webhookPath).want(200).shows("비밀 값을 바꿨습니다.", `id="new-secret"`, "이전 비밀 값", "11/20 11:00까지", "즉시 폐기", `<option value="0">`, "그 기간이 끝난 뒤").
		hides(`<option value="24"`) // one overlap at a time
	admin.post(webhookPath + "/secret/end").leads(webhookPath)
	admin.get(webhookPath).shows("이전 비밀 값을 폐기했습니다.").shows(`<option value="24" selected>`).hides("11:00까지", `id="new-secret"`)
	admin.post(webhookPath+"/secret/rotation", "overlap", "0").leads(webhookPath)
	admin.get(webhookPath).hides("즉시 폐기")
	for _, overlap := range []string{"", "x", "2", "-1", "9999"} {
		admin.post(webhookPath+"/secret/rotation", "overlap", overlap).want(404)
	}
}

func TestWebhookLog(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addWebhook()
	s.publish()
	s.attempt(webhook.Result{Answer: sender.Answer{Status: 204}, Duration: 1234 * time.Millisecond})
	admin.get(webhookPath).want(200).shows("정상", "10:00:00", "바로가기 변경", "204", "1,234ms", "다시 보내기", "전체 1건 중 1–1")
	s.clock.Advance(time.Minute)
	s.publish()
	s.attempt(webhook.Result{Answer: sender.Answer{Status: 503, Text: "<b>busy</b>"}})
	page := admin.get(webhookPath).want(200).shows("전달 실패", "다시 시도 10:01", "503", "24시간 2건 중", "실패 1건", "지금 보내기")
	id := s.count("select max(id) from webhook_deliveries")
	message := fmt.Sprintf("msg_%d", s.count("select max(message_id) from webhook_deliveries"))
	page.shows(message)
	detail := admin.get(fmt.Sprintf("%s?delivery=%d", webhookPath, id)).want(200).shows("전달 내용", message, "503 Service Unavailable", "다음 시도", "<b>busy</b>")
	if strings.Contains(detail.body, "<b>busy") {
		t.Error("the answer is not escaped")
	}
	admin.get(webhookPath + "?status=delivered").want(200).shows("204").hides("503")
	admin.get(webhookPath+"?status=failed").want(200).shows("이 상태의 기록이 없습니다", "전체 기록 보기")
	for _, query := range []string{"?status=lost", "?cursor=x", "?delivery=x", "?delivery=999999"} {
		admin.get(webhookPath + query).want(404)
	}
	admin.post(fmt.Sprintf("%s/deliveries/%d/redelivery?status=waiting", webhookPath, id)).leads(webhookPath + "?status=waiting")
	admin.get(webhookPath+"?status=waiting").shows("메시지를 다시 보냅니다.", "보내는 중", message)
	s.attempt(webhook.Result{Failure: "timeout"})
	admin.get(webhookPath).shows("응답 없음")
	admin.post(webhookPath + "/deliveries/x/redelivery").want(404)
	admin.post(fmt.Sprintf("%s/deliveries/%d/redelivery?status=lost", webhookPath, id)).want(404)

	admin.post(webhookPath + "/test").leads(webhookPath)
	admin.get(webhookPath).shows("시험 메시지를 보냅니다", "시험 메시지")
	for range 30 {
		s.publish()
	}
	s.attempt(webhook.Result{Answer: sender.Answer{Status: 200}})
	first := admin.get(webhookPath).want(200).shows("1–20")
	next := regexp.MustCompile(`rel="next" href="([^"#]+)#log"`).FindStringSubmatch(first.body)
	if next == nil {
		t.Fatal("there is no second page")
	}
	second := admin.get(strings.ReplaceAll(next[1], "&amp;", "&")).want(200)
	if n := strings.Count(second.body, `<tr id="delivery-`); n != 13 {
		t.Errorf("the second page has %d rows", n)
	}
}

func TestPausedWebhook(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addWebhook()
	s.publish()
	s.attempt(webhook.Result{Failure: "connection"})
	s.exec("update webhooks set failures = 5, failing_since = $1, paused_until = $2", s.clock.Now(), s.clock.Now().Add(10*time.Minute))
	admin.get(webhookPath).want(200).shows("일시 중지", "10:10:00에 다시 한 번 보내고", "연결 실패", webhookPath+"/resumption")
	admin.get("/en" + webhookPath).shows("One attempt is made at 10:10:00")
	admin.post(webhookPath + "/resumption").leads(webhookPath)
	admin.get(webhookPath).shows("지금 다시 보냅니다", "곧 다시 한 번 보내고")
	s.attempt(webhook.Result{Answer: sender.Answer{Status: 410}})
	admin.get(webhookPath).shows("410으로 더 이상 받지 않겠다고", "10:00:00에 껐습니다", `aria-pressed="false"`).hides("일시 중지")
}

func TestWebhookForAdministratorsOnly(t *testing.T) {
	s := newSite(t)
	s.as(queriestest.Admin).addWebhook()
	employee := s.as(queriestest.Employee)
	for _, action := range []string{"", "/delete", "/enabling", "/resumption", "/secret/rotation", "/secret/end", "/test"} {
		employee.post(webhookPath+action, "enabled", "false", "overlap", "0").leads("/logs/workingattitude/day")
	}
	other := s.as(queriestest.OtherAdmin)
	for _, action := range []string{"/delete", "/enabling", "/resumption", "/secret/end", "/test"} {
		other.post(webhookPath+action, "enabled", "false").want(404)
	}
	if n := s.count("select count(*) from webhooks where enabled and version_no = 1"); n != 1 {
		t.Error("somebody else changed the webhook")
	}
}
