package handlers_test

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"officeconsole/blobs"
	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
)

// setPicture stores a file and makes it the picture of a user, and returns its hash.
func (s *site) setPicture(files blobs.Store, company, user int64, content []byte) string {
	s.t.Helper()
	blob, err := files.Put(s.t.Context(), company, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		s.t.Fatal(err)
	}
	hash := path.Base(blob.Key)
	s.exec("update users set image_hash = $1 where company_id = $2 and id = $3", hash, company, user)
	return hash
}

func TestUserImage(t *testing.T) {
	files := queriestest.Blobs(t)
	s := newSiteWith(t, handlers.Config{Blobs: files})
	picture := pngOf(t, 128, 128)
	hash := s.setPicture(files, queriestest.Hanbit, queriestest.Admin, picture)
	s.setPicture(files, queriestest.Other, queriestest.OtherAdmin, picture)
	s.setPicture(files, queriestest.Hanbit, queriestest.Kim, []byte("<html><script>alert(1)</script></html>"))
	s.exec("update users set image_hash = $1 where id = $2", strings.Repeat("ab", 32), queriestest.Viewer)
	s.exec("update users set image_hash = '../../etc/passwd' where id = $1", queriestest.Manager)
	s.setPicture(files, queriestest.Hanbit, queriestest.Hidden, picture)
	c := s.as(queriestest.Employee)
	c.get("/images/users/5").want(404)
	s.as(queriestest.Manager).get("/images/users/5?v=" + hash).want(404)
	s.as(queriestest.Admin).get("/images/users/5").want(200)

	a := c.get("/images/users/1?v=" + hash).want(200)
	if a.body != string(picture) {
		t.Errorf("%d bytes", len(a.body))
	}
	for name, want := range map[string]string{
		"Content-Type": "image/png", "Etag": `"` + hash + `"`, "Cache-Control": "private, max-age=31536000, immutable",
		"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if varies := a.header.Values("Vary"); len(varies) > 0 {
		t.Errorf("a picture that never changes varies by %q", varies)
	}
	for _, address := range []string{"/images/users/1", "/images/users/1?v=old"} {
		if a := c.get(address).want(200); a.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: caching %q", address, a.header.Get("Cache-Control"))
		}
	}
	c.with("If-None-Match", `"`+hash+`"`).get("/images/users/1").want(304)
	c.with("If-None-Match", `"old"`).get("/images/users/1").want(200)

	for name, address := range map[string]string{
		"another company's": "/images/users/10", "a file that is gone": "/images/users/3", "no hash": "/images/users/4",
		"not an image": "/images/users/6", "none": "/images/users/2", "nobody": "/images/users/99", "no id": "/images/users/x",
	} {
		if a := c.get(address); a.status != 404 {
			t.Errorf("%s: status %d", name, a.status)
		}
	}
	s.as(queriestest.OtherAdmin).get("/images/users/1").want(404)
	s.nobody().get("/images/users/1?v=abc").leads("/login?next=%2Fimages%2Fusers%2F1%3Fv%3Dabc")
}
