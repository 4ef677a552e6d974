package notice_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"officeconsole/blobs"
	"officeconsole/queries"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

// form is a multipart form with a file and these fields before or after it.
func form(content io.Reader, name string, before, behind map[string]string) *multipart.Reader {
	r, w := io.Pipe()
	m := multipart.NewWriter(w)
	go func() {
		for field, value := range before {
			m.WriteField(field, value)
		}
		if content != nil {
			part, _ := m.CreateFormFile("file", name)
			io.Copy(part, content)
		}
		for field, value := range behind {
			m.WriteField(field, value)
		}
		w.CloseWithError(m.Close())
	}()
	return multipart.NewReader(r, m.Boundary())
}

func sum(content string) string {
	hash := md5.Sum([]byte(content))
	return hex.EncodeToString(hash[:])
}

func TestReceiveUpload(t *testing.T) {
	db := queriestest.New(t)
	files := queriestest.Blobs(t)
	pdf := "%PDF-1.7\n내용"
	for _, fields := range [][2]map[string]string{
		{{"md5": sum(pdf)}, nil},
		{nil, {"md5": strings.ToUpper(sum(pdf))}},
	} {
		file, err := db.Notices.ReceiveUpload(t.Context(), admin, files, form(strings.NewReader(pdf), "안내.pdf", fields[0], fields[1]))
		if err != nil || file.Name != "안내.pdf" || file.Size != int64(len(pdf)) || file.Md5 != sum(pdf) || file.ContentType != "application/pdf" || file.NoticeID != nil {
			t.Fatalf("%+v (%v)", file, err)
		}
		content, _, err := files.Open(t.Context(), file.Blob)
		if err != nil {
			t.Fatal(err)
		}
		if stored, _ := io.ReadAll(content); string(stored) != pdf {
			t.Errorf("%q is stored", stored)
		}
		content.Close()
	}
	if page, err := db.Notices.Upload(t.Context(), admin, files, notice.Upload{Name: "사진.png", Content: strings.NewReader("<html><script>")}); err != nil || !strings.HasPrefix(page.ContentType, "text/html") {
		t.Errorf("a page that is called a picture is %s (%v)", page.ContentType, err)
	}
}

func TestRefusedUpload(t *testing.T) {
	db := queriestest.New(t)
	files := queriestest.Blobs(t)
	largest := strings.Repeat("a", notice.MaxFileBytes)
	for name, test := range map[string]struct {
		form *multipart.Reader
		want error
	}{
		"no file":         {form(nil, "", map[string]string{"md5": sum("")}, nil), queries.FieldErrors{"file": "notice.file.required"}},
		"no MD5":          {form(strings.NewReader("a"), "a", nil, nil), queries.FieldErrors{"md5": "notice.file.md5"}},
		"another MD5":     {form(strings.NewReader("a"), "a", map[string]string{"md5": sum("b")}, nil), queries.FieldErrors{"md5": "notice.file.md5"}},
		"zero bytes":      {form(strings.NewReader(""), "a", map[string]string{"md5": sum("")}, nil), queries.FieldErrors{"file": "notice.file.empty"}},
		"one byte more":   {form(strings.NewReader(largest+"a"), "a", map[string]string{"md5": sum(largest + "a")}, nil), queries.FieldErrors{"file": "notice.file.too_large"}},
		"no parts":        {multipart.NewReader(strings.NewReader("hello"), "x"), queries.FieldErrors{"file": "notice.file.required"}},
		"broken off":      {multipart.NewReader(strings.NewReader("--x\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\nabc"), "x"), queries.Invalid("error.unreadable")},
		"the largest one": {form(strings.NewReader(largest), "a", map[string]string{"md5": sum(largest)}, nil), nil},
	} {
		_, err := db.Notices.ReceiveUpload(t.Context(), admin, files, test.form)
		var fields queries.FieldErrors
		if errors.As(test.want, &fields) {
			refuses(t, name, err, fields)
		} else if !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	if got := queriestest.LookUp(t, db, "select count(*) from notice_attachments"); got != "1" {
		t.Errorf("%s files are stored", got)
	}
}

// fullDisk is a store without room.
type fullDisk struct{ blobs.Store }

func (fullDisk) Put(context.Context, int64, io.Reader, int64) (blobs.Blob, error) {
	return blobs.Blob{}, fmt.Errorf("blobs: %w", syscall.ENOSPC)
}

func TestUploadToFullDisk(t *testing.T) {
	db := queriestest.New(t)
	_, err := db.Notices.Upload(t.Context(), admin, fullDisk{}, notice.Upload{Name: "a", Content: strings.NewReader("a")})
	if !errors.Is(err, notice.ErrStorageFull) || queriestest.LookUp(t, db, "select count(*) from notice_attachments") != "0" {
		t.Errorf("%v", err)
	}
}

// An upload is never in memory as a whole.
func TestUploadMemory(t *testing.T) {
	db := queriestest.New(t)
	files := queriestest.Blobs(t)
	content := bytes.Repeat([]byte("0123456789abcdef"), notice.MaxFileBytes/16)
	var before, behind runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := db.Notices.Upload(t.Context(), admin, files, notice.Upload{Name: "a", Content: bytes.NewReader(content)}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&behind)
	if allocated := behind.TotalAlloc - before.TotalAlloc; allocated > notice.MaxFileBytes/4 {
		t.Errorf("an upload of %d bytes allocated %d", len(content), allocated)
	}
}

func TestCleanName(t *testing.T) {
	long := strings.Repeat("가", 300) + ".xlsx"
	for name, want := range map[string]string{
		"보고서.pdf":                  "보고서.pdf",
		norm.NFD.String("보고서.pdf"): "보고서.pdf",
		`C:\temp\a.txt`:            "a.txt",
		"../../etc/passwd":         "passwd",
		"a\r\nSet-Cookie: b":       "a__Set-Cookie: b",
		`"quoted" & <b>.txt`:       `"quoted" & <b>.txt`,
		"invoice\u202efdp.exe":     "invoicefdp.exe",
		"  spaces .txt ":           "spaces .txt",
		"":                         "file",
		"..":                       "file",
		"/":                        "file",
		"\xff\xfe.txt":             "_.txt",
		strings.Repeat("a", 300):   strings.Repeat("a", 240),
		long:                       strings.Repeat("가", 78) + ".xlsx",
	} {
		if got := notice.CleanName(name); got != want {
			t.Errorf("%q is cleaned to %q, want %q", name, got, want)
		}
	}
}

func TestFilesOfADuplicate(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	d := draft("처음", 0)
	d.AttachmentIDs = []int64{upload(t, db, files, "하나.txt", "1"), upload(t, db, files, "둘.txt", "2")}
	first := create(t, db, d)
	copied, lost, err := db.Notices.Duplicate(t.Context(), queriestest.Hanbit, first.ID)
	if err != nil || lost != 0 || len(copied.AttachmentIDs) != 2 {
		t.Fatalf("%+v %d (%v)", copied, lost, err)
	}
	second := create(t, db, copied)
	if got := fileNames(t, db, first.ID) + ", " + fileNames(t, db, second.ID); got != "하나.txt 둘.txt, 하나.txt 둘.txt" {
		t.Errorf("the files are %s", got)
	}
	if _, err := db.Notices.Create(t.Context(), other, notice.Draft{Title: "남의 파일", Body: "가", Targets: notice.Targets{Everyone: true}, AttachmentIDs: d.AttachmentIDs}); err == nil {
		t.Error("another company got a file")
	}
	clock.Advance(notice.DownloadTime)
	if copied, lost, err = db.Notices.Duplicate(t.Context(), queriestest.Hanbit, first.ID); err != nil || lost != 2 || len(copied.AttachmentIDs) != 0 {
		t.Errorf("after two weeks: %+v %d (%v)", copied, lost, err)
	}
	_, err = db.Notices.Create(t.Context(), admin, d)
	refuses(t, "files of an expired notice", err, queries.FieldErrors{"attachment_ids": "notice.attachments.expired"})
}

func TestDeleteUploads(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	d := draft("예약", 72*time.Hour)
	d.AttachmentIDs = []int64{upload(t, db, files, "붙임.txt", "1")}
	n := create(t, db, d)
	upload(t, db, files, "버려진.txt", "2")
	left := func(want string) {
		t.Helper()
		if err := db.Notices.DeleteUploads(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := queriestest.LookUp(t, db, "select string_agg(name, ' ' order by name) from notice_attachments"); got != want {
			t.Errorf("%s are left, want %s", got, want)
		}
	}
	left("버려진.txt 붙임.txt")
	clock.Advance(25 * time.Hour)
	left("붙임.txt")
	if _, err := db.Notices.Update(t.Context(), admin, n.ID, 0, func(d notice.Draft) notice.Draft { d.AttachmentIDs = nil; return d }); err != nil {
		t.Fatal(err)
	}
	left("붙임.txt") // detached just now
}

// A program cannot be uploaded under the name of a document, and everything else can.
func TestDisguisedPrograms(t *testing.T) {
	db := queriestest.New(t)
	files := queriestest.Blobs(t)
	const windows, linux, mac = "MZ\x90\x00\x03\x00\x00\x00", "\x7fELF\x02\x01\x01", "\xcf\xfa\xed\xfe\x07\x00\x00\x01"
	for _, f := range []struct{ name, content string }{
		{"견적서.pdf", windows}, {"사진.JPG", windows}, {"list.xlsx", linux}, {"메모.txt", mac}, {"report\u202Eexe.pdf", windows},
	} {
		_, err := db.Notices.Upload(t.Context(), admin, files, notice.Upload{Name: f.name, Content: strings.NewReader(f.content)})
		refuses(t, f.name, err, queries.FieldErrors{"file": "notice.file.disguised"})
	}
	for _, f := range []struct{ name, content string }{
		{"setup.exe", windows}, {"tool", linux}, {"견적서.pdf", "%PDF-1.7"}, {"MZ.txt", "MZ는 두 글자입니다"}, {"page.xls", "<html></html>"}, {"a.pdf", "a"},
	} {
		if _, err := db.Notices.Upload(t.Context(), admin, files, notice.Upload{Name: f.name, Content: strings.NewReader(f.content)}); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}

// A file is refused whose content is of a known type that its extension is not for.
func TestContentOfAnotherKind(t *testing.T) {
	db := queriestest.New(t)
	files := queriestest.Blobs(t)
	const png, jpeg, pdf, zip, mp4 = "\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0", "%PDF-1.7", "PK\x03\x04", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"
	for _, f := range []struct{ name, content string }{{"견적서.pdf", png}, {"사진.jpg", pdf}, {"목록.xlsx", pdf}, {"메모.txt", zip}, {"회의.PPTX", mp4}, {"그림.csv", "BM\x36\x00\x0c\x00"}, {"곡.txt", "ID3\x04\x00\x00"}} {
		_, err := db.Notices.Upload(t.Context(), admin, files, notice.Upload{Name: f.name, Content: strings.NewReader(f.content)})
		refuses(t, f.name, err, queries.FieldErrors{"file": "notice.file.other_content"})
	}
	for _, f := range []struct{ name, content string }{
		{"견적서.pdf", pdf}, {"사진.jpg", png}, {"사진.png", jpeg}, {"목록.xlsx", zip}, {"목록.xls", zip}, {"회의.mp4", mp4}, {"목록.xls", "<html></html>"},
		{"건강검진.csv", "BMI,이름\n21,김철수"}, {"메모.md", "BM이라는 말"}, {"곡.csv", "ID3,곡명"},
		{"알 수 없음.xlsx", "\x00\x01"}, {"확장자 없음", png}, {"이름.dat", zip}, {"이름.apk", zip},
	} {
		if _, err := db.Notices.Upload(t.Context(), admin, files, notice.Upload{Name: f.name, Content: strings.NewReader(f.content)}); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}
