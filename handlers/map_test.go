package handlers_test

import (
	"testing"

	"officeconsole/queries/queriestest"
)

// A page may load images of the company's map licences, and of no others.
func TestMapsAreAllowed(t *testing.T) {
	s := newSite(t)
	const own = "default-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	const licensed = "default-src 'self'; img-src 'self' data: https://tiles.example; connect-src 'self' https://tiles.example; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	policy := func(a answer, want string) {
		t.Helper()
		if got := a.header.Get("Content-Security-Policy"); got != want {
			t.Errorf("%s: policy %q, want %q", a.request, got, want)
		}
	}
	employee := s.as(queriestest.Employee)
	policy(s.nobody().get("/login"), own)
	policy(employee.get("/logs/workingattitude/day"), licensed)
	policy(employee.get("/profile"), licensed)
	policy(employee.htmx().get("/logs/workingattitude/day"), own)
	policy(s.as(queriestest.OtherAdmin).get("/profile"), own)

	s.exec(`update companies set map_licenses = '[{"key":"","tile_url":"https://tiles.example/{z}/{x}/{y}.png"},{"key":"k","tile_url":"https://evil.example;/{z}/{x}/{y}.png"}]'`)
	policy(employee.get("/profile"), own)
}
