package handlers_test

import (
	"encoding/binary"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
)

// Whatever is sent to the sign-in page, only the right credentials sign in, nobody is
// led to another site, and nothing that was typed becomes part of the page.
func FuzzSignIn(f *testing.F) {
	db := queriestest.New(f)
	site := handlers.New(db, handlers.Config{
		Asset: func(name string) string { return "/static/" + name }, Static: http.NotFoundHandler(), API: http.NotFoundHandler(), Blobs: queriestest.Blobs(f),
	})
	right := url.Values{"email": {queriestest.Email(queriestest.Employee)}, "password": {queriestest.Password}}
	const form = "application/x-www-form-urlencoded"
	for _, seed := range []struct{ body, contentType, cookie string }{
		{right.Encode(), form, ""},
		{right.Encode() + "&next=//evil.example&remember=1", form, "email=x; officeconsole_device=" + strings.Repeat("A", 26)},
		{right.Encode() + "&next=/\\evil.example", form, "locale=ja; officeconsole_session=x"},
		{"email=%00%ff&password=%00&next=%0d%0aLocation:%20x", form, ""},
		{"email=\"><script>alert(1)</script>@hanbit.example&password=x", form, "email=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"},
		{"--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\nx\r\n--b--", "multipart/form-data; boundary=b", ""},
		{"{}", "application/json", ""}, {"", "", ""}, {"%", form, ""}, {"email=" + strings.Repeat("가", 400) + "&password=" + strings.Repeat("x", 2000), form, ""},
	} {
		f.Add(seed.body, seed.contentType, seed.cookie, uint32(1))
	}
	f.Fuzz(func(t *testing.T, body, contentType, cookie string, from uint32) {
		request := httptest.NewRequest(http.MethodPost, "/login", strings.NewReader(body))
		request.Header["Content-Type"], request.Header["Cookie"] = []string{contentType}, []string{cookie}
		var address [4]byte
		binary.BigEndian.PutUint32(address[:], from)
		request.RemoteAddr = netip.AddrPortFrom(netip.AddrFrom4(address), 1).String()
		response := httptest.NewRecorder()
		site.ServeHTTP(response, request)
		switch location := response.Header().Get("Location"); {
		case response.Code == http.StatusSeeOther:
			typed, err := url.ParseQuery(body)
			if err != nil && typed.Get("password") == "" || !strings.Contains(body, "password") {
				t.Errorf("signed in by %q", body)
			}
			if !strings.HasPrefix(location, "/") || strings.HasPrefix(location, "//") || strings.ContainsAny(location, "\\\r\n") {
				t.Errorf("leads to %q", location)
			}
		case response.Code >= 500 || response.Code < 400:
			t.Errorf("answers %d", response.Code)
		}
		if page := response.Body.String(); strings.Contains(page, "<script>alert") {
			t.Errorf("the page has what was typed: %s", page)
		}
	})
}
