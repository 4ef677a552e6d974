package api_test

import (
	"net/http"
	"net/url"
	"testing"

	"officeconsole/queries/queriestest"
)

// A list that leaves out words of a search text says so, in the language of the reader.
func TestIgnoredKeywords(t *testing.T) {
	s := newSite(t)
	worked(s)
	admin, home := s.token(queriestest.Admin), own(queriestest.Admin)
	published := object(t, s.call(http.MethodPost, home+"/notices", admin, `{"title":"정기 점검","body":"안내","targets":{"everyone":true}}`), http.StatusCreated)
	for _, path := range []string{
		"/organizations/departments?", "/organizations/users?", "/organizations/users?limit=1&", "/policies/workingattitude/managers?",
		"/policies/communication?", "/policies/communication?status=deleted&", "/policies/communication?at=2026-11-19&", "/policies/communication/status?",
		logs + "?unit=day&", logs + "?unit=month&", logs + "/desk?", "/audit?", "/security/access?", "/installations?platform=pc&", "/logs/communication/files?",
		"/notices?", "/notices/" + jsonNumber(published["id"]) + "/readers?",
	} {
		notes := func(q, language string) any {
			a := s.get(home+path+"q="+url.QueryEscape(q), admin, "Accept-Language: "+language)
			return object(t, a, http.StatusOK)["meta"].(map[string]any)["notes"]
		}
		equal(t, path+" with three", notes("가나 다라 마바", "ko"), nil)
		for language, message := range map[string]string{
			"ko": "검색어는 3개까지 사용합니다. 나머지 단어는 제외했습니다.", "en": "Up to 3 keywords are used; the other words were left out.", "ja": "検索語は3つまで使用します。ほかの単語は除外しました。",
		} {
			equal(t, path+" in "+language, notes("가나 다라 마바 사아", language), []any{map[string]any{"code": "search.ignored", "message": message}})
		}
	}
	users := home + "/organizations/users?q=aa+bb+cc+dd"
	tag := s.get(users, admin, "Accept-Language: en").header.Get("ETag")
	equal(t, "the same language", s.get(users, admin, "Accept-Language: en", "If-None-Match: "+tag).status, http.StatusNotModified)
	equal(t, "another language", s.get(users, admin, "Accept-Language: ja", "If-None-Match: "+tag).status, http.StatusOK)
}
