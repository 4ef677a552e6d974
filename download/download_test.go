package download

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

func fileOf(name, contentType, content string) File {
	return File{name, contentType, "tag-" + name, time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC), func(context.Context) (io.ReadSeekCloser, error) {
		return memory{bytes.NewReader([]byte(content))}, nil
	}}
}

var missing = File{Name: "a.txt", Open: func(context.Context) (io.ReadSeekCloser, error) { return nil, fs.ErrNotExist }}

func TestSafeName(t *testing.T) {
	for name, want := range map[string]string{
		"보고서.pdf":                  "보고서.pdf",
		norm.NFD.String("보고서.pdf"): "보고서.pdf",
		"../../etc/passwd":         "_.._etc_passwd",
		`C:\temp\a.txt`:            "C__temp_a.txt",
		"a\r\nb\x00\".txt":         "ab_.txt",
		"\u202Egpj.exe":            "gpj.exe",
		"..":                       "file",
		"":                         "file",
		"a.txt ":                   "a.txt",
	} {
		if got := SafeName(name); got != want {
			t.Errorf("%q is saved as %q, not %q", name, got, want)
		}
	}
	long := SafeName(strings.Repeat("가", 300) + ".xlsx")
	if len(long) > longestName || !utf8.ValidString(long) || !strings.HasSuffix(long, "가.xlsx") {
		t.Errorf("a long name is saved as %q of %d bytes", long, len(long))
	}
}

// What browsers read from the header is the safe name.
func FuzzDisposition(f *testing.F) {
	for _, name := range []string{"보고서 (최종).pdf", "a\"b;c=%41.txt", "\r\nSet-Cookie: x", "😀", "a'b", `\`, "/"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		header := Disposition(name)
		kind, params, err := mime.ParseMediaType(header)
		if err != nil || kind != "attachment" || strings.ContainsAny(header, "\r\n") {
			t.Fatalf("%q: %s: %v", name, header, err)
		}
		if want := SafeName(name); utf8.ValidString(name) && params["filename"] != want {
			t.Errorf("%q: saved as %q, not %q", name, params["filename"], want)
		}
		for _, c := range header {
			if c > '~' {
				t.Errorf("%q: the header is not ASCII: %s", name, header)
			}
		}
	})
}

func TestSafeType(t *testing.T) {
	for detected, want := range map[string]string{
		"application/pdf":           "application/pdf",
		"image/png":                 "image/png",
		"text/plain; charset=utf-8": "text/plain; charset=utf-8",
		"text/html; charset=utf-8":  "application/octet-stream",
		"text/xml":                  "application/octet-stream",
		"image/svg+xml":             "application/octet-stream",
		"application/xhtml+xml":     "application/octet-stream",
		"text/javascript":           "application/octet-stream",
		"":                          "application/octet-stream",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		"application/vnd.mozilla.xul+xml":                                   "application/octet-stream",
	} {
		if got := SafeType(detected); got != want {
			t.Errorf("%q is sent as %q, not %q", detected, got, want)
		}
	}
}

func TestSend(t *testing.T) {
	send := func(header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		if err := Send(w, r, fileOf("쪽.html", "text/html; charset=utf-8", "<script>alert(1)</script>")); err != nil {
			t.Fatal(err)
		}
		return w
	}
	whole := send()
	for name, want := range map[string]string{
		"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
		"Cache-Control": "private, no-cache", "Accept-Ranges": "bytes", "Content-Length": "25",
		"Content-Disposition": `attachment; filename="_.html"; filename*=UTF-8''%EC%AA%BD.html`,
	} {
		if got := whole.Header().Get(name); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	if part := send("Range", "bytes=8-13"); part.Code != http.StatusPartialContent || part.Body.String() != "alert(" {
		t.Errorf("a part: %d %q", part.Code, part.Body)
	}
	if known := send("If-None-Match", whole.Header().Get("Etag")); known.Code != http.StatusNotModified {
		t.Errorf("a known file: %d", known.Code)
	}
	w := httptest.NewRecorder()
	if err := Send(w, httptest.NewRequest(http.MethodGet, "/", nil), missing); !errors.Is(err, fs.ErrNotExist) || len(w.Header()) > 0 {
		t.Errorf("a file that is gone: %v, %v", err, w.Header())
	}
}

func TestSendZip(t *testing.T) {
	files := []File{
		fileOf("보고서.txt", "text/plain; charset=utf-8", strings.Repeat("가나다", 1000)), fileOf("A.pdf", "application/pdf", "1"),
		fileOf("a.pdf", "application/pdf", "2"), fileOf("a.PDF", "application/pdf", "3"), fileOf("a (2).pdf", "application/pdf", "4"),
	}
	w := httptest.NewRecorder()
	if err := SendZip(w, httptest.NewRequest(http.MethodGet, "/", nil), "첨부.zip", files); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names, contents []string
	for _, f := range archive.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		names, contents = append(names, f.Name), append(contents, string(text[:1]))
	}
	if want := []string{"보고서.txt", "A.pdf", "a (2).pdf", "a (3).PDF", "a (2) (2).pdf"}; !reflect.DeepEqual(names, want) {
		t.Errorf("names %q, not %q", names, want)
	}
	if !reflect.DeepEqual(contents[1:], []string{"1", "2", "3", "4"}) {
		t.Errorf("contents %q", contents)
	}
	if text := archive.File[0]; text.Method != zip.Deflate || text.CompressedSize64 > text.UncompressedSize64/10 || archive.File[1].Method != zip.Store {
		t.Errorf("stored by %d and %d", text.Method, archive.File[1].Method)
	}
	w = httptest.NewRecorder()
	if err := SendZip(w, httptest.NewRequest(http.MethodGet, "/", nil), "a.zip", []File{missing}); !errors.Is(err, fs.ErrNotExist) || len(w.Header()) > 0 {
		t.Errorf("an archive of what is gone: %v, %v", err, w.Header())
	}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("an archive that breaks off ends with %v", p)
		}
	}()
	SendZip(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), "a.zip", []File{files[0], missing})
}
