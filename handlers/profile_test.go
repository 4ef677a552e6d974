package handlers_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

const (
	newPassword = "Fresh!Air2027"
	windows     = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36"
	iPhone      = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1"
)

func TestProfile(t *testing.T) {
	s := newSite(t)
	s.exec("update users set company_phone = '02-1234-5678' where id = $1", queriestest.Manager)
	s.exec("insert into user_departments values ($1, $2, $3)", queriestest.Hanbit, queriestest.Manager, queriestest.Japan)

	s.as(queriestest.Manager).get("/profile").want(200).shows(
		"최유진", "manager@hanbit.example", "H0004", "부장", "본부장", "02-1234-5678", "등록되지 않음",
		"한빛테크 / 영업본부", "기본 부서", "한빛테크 / 일본지사", "보고 수정할 수 있습니다").hides("관리자</b>")
	s.as(queriestest.Viewer).get("/en/profile").want(200).shows("You can see, but not edit,", "한빛테크 / 영업본부").hides("see and edit", "Default")
	s.as(queriestest.Employee).get("/ja/profile").want(200).shows("自分の勤怠ログを閲覧できます", "社員番号").hides("次の部署")
	s.as(queriestest.Admin).get("/en/profile").want(200).shows("Administrator", "You can see and change every policy")
	s.as(queriestest.OtherAdmin).get("/profile").want(200).shows("한도윤", "다른컴퍼니").hides("한빛테크")
}

func TestClientsInTheProfile(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get("/profile").want(200).shows("메신저", "미설치").hides("설치됨")
	s.uses(queriestest.Admin, "6.4.2", 3)
	s.uses(queriestest.Kim, "6.1.3", 1)
	admin.get("/profile").want(200).shows("설치됨", "6.4.2", "11월 17일", "미설치").hides("6.1.3")
}

func TestChangePassword(t *testing.T) {
	s := newSite(t)
	here, there := s.as(queriestest.Employee), s.as(queriestest.Employee)
	id := here.cookie(sessionCookie)
	here.post("/en/profile/password", "current", queriestest.Password, "new", newPassword, "confirmation", newPassword).leads("/en/profile")
	if here.cookie(sessionCookie) == id {
		t.Error("the session id is the old one")
	}
	here.get("/en/profile").want(200).shows("Your password is changed, and you are signed out everywhere else.")
	here.get("/en/profile").hides("Your password is changed")
	there.get("/profile").leads("/login?next=%2Fprofile")

	s.nobody().signIn(queriestest.Employee).want(422)
	s.nobody().post("/login", "email", queriestest.Email(queriestest.Employee), "password", newPassword).leads("/")
}

func TestRefusedPassword(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	for _, test := range []struct {
		current, new, confirmation string
		reasons                    map[string]string // messages by field
	}{
		{"Wrong!2026", newPassword, newPassword, map[string]string{"current": "현재 비밀번호가 맞지 않습니다."}},
		{queriestest.Password, "Sh0rt!aa", "Sh0rt!aa", map[string]string{"new": "9–16자로 입력해 주세요."}},
		{queriestest.Password, "Far!Too!Long!20277", "Far!Too!Long!20277", map[string]string{"new": "9–16자로 입력해 주세요."}},
		{queriestest.Password, "OnlyLetters", "OnlyLetters", map[string]string{"new": "특수문자를 모두"}},
		{queriestest.Password, "Employee!27", "Employee!27", map[string]string{"new": "이름이나 이메일이 들어간"}},
		{queriestest.Password, queriestest.Password, queriestest.Password, map[string]string{"new": "지금 쓰는 비밀번호와 다르게"}},
		{queriestest.Password, newPassword, "Fresh!Air2028", map[string]string{"confirmation": "일치하지 않습니다."}},
		{queriestest.Password, newPassword + "\x00", newPassword + "\x00", map[string]string{"new": "특수문자를 모두"}},
	} {
		s.clock.Advance(11 * time.Minute) // after the lock for guessed passwords
		a := c.post("/profile/password", "current", test.current, "new", test.new, "confirmation", test.confirmation).want(422)
		a.shows("비밀번호를 바꾸지 못했습니다", `autofocus`, `<h1>내 정보</h1>`, `href="/profile" aria-current="page"`, `name="next" value="/profile"`)
		for _, field := range []string{"current", "new", "confirmation"} {
			refused := regexp.MustCompile(`id="` + field + `"[^>]* aria-invalid="true" aria-describedby="[^"]*` + field + `-error"`).MatchString(a.body)
			if want := test.reasons[field] != ""; refused != want {
				t.Errorf("%q: field %s is refused: %v", test.new, field, refused)
			}
			a.shows(test.reasons[field])
		}
		a.hides(`value="`+test.new, `value="`+test.current, `value="`+test.confirmation)
	}
	s.nobody().signIn(queriestest.Employee).leads("/") // the old password is still valid
}

func TestGuessingTheCurrentPasswordIsLimited(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	for range 5 {
		c.post("/profile/password", "current", "x", "new", newPassword, "confirmation", newPassword).want(422)
	}
	c.post("/profile/password", "current", queriestest.Password, "new", newPassword, "confirmation", newPassword).
		want(422).shows("10분 뒤에 다시 시도해 주세요")
}

// New passwords that are refused do not count as guesses of the current one.
func TestRefusedNewPasswordsDoNotLock(t *testing.T) {
	s := newSite(t)
	c := s.as(queriestest.Employee)
	for _, refused := range []string{"short!1", "OnlyLetters", "Employee!27", queriestest.Password, "한빛테크!2026", "Passw0rd!", "x"} {
		c.post("/profile/password", "current", queriestest.Password, "new", refused, "confirmation", refused).want(422).hides("10분 뒤에 다시 시도해 주세요")
	}
	c.post("/profile/password", "current", queriestest.Password, "new", newPassword, "confirmation", newPassword).leads("/profile")
}

func TestDevices(t *testing.T) {
	s := newSite(t)
	s.exec(`update policy_versions set settings = '{"concurrent_sessions": {"web": 2}}' where policy_id = 6`)
	phone := s.nobody().with("User-Agent", iPhone)
	phone.signIn(queriestest.Employee).leads("/")
	s.clock.Advance(5 * time.Minute)
	desk := s.nobody().with("User-Agent", windows)
	desk.signIn(queriestest.Employee).leads("/")
	colleague := s.as(queriestest.Viewer)

	page := desk.get("/profile").want(200).shows("Windows의 Chrome", "iOS의 Safari", "127.0.0.1", "현재 기기", "5분 전", "11월 20일 10:00", "다른 기기 모두 로그아웃")
	ids := regexp.MustCompile(`/profile/sessions/(\d+)/delete`).FindAllStringSubmatch(page.body, -1)
	if len(ids) != 1 {
		t.Fatalf("%d devices can be signed out, want the other one", len(ids))
	}
	path := ids[0][0]

	confirmed := []string{"password", queriestest.Password}
	colleague.post(path, confirmed...).want(404)
	s.as(queriestest.OtherAdmin).post(path, confirmed...).want(404)
	for range 9 { // one that is missing is no try
		desk.post(path).want(422).shows("현재 비밀번호를 입력해 주세요.")
	}
	desk.post(path, "password", "wrong").want(422).shows("현재 비밀번호가 맞지 않습니다.", "기기에서 로그아웃하지 못했습니다", `id="password-error"`)
	phone.get("/profile").want(200)

	desk.post("/ja"+path, confirmed...).leads("/ja/profile")
	desk.get("/ja/profile").want(200).shows("端末からログアウトしました。", "この端末").hides("iOS", "ほかの端末をすべてログアウト")
	phone.get("/profile").leads("/login?next=%2Fprofile")
	desk.post(path, confirmed...).want(404) // the session has already ended
	for _, id := range []string{"0", "999999", "x", "9999999999999999999"} {
		desk.post(fmt.Sprintf("/profile/sessions/%s/delete", id), confirmed...).want(404)
	}
}

func TestSignOutElsewhere(t *testing.T) {
	s := newSite(t)
	here, there, colleague := s.as(queriestest.Employee), s.as(queriestest.Employee), s.as(queriestest.Viewer)
	for range 5 {
		here.post("/profile/sessions/delete", "password", "Wrong!2026").want(422).shows("현재 비밀번호가 맞지 않습니다.").hides("Wrong!2026")
	}
	here.post("/profile/sessions/delete", "password", queriestest.Password).want(422).shows("10분 뒤에 다시 시도해 주세요")
	there.get("/profile").want(200)
	if n := s.count("select count(*) from access_events where kind = 'session_revoked' and result = 'failed' and user_id = 2"); n != 6 {
		t.Errorf("%d refusals are recorded", n)
	}
	s.clock.Advance(11 * time.Minute)
	here.post("/profile/sessions/delete", "password", queriestest.Password).leads("/profile")
	here.get("/profile").want(200).shows("다른 기기에서 모두 로그아웃했습니다.")
	there.get("/profile").leads("/login?next=%2Fprofile")
	colleague.get("/profile").want(200)
}

// Whoever guesses in a stolen session does not lock the person out of the others.
func TestGuessesOfAStolenSession(t *testing.T) {
	s := newSite(t)
	stolen, own := s.as(queriestest.Employee), s.as(queriestest.Employee)
	for range 6 {
		stolen.post("/profile/sessions/delete", "password", "Wrong!2026").want(422)
	}
	stolen.post("/profile/password", "current", queriestest.Password, "new", newPassword, "confirmation", newPassword).want(422).shows("10분 뒤에 다시 시도해 주세요")
	own.post("/profile/sessions/delete", "password", queriestest.Password).leads("/profile")
	stolen.get("/profile").leads("/login?next=%2Fprofile")
	own.post("/profile/password", "current", queriestest.Password, "new", newPassword, "confirmation", newPassword).leads("/profile")
}

// Somebody without a password ends other sessions with another proof.
func TestProfileWithoutAPassword(t *testing.T) {
	s := newSite(t)
	here, there := s.as(queriestest.Employee), s.as(queriestest.Employee)
	s.exec("delete from passwords where user_id = 2")
	page := here.get("/profile").want(200).shows("다른 기기 모두 로그아웃", "이 콘솔의 비밀번호는 없습니다").hides("비밀번호 변경", "현재 비밀번호")
	here.post("/profile/password", "current", "", "new", newPassword, "confirmation", newPassword).want(422).shows("비밀번호 없이 로그인하는 계정입니다.")
	path := regexp.MustCompile(`/profile/sessions/\d+/delete`).FindString(page.body)
	here.post(path).leads("/profile")
	there.get("/profile").leads("/login?next=%2Fprofile")

	secret, _ := here.enrolled()
	s.clock.Advance(11 * time.Minute)
	here.post("/profile/sessions/delete").want(422).shows("본인 확인")
	here.post("/profile/sessions/delete", "proof_code", "000000").want(422).shows("본인 확인")
	here.post("/profile/sessions/delete", "proof_code", queriestest.AppCode(t, secret, s.clock.Now())).leads("/profile")
}
