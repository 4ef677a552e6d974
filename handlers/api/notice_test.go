package api_test

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"

	"golang.org/x/text/unicode/norm"
)

func noticesOf(user int64) string { return own(user) + "/notices" }

// upload sends a file, with the MD5 of its content unless another one is given.
func (s *site) upload(token, name, content string, sum ...string) answer {
	s.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	hash := md5.Sum([]byte(content))
	sum = append(sum, hex.EncodeToString(hash[:]))
	form.WriteField("md5", sum[0])
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		s.t.Fatal(err)
	}
	io.WriteString(part, content)
	form.Close()
	return s.call(http.MethodPost, own(queriestest.Admin)+"/uploads", token, body.String(), "Content-Type: "+form.FormDataContentType())
}

func TestNoticeLife(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), noticesOf(queriestest.Admin)
	sameJSON(t, s.get(all, token).body, `{"data":[],"meta":{"next_cursor":null}}`)
	file := object(t, s.upload(token, "점검 일정.csv", "날짜,시간\n"), http.StatusCreated)
	equal(t, "file", []any{file["name"], file["size"], file["content_type"]}, []any{"점검 일정.csv", 14.0, "text/plain; charset=utf-8"})
	fileID := jsonNumber(file["id"])

	created := s.call(http.MethodPost, all, token, `{"title":"정기 점검","body":"**새벽** 2시","targets":{"departments":[{"id":2}],"users":[8]},"publish_at":"2026-11-24T09:00:00+09:00","attachment_ids":[`+fileID+`]}`)
	body := object(t, created, http.StatusCreated)
	equal(t, "created", []any{body["status"], body["published_at"], body["recipients"], body["readers"], body["author"]}, []any{"reserved", "2026-11-24T00:00:00Z", 5.0, 0.0, "김서연"})
	equal(t, "targets", body["targets"], any(map[string]any{"departments": []any{map[string]any{"id": 2.0, "include_children": true}}, "users": []any{8.0}}))
	one, first := all+"/"+jsonNumber(body["id"]), created.header.Get("ETag")
	equal(t, "read", s.get(one, token).header.Get("ETag"), first)

	changed := object(t, s.call(http.MethodPatch, one, token, `{"title":"정기 점검 연기","targets":{"everyone":true}}`, "If-Match: "+first), http.StatusOK)
	equal(t, "changed", []any{changed["title"], changed["body"], changed["status"], changed["everyone"], len(changed["attachment_ids"].([]any))}, []any{"정기 점검 연기", "**새벽** 2시", "reserved", true, 1})
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		stale := s.call(method, one, token, `{"title":"다른 제목"}`, "If-Match: "+first)
		by := object(t, stale, http.StatusConflict)["changed_by"].(map[string]any)
		equal(t, method, []any{code(t, stale), by["user"].(map[string]any)["name"], by["fields"], by["version_no"]}, []any{"notice.edited", "김서연", []any{"title", "targets"}, 2.0})
	}
	published := object(t, s.call(http.MethodPatch, one, token, `{"publish_at":null,"attachment_ids":[]}`), http.StatusOK)
	equal(t, "published", []any{published["status"], len(published["attachments"].([]any))}, []any{"published", 0})
	late := s.call(http.MethodPatch, one, token, `{"title":"늦은 제목"}`)
	equal(t, "a change afterwards", []any{late.status, code(t, late)}, []any{http.StatusConflict, "notice.published"})
	if a := s.call(http.MethodDelete, one, token, ""); a.status != http.StatusNoContent {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	for _, call := range []string{"GET ", "DELETE ", "PATCH ", "GET /readers", "GET /attachments.zip"} {
		method, path, _ := strings.Cut(call, " ")
		a := s.call(method, one+path, token, `{}`)
		equal(t, call+" of a deleted one", []any{a.status, code(t, a)}, []any{http.StatusNotFound, "notice.gone"})
	}
	gone := s.call(http.MethodPatch, one, token, `{"title":"늦은 제목"}`)
	equal(t, "a change of a deleted one", []any{code(t, gone), strings.Contains(gone.body, "님이 2026년 11월")}, []any{"notice.gone", true})
	equal(t, "deleted", rowsOf(t, s.get(all+"?status=deleted", token), "status"), []any{"deleted"})
	object(t, s.call(http.MethodPost, one+"/restoration", token, ""), http.StatusOK)
	equal(t, "restored", rowsOf(t, s.get(all+"?status=published", token), "title"), []any{"정기 점검 연기"})
}

func TestNoticeList(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), noticesOf(queriestest.Admin)
	for _, title := range []string{"가나다", "라마바", "사아자"} {
		object(t, s.call(http.MethodPost, all, token, `{"title":"`+title+`","body":"본문","targets":{"everyone":true}}`), http.StatusCreated)
		s.clock.Advance(24 * time.Hour)
		token = s.token(queriestest.Admin)
	}
	var found []any
	path := all + "?limit=2"
	for path != "" {
		rows, next := list(t, s.get(path, token).body, "title")
		found, path = append(found, rows...), ""
		if next != "" {
			path = all + "?limit=2&cursor=" + next
		}
	}
	equal(t, "pages", found, []any{"사아자", "라마바", "가나다"})
	equal(t, "search", rowsOf(t, s.get(all+"?q=ㄹㅁ", token), "title"), []any{"라마바"})
	equal(t, "period", rowsOf(t, s.get(all+"?from=2026-11-21&to=2026-11-21&sort=published&author_id=1&target=everyone", token), "title"), []any{"라마바"})
	for query, field := range map[string]string{"q=가": "q", "status=gone": "status", "target=x": "target", "from=x": "from", "cursor=x": "cursor"} {
		a := s.get(all+"?"+query, token)
		equal(t, query, []any{a.status, object(t, a, http.StatusUnprocessableEntity)["errors"].([]any)[0].(map[string]any)["field"]}, []any{http.StatusUnprocessableEntity, field})
	}
	equal(t, "another company", rowsOf(t, s.get(noticesOf(queriestest.OtherAdmin), s.token(queriestest.OtherAdmin)), "title"), []any(nil))
	for _, path := range []string{all, own(queriestest.Employee) + "/notices"} {
		if a := s.get(path, s.token(queriestest.Employee)); a.status != http.StatusForbidden && a.status != http.StatusNotFound {
			t.Errorf("an employee reads %s: %d", path, a.status)
		}
	}
}

func TestRefusedNotices(t *testing.T) {
	s := newSite(t)
	token, all := s.token(queriestest.Admin), noticesOf(queriestest.Admin)
	for body, want := range map[string]string{
		`{}`: "notice.body.required notice.targets.required notice.title.required",
		`{"title":"가","body":"나","targets":{"everyone":true},"publish_at":"2026-11-20T10:00:00+09:00"}`: "notice.publish_at.past",
		`{"title":"가","body":"나","targets":{"departments":[{"id":9}]}}`:                                 "notice.targets.unknown",
		`{"title":"가","body":"나","targets":{"everyone":true},"attachment_ids":[1]}`:                     "notice.attachments.unknown",
	} {
		var codes []string
		for _, e := range object(t, s.call(http.MethodPost, all, token, body), http.StatusUnprocessableEntity)["errors"].([]any) {
			codes = append(codes, e.(map[string]any)["code"].(string))
		}
		equal(t, body, strings.Join(codes, " "), want)
	}
	equal(t, "no time", s.call(http.MethodPost, all, token, `{"publish_at":"tomorrow"}`).status >= 400, true)
}

func TestUpload(t *testing.T) {
	s := newSite(t)
	token := s.token(queriestest.Admin)
	for name, test := range map[string]struct {
		a    answer
		code string
	}{
		"another MD5":   {s.upload(token, "a", "a", strings.Repeat("0", 32)), "notice.file.md5"},
		"zero bytes":    {s.upload(token, "a", ""), "notice.file.empty"},
		"one byte more": {s.upload(token, "a", strings.Repeat("a", notice.MaxFileBytes+1)), "notice.file.too_large"},
	} {
		equal(t, name, []any{test.a.status, code(t, test.a)}, []any{http.StatusUnprocessableEntity, test.code})
	}
	for _, path := range []string{"/uploads", "/imports"} {
		a := s.call(http.MethodPost, own(queriestest.Admin)+path, token, `{}`)
		equal(t, "JSON for "+path, []any{a.status, code(t, a)}, []any{http.StatusUnsupportedMediaType, "api.media_type.form"})
	}
	if a := s.upload(s.token(queriestest.Employee), "a", "a"); a.status != http.StatusNotFound && a.status != http.StatusForbidden {
		t.Errorf("an employee: %d", a.status)
	}
	object(t, s.upload(token, "a", strings.Repeat("a", notice.MaxFileBytes)), http.StatusCreated)
}

// The answer to an upload and the download name a file in the same way, without
// what would break a header, a path or a file system.
func TestAttachmentNames(t *testing.T) {
	s := newSite(t)
	token := s.token(queriestest.Admin)
	const content = "content"
	sum := md5.Sum([]byte(content))
	encoded := func(name string) string {
		return "filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	}
	for name, test := range map[string]struct{ sent, stored, saved string }{
		"a newline":      {encoded("보고\r\nSet-Cookie: a=b.txt"), "보고__Set-Cookie: a=b.txt", "보고__Set-Cookie_ a=b.txt"},
		"a slash":        {encoded("../../etc/passwd"), "passwd", "passwd"},
		"a quote":        {`filename="report \"final\".txt"`, `report "final".txt`, "report _final_.txt"},
		"300 characters": {encoded(strings.Repeat("가", 300) + ".txt"), strings.Repeat("가", 78) + ".txt", strings.Repeat("가", 78) + ".txt"},
		"decomposed":     {encoded(norm.NFD.String("한글.txt")), "한글.txt", "한글.txt"},
		"no name":        {`filename="..."`, "file", "file"},
	} {
		body := "--b\r\nContent-Disposition: form-data; name=\"md5\"\r\n\r\n" + hex.EncodeToString(sum[:]) +
			"\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; " + test.sent + "\r\n\r\n" + content + "\r\n--b--\r\n"
		file := object(t, s.call(http.MethodPost, own(queriestest.Admin)+"/uploads", token, body, "Content-Type: multipart/form-data; boundary=b"), http.StatusCreated)
		equal(t, name, file["name"], test.stored)
		draft := fmt.Sprintf(`{"title":%q,"body":"본문","targets":{"everyone":true},"attachment_ids":[%s]}`, name, jsonNumber(file["id"]))
		object(t, s.call(http.MethodPost, noticesOf(queriestest.Admin), token, draft), http.StatusCreated)
		a := s.get(own(queriestest.Admin)+"/attachments/"+jsonNumber(file["id"]), token)
		_, parameters, err := mime.ParseMediaType(a.header.Get("Content-Disposition"))
		equal(t, name+": download", []any{a.status, a.body, parameters["filename"], a.header.Get("Set-Cookie"), err}, []any{http.StatusOK, content, test.saved, "", nil})
	}
}
