package handlers_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
)

const (
	installPath   = "/manage/use/install"
	pcClientsPath = "/manage/use/agent/pc"
)

// uses stores a login of somebody's with a version on Windows.
func (s *site) uses(user int64, version string, days int) {
	s.t.Helper()
	results, err := s.db.Usage.TakeClientEvents(s.t.Context(), queriestest.Hanbit, []usage.ClientEvent{{
		EventID: fmt.Sprint(user, version, days, s.clock.Now().UnixNano()), UserID: user, Platform: usage.PC, Kind: usage.ClientLogin, Version: version, OS: "Windows 11 24H2", DeviceID: "d",
		DeviceName: "견적서\u202efdp.exe", OccurredAt: s.clock.Now().Add(-time.Duration(days) * 24 * time.Hour),
	}})
	if err != nil || results[0].Status != usage.Accepted {
		s.t.Fatalf("%+v, %v", results, err)
	}
}

// rulesForm is the form of the page as it is for Windows, with changes in pairs.
func rulesForm(version string, pairs ...string) []string {
	form := []string{"version", version, "notice.ko", "새 버전을 설치해 주세요.", "notice.en", "Please update.", "notice.ja", "更新してください。"}
	for _, system := range usage.Systems {
		form = append(form, system+".allowed", "1", system+".everyone", "1")
	}
	return append(form, pairs...)
}

// The campaign: see who is outdated, set the minimum version, watch the share fall,
// undo it in the change log.
func TestOutdatedVersionCampaign(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.uses(queriestest.Kim, "6.2.4", 0)
	s.uses(queriestest.Employee, "6.4.2", 40)
	s.uses(queriestest.Hidden, "6.1.0", 0)
	admin.get(pcClientsPath).want(200).shows("김철수", "6.2.4", "40일 미사용", "U+202E", fmt.Sprintf(`href="/manage/security/access?user_id=%d"`, queriestest.Kim)).hides("6.1.0", "구버전</span>")
	draft := rulesForm("0", "windows.version", "6.10.0", "windows.size", "88185242", "windows.minimum", "6.3", "windows.forced_from", "2026-11-23")
	admin.post(installPath+"/preview", draft...).want(200).shows("1명이 업데이트해야 합니다", `value="6.3"`, `value="2026-11-23"`)
	if n := s.count("select count(*) from installation_rules"); n != 0 {
		t.Error("a preview is stored")
	}
	effect := admin.post(installPath+"/effect", draft...).want(200).shows("1명이 업데이트해야 합니다", `id="effect-windows"`, "영업본부").hides("<main")
	if n := s.count("select count(*) from installation_rules"); n != 0 || strings.Contains(effect.text(), "설치할 수 없습니다") {
		t.Error("an effect is stored, or says that a system is too old")
	}
	closed := rulesForm("0", "windows.version", "6.10.0", "windows.minimum", "6.3")
	closed[slices.Index(closed, "windows.allowed")] = "unused"
	admin.post(installPath+"/effect", closed...).want(200).shows("0명이 업데이트해야 합니다", "2명은 쓰고 있는 메신저로 로그인할 수 없습니다", `id="shut-out-windows"`, "사용 중인 2명 로그인 불가").hides("사용 중인 0명")
	admin.post("/en"+installPath+"/preview", closed...).want(200).shows("2 people cannot sign in", "2 people using it cannot sign in")
	admin.post("/ja"+installPath+"/preview", closed...).want(200).shows("2人は使用中のメッセンジャーで", "使用中の2人がログイン不可")
	admin.post(installPath+"/effect", append(draft, "windows.requires_os", "12")...).want(200).shows("1명은 OS 버전이 낮아", "김철수", "국내영업팀</bdi> · Windows 11 24H2")
	admin.post(installPath+"/effect", rulesForm("0", "windows.version", "6.10.0", "windows.minimum", "6.")...).want(422)
	admin.post(installPath+"/preview", rulesForm("0", "windows.version", "6.10.0", "windows.minimum", "6.")...).want(422).shows(`value="6."`, "숫자와 점으로")
	admin.post(installPath, draft...).leads(installPath)
	admin.get(installPath).want(200).shows("설치 설정을 저장했습니다", `name="version" value="1"`, `value="6.3"`, "84.1MB", `value="88185242"`)
	admin.get(pcClientsPath+"?state=outdated").want(200).shows("김철수", "구버전", "부서별로 보기").hides("40일 미사용", "회사 직속")
	admin.get(pcClientsPath+"?departments=1&state=outdated").want(200).shows("영업본부", "department_id=2&state=outdated", "회사 직속").hides("부서별로 보기</a>")
	s.clock.Advance(time.Minute)
	s.uses(queriestest.Kim, "6.10.0", 0)
	admin.get(pcClientsPath + "?state=outdated").want(200).shows("조건에 맞는 사람이 없습니다")
	admin.get("/manage/security/changes?object=installation").want(200).shows("설치 설정")
	admin.get(fmt.Sprintf("/manage/security/changes?open=%d", s.lastChange())).want(200).shows("Windows 최소 버전", "6.3", "Windows 파일 크기")
	admin.post(fmt.Sprintf("/manage/security/changes/%d/reversal", s.lastChange())).want(303)
	admin.get(installPath).want(200).shows(`name="version" value="2"`).hides(`value="6.3"`)
}

// What a download must be compared with is shown shortened and copied whole.
func TestCopiedChecksum(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	hash := strings.Repeat("0123456789abcdef", 4)
	draft := rulesForm("0", "windows.version", "6.10.0", "windows.url", "https://download.hanbit.example/setup.exe", "windows.sha256", hash)
	admin.post(installPath, draft...).leads(installPath)
	admin.get(installPath).want(200).shows("0123…cdef", `<span id="windows.sha256-text" hidden>`+hash, `data-copy="windows.sha256-text"`,
		`<span id="windows.url-text" hidden>https://download`, `data-copy="windows.url-text"`).hides(`data-copy="macos.url-text"`)
}

func TestRefusedInstallationRules(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, test := range []struct{ field, value, message string }{
		{"windows.sha256", "9f2c", "16진수 64자"},
		{"windows.url", "javascript:alert(1)", "http:// 또는 https://"},
		{"windows.version", "newest", "숫자와 점으로"},
		{"windows.minimum", "7", "배포 버전을 먼저"},
		{"windows.forced_from", "2020-01-01", "최소 버전을 먼저"},
		{"windows.forced_from", "tomorrow", "날짜를 확인"},
		{"windows.size", "84.1MB", "바이트 단위의 숫자로"},
		{"windows.size", "-5", "바이트 단위의 숫자로"},
		{"windows.departments", "999", "존재하지 않는 부서나 사람이 있습니다"},
	} {
		form := rulesForm("0", test.field, test.value, "notice.ko", "입력한 문구")
		if strings.HasSuffix(test.field, "departments") {
			form = rulesForm("0", test.field, test.value)
			for i, word := range form {
				if word == "windows.everyone" {
					form[i] = "unused"
				}
			}
		}
		admin.post(installPath, form...).want(422).shows(test.message, `role="alert"`, `value="`+test.value+`"`)
	}
	typed := rulesForm("0", "linux.departments", "2, abc", "linux.users", "6 xx", "windows.version", "6.10.0")
	for _, path := range []string{installPath, installPath + "/preview"} {
		admin.post(path, typed...).want(422).shows(`value="2, abc"`, `value="6 xx"`, `id="linux.departments-error"`, `id="linux.users-error"`, "ID를 숫자로", "Linux 부서 ID", `value="6.10.0"`)
	}
	admin.post(installPath, "version", "x").want(422)
	admin.post(installPath, rulesForm("0", "windows.targets", "no JSON")...).want(422)
	admin.get(pcClientsPath + "?q=a").want(422).shows("2자")
	for _, query := range []string{"?state=x", "?days=1", "?release=6", "?department_id=99", "?department_id=x", "?cursor=x"} {
		admin.get(pcClientsPath + query).want(404)
	}
	admin.get(pcClientsPath + "/export?format=csv&state=never").want(200).shows("김철수")
	admin.get(pcClientsPath + "/export?format=pdf").want(404)
}

// The second of two administrators is told, and loses nothing.
func TestInstallationConflict(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.post(installPath, rulesForm("0", "windows.version", "6.4.2")...).leads(installPath)
	late := rulesForm("0", "macos.version", "6.5.1")
	page := admin.post(installPath, late...).want(409).shows("먼저 저장했습니다", `value="6.5.1"`, `data-guard="dirty"`)
	version := regexp.MustCompile(`name="version" value="(\d+)"`).FindStringSubmatch(page.text())
	if version == nil || version[1] != "1" {
		t.Fatalf("the form continues from version %v", version)
	}
	admin.post(installPath, rulesForm("1", "macos.version", "6.5.1")...).leads(installPath)
	if n := s.count("select version_no from installation_rules where company_id = 1"); n != 2 {
		t.Errorf("version %d", n)
	}
}

// Twice as many readers as the pool has connections, beside somebody who saves.
func TestClientPagesShareThePool(t *testing.T) {
	s := newSite(t)
	s.uses(queriestest.Kim, "6.2.4", 0)
	readers := 2 * int(s.db.Pool().Config().MaxConns)
	clients := make([]*client, readers)
	for i := range clients {
		clients[i] = s.as(queriestest.Admin)
	}
	var group errgroup.Group
	for i, c := range clients {
		group.Go(func() error {
			path := []string{pcClientsPath, installPath, pcClientsPath + "?state=never"}[i%3]
			if a := c.get(path); a.status != 200 {
				return fmt.Errorf("%s: %d", path, a.status)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}
