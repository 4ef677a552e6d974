package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/link"
	"officeconsole/queries/queriestest"
)

// pngOf is a black PNG.
func pngOf(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const binary = "Content-Type: application/octet-stream"

// addLink adds a link and returns its path.
func addLink(t *testing.T, s *site, name string) string {
	t.Helper()
	created := s.call(http.MethodPost, linksOf(queriestest.Admin), s.token(queriestest.Admin), `{"name":"`+name+`","url":"{host}"}`)
	return linksOf(queriestest.Admin) + "/" + jsonNumber(object(t, created, http.StatusCreated)["id"])
}

func TestBanner(t *testing.T) {
	s := newSite(t)
	token, one := s.token(queriestest.Admin), addLink(t, s, "가")
	equal(t, "none yet", s.get(one+"/banner", token).status, http.StatusNotFound)
	set := object(t, s.call(http.MethodPut, one+"/banner", token, pngOf(t, 400, 400), binary), http.StatusOK)
	address := strings.TrimPrefix(set["banner_url"].(string), "/api/v1")
	if !strings.HasPrefix(address, one+"/banner?v=") {
		t.Errorf("the banner is at %s", address)
	}
	equal(t, "listed", rowsOf(t, s.get(linksOf(queriestest.Admin), token), "banner_url"), []any{set["banner_url"]})
	banner := s.get(address, token)
	for name, want := range map[string]string{
		"Content-Type": "image/png", "Cache-Control": "private, max-age=31536000, immutable",
	} {
		equal(t, name, banner.header.Get(name), want)
	}
	size, err := png.DecodeConfig(strings.NewReader(banner.body))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "size", []int{size.Width, size.Height}, []int{160, 160})
	again := object(t, s.call(http.MethodPut, one+"/banner", token, pngOf(t, 20, 20), binary), http.StatusOK)
	if again["banner_url"] == set["banner_url"] {
		t.Error("another banner has the same URL")
	}
	deleted := object(t, s.call(http.MethodDelete, one+"/banner", token, ""), http.StatusOK)
	equal(t, "deleted", []any{deleted["banner_url"], deleted["name"]}, []any{nil, "가"})
	equal(t, "gone", s.get(one+"/banner", token).status, http.StatusNotFound)
}

func TestRefusedBanners(t *testing.T) {
	s := newSite(t)
	token, one := s.token(queriestest.Admin), addLink(t, s, "가")
	whole := pngOf(t, 126, 80)
	for name, test := range map[string]struct{ content, code string }{
		"HTML":      {"<html><script>alert(1)</script>", "link.banner.format"},
		"SVG":       {`<svg xmlns="http://www.w3.org/2000/svg"/>`, "link.banner.format"},
		"truncated": {whole[:len(whole)/2], "link.banner.broken"},
		"5 MB":      {whole + strings.Repeat("\x00", link.MaxBannerBytes-len(whole)), "link.banner.too_large"},
	} {
		a := s.call(http.MethodPut, one+"/banner", token, test.content, binary)
		equal(t, name, []any{a.status, code(t, a)}, []any{http.StatusUnprocessableEntity, test.code})
	}
	equal(t, "far too large", s.call(http.MethodPut, one+"/banner", token, strings.Repeat("a", 2*link.MaxBannerBytes+1), binary).status, http.StatusRequestEntityTooLarge)
	empty := s.call(http.MethodPut, one+"/banner", token, "", binary)
	equal(t, "empty", []any{empty.status, code(t, empty)}, []any{http.StatusBadRequest, "api.body.required"})
	equal(t, "no banner", s.get(one+"/banner", token).status, http.StatusNotFound)
	equal(t, "unknown link", s.call(http.MethodPut, linksOf(queriestest.Admin)+"/999999/banner", token, whole, binary).status, http.StatusNotFound)
}

// Nobody else reads or changes the banner of a link.
func TestBannersOfOthers(t *testing.T) {
	s := newSite(t)
	admin, one := s.token(queriestest.Admin), addLink(t, s, "가")
	s.call(http.MethodPut, one+"/banner", admin, pngOf(t, 20, 20), binary)
	foreign := strings.Replace(one, own(queriestest.Admin), fmt.Sprintf("/companies/%d/users/%d", queriestest.Other, queriestest.OtherAdmin), 1)
	for path, token := range map[string]string{foreign: s.token(queriestest.OtherAdmin), one: s.token(queriestest.OtherAdmin), strings.Replace(one, own(queriestest.Admin), own(queriestest.Employee), 1): s.token(queriestest.Employee)} {
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete} {
			body := ""
			if method == http.MethodPut {
				body = pngOf(t, 30, 30)
			}
			if a := s.call(method, path+"/banner", token, body, binary); a.status != http.StatusNotFound && a.status != http.StatusForbidden {
				t.Errorf("%s %s: %d", method, path, a.status)
			}
		}
	}
	equal(t, "unchanged", s.get(one, admin).header.Get("ETag"), `"2"`)
}

// The messenger reads a banner by a service token of the company.
func TestBannerOfMessenger(t *testing.T) {
	s := newSite(t)
	admin, one := s.token(queriestest.Admin), addLink(t, s, "가")
	s.call(http.MethodPut, one+"/banner", admin, pngOf(t, 20, 20), binary)
	token := func(company int64, scope string) string {
		issued, err := s.db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: company}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{scope}})
		if err != nil {
			t.Fatal(err)
		}
		return issued.Token
	}
	reads := token(queriestest.Hanbit, identity.ScopeRead)
	shown := object(t, s.get(fmt.Sprintf("/companies/%d/shortcuts/%d", queriestest.Hanbit, queriestest.Employee), reads), http.StatusOK)
	address := strings.TrimPrefix(shown["links"].([]any)[0].(map[string]any)["banner_url"].(string), "/api/v1")
	banner := s.get(address, reads)
	equal(t, "banner", []any{banner.status, banner.header.Get("Content-Type")}, []any{http.StatusOK, "image/png"})
	hash := address[strings.LastIndex(address, "/")+1:]
	elsewhere := fmt.Sprintf("/companies/%d/banners/%s", queriestest.Other, hash)
	equal(t, "of another company", s.get(elsewhere, token(queriestest.Other, identity.ScopeRead)).status, http.StatusNotFound)
	equal(t, "unknown", s.get(strings.Replace(address, hash, strings.Repeat("0", 64), 1), reads).status, http.StatusNotFound)
	equal(t, "no hash", s.get(strings.Replace(address, hash, "x", 1), reads).status, http.StatusNotFound)
	for name, other := range map[string]string{"nobody": "", "another company's messenger": token(queriestest.Other, identity.ScopeRead), "another scope": token(queriestest.Hanbit, identity.ScopeEvents)} {
		if a := s.get(address, other); a.status < 400 || a.status >= 500 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
}
