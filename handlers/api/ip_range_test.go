package api_test

import (
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestCheckIPRanges(t *testing.T) {
	s := newSite(t)
	path, token := own(queriestest.Admin)+"/ip-ranges/check", s.token(queriestest.Admin)
	check := func(body string) []any {
		t.Helper()
		return object(t, s.call(http.MethodPost, path, token, body), http.StatusOK)["data"].([]any)
	}
	row := func(number int, name, text string, more map[string]any) map[string]any {
		all := map[string]any{"number": number, "location_name": name, "range": text, "addresses": 0, "is_own": false, "error": "", "is_unfinished": false, "warnings": []any{}}
		for key, value := range more {
			all[key] = value
		}
		return all
	}
	equal(t, "rows", check(`{"ranges": [{"location_name": "본사", "range": "203.0.113.0/24"}, {"range": "10.0.0.*"}, {"range": "203.0.113.9-203.0.114.1"}, {"range": "203.0"}, {"range": "203.0.113.300"}, {"range": "10.0.0.9-10.0.0.1"}, {"range": ""}]}`), []any{
		row(1, "본사", "203.0.113.0/24", map[string]any{"start": "203.0.113.0", "end": "203.0.113.255", "addresses": 256, "warnings": []any{"3번 대역과 겹칩니다."}}),
		row(2, "", "10.0.0.*", map[string]any{"start": "10.0.0.0", "end": "10.0.0.255", "addresses": 256, "warnings": []any{"사설 IP 대역입니다. 회사 밖에서 보이는 주소인지 확인해 주세요."}}),
		row(3, "", "203.0.113.9-203.0.114.1", map[string]any{"start": "203.0.113.9", "end": "203.0.114.1", "addresses": 249, "warnings": []any{"1번 대역과 겹칩니다."}}),
		row(4, "", "203.0", map[string]any{"error": "IP 대역을 확인해 주세요", "is_unfinished": true}),
		row(5, "", "203.0.113.300", map[string]any{"error": "IP 대역을 확인해 주세요"}),
		row(6, "", "10.0.0.9-10.0.0.1", map[string]any{"error": "IP 대역을 확인해 주세요. 시작 주소가 끝 주소보다 큽니다."}),
		row(7, "", "", map[string]any{"error": "IP 대역을 입력해 주세요.", "is_unfinished": true}),
	})
	equal(t, "lines", check(`{"lines": "판교, 198.51.100.16\n\n192.0.2.7\nnonsense"}`), []any{
		row(1, "판교", "198.51.100.16", map[string]any{"start": "198.51.100.16", "end": "198.51.100.16", "addresses": 1}),
		row(3, "192.0.2.7", "192.0.2.7", map[string]any{"start": "192.0.2.7", "end": "192.0.2.7", "addresses": 1}),
		row(4, "nonsense", "nonsense", map[string]any{"error": "IP 대역을 확인해 주세요"}),
	})
	rows := check(`{"ranges": [{"range": "192.0.2.0/24"}, {"range": "127.0.0.0/8"}]}`)
	equal(t, "the caller's own address", []any{rows[0].(map[string]any)["is_own"], rows[1].(map[string]any)["is_own"]}, []any{false, true})
	equal(t, "nothing", check(`{}`), []any{})
	equal(t, "too many", s.call(http.MethodPost, path, token, `{"ranges": [`+strings.Repeat(`{"range": "1.2.3.4"},`, 1000)+`{"range": "1.2.3.4"}]}`).status, http.StatusUnprocessableEntity)
	equal(t, "an employee", s.call(http.MethodPost, own(queriestest.Employee)+"/ip-ranges/check", s.token(queriestest.Employee), `{}`).status, http.StatusForbidden)
}
