package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"officeconsole/queries/identity"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

// The messenger reads a person's notices, and again only after a change.
func TestNoticesOf(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead)
	publish := func(title string, hours int) int64 {
		return queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: title, Body: "**본문**", PublishAt: queriestest.Now.Add(-time.Duration(hours) * time.Hour)})
	}
	first := publish("먼저", 3)
	publish("다음", 2)
	publish("예약", -1)
	file := queriestest.InsertAttachment(t, s.db, s.files, first, "가.pdf", "application/pdf", []byte("가"))
	path := fmt.Sprintf("/companies/%d/notices/%d", queriestest.Hanbit, queriestest.Employee)

	a := s.get(path, token)
	sameJSON(t, a.body, fmt.Sprintf(`{"data":[
		{"id":%d,"title":"다음","body":"**본문**","author":"한빛테크","published_at":"2026-11-19T23:00:00Z","read_at":null,"attachments":[],"downloadable_until":"2026-12-03T23:00:00Z"},
		{"id":%d,"title":"먼저","body":"**본문**","author":"한빛테크","published_at":"2026-11-19T22:00:00Z","read_at":null,"attachments":[{"id":%d,"name":"가.pdf","size":3,"content_type":"application/pdf"}],"downloadable_until":"2026-12-03T22:00:00Z"}
	],"meta":{"next_cursor":null}}`, first+1, first, file))
	tag := a.header.Get("ETag")
	equal(t, "unchanged", s.get(path, token, "If-None-Match: "+tag).status, http.StatusNotModified)
	if err := s.db.Notices.MarkRead(t.Context(), queriestest.Hanbit, queriestest.Employee, first); err != nil {
		t.Fatal(err)
	}
	a = s.get(path, token, "If-None-Match: "+tag)
	equal(t, "read", rowsOf(t, a, "read_at"), []any{nil, "2026-11-20T01:00:00Z"})
	tag = a.header.Get("ETag")
	s.clock.Advance(time.Hour)
	equal(t, "another is published", rowsOf(t, s.get(path, token, "If-None-Match: "+tag), "title"), []any{"예약", "다음", "먼저"})

	page := s.get(path+"?limit=2", token)
	equal(t, "page", rowsOf(t, page, "title"), []any{"예약", "다음"})
	cursor := object(t, page, http.StatusOK)["meta"].(map[string]any)["next_cursor"].(string)
	equal(t, "next page", rowsOf(t, s.get(path+"?limit=2&cursor="+cursor, token), "title"), []any{"먼저"})
	equal(t, "invalid cursor", s.get(path+"?cursor=x", token).status, http.StatusUnprocessableEntity)
	for _, nobody := range []int64{queriestest.Hidden, queriestest.Bot, queriestest.OtherKim, 999_999} {
		equal(t, "somebody who reads nothing", s.get(fmt.Sprintf("/companies/%d/notices/%d", queriestest.Hanbit, nobody), token).status, http.StatusNotFound)
	}
	equal(t, "without the scope", s.get(path, serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)).status, http.StatusForbidden)
	equal(t, "elsewhere", s.get(path, serviceToken(t, s, queriestest.Other, identity.ScopeRead)).status, http.StatusNotFound)
}

func TestReadEvents(t *testing.T) {
	s := newSite(t)
	token := serviceToken(t, s, queriestest.Hanbit, identity.ScopeEvents)
	id := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "공지", PublishAt: queriestest.Now.Add(-time.Hour)})
	const path = "/companies/1/events/reads"
	body := fmt.Sprintf(`{"events":[
		{"event_id":"a","user_id":2,"notice_id":%[1]d,"read_at":"2026-11-20T00:30:00Z"},{"event_id":"b","user_id":2,"notice_id":%[1]d},
		{"event_id":"c","user_id":2,"notice_id":999999},{"event_id":"d","user_id":5,"notice_id":%[1]d},{"user_id":6,"notice_id":%[1]d}]}`, id)
	result := func(id, status, code string) map[string]any {
		r := map[string]any{"status": status}
		if id != "" {
			r["event_id"] = id
		}
		if code != "" {
			r["code"] = code
		}
		return r
	}
	equal(t, "results", object(t, s.call(http.MethodPost, path, token, body), http.StatusAccepted)["data"], []any{
		result("a", "accepted", ""), result("b", "duplicate", ""), result("c", "refused", "event.notice"), result("d", "refused", "event.user"), result("", "accepted", ""),
	})
	again := object(t, s.call(http.MethodPost, path, token, body), http.StatusAccepted)["data"].([]any)
	equal(t, "again", []any{again[0].(map[string]any)["status"], again[4].(map[string]any)["status"]}, []any{"duplicate", "duplicate"})
	equal(t, "read at", queriestest.LookUp(t, s.db, "select read_at at time zone 'UTC' from notice_reads where user_id = 2"), "2026-11-20 00:30:00")
	unreadable := fmt.Sprintf(`{"events":[{"read_at":"yesterday","event_id":"e","user_id":2,"notice_id":%[1]d},{"event_id":"f","user_id":"2","notice_id":%[1]d},{"event_id":"g"},{"event_id":"h","user_id":3,"notice_id":%[1]d,"more":1},7]}`, id)
	equal(t, "unreadable by itself", object(t, s.call(http.MethodPost, path, token, unreadable), http.StatusAccepted)["data"], []any{
		result("e", "refused", "event.unreadable"), result("f", "refused", "event.unreadable"), result("g", "refused", "event.user"), result("h", "accepted", ""), result("", "refused", "event.unreadable"),
	})
	equal(t, "only unreadable", object(t, s.call(http.MethodPost, path, token, `{"events":[7]}`), http.StatusAccepted)["data"], []any{result("", "refused", "event.unreadable")})
	equal(t, "no events", s.call(http.MethodPost, path, token, `{}`).status, http.StatusUnprocessableEntity)
	tooMany := `{"events":[{"user_id":2,"notice_id":1}`
	for range notice.ReadBatch {
		tooMany += `,{"user_id":2,"notice_id":1}`
	}
	equal(t, "too many", s.call(http.MethodPost, path, token, tooMany+"]}").status, http.StatusUnprocessableEntity)
	equal(t, "without the scope", s.call(http.MethodPost, path, serviceToken(t, s, queriestest.Hanbit, identity.ScopeRead), body).status, http.StatusForbidden)
	equal(t, "elsewhere", s.call(http.MethodPost, path, serviceToken(t, s, queriestest.Other, identity.ScopeEvents), body).status, http.StatusNotFound)
}

func TestAttachments(t *testing.T) {
	s := newSite(t)
	id := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "영업", PublishAt: queriestest.Now.Add(-time.Hour), Departments: map[int64]bool{queriestest.Sales: true}})
	file := queriestest.InsertAttachment(t, s.db, s.files, id, "가.html", "text/html; charset=utf-8", []byte("<script>"))
	of := func(user int64) (one, all string) {
		base := fmt.Sprintf("/companies/%d/users/%d", queriestest.Hanbit, user)
		return fmt.Sprintf("%s/attachments/%d", base, file), fmt.Sprintf("%s/notices/%d/attachments.zip", base, id)
	}
	one, all := of(queriestest.Viewer)
	viewer := s.token(queriestest.Viewer)
	a := s.get(one, viewer)
	equal(t, "file", []any{a.status, a.body, a.header.Get("Content-Type"), a.header.Get("Content-Security-Policy"), a.header.Get("Content-Disposition")},
		[]any{http.StatusOK, "<script>", "application/octet-stream", "default-src 'none'; sandbox", `attachment; filename="_.html"; filename*=UTF-8''%EA%B0%80.html`})
	equal(t, "part", s.get(one, viewer, "Range: bytes=1-6").body, "script")
	archive := s.get(all, viewer)
	equal(t, "archive", []any{archive.status, archive.header.Get("Content-Type"), archive.body[:2]}, []any{http.StatusOK, "application/zip", "PK"})
	equal(t, "downloaded by", queriestest.LookUp(t, s.db, "select array_agg(user_id) from notice_downloads"), "{3}")
	one, all = of(queriestest.Employee)
	employee := s.token(queriestest.Employee)
	equal(t, "not for them", []any{s.get(one, employee).status, s.get(all, employee).status}, []any{http.StatusNotFound, http.StatusNotFound})
	one, _ = of(queriestest.Admin)
	equal(t, "another's path", s.get(one, employee).status, http.StatusNotFound)
	equal(t, "administrator", s.get(one, s.token(queriestest.Admin)).status, http.StatusOK)
	s.clock.Advance(notice.DownloadTime)
	one, all = of(queriestest.Viewer)
	viewer = s.token(queriestest.Viewer)
	for _, path := range []string{one, all} {
		gone := s.get(path, viewer)
		equal(t, path, []any{gone.status, code(t, gone)}, []any{http.StatusNotFound, "attachment.expired"})
	}
}

// Who could read a deleted notice learns that it was deleted, and nobody else.
func TestAttachmentsOfDeletedNotice(t *testing.T) {
	s := newSite(t)
	id := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "영업", PublishAt: queriestest.Now.Add(-time.Hour), Departments: map[int64]bool{queriestest.Sales: true}})
	file := queriestest.InsertAttachment(t, s.db, s.files, id, "가.txt", "text/plain", []byte("가"))
	deleted := s.call(http.MethodDelete, fmt.Sprintf("%s/%d", noticesOf(queriestest.Admin), id), s.token(queriestest.Admin), "")
	equal(t, "deleted", deleted.status, http.StatusNoContent)
	for user, want := range map[int64]struct {
		company int64
		code    string
		name    any
	}{
		queriestest.Admin:      {queriestest.Hanbit, "notice.gone", "김서연"},
		queriestest.Viewer:     {queriestest.Hanbit, "notice.gone", ""},
		queriestest.Employee:   {queriestest.Hanbit, "api.not_found", nil},
		queriestest.OtherAdmin: {queriestest.Other, "api.not_found", nil},
	} {
		base := fmt.Sprintf("/companies/%d/users/%d", want.company, user)
		for _, path := range []string{fmt.Sprintf("%s/attachments/%d", base, file), fmt.Sprintf("%s/notices/%d/attachments.zip", base, id)} {
			a := s.get(path, s.token(user))
			body := object(t, a, http.StatusNotFound)
			var name any
			if by, ok := body["changed_by"].(map[string]any); ok {
				name = by["user"].(map[string]any)["name"]
			}
			equal(t, path, []any{body["code"], name}, []any{want.code, want.name})
		}
	}
}

func TestNoticeReaders(t *testing.T) {
	s := newSite(t)
	admin := s.token(queriestest.Admin)
	id := queriestest.InsertNotice(t, s.db, queriestest.Notice{Title: "영업", PublishAt: queriestest.Now.Add(-time.Hour), Departments: map[int64]bool{queriestest.Sales: true}})
	if err := s.db.Notices.MarkRead(t.Context(), queriestest.Hanbit, queriestest.Kim, id); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/companies/%d/users/%d/notices/%d", queriestest.Hanbit, queriestest.Admin, id)
	names := func(query string) []any {
		t.Helper()
		var names []any
		for _, user := range rowsOf(t, s.get(path+"/readers"+query, admin), "user") {
			names = append(names, user.(map[string]any)["name"])
		}
		return names
	}
	sameJSON(t, s.get(path+"/readers?read=true", admin).body, `{"data":[{"user":{"id":6,"name":"김철수"},"department":{"id":3,"name":"국내영업팀"},"read_at":"2026-11-20T01:00:00Z","downloaded_at":null,"reminded_at":null,
		"work":null,"last_access_at":null}],"meta":{"next_cursor":null}}`)
	equal(t, "not read", names("?read=false"), []any{"박지민", "최유진", "Olivia Martin"})
	if err := s.db.Attendance.BeginDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, s.db, `insert into sign_ins (company_id, user_id, created_at, seen_at, expires_at, idle_seconds, address, user_agent)
		values (1, $1, $2, $2, $2, 0, '192.0.2.1', '')`, queriestest.Foreigner, queriestest.Now.Add(-time.Hour))
	foreigner := s.get(path+"/readers?q=olivia", admin)
	equal(t, "what somebody does", rowsOf(t, foreigner, "work"), []any{map[string]any{"state": "before", "starts_at": "2026-11-20T00:00:00Z"}})
	equal(t, "last seen", rowsOf(t, foreigner, "last_access_at"), []any{"2026-11-20T00:00:00Z"})
	equal(t, "of a department", names("?department_id=4"), []any{"Olivia Martin"})
	equal(t, "found", names("?q=olivia"), []any{"Olivia Martin"})
	first := s.get(path+"/readers?limit=2", admin)
	cursor := object(t, first, http.StatusOK)["meta"].(map[string]any)["next_cursor"].(string)
	equal(t, "next page", names("?limit=2&cursor="+cursor), []any{"Olivia Martin"})
	equal(t, "refused", []any{s.get(path+"/readers?q=a", admin).status, s.get(path+"/readers?cursor=x", admin).status}, []any{http.StatusUnprocessableEntity, http.StatusUnprocessableEntity})
	unknown := fmt.Sprintf("/companies/%d/users/%d/notices/999999", queriestest.Hanbit, queriestest.Admin)
	equal(t, "unknown", []any{s.get(unknown+"/readers", admin).status, s.call(http.MethodPost, unknown+"/reminders", admin, "").status}, []any{http.StatusNotFound, http.StatusNotFound})

	sameJSON(t, s.call(http.MethodPost, path+"/reminders", admin, "").body, `{"people":3,"now":3,"later":0,"next_at":null}`)
	again := s.call(http.MethodPost, path+"/reminders", admin, "")
	equal(t, "too soon", []any{again.status, code(t, again)}, []any{http.StatusUnprocessableEntity, "reader.remind.too_soon"})
	equal(t, "until", object(t, again, http.StatusUnprocessableEntity)["message"], "알림은 공지마다 한 시간에 한 번 보낼 수 있습니다. 11:00부터 다시 보낼 수 있습니다.")
	employee := fmt.Sprintf("/companies/%d/users/%d/notices/%d", queriestest.Hanbit, queriestest.Employee, id)
	token := s.token(queriestest.Employee)
	equal(t, "an employee", []any{s.get(employee+"/readers", token).status, s.call(http.MethodPost, employee+"/reminders", token, "").status}, []any{http.StatusForbidden, http.StatusForbidden})
}
