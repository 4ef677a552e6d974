package handlers_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall"
	"testing"

	"officeconsole/blobs"
	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/queries/queriestest"
)

// fullStore is a store without room.
type fullStore struct{ blobs.Store }

func (fullStore) Put(_ context.Context, _ int64, content io.Reader, _ int64) (blobs.Blob, error) {
	if _, err := io.CopyN(io.Discard, content, 1); err != nil {
		return blobs.Blob{}, err
	}
	return blobs.Blob{}, fmt.Errorf("blobs: %w", syscall.ENOSPC)
}

// Every page that takes a file says that there is no room for it, in the reader's
// language, and stores nothing.
func TestUploadsToFullStore(t *testing.T) {
	s := newSiteWith(t, handlers.Config{Blobs: fullStore{queriestest.Blobs(t)}})
	admin := s.as(queriestest.Admin)
	picture := pngOf(t, 126, 80)
	for prefix, text := range map[string]string{
		"": "파일을 저장할 공간이 없습니다.", "/en": "There is no room left to store files.", "/ja": "ファイルを保存する空き容量がありません。",
	} {
		admin.upload(prefix+linksPath, &file{"a.png", picture}, "name", "위키", "url", "{host}").want(507).shows(text)
		admin.uploadAs("image", prefix+"/manage/use/webhook", &file{"a.png", picture}, "name", "봇").want(507).shows(text)
		admin.uploadAs("file", prefix+"/manage/notice", &file{"a.txt", []byte("text")}, "action", "save", "title", "제목", "body", "본문", "audience", "everyone").want(507).shows(text)
	}
	if n := s.count("select (select count(*) from links) + (select count(*) from bots where image <> '') + (select count(*) from notices) + (select count(*) from notice_attachments)"); n != 0 {
		t.Errorf("%d rows were stored", n)
	}
}

// If S3 has no room or its connection breaks, the page and the call say so, and
// nothing is stored.
func TestUploadsToFailingBucket(t *testing.T) {
	var fail atomic.Pointer[http.HandlerFunc]
	bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*fail.Load())(w, r) }))
	t.Cleanup(bucket.Close)
	store, err := blobs.Open("s3://KEY:hunter2@" + bucket.Listener.Addr().String() + "/bucket?insecure=1&region=us-east-1")
	if err != nil {
		t.Fatal(err)
	}
	db, clock := queriestest.NewWithClock(t)
	s := newSiteOver(t, db, clock, handlers.Config{Blobs: store, API: api.New(db, "test", store)})
	admin := s.as(queriestest.Admin)
	content := bytes.Repeat([]byte("x"), 200_000)
	sum := md5.Sum(content)
	for name, test := range map[string]struct {
		fail          http.HandlerFunc
		status        int
		korean, other string
	}{
		"no room": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusInsufficientStorage)
			fmt.Fprint(w, "<Error><Code>XMinioStorageFull</Code></Error>")
		}, http.StatusInsufficientStorage, "파일을 저장할 공간이 없습니다.", "ファイルを保存する空き容量がありません。"},
		"a connection that breaks": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.CopyN(io.Discard, r.Body, 1000)
			panic(http.ErrAbortHandler)
		}, http.StatusServiceUnavailable, "파일 저장소에 연결하지 못했습니다", "ファイルの保存先に接続できませんでした"},
	} {
		t.Run(name, func(t *testing.T) {
			fail.Store(&test.fail)
			admin.uploadAs("file", noticesPath, &file{"a.txt", content}, noticeFields()...).want(test.status).shows(test.korean)
			admin.uploadAs("file", "/ja"+noticesPath, &file{"a.txt", content}, noticeFields()...).want(test.status).shows(test.other)
			call := admin.with("Accept", "application/json").with("Sec-Fetch-Site", "same-origin")
			call.uploadAs("file", fmt.Sprintf("/api/v1/companies/%d/users/%d/uploads", queriestest.Hanbit, queriestest.Admin), &file{"a.txt", content}, "md5", hex.EncodeToString(sum[:])).
				want(test.status).shows(test.korean, `"code":"error.storage_`).hides("hunter2")
			if n := s.count("select (select count(*) from notices) + (select count(*) from notice_attachments)"); n != 0 {
				t.Errorf("%d rows were stored", n)
			}
		})
	}
}

// scanningStore is a store whose virus scanner answers with an error.
type scanningStore struct {
	blobs.Store
	answer error
}

func (s scanningStore) Put(context.Context, int64, io.Reader, int64) (blobs.Blob, error) {
	return blobs.Blob{}, fmt.Errorf("%w: stream: Test-Signature FOUND", s.answer)
}

// A file in which the virus scanner finds something, or that it cannot read, is not
// stored, and the pages and the call say why.
func TestUploadsToScanningStore(t *testing.T) {
	for answer, test := range map[error]struct {
		status                          int
		korean, english, japanese, code string
	}{
		blobs.ErrInfected:   {422, "악성 코드가 발견되어", "The virus scanner found malicious content", "不正なプログラムが見つかった", "error.infected"},
		blobs.ErrNotScanned: {503, "바이러스 검사를 할 수 없어", "the virus scanner is not available", "ウイルス検査ができない", "error.not_scanned"},
	} {
		db, clock := queriestest.NewWithClock(t)
		store := scanningStore{queriestest.Blobs(t), answer}
		s := newSiteOver(t, db, clock, handlers.Config{Blobs: store, API: api.New(db, "test", store)})
		admin := s.as(queriestest.Admin)
		for prefix, text := range map[string]string{"": test.korean, "/en": test.english, "/ja": test.japanese} {
			admin.upload(prefix+linksPath, &file{"a.png", pngOf(t, 126, 80)}, "name", "위키", "url", "{host}").want(test.status).shows(text)
			admin.uploadAs("file", prefix+"/manage/notice", &file{"a.txt", []byte("text")}, "action", "save", "title", "제목", "body", "본문", "audience", "everyone").want(test.status).shows(text)
		}
		content := []byte("text")
		sum := md5.Sum(content)
		call := admin.with("Accept", "application/json").with("Sec-Fetch-Site", "same-origin")
		call.uploadAs("file", fmt.Sprintf("/api/v1/companies/%d/users/%d/uploads", queriestest.Hanbit, queriestest.Admin), &file{"a.txt", content}, "md5", hex.EncodeToString(sum[:])).
			want(test.status).shows(test.korean, `"`+test.code+`"`)
		if n := s.count("select (select count(*) from links) + (select count(*) from notices) + (select count(*) from notice_attachments)"); n != 0 {
			t.Errorf("%d rows were stored", n)
		}
	}
}

// A full disk of the database has a word of its own, on a page and for a script.
func TestFullDatabase(t *testing.T) {
	s := newSite(t)
	s.exec("create function full_disk() returns trigger language plpgsql as $$ begin raise exception using errcode = 'disk_full'; end $$")
	s.exec("create trigger full_disk before insert on links execute function full_disk()")
	admin := s.as(queriestest.Admin)
	create := func(by *client, prefix string) answer {
		return by.upload(prefix+linksPath, &file{"a.png", pngOf(t, 126, 80)}, "name", "위키", "url", "{host}").want(507)
	}
	create(admin, "").shows("디스크 공간이 부족하여")
	create(admin, "/en").shows("the disk of the server is full")
	create(admin.htmx(), "/ja").shows(`"code":"server.full"`, "空き容量が不足")
}
