package api_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// unpacked requests a packed response and returns its decompressed body.
func (s *site) unpacked(path, token string) string {
	s.t.Helper()
	a := s.get(path, token, "Accept-Encoding: br, gzip;q=0.8")
	if a.status != http.StatusOK || a.header.Get("Content-Encoding") != "gzip" {
		s.t.Fatalf("%d, packed by %q", a.status, a.header.Get("Content-Encoding"))
	}
	zip, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// The packed list of departments equals the plain one until the directory
// changes, and marks each caller's own department.
func TestPackedDepartments(t *testing.T) {
	s := newSite(t)
	s.exec("update users set is_admin = true where id = $1", queriestest.Kim)
	s.exec("insert into passwords (company_id, user_id, hash) select company_id, $1, hash from passwords where user_id = 1 on conflict do nothing", queriestest.Kim)
	lists := map[string]bool{}
	for range 2 {
		for _, user := range []int64{queriestest.Admin, queriestest.Kim, queriestest.OtherAdmin} {
			path, token := organization(user, "departments"), s.token(user)
			plain := s.get(path, token, "Accept-Encoding: identity")
			if plain.header.Get("Content-Encoding") != "" {
				t.Fatal("packed for who does not understand it")
			}
			for range 2 {
				if got := s.unpacked(path, token); got != plain.body {
					t.Errorf("user %d: packed\n%s\nplain\n%s", user, got, plain.body)
				}
			}
			tag := s.get(path, token).header.Get("ETag")
			if a := s.get(path, token, "Accept-Encoding: gzip", "If-None-Match: "+tag); a.status != http.StatusNotModified || a.header.Get("Content-Encoding") != "" {
				t.Errorf("user %d: known already: %d", user, a.status)
			}
			lists[plain.body] = true
		}
		s.exec("insert into departments (company_id, parent_id, name) select c.id, d.id, 'Neu & <alt>' from companies c join departments d on d.company_id = c.id and d.parent_id is null on conflict do nothing")
		s.exec("update companies set directory_version = directory_version + 1")
	}
	if len(lists) != 6 {
		t.Errorf("%d different lists", len(lists))
	}
	for _, refused := range []string{"", "br", "gzip;q=0", "gzip; q=0, br"} {
		if a := s.get(organization(queriestest.Admin, "departments"), s.token(queriestest.Admin), "Accept-Encoding: "+refused); a.header.Get("Content-Encoding") != "" {
			t.Errorf("%q: packed by %s", refused, a.header.Get("Content-Encoding"))
		}
	}
	if a := s.get(escape(organization(queriestest.Admin, "departments?q=영업팀")), s.token(queriestest.Admin), "Accept-Encoding: gzip"); a.header.Get("Content-Encoding") != "" {
		t.Error("a search is packed")
	}
}
