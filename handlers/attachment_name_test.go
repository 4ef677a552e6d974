package handlers_test

import (
	"bytes"
	"fmt"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"officeconsole/queries/queriestest"
)

// formWithFile returns the body of a form with a file of any name, and its type.
func formWithFile(t *testing.T, disposition string, pairs ...string) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		if err := form.WriteField(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	part, err := form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; ` + disposition}, "Content-Type": {"text/plain"}})
	if err == nil {
		_, err = part.Write([]byte("내용"))
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), form.FormDataContentType()
}

// ascii returns _ for what is not in ASCII.
func ascii(r rune) rune {
	if r > '~' {
		return '_'
	}
	return r
}

// A file is downloaded under its own name, without what would break a header, a
// path or a file system.
func TestAttachmentNames(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	encoded := func(name string) string {
		return "filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	}
	for name, test := range map[string]struct{ sent, stored, saved string }{
		"a newline":      {encoded("보고\n서\r\nSet-Cookie: a=b.txt"), "보고_서__Set-Cookie: a=b.txt", "보고_서__Set-Cookie_ a=b.txt"},
		"a slash":        {encoded("../../etc/보고서.txt"), "보고서.txt", "보고서.txt"},
		"a backslash":    {encoded(`C:\문서\보고서.txt`), "보고서.txt", "보고서.txt"},
		"a quote":        {`filename="report \"final\".txt"`, `report "final".txt`, `report _final_.txt`},
		"300 characters": {encoded(strings.Repeat("가", 300) + ".txt"), strings.Repeat("가", 78) + ".txt", strings.Repeat("가", 78) + ".txt"},
		"decomposed":     {encoded(norm.NFD.String("한글 보고서.txt")), "한글 보고서.txt", "한글 보고서.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			body, contentType := formWithFile(t, test.sent, "action", "save", "title", name, "body", "본문", "audience", "everyone", "when", "now")
			admin.with("Content-Type", contentType).do(http.MethodPost, noticesPath, body).leads(noticesPath)
			notice := s.count("select id from notices where title = $1", name)
			if stored := queriestest.LookUp(t, s.db, "select name from notice_attachments where notice_id = $1", notice); stored != test.stored {
				t.Errorf("stored as %q, not %q", stored, test.stored)
			}
			s.as(queriestest.Employee).get(fmt.Sprintf("/notice/%d", notice)).want(200).shows(test.stored)
			file := s.count("select id from notice_attachments where notice_id = $1", notice)
			a := s.as(queriestest.Employee).get(fmt.Sprintf("/notice/%d/attachments/%d", notice, file)).want(200)
			// Browsers take the encoded name, and old clients that of ASCII.
			want := fmt.Sprintf(`attachment; filename="%s"; filename*=UTF-8''`, strings.Map(ascii, test.saved))
			disposition := a.header.Get("Content-Disposition")
			_, parameters, err := mime.ParseMediaType(disposition)
			if err != nil || !strings.HasPrefix(disposition, want) || parameters["filename"] != test.saved || a.header.Get("Set-Cookie") != "" || a.body != "내용" {
				t.Errorf("the download is %s, which names %q, with %q (%v)", disposition, parameters["filename"], a.body, err)
			}
		})
	}
}
