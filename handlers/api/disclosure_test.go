package api_test

import (
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// Viewers see personal phone numbers and the ids of devices where the company allows it,
// everybody sees their own, and administrators see all.
func TestDisclosure(t *testing.T) {
	s := newSite(t)
	worked(s)
	s.exec("update users set personal_phone = '010-1234-' || id where id in (4, 6)")
	s.exec("update clock_events set device_id = 'phone-of-' || user_id")
	path := own(queriestest.Admin) + "/security/disclosure"
	save := func(body string, status int, headers ...string) {
		t.Helper()
		if a := s.call(http.MethodPut, path, s.token(queriestest.Admin), body, headers...); a.status != status {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	s.exec("update clock_events set ip = ('203.0.113.' || user_id)::inet")
	expect := func(step string, user int64, phone, device, address bool) {
		t.Helper()
		token := s.token(user)
		people := s.get(own(user)+"/organizations/users", token)
		if got := strings.Contains(people.body, "010-1234-6"); people.status != 200 || got != phone {
			t.Errorf("%s, the phone for %d: %t (%d)", step, user, got, people.status)
		}
		for _, rest := range []string{"", "/events"} {
			record := s.get(own(user)+logs+"/6-2026-11-20"+rest, token)
			if got := strings.Contains(record.body, "phone-of-6"); record.status != 200 || got != device {
				t.Errorf("%s, the device for %d%s: %t (%d)", step, user, rest, got, record.status)
			}
			if got := strings.Contains(record.body, "203.0.113.6"); got != address {
				t.Errorf("%s, the address for %d%s: %t", step, user, rest, got)
			}
		}
	}
	first := s.get(path, s.token(queriestest.Admin))
	equal(t, "ETag", first.header.Get("ETag"), `"0"`)
	equal(t, "at first", object(t, first, http.StatusOK)["personal_phones"], false)
	expect("at first", queriestest.Manager, false, false, false)
	expect("at first", queriestest.Viewer, false, false, false)
	expect("at first", queriestest.Admin, true, true, true)
	own6 := s.get(own(queriestest.Manager)+"/organizations/users", s.token(queriestest.Manager))
	if !strings.Contains(own6.body, "010-1234-4") {
		t.Error("the manager does not see their own phone number")
	}
	s.exec("insert into passwords (company_id, user_id, hash) select 1, 6, hash from passwords where user_id = 2")
	if record := s.get(own(queriestest.Kim)+logs+"/6-2026-11-20", s.token(queriestest.Kim)); !strings.Contains(record.body, "phone-of-6") || !strings.Contains(record.body, "203.0.113.6") {
		t.Errorf("a person does not see their own device and address: %s", record.body)
	}

	known := s.get(own(queriestest.Manager)+"/organizations/users", s.token(queriestest.Manager)).header.Get("ETag")
	save(`{"personal_phones": true, "device_ids": false}`, 200, `If-Match: "0"`)
	expect("with phones", queriestest.Manager, true, false, false)
	again := s.call(http.MethodGet, own(queriestest.Manager)+"/organizations/users", s.token(queriestest.Manager), "", "If-None-Match: "+known)
	equal(t, "a list that a client has", again.status, 200)
	save(`{"personal_phones": true, "device_ids": true}`, 409, `If-Match: "0"`)
	save(`{"personal_phones": false, "device_ids": true}`, 200)
	expect("with devices", queriestest.Viewer, false, true, false)
	save(`{"personal_phones": false, "device_ids": false, "ip_addresses": true}`, 200)
	expect("with addresses", queriestest.Viewer, false, false, true)
	save(`{"personal_phones": true}`, 422)
	for _, user := range []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager} {
		equal(t, "of others", s.get(own(user)+"/security/disclosure", s.token(user)).status, 403)
	}
	other := s.get(own(queriestest.OtherAdmin)+"/security/disclosure", s.token(queriestest.OtherAdmin))
	equal(t, "of another company", object(t, other, http.StatusOK)["device_ids"], false)
}
