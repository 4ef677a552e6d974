package handlers_test

import (
	"context"
	"fmt"
	"io"
	"syscall"
	"testing"

	"officeconsole/blobs"
	"officeconsole/handlers"
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
