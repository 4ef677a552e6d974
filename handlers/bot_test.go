package handlers_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/bot"
	"officeconsole/queries/queriestest"
)

const botPage = "/manage/use/webhook"

func TestBotPage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(botPage).want(200).shows("웹훅 서비스 봇", `value="알림봇"`, "아직 없음", "모든 주소에서", "기록이 없습니다", `"$HOOK_URL"`, "받는 곳: 없음")
	admin.get(botPage+"?example=message").want(200).shows(`-H "Authorization: Bearer $BOT_TOKEN"`, "/api/v1/bots/", `{"users": [1]}`)
	admin.get(botPage + "?rotate=message").want(200).shows("첫 토큰을 만듭니다").hides(`type="radio" class="radio" name="overlap"`)
	s.hookPath(0)
	admin.get(botPage).want(200).shows("och_…", "받는 곳: 메신저팀")
	for _, bad := range []string{"?rotate=x", "?rotate=", "?status=x", "?kind=x", "?cursor=x", "?delivery=x", "?delivery=999", "?sent=x"} {
		admin.get(botPage + bad).want(404)
	}
}

func TestBotProfileForm(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(botPage)
	image := &file{"bot.png", pngOf(t, 300, 300)}
	refused := admin.uploadAs("image", botPage, image, "version", "1", "name", strings.Repeat("봇", 21)).want(422)
	refused.shows("20자까지", strings.Repeat("봇", 21))
	key := regexp.MustCompile(`name="image_key" value="([^"]+)"`).FindStringSubmatch(refused.body)
	if key == nil {
		t.Fatal("the image of the refused form is lost")
	}
	admin.upload(botPage, nil, "version", "1", "name", "한빛 알림봇", "image_key", key[1]).leads(botPage)
	page := admin.get(botPage).want(200).shows("봇 설정을 저장했습니다.", `value="한빛 알림봇"`)
	address := regexp.MustCompile(`src="(/manage/use/webhook/images/[0-9a-f]{64})"`).FindStringSubmatch(page.body)
	if address == nil {
		t.Fatal("no image on the page")
	}
	if a := admin.get(address[1]).want(200); a.header.Get("Content-Type") != "image/png" {
		t.Errorf("the image is %s", a.header.Get("Content-Type"))
	}
	stale := []string{"version", "1", "name", "다른 이름", "image_key", key[1]}
	const saved = `value="한빛 알림봇"`
	for language, text := range map[string]string{"": "김서연 님이 11월 20일 10:00에 먼저 저장했습니다.", "/en": "김서연 saved first, Nov 20, 10:00. Everything you entered is still here.", "/ja": "김서연さんが11月20日 10:00に先に保存しました。"} {
		admin.upload(language+botPage, nil, stale...).want(409).shows(text, `value="다른 이름"`, key[1]).hides("⟦", saved)
	}
	admin.get(botPage).shows(saved)
	stale[1] = admin.upload(botPage, nil, stale...).want(409).field("version")
	admin.upload(botPage, nil, stale...).leads(botPage)
	admin.get(botPage).shows(`value="다른 이름"`)
	for content, message := range map[string]string{"<svg/>": "PNG, JPEG, BMP", strings.Repeat("x", bot.MaxImageBytes): "10MB 미만이어야"} {
		admin.uploadAs("image", botPage, &file{"bot.png", []byte(content)}, "name", "한빛 알림봇", "image_key", key[1]).want(422).shows(message, key[1])
	}
	admin.with("Accept-Language", "en").uploadAs("image", "/en"+botPage, image, "name", "한빛 알림봇", "image_md5", "0").want(422).shows("MD5 extraction failed")
	admin.upload(botPage, nil, "name", "한빛 알림봇", "image_key", key[1], "image_removed", "1").leads(botPage)
	admin.get(botPage).hides("/images/")
	admin.upload(botPage, nil, "name", "가", "image_key", "2/ab/"+strings.Repeat("ab", 32)).want(404)
}

func TestBotForms(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(botPage+"/enabling", "enabled", "false").leads(botPage)
	admin.get(botPage).shows("봇을 껐습니다", "꺼짐", `aria-pressed="false"`)
	admin.post(botPage + "/enabling?enabled=true").leads(botPage)
	admin.post(botPage+"/enabling", "enabled", "x").want(404)
	admin.post(botPage+"/addresses", "allowed_addresses", "203.0.113.0/24\r\n\r\n198.51.100.22").leads(botPage)
	admin.get(botPage).shows("203.0.113.0/24, 198.51.100.22에서 온 요청만")
	admin.post(botPage+"/addresses", "allowed_addresses", "203.0.113.0/24\nx").want(422).shows("IP 대역을 확인해 주세요", "203.0.113.0/24\nx", `<details class="change" open`)
	admin.post(botPage+"/addresses", "allowed_addresses", "").leads(botPage)
	admin.post(botPage+"/receivers", "targets", `[{"type":"department","id":6,"include_children":true},{"type":"user","id":6}]`).leads(botPage)
	admin.get(botPage).shows("받는 곳: 메신저팀 외 1")
	admin.post(botPage+"/receivers", "users", "2, 6", "departments", "").leads(botPage)
	admin.get(botPage).shows("받는 곳: 이준호 외 1")
	admin.post(botPage+"/receivers", "users", "２，\r\n6", "departments", "").leads(botPage)
	admin.get(botPage).shows("받는 곳: 이준호 외 1")
	admin.post(botPage+"/receivers", "users", fmt.Sprint("2, ", queriestest.Hidden), "departments", "99").want(422).
		shows("받을 수 없는 사람이나 부서", fmt.Sprintf("사용자 %d은(는) 없거나", queriestest.Hidden), "부서 99은(는) 없습니다")
	admin.post(botPage+"/receivers", "users", "2, abc", "departments", "6 본사").want(422).
		shows(`value="2, abc"`, `value="6 본사"`, "“abc”은(는) ID가 아닙니다.", "“본사”은(는) ID가 아닙니다.", `<details class="change" open`)
	admin.post(botPage+"/receivers", "targets", "x").want(422)
	admin.post(botPage+"/receivers", "everyone", "1", "targets", "[]").leads(botPage)
	admin.get(botPage).shows("받는 곳: 전 직원")
}

// The other forms of the bot say as well that somebody saved first, and replace it when
// they are sent again.
func TestBotFormsConflict(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	seen := admin.get(botPage).field("version")
	admin.post(botPage+"/addresses", "version", seen, "allowed_addresses", "203.0.113.0/24").leads(botPage)
	s.clock.Advance(time.Minute)
	admin.post(botPage+"/tokens/message/rotation", "overlap", "0").want(200) // which changes nothing that the forms have
	for form, typed := range map[string][]string{
		"/addresses": {"allowed_addresses", "198.51.100.22"},
		"/receivers": {"users", "2, 6", "departments", ""},
	} {
		const first = "김서연 님이 11월 20일 10:00에 먼저 저장했습니다."
		refused := admin.post(botPage+form, append(typed, "version", seen)...).want(409).shows(first, typed[1], `<details class="change" open`).hides("⟦")
		if got := strings.Count(refused.body, first); got != 1 {
			t.Errorf("%s: %d notes", form, got)
		}
		if s.count("select count(*) from bots where allowed_addresses = '{203.0.113.0/24}' and hook_receivers = '{}'") != 1 {
			t.Errorf("%s overwrote what was saved", form)
		}
		fresh := refused.field("version")
		if fresh == seen {
			t.Errorf("%s: the form has the version %s again", form, fresh)
		}
		admin.post(botPage+form, append(typed, "version", "x")...).want(422)
	}
	for form, typed := range map[string][]string{"/addresses": {"allowed_addresses", "198.51.100.22"}, "/receivers": {"users", "2, 6"}} {
		fresh := admin.post(botPage+form, append(typed, "version", seen)...).want(409).field("version")
		admin.post(botPage+form, append(typed, "version", fresh)...).leads(botPage)
	}
	if s.count("select count(*) from bots where allowed_addresses = '{198.51.100.22}' and hook_receivers <> '{}'") != 1 {
		t.Error("saving again did not replace what was saved")
	}
	page := admin.get(botPage).want(200)
	if got := strings.Count(page.body, `name="version" value="`+page.field("version")+`"`); got != 3 {
		t.Errorf("%d forms have the version", got)
	}
}

// A new token is on one page only, and the earlier one works until its time.
func TestRotateBotToken(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	secretOn := func(a answer, pattern string) string {
		t.Helper()
		found := regexp.MustCompile(`(?s)id="secret-value">` + pattern + `</pre>`).FindStringSubmatch(a.want(200).text())
		if found == nil {
			t.Fatalf("no secret on the page: %.2000s", a.body)
		}
		return found[1]
	}
	first := secretOn(admin.post(botPage+"/tokens/message/rotation", "overlap", "0"), `(ocm_[A-Z2-7]+)`)
	admin.get(botPage).shows("ocm_…" + first[len(first)-4:]).hides(first)
	admin.get(botPage+"?rotate=message").shows(`name="overlap" value="3600"`, `value="86400" checked autofocus`, `value="604800"`)
	rotated := admin.post(botPage+"/tokens/message/rotation", "overlap", "3600")
	second := secretOn(rotated, `(ocm_[A-Z2-7]+)`)
	rotated.shows("'Authorization: Bearer "+second+"'", `name="copied" value="1" required`)
	page := admin.get(botPage).shows("메시지 토큰 (이전)", "11/20 11:00까지").hides(first, second)
	hook := secretOn(admin.post(botPage+"/tokens/hook/rotation", "overlap", "0"), `(http://[^<]+/hooks/och_[A-Z2-7]+)`)
	if !strings.HasPrefix(hook, s.url) {
		t.Errorf("the address is %s", hook)
	}
	end := regexp.MustCompile(`action="(/manage/use/webhook/tokens/\d+/delete)"`).FindStringSubmatch(page.body)
	admin.post(end[1]).leads(botPage)
	admin.get(botPage).shows("이전 토큰을 폐기했습니다.").hides("메시지 토큰 (이전)")
	admin.post(end[1]).want(404)
	for _, overlap := range []string{"", "x", "-1", "604801"} {
		admin.post(botPage+"/tokens/message/rotation", "overlap", overlap).want(422)
	}
	admin.post(botPage+"/tokens/x/rotation", "overlap", "0").want(404)
}

func TestBotLog(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	sent := admin.post(botPage+"/test", "example", "notification").want(303).location()
	admin.get(strings.TrimSuffix(sent, "#try")).want(200).shows("202", "받는 곳: 김서연", "기록 보기", "*디스크 사용률 92%* · db-03")
	admin.post(botPage+"/test", "example", "hook").want(303)
	admin.get(botPage+"?status=refused").want(200).shows("받는 곳이 정해지지 않았습니다", "404").hides("*디스크 사용률 92%* · db-03 </span>")
	admin.post(botPage+"/test", "example", "x").want(404)
	id := s.count("select id from bot_messages where accepted")
	one := botPage + "/deliveries/" + strconv.Itoa(id) + "/resending"
	admin.get(botPage+"?kind=notification&delivery="+strconv.Itoa(id)).want(200).shows("시험으로 보냄", one, `href="`+botPage+`?kind=notification"`)
	admin.post(one).want(303)
	admin.get(botPage).shows("다시 보냈습니다.")
	refused := s.count("select id from bot_messages where not accepted")
	admin.post(botPage + "/deliveries/" + strconv.Itoa(refused) + "/resending").want(303)
	admin.get(botPage).shows("거절된 요청은 다시 보낼 수 없습니다.")
	admin.post(botPage + "/deliveries/999999/resending").want(404)
	for range 12 {
		s.clock.Advance(time.Minute)
		admin.post(one).want(303)
		admin.post(botPage+"/test", "example", "message").want(303)
	}
	page := admin.get(botPage).want(200)
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(page.text())
	if next == nil {
		t.Fatal("no second page")
	}
	admin.get(next[1]).want(200).shows(`rel="prev"`).hides(`rel="next"`)
	other := s.as(queriestest.OtherAdmin)
	other.get(botPage).want(200).shows("기록이 없습니다")
	other.get(botPage + "?delivery=" + strconv.Itoa(id)).want(404)
	other.post(one).want(404)
}
