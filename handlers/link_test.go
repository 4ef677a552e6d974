package handlers_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

const linksPath = "/manage/link/common"

// linkPath is the URL of a link by its name, with an action.
func (s *site) linkPath(name, action string) string {
	s.t.Helper()
	return strings.TrimSuffix(fmt.Sprintf("%s/%d/%s", linksPath, s.count("select id from links where name = $1", name), action), "/")
}

// addLinks adds visible links with these names.
func (c *client) addLinks(names ...string) {
	c.site.t.Helper()
	for _, name := range names {
		c.upload(linksPath, nil, "name", name, "url", "https://{host}/"+name, "visible", "true").leads(linksPath)
	}
}

// order gives the names of the links on the page in their order.
func (c *client) order() string {
	c.site.t.Helper()
	var names []string
	for _, row := range regexp.MustCompile(`<a class="truncate"[^>]*><bdi>([^<]*)</bdi>`).FindAllStringSubmatch(c.get(linksPath).want(200).body, -1) {
		names = append(names, row[1])
	}
	return strings.Join(names, " ")
}

// undo submits the form of the toast on a page.
func (c *client) undo(page string) answer {
	c.site.t.Helper()
	a := c.get(page).want(200).shows("실행 취소")
	form := regexp.MustCompile(`(?s)class="toast".*?<form method="post" action="([^"]+)">`).FindStringSubmatch(a.text())
	if form == nil {
		c.site.t.Fatalf("%s has no toast with a form", page)
	}
	return c.post(form[1])
}

func TestLinks(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(linksPath).want(200).shows("등록된 링크가 없습니다", "?new=1").hides("<table")
	admin.get(linksPath+"?new=1").want(200).shows("링크 추가", `name="name"`, `id="visible" name="visible" value="true" checked`, "회사 주소 hanbit.example")
	admin.upload(linksPath, nil, "name", " 그룹웨어 ", "description", "결재와 게시판", "url", "gw.{host}/home", "visible", "true").leads(linksPath)
	admin.get(linksPath).want(200).shows("링크를 추가했습니다.", "그룹웨어", "결재와 게시판", "배너 없음", "<mark>{host}</mark>", "1</b>/50").hides("data-order-handle")
	admin.upload(linksPath, nil, "name", "위키", "url", "https://wiki.example/", "icon_visible", "true").leads(linksPath)
	admin.get(linksPath).shows("data-order-handle", "2</b>/50", `aria-pressed="false"`)

	for _, test := range []struct {
		query        string
		status       int
		shows, hides string
	}{
		{"?q=게시", 200, "그룹웨어", "위키"},
		{"?q=" + url.QueryEscape("ㄱㄹㅇㅇ"), 200, "그룹웨어", "위키"},
		{"?q=WIKI.example", 200, "위키", "그룹웨어"},
		{"?q=" + url.QueryEscape("{host}"), 200, "그룹웨어", "위키"},
		{"?visible=yes", 200, "그룹웨어", "위키"},
		{"?visible=no", 200, "위키", "그룹웨어"},
		{"?visible=no", 200, `<span class="num">2</span>`, `<span class="num">1</span>`},
		{"?icon=yes", 200, "위키", "그룹웨어"},
		{"?icon=no", 200, "순서를 바꿀 수 없습니다", "data-order-handle"},
		{"?visible=yes&icon=yes", 200, "조건에 맞는 링크가 없습니다", "<table"},
		{"?q=없는링크", 200, "전체 목록 보기", "<table"},
		{"?q=가", 422, "검색어는 2자 이상", "조건에 맞는"},
		{"?q=%EA%B7%B8%EB%A3%B9+%EA%B2%8C+%EC%8B%9C+%ED%8C%90", 200, "검색어는 3개까지 사용합니다", "위키"},
		{"?visible=maybe", 404, "", "<table"},
		{"?icon=1", 404, "", "<table"},
		{"?edit=x", 404, "", "<form id=\"link-form\""},
		{"?edit=999999", 404, "", "<form id=\"link-form\""},
	} {
		admin.get(linksPath + test.query).want(test.status).shows(test.shows).hides(test.hides)
	}
}

func TestUpdateLink(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("위키")
	path := s.linkPath("위키", "")
	admin.get(linksPath+"?edit="+strings.TrimPrefix(path, linksPath+"/")).want(200).
		shows("링크 수정", `action="`+path+`"`, `value="위키"`, `name="version" value="1"`, `action="`+path+`/delete"`)
	admin.upload("/en"+path, nil, "version", "1", "name", "사내 위키", "url", "https://{host}/", "icon_visible", "true").leads("/en" + linksPath)
	admin.get("/en"+linksPath).shows("The link was changed.", "사내 위키")
	if n := s.count("select count(*) from links where not visible and icon_visible and version_no = 2"); n != 1 {
		t.Error("the switches are not stored")
	}
	stale := admin.upload(path, nil, "version", "1", "name", "낡은 이름", "description", "낡은 설명", "url", "https://old.{host}/", "visible", "true").want(409)
	stale.shows("김서연 님이 11월 20일 10:00에 먼저 저장했습니다. 입력한 내용은 그대로 있습니다. 다시 저장하면 그 내용을 바꿉니다.", `value="낡은 이름"`, `value="낡은 설명"`, `value="https://old.{host}/"`, `name="visible" value="true" checked`, `action="`+path+`"`)
	admin.upload(path, nil, "version", stale.field("version"), "name", "낡은 이름", "url", "https://old.{host}/").leads(linksPath)
	admin.get(linksPath).shows("낡은 이름")
	for _, other := range []string{linksPath + "/999999", linksPath + "/x", linksPath + "/0"} {
		admin.upload(other, nil, "name", "가", "url", "{host}").want(404)
	}
}

// Saving a link that somebody has changed says who did so, when, and what every field was
// and is; what was typed is saved by saving again.
func TestSaveLinkChangedMeanwhile(t *testing.T) {
	s := newSite(t)
	s.exec("update users set is_admin = true where company_id = 1 and id = $1", queriestest.Employee)
	admin, second := s.as(queriestest.Admin), s.as(queriestest.Employee)
	admin.addLinks("wiki")
	path := s.linkPath("wiki", "")
	edit := linksPath + "?edit=" + strings.TrimPrefix(path, linksPath+"/")
	typed := form{"version", admin.get(edit).field("version"), "name", "wiki", "description", "적어 둔 설명", "url", "https://{host}/wiki", "visible", "true"}
	s.clock.Advance(10 * time.Minute)
	second.upload(path, &file{"banner.png", pngOf(t, 126, 80)}, "version", "1", "name", "포털", "description", "첫 화면", "url", "https://portal.{host}/", "icon_visible", "true").leads(linksPath)
	for language, texts := range map[string][]string{
		"":    {" 님이 11월 20일 10:10에 먼저 저장했습니다", "저장된 내용 보기", "<dt>링크 이름</dt>", "<dt>배너 이미지</dt>", "배너 없음", "배너 있음", "<del><bdi>없음</bdi></del>", "<dt>노출</dt>", "<del><bdi>예</bdi></del>", "<dt>서비스 아이콘 노출</dt>", "<del><bdi>아니요</bdi></del>"},
		"/en": {" saved first, ", "Show what is saved", "<dt>Link name</dt>", "No banner", "Has a banner", "<del><bdi>None</bdi></del>", "<del><bdi>Yes</bdi></del>", "<del><bdi>No</bdi></del>"},
		"/ja": {"に先に保存しました", "<dt>リンク名</dt>", "バナーなし", "バナーあり", "なし", "はい", "いいえ"},
	} {
		admin.upload(language+path, nil, typed...).want(409).hides("⟦", "<dt>⟦").
			shows(append(texts, `<del><bdi>wiki</bdi></del>`, "포털", "첫 화면", `<del><bdi>https://{host}/wiki</bdi></del>`, "https://portal.{host}/", `value="wiki"`, `value="적어 둔 설명"`, `href="`+language+edit+`" target="_blank"`)...)
	}
	conflict := admin.upload(path, nil, typed...).want(409)
	admin.upload(path, nil, typed.with("version", conflict.field("version"))...).leads(linksPath)
	if n := s.count("select count(*) from links where name = 'wiki' and description = '적어 둔 설명' and visible and not icon_visible"); n != 1 {
		t.Error("saving again has not replaced the link")
	}

	// One banner in place of another is a change without texts, and so is a switch of the list.
	admin.upload(path, &file{"banner.png", pngOf(t, 63, 40)}, typed.with("version", "0")...).leads(linksPath)
	stored := admin.get(edit)
	typed = typed.with("version", stored.field("version"))
	second.upload(path, &file{"banner.png", pngOf(t, 40, 40)}, append(typed, "banner_key", stored.bannerKey())...).leads(linksPath)
	second.post(path+"/visibility", "icon_visible", "true").leads(linksPath)
	admin.upload(path, nil, typed...).want(409).shows("다른 이미지로 바뀌었습니다.", "<dt>서비스 아이콘 노출</dt>").hides("<dt>링크 이름</dt>", "<dt>노출</dt>")
}

// Saving a link that somebody has deleted loses nothing that was typed: it can be restored
// and saved, or become a new link.
func TestSaveDeletedLink(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("위키", "메일")
	path := s.linkPath("위키", "")
	admin.post(path + "/delete").want(303)
	typed := form{"version", "1", "name", "사내 위키", "description", "적어 둔 설명", "url", "https://wiki.{host}/", "icon_visible", "true", "back", linksPath + "?visible=yes"}
	gone := admin.upload(path, nil, typed...).want(409).
		shows("김서연 님이 2026년 11월 20일 10:00에 이 링크를 삭제했습니다", "입력한 내용은 아래에 그대로", `value="사내 위키"`, `value="적어 둔 설명"`, `value="https://wiki.{host}/"`, `name="action" value="restore"`, `name="action" value="create"`)
	gone.hides(path+"/delete", ">저장<")
	for language, text := range map[string]string{"/en": "김서연 deleted this link at", "/ja": "このリンクを削除しました"} {
		admin.upload(language+path, nil, typed...).want(409).shows(text).hides("⟦")
	}
	s.as(queriestest.OtherAdmin).upload(path, nil, append(typed, "action", "restore")...).want(404)
	admin.upload(path, nil, append(typed.with("name", ""), "action", "restore")...).want(422).shows("링크 이름을 입력해 주세요", `name="action" value="restore"`)
	if n := s.count("select count(*) from links where deleted_at is null"); n != 1 {
		t.Errorf("a refused form leaves %d links", n)
	}
	admin.upload(path, nil, append(typed, "action", "create")...).leads(linksPath)
	admin.upload(path, nil, append(typed, "action", "restore")...).leads(linksPath + "?visible=yes")
	if n := s.count("select count(*) from links where deleted_at is null and name = '사내 위키' and not visible and icon_visible"); n != 2 {
		t.Errorf("%d links have what was typed", n)
	}
	admin.upload(path, nil, append(typed, "action", "restore")...).want(409).shows("김서연 님이 11월 20일 10:00에 먼저 저장했습니다") // it is not deleted any more

	// Deleting it as well needs nothing more; after its time nothing can be restored.
	admin.post(path + "/delete").want(303)
	admin.get(linksPath)
	admin.post(path + "/delete").leads(linksPath)
	admin.get(linksPath).shows("김서연 님이 2026년 11월 20일 10:00에 이 링크를 삭제했습니다")
	edit := linksPath + "?edit=" + strings.TrimPrefix(path, linksPath+"/")
	for _, reader := range []*client{admin, admin.with("Purpose", "prefetch")} {
		reader.get(edit).want(200).shows("김서연 님이 2026년 11월 20일 10:00에 이 링크를 삭제했습니다", "<bdi>메일").hides(`id="link-form"`)
	}
	admin.get(linksPath).hides("이 링크를 삭제했습니다")
	admin.get(edit + "9").want(404)
	admin.post(path + "/restoration").leads(linksPath)
	admin.get(linksPath) // takes the toast
	for language, text := range map[string]string{"": "김서연 님이 2026년 11월 20일 10:00에 이미 복원했습니다", "/en": "Already restored by 김서연 at", "/ja": "すでに復元しました"} {
		admin.post(language + path + "/restoration").leads(language + linksPath)
		admin.get(language + linksPath).shows(text)
	}
	s.as(queriestest.OtherAdmin).post(path + "/restoration").want(404)
	admin.post(path + "/delete").leads(linksPath)
	s.as(queriestest.OtherAdmin).get(edit).want(404)
	s.clock.Advance(31 * 24 * time.Hour)
	s.as(queriestest.Admin).upload(path, nil, append(typed, "action", "restore")...).want(409).shows(`name="action" value="create"`).hides(`name="action" value="restore"`)
}

func TestLinkFormRefuses(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	for _, test := range []struct {
		language string
		pairs    []string
		shows    []string
	}{
		{"", nil, []string{"링크 이름을 입력해 주세요.", "사이트 URL을 입력해 주세요.", `href="#name"`, `href="#url"`, `id="name-error"`}},
		{"/en", nil, []string{"Please enter the link name.", "Please enter the site URL."}},
		{"/ja", nil, []string{`<html lang="ja">`, `href="#name"`, `href="#url"`}},
		{"", []string{"name", strings.Repeat("가", 51), "description", strings.Repeat("나", 101), "url", "{host}/" + strings.Repeat("a", 500)}, []string{"50자까지", "100자까지", "500자까지"}},
		{"", []string{"name", "가", "url", "javascript:alert(1)"}, []string{"http:// 또는 https://로 시작하거나", `value="javascript:alert(1)"`}},
		{"", []string{"name", "가", "url", "javascript:alert('{host}')"}, []string{`href="#url"`, `id="url-error"`}},
		{"", []string{"name", "가", "url", "https://{host}.evil.example/"}, []string{"{host}는 주소 전체이거나"}},
		{"", []string{"name", "가", "url", "{host}.evil"}, []string{"{host}는 주소 전체이거나"}},
		{"", []string{"name", "가", "url", "https://"}, []string{`href="#url"`}},
		{"", []string{"name", "위키\t", "description", "\u202e설명", "url", "{host}"}, []string{"설명에 사용할 수 없는 문자가 있습니다.", `id="description-error"`}},
		{"", []string{"name", "위\u202e키", "url", "{host}"}, []string{"링크 이름에 사용할 수 없는 문자가 있습니다.", `id="name-error"`, `href="#name"`}},
		{"/en", []string{"name", "위\t키", "description", "가\x01나", "url", "{host}"}, []string{"The link name has characters that cannot be used.", "The description has characters that cannot be used."}},
		{"/ja", []string{"name", "위\t키", "description", "가\t나", "url", "{host}"}, []string{"リンク名に使用できない文字が含まれています。", "説明に使用できない文字が含まれています。"}},
	} {
		admin.upload(test.language+linksPath, nil, test.pairs...).want(422).shows(test.shows...).hides("⟦")
	}
	if n := s.count("select count(*) from links"); n != 0 {
		t.Errorf("%d were added", n)
	}
	kept := admin.upload(linksPath, nil, "description", "설명은 남는다", "url", "https://{host}/", "icon_visible", "true").want(422)
	kept.shows(`value="설명은 남는다"`, `value="https://{host}/"`, `name="icon_visible" value="true" checked`).hides(`name="visible" value="true" checked`)
	admin.post(linksPath, "name", "가", "url", "{host}").want(422) // not a form with files
}

func TestLinkSwitches(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("위키")
	path := s.linkPath("위키", "visibility")
	for _, test := range []struct{ field, value, toast, column, undone string }{
		{"visible", "false", "‘위키’ 노출을 껐습니다.", "not visible", "visible"},
		{"icon_visible", "true", "‘위키’의 서비스 아이콘 노출을 켰습니다.", "icon_visible", "not icon_visible"},
	} {
		admin.post(path, test.field, test.value).leads(linksPath)
		if s.count("select count(*) from links where "+test.column) != 1 {
			t.Errorf("%s=%s is not stored", test.field, test.value)
		}
		page := admin.get(linksPath).shows(test.toast, "실행 취소")
		admin.post(regexp.MustCompile(`action="([^"]+visibility\?[^"]+)"`).FindStringSubmatch(page.text())[1]).leads(linksPath)
		if s.count("select count(*) from links where "+test.undone) != 1 {
			t.Errorf("%s=%s is not undone", test.field, test.value)
		}
	}
	admin.post(path).want(404)
	admin.post(linksPath+"/999999/visibility", "visible", "false").want(404)
}

func TestMoveLink(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("가가", "나나", "다다")
	id := func(name string) string { return strings.TrimPrefix(s.linkPath(name, ""), linksPath+"/") }
	move := func(name, after string) answer { return admin.post(s.linkPath(name, "position"), "after", after) }

	move("다다", "0").leads(linksPath)
	if got := admin.order(); got != "다다 가가 나나" {
		t.Errorf("first: %s", got)
	}
	move("다다", id("가가")).leads(linksPath)
	admin.undo(linksPath).leads(linksPath)
	if got := admin.order(); got != "다다 가가 나나" {
		t.Errorf("undone: %s", got)
	}
	// A second administrator moves another link; nothing is lost.
	second := s.as(queriestest.Admin)
	move("가가", id("나나")).leads(linksPath)
	second.post(s.linkPath("다다", "position"), "after", id("나나")).leads(linksPath)
	if got := admin.order(); got != "나나 다다 가가" {
		t.Errorf("after both: %s", got)
	}
	gone := id("나나")
	admin.post(s.linkPath("나나", "delete")).leads(linksPath)
	move("가가", gone).leads(linksPath)
	admin.get(linksPath).shows("옆의 링크를 삭제했습니다")
	for _, after := range []string{"x", "", "1e3"} {
		move("가가", after).want(404)
	}
	admin.post(linksPath+"/999999/position", "after", "0").want(404)
}

// Who switches or moves a link of an older list, which somebody has deleted meanwhile, is
// told who deleted it and gets the list as it is.
func TestSwitchOrMoveDeletedLink(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("wiki", "mail")
	path := s.linkPath("wiki", "")
	admin.post(path + "/delete").want(303)
	admin.get(linksPath) // takes the toast
	const list = linksPath + "?visible=yes"
	s.clock.Advance(time.Hour)
	for _, request := range []form{{"visibility", "visible", "false"}, {"visibility", "icon_visible", "true"}, {"position", "after", "0"}, {"position", "after", strings.TrimPrefix(s.linkPath("mail", ""), linksPath+"/")}} {
		admin.post(path+"/"+request[0], append(request[1:], "back", list)...).leads(list)
		admin.get(list).want(200).shows("김서연 님이 2026년 11월 20일 10:00에 이 링크를 삭제했습니다").hides("<bdi>wiki", "실행 취소")
	}
	for language, text := range map[string]string{"/en": "김서연 deleted this link at", "/ja": "このリンクを削除しました"} {
		admin.post(language+path+"/visibility", "visible", "false").leads(language + linksPath)
		admin.get(language + linksPath).shows(text)
	}
	s.as(queriestest.OtherAdmin).post(path+"/visibility", "visible", "false").want(404)
}

// Somebody whose list is older than another person's move is told of it.
func TestMoveLinkNamesWhoMovedMeanwhile(t *testing.T) {
	s := newSite(t)
	s.exec("update users set is_admin = true where company_id = 1 and id = $1", queriestest.Employee)
	admin, second := s.as(queriestest.Admin), s.as(queriestest.Employee)
	admin.addLinks("가가", "나나", "다다")
	form := func(name string) string {
		path := regexp.QuoteMeta(s.linkPath(name, "position"))
		return regexp.MustCompile(path + `\?seen=[0-9]+`).FindString(second.get(linksPath).text())
	}
	older := form("가가")
	admin.post(form("다다"), "after", "0").leads(linksPath)
	admin.get(linksPath).shows("‘다다’의 순서를 바꿨습니다.").hides("그사이")
	first := strings.TrimPrefix(s.linkPath("다다", ""), linksPath+"/")
	second.post(older, "after", first).leads(linksPath)
	second.get(linksPath).shows("‘가가’의 순서를 바꿨습니다. 그사이 ", " 님이 ‘다다’의 순서를 바꿨습니다.")
	s.clock.Advance(time.Second)
	second.post(form("나나"), "after", "0").leads(linksPath)
	second.get(linksPath).shows("‘나나’의 순서를 바꿨습니다.").hides("그사이")
	second.post(s.linkPath("나나", "position")+"?seen=x", "after", first).leads(linksPath)
}

func TestPreviewLinks(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.upload(linksPath, nil, "name", "숨은 링크", "url", "https://hidden.{host}/").leads(linksPath)
	admin.get(linksPath + "?preview=1").want(200).shows("메신저에 보이는 링크가 없습니다.").hides("https://hidden.hanbit.example/")
	admin.upload(linksPath, nil, "name", "위키", "url", "https://wiki.{host}/", "visible", "true").leads(linksPath)
	admin.get(linksPath+"?preview=1").want(200).shows("메신저에서 보기", `href="https://wiki.hanbit.example/"`).hides("아이콘 줄", "https://hidden.hanbit.example/")
	admin.upload(linksPath, nil, "name", "결재", "url", "{host}/", "visible", "true", "icon_visible", "true").leads(linksPath)
	admin.get(linksPath + "?preview=1").want(200).shows("아이콘 줄")
}

func TestDeleteLinkAndUndo(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("가가", "나나", "다다")
	path := s.linkPath("나나", "")
	admin.post(path + "/delete").leads(linksPath)
	admin.get(linksPath).shows("‘나나’ 링크를 삭제했습니다.", `action="`+path+`/restoration"`, "2</b>/50")
	admin.post(path + "/delete").leads(linksPath)
	admin.upload(path, nil, "name", "나나", "url", "{host}").want(409)
	admin.post(path + "/restoration").leads(linksPath)
	admin.get(linksPath).shows("링크를 복원했습니다.")
	admin.post(path + "/delete").leads(linksPath)
	admin.undo(linksPath).leads(linksPath)
	if got := admin.order(); got != "가가 나나 다다" {
		t.Errorf("restored: %s", got)
	}
	admin.post(path + "/delete").leads(linksPath)
	s.clock.Advance(31 * 24 * time.Hour)
	s.as(queriestest.Admin).post(path + "/restoration").want(404)
}

// What somebody does from a filtered list, its undo and cancelling lead back to that list.
func TestFilteredLinks(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("wiki", "mail")
	path := s.linkPath("wiki", "")
	id := strings.TrimPrefix(path, linksPath+"/")
	const list = linksPath + "?q=wiki&visible=yes"
	const back = "?back=%2Fmanage%2Flink%2Fcommon%3Fq%3Dwiki%26visible%3Dyes"
	edit := linksPath + "?edit=" + id + "&q=wiki&visible=yes"
	admin.get(list).want(200).hides("<bdi>mail").shows(`href="`+edit+`"`, `href="`+linksPath+`?new=1&q=wiki&visible=yes"`, `href="`+linksPath+`?preview=1&q=wiki&visible=yes"`,
		`action="`+path+"/visibility"+back+`"`, `action="`+path+"/delete"+back+`"`)
	for _, dialog := range []string{edit, linksPath + "?new=1&q=wiki&visible=yes", linksPath + "?preview=1&q=wiki&visible=yes"} {
		admin.get(dialog).want(200).hides("<bdi>mail</bdi></a>").shows(`href="` + list + `"`)
	}
	if got := admin.get(edit).field("back"); got != list {
		t.Errorf("the form leads back to %q", got)
	}

	refused := admin.upload(path, nil, "version", "1", "name", "", "url", "{host}", "back", list).want(422).hides("<bdi>mail").shows(`data-dismiss href="` + list + `"`)
	if got := refused.field("back"); got != list {
		t.Errorf("the refused form leads back to %q", got)
	}
	admin.upload("/en"+path, nil, "version", "1", "name", "wiki", "url", "{host}/wiki", "visible", "true", "back", list).leads("/en" + list)
	admin.upload(path, nil, "version", "1", "name", "wiki", "url", "{host}/wiki", "visible", "true", "back", list).want(409).hides("<bdi>mail").shows(`data-dismiss href="` + list + `"`)

	admin.upload(linksPath, nil, "name", "", "url", "{host}", "back", list).want(422).hides("<bdi>mail").shows(`data-dismiss href="` + list + `"`)
	admin.upload(linksPath, nil, "name", "shop", "url", "{host}", "visible", "true", "back", list).leads(linksPath) // which shows it
	admin.post(s.linkPath("shop", "delete")).leads(linksPath)
	admin.get(linksPath) // takes the toast with its undo

	admin.post(path+"/visibility"+back, "visible", "false").leads(list)
	admin.undo(list).leads(list)
	admin.undo(list).leads(list) // the undo of the undo
	admin.undo(list).leads(list)
	admin.get(list).want(200).shows("<bdi>wiki")
	admin.post(path + "/delete" + back).leads(list)
	admin.undo(list).leads(list)
	admin.get(list).want(200).shows("링크를 복원했습니다.", "<bdi>wiki")
	admin.post(path+"/delete", "back", list).leads(list) // as the dialog does
	const deleted = linksPath + "?status=deleted"
	admin.post(path + "/restoration?back=" + url.QueryEscape(deleted)).leads(deleted)
	for _, elsewhere := range []string{"https://evil.example" + list, "//evil.example/?q=x", noticesPath + "?q=x", linksPath + "/1?q=x"} {
		admin.post(path+"/visibility", "visible", "true", "back", elsewhere).leads(linksPath)
	}

	// All links match, so they can be put in order.
	const all = linksPath + "?visible=yes"
	move := regexp.MustCompile(regexp.QuoteMeta(path) + `/position\?back=[^"]+&seen=[0-9]+`).FindString(admin.get(all).text())
	admin.post(move, "after", strings.TrimPrefix(s.linkPath("mail", ""), linksPath+"/")).leads(all)
	admin.undo(all).leads(all)
}

func TestFiftyLinks(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec(`insert into links (company_id, position, name, description, url, visible, icon_visible, banner, updated_at)
		select 1, n, '링크' || n, '', '{host}', true, false, '', now() from generate_series(1, 50) n`)
	admin.get(linksPath).want(200).shows("50</b>/50")
	admin.upload(linksPath, nil, "name", "쉰한 번째", "url", "{host}").want(422).
		shows("링크는 50개까지 만들 수 있습니다. 쓰지 않는 링크를 삭제한 뒤 다시 시도해 주세요.", `value="쉰한 번째"`)
	admin.get(linksPath + "?new=1").want(200).shows("링크는 50개까지").hides("노출하지 않는 링크부터")
	s.exec("update links set visible = false where name = '링크8'")
	admin.get(linksPath+"?new=1").want(200).shows("노출하지 않는 링크부터 삭제할 수 있습니다.", fmt.Sprintf(`<a class="link" href="%s?edit=`, linksPath))
	path := s.linkPath("링크7", "")
	admin.post(path + "/delete").leads(linksPath)
	admin.upload(linksPath, nil, "name", "쉰 번째", "url", "{host}").leads(linksPath)
	admin.post(path + "/restoration").leads(linksPath)
	admin.get(linksPath).shows("링크는 50개까지").hides(">링크7<")
}

func TestLinksForAdministratorsOnly(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("위키")
	path := s.linkPath("위키", "")
	forms := map[string][]string{path + "/visibility": {"visible", "false"}, path + "/position": {"after", "0"}, path + "/delete": nil, path + "/restoration": nil}
	employee, other := s.as(queriestest.Employee), s.as(queriestest.OtherAdmin)
	employee.get(linksPath).leads("/logs/workingattitude/day")
	employee.upload(linksPath, nil, "name", "가", "url", "{host}").leads("/logs/workingattitude/day")
	s.nobody().get(linksPath).leads("/login?next=" + url.QueryEscape(linksPath))
	other.get(linksPath).want(200).hides("위키").shows("등록된 링크가 없습니다")
	other.get(linksPath + "?edit=" + strings.TrimPrefix(path, linksPath+"/")).want(404)
	other.upload(path, nil, "name", "가", "url", "{host}").want(404)
	for form, pairs := range forms {
		employee.post(form, pairs...).leads("/logs/workingattitude/day")
		other.post(form, pairs...).want(404)
	}
	if s.count("select count(*) from links where visible and deleted_at is null and version_no = 1") != 1 {
		t.Error("somebody else changed the link")
	}
}

func TestLinksEscapeTexts(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const script = `"><script>alert(1)</script>`
	admin.upload(linksPath, nil, "name", script+"이름", "description", script, "url", "https://{host}/?"+url.QueryEscape(script), "visible", "true").leads(linksPath)
	s.exec("update links set url = $1", "https://{host}/"+script)
	path := fmt.Sprintf("%s/%d", linksPath, s.count("select id from links"))
	refused := admin.upload(linksPath, nil, "name", script, "description", script, "url", script, "banner_key", script, "version", script)
	for name, a := range map[string]answer{
		"list": admin.get(linksPath), "dialog": admin.get(linksPath + "?edit=" + strings.TrimPrefix(path, linksPath+"/")), "refused": refused,
		"search": admin.get(linksPath + "?q=" + url.QueryEscape(script)), "toast": func() answer { admin.post(path + "/delete"); return admin.get(linksPath) }(),
	} {
		if strings.Contains(a.body, "<script>alert") {
			t.Errorf("%s: a text became a script", name)
		}
		a.shows("alert(1)")
	}
}

func TestLinksInEveryLanguage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.addLinks("가가", "나나")
	for language, title := range map[string]string{"": "공통 바로가기", "/en": "Common links", "/ja": "共通"} {
		admin.get(language+linksPath).want(200).shows(title, language+linksPath+"?new=1").hides("⟦")
		admin.get(language + linksPath + "?new=1").want(200).hides("⟦")
	}
}
