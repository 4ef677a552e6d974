package api_test

import (
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestMapLicenses(t *testing.T) {
	s := newSite(t)
	admin, path := s.token(queriestest.Admin), own(queriestest.Admin)+"/map-licenses"
	first := s.get(path, admin)
	equal(t, "ETag", first.header.Get("ETag"), `"0"`)
	sameJSON(t, first.body, `{"data":[{"provider":"tiles","key":"k1","tile_url":"https://tiles.example/{z}/{x}/{y}.png","attribution":"© tiles"}]}`)

	const two = `{"data":[{"provider":"a","key":"k","tile_url":"https://{s}.a.example/{z}/{x}/{-y}.png","attribution":"© a"},{"provider":"b","key":"k2","tile_url":"https://b.example/{z}/{x}/{y}{r}?k={key}","attribution":"© b"}]}`
	equal(t, "replaced", s.call(http.MethodPut, path, admin, two, `If-Match: "0"`).status, 200)
	sameJSON(t, s.get(path, admin).body, two)
	equal(t, "an outdated version", s.call(http.MethodPut, path, admin, two, `If-Match: "0"`).status, 409)
	for name, row := range map[string]string{
		"no key":            `{"provider":"a","key":" ","tile_url":"https://a.example/{z}/{x}/{y}","attribution":"a"}`,
		"not https":         `{"provider":"a","key":"k","tile_url":"http://a.example/{z}/{x}/{y}","attribution":"a"}`,
		"no template":       `{"provider":"a","key":"k","tile_url":"https://a.example/{z}/{x}","attribution":"a"}`,
		"a host per tile":   `{"provider":"a","key":"k","tile_url":"https://{x}.example/{z}/{x}/{y}","attribution":"a"}`,
		"a second policy":   `{"provider":"a","key":"k","tile_url":"https://a.example; script-src */{z}/{x}/{y}","attribution":"a"}`,
		"no attribution":    `{"provider":"a","key":"k","tile_url":"https://a.example/{z}/{x}/{y}","attribution":""}`,
		"a long provider":   `{"provider":"` + strings.Repeat("가", 51) + `","key":"k","tile_url":"https://a.example/{z}/{x}/{y}","attribution":"a"}`,
		"six of them":       strings.TrimSuffix(strings.Repeat(`{"provider":"a","key":"k","tile_url":"https://a.example/{z}/{x}/{y}","attribution":"a"},`, 6), ","),
		"an unknown field":  `{"provider":"a","key":"k","tile_url":"https://a.example/{z}/{x}/{y}","attribution":"a","x":1}`,
		"nothing of a name": `{"key":"k","tile_url":"https://a.example/{z}/{x}/{y}","attribution":"a"}`,
	} {
		if a := s.call(http.MethodPut, path, admin, `{"data":[`+row+`]}`); a.status != 422 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	sameJSON(t, s.get(path, admin).body, two)
	equal(t, "nothing", s.call(http.MethodPut, path, admin, `{"data":[]}`).status, 200)
	sameJSON(t, s.get(own(queriestest.Admin)+"/options/browser", admin).body, `{"map_licenses":[]}`)
	equal(t, "of an employee", s.get(own(queriestest.Employee)+"/map-licenses", s.token(queriestest.Employee)).status, 403)
	equal(t, "changes", queriestest.LookUp(t, s.db, "select count(*) from changes where action = 'map.updated'"), "2")
}
