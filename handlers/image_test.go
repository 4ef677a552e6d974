package handlers_test

import (
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

const picture = `<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>`

func TestUserImage(t *testing.T) {
	s := newSite(t)
	s.exec("update users set image_hash = 'abc' where id in ($1, $2, $3)", queriestest.Admin, queriestest.Kim, queriestest.OtherAdmin)
	for id, company := range map[int64]int64{queriestest.Admin: queriestest.Hanbit, queriestest.OtherAdmin: queriestest.Other, queriestest.Viewer: queriestest.Hanbit} {
		s.exec("insert into user_images values ($1, $2, 'image/svg+xml', $3)", company, id, []byte(picture))
	}
	s.exec("insert into user_images values ($1, $2, 'text/html', 'x')", queriestest.Hanbit, queriestest.Kim)
	c := s.as(queriestest.Employee)

	a := c.get("/images/users/1?v=abc").want(200)
	if a.body != picture || a.header.Get("Content-Type") != "image/svg+xml" || a.header.Get("Etag") != `"abc"` {
		t.Errorf("%q %v", a.body, a.header)
	}
	if a.header.Get("Cache-Control") != "private, max-age=31536000, immutable" {
		t.Errorf("caching %q", a.header.Get("Cache-Control"))
	}
	if policy := a.header.Get("Content-Security-Policy"); !strings.Contains(policy, "sandbox") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy %q", policy)
	}
	for _, path := range []string{"/images/users/1", "/images/users/1?v=old"} {
		if a := c.get(path).want(200); a.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: caching %q", path, a.header.Get("Cache-Control"))
		}
	}
	c.with("If-None-Match", `"abc"`).get("/images/users/1").want(304)
	c.with("If-None-Match", `"old"`).get("/images/users/1").want(200)

	for name, path := range map[string]string{
		"another company's": "/images/users/10", "no picture any more": "/images/users/3", "never one": "/images/users/4",
		"not an image": "/images/users/6", "nobody": "/images/users/99", "no id": "/images/users/x",
	} {
		if a := c.get(path); a.status != 404 {
			t.Errorf("%s: status %d", name, a.status)
		}
	}
	s.as(queriestest.OtherAdmin).get("/images/users/1").want(404)
	s.nobody().get("/images/users/1?v=abc").leads("/login?next=%2Fimages%2Fusers%2F1%3Fv%3Dabc")
}
