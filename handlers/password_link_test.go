package handlers_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
)

const passwordLinkOfEmployee = accessPath + "/people/2/password-link"

// createdLink returns the path of the link that a page shows, with its secret.
func createdLink(t *testing.T, page answer) string {
	t.Helper()
	found := regexp.MustCompile(`(https?://[^/<]+)(/password\?token=[A-Z2-7]+)`).FindStringSubmatch(page.body)
	if found == nil {
		t.Fatalf("no link: %.500s", page.body)
	}
	return found[2]
}

func TestPasswordLink(t *testing.T) {
	s := newSiteWith(t, handlers.Config{PublicURL: "https://console.gana.example"})
	admin, here := s.as(queriestest.Admin), s.as(queriestest.Employee)
	admin.get(accessPath+"?user_id=2").want(200).shows("비밀번호 재설정", "링크 만들기").hides("쓸 수 있는 링크가 있습니다")
	page := admin.post(passwordLinkOfEmployee, "back", accessPath+"?user_id=2").want(200).shows("이준호 님에게", "https://console.gana.example/password?token=", `data-dismiss href="/manage/security/access?user_id=2"`)
	link := createdLink(t, page)
	admin.get(accessPath+"?user_id=2").want(200).shows("11월 21일", "쓸 수 있는 링크가 있습니다", "김서연").hides("token=")

	// The secret leaves the address at once, and a program that follows the link does
	// not use it up.
	s.nobody().get(link).leads("/password")
	c := s.nobody()
	opened := c.get(link).leads("/password")
	if cookie := opened.setCookie("officeconsole_password_link"); cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge > 3600 {
		t.Errorf("the cookie is %v", cookie)
	}
	if opened.header.Get("Referrer-Policy") != "no-referrer" || opened.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers: %v", opened.header)
	}
	c.get("/password").want(200).shows("새 비밀번호 설정", "이준호", "employee@hanbit.example", `autocomplete="new-password"`).hides(strings.TrimPrefix(link, "/password?token="))
	c.get("/en/password").want(200).shows("Set a new password").hides("⟦")
	c.get("/ja/password").want(200).shows("新しいパスワードの設定").hides("⟦")
	c.post("/password", "new", "short", "confirmation", "other").want(422).shows("9–16자로", "일치하지 않습니다", "이준호")
	c.post("/en/password", "new", newPassword, "confirmation", newPassword).leads("/en/login?password=new")
	if c.cookie("officeconsole_password_link") != "" {
		t.Error("the browser still has the secret")
	}
	c.get("/en/login?password=new").want(200).shows("Your password is changed. Sign in with the new one.")
	c.get("/profile").leads("/login?next=%2Fprofile")
	here.get("/profile").leads("/login?next=%2Fprofile")
	s.nobody().signIn(queriestest.Employee).want(422)
	c.post("/login", "email", queriestest.Email(queriestest.Employee), "password", newPassword).leads("/")

	again := s.nobody()
	again.get(link).leads("/password")
	again.get("/password").want(422).shows("이 링크로는", "관리자에게 새 링크를").hides(`type="password"`)
	again.post("/ja/password", "new", newPassword, "confirmation", newPassword).want(422).shows("使用済み").hides("⟦")
	admin.get(accessPath+"?kind=password_link").want(200).shows("재설정 링크 발급", "이준호")
	admin.get(accessPath+"?kind=password_reset").want(200).shows("재설정 링크", "비밀번호 재설정")
	admin.get("/manage/security/changes?object=user").want(200).shows("비밀번호 재설정 링크 발급")
}

// Without a link, and with one that nobody made, the page is the same.
func TestRefusedPasswordLink(t *testing.T) {
	s := newSite(t)
	c := s.nobody()
	c.get("/password").want(422).shows("이 링크로는")
	for _, path := range []string{"/password?token=", "/password?token=INVENTED", "/password?token=" + strings.Repeat("A", 5000), "/password?token=%00%0d%0a"} {
		c.get(path).leads("/password")
		c.get("/password").want(422).shows("이미 사용했거나")
	}
	for range 60 {
		c.setCookie("officeconsole_password_link", "INVENTED")
		c.post("/password", "new", newPassword, "confirmation", newPassword).want(422)
	}
	c.get("/password").want(422).shows("10분")
}

// Whoever is signed in to the browser of the link is signed out, so that it leads to
// the sign-in page.
func TestPasswordLinkInABrowserOfSomebodyElse(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	link := createdLink(t, admin.post(passwordLinkOfEmployee))
	c := s.as(queriestest.Viewer)
	c.get(link).leads("/password")
	c.get("/password").want(200).shows("이준호")
	c.post("/password", "new", newPassword, "confirmation", newPassword).leads("/login?password=new")
	c.get("/login").want(200)
	if n := s.count("select count(*) from sign_ins where user_id = 3 and ended_at is null"); n != 0 {
		t.Errorf("%d sessions of the person who was signed in", n)
	}
}

func TestWhoMakesPasswordLinks(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(accessPath + "/people/1/password-link").leads("/profile")
	admin.get(accessPath + "?user_id=1").want(200).hides("/people/1/password-link")
	admin.get(accessPath + "?user_id=5").want(200).hides("/people/5/password-link")
	admin.post(accessPath+"/people/5/password-link", "back", "https://evil.example/").leads(accessPath)
	admin.get(accessPath).shows("숨겨졌거나 비활성화된 사람")
	admin.post(accessPath + "/people/9/password-link").want(404)
	s.as(queriestest.OtherAdmin).post(passwordLinkOfEmployee).want(404)
	for _, who := range []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager} {
		s.as(who).post(passwordLinkOfEmployee).leads("/logs/workingattitude/day")
	}
	if n := s.count("select count(*) from password_links"); n != 0 {
		t.Fatalf("%d links", n)
	}

	link := createdLink(t, admin.post("/en"+passwordLinkOfEmployee).shows("Hand this link to 이준호", "http://"))
	s.as(queriestest.OtherAdmin).post(passwordLinkOfEmployee + "/delete").want(404)
	admin.post(passwordLinkOfEmployee+"/delete", "back", accessPath+"?user_id=2").leads(accessPath + "?user_id=2")
	admin.get(accessPath + "?user_id=2").want(200).shows("링크를 취소했습니다.").hides("쓸 수 있는 링크가 있습니다")
	admin.post(passwordLinkOfEmployee + "/delete").leads(accessPath)
	admin.get(accessPath).shows("이미 사용했거나 취소된")
	c := s.nobody()
	c.get(link).leads("/password")
	c.get("/password").want(422)
}
