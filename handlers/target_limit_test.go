package handlers_test

import (
	"html"
	"strconv"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// More targets than a list takes are refused with the limit, in the reader's language,
// and nothing that was chosen or typed is lost.
func TestMoreTargetsThanTheLimit(t *testing.T) {
	s := newSite(t)
	s.exec(`insert into users (company_id, department_id, name, email, search_text, search_grams)
		select 1, 3, 'p', 'p' || i || '@hanbit.example', '', '{}' from generate_series(1, 501) i`)
	first := s.count("select min(id) from users where email = 'p1@hanbit.example'")
	var chosen []string
	for i := range 501 {
		chosen = append(chosen, `{"type":"user","id":`+strconv.Itoa(first+i)+`,"include_children":false}`)
	}
	targets := "[" + strings.Join(chosen, ",") + "]"
	admin := s.as(queriestest.Admin)
	for _, page := range []struct {
		path, typed string
		texts       map[string]string
		form        form
	}{
		{noticesPath, `value="긴 제목"`, map[string]string{"": "대상은 500개까지", "/en": "Up to 500 targets", "/ja": "対象は500件まで"},
			form{"action", "save", "title", "긴 제목", "body", "본문", "when", "now", "audience", "chosen", "targets", targets}},
		{botPage + "/receivers", "", map[string]string{"": "모두 500개까지", "/en": "at most 500 recipients", "/ja": "500件まで"},
			form{"targets", targets}},
	} {
		for language, text := range page.texts {
			send := admin.post
			if page.path == noticesPath {
				send = func(path string, pairs ...string) answer { return admin.upload(path, nil, pairs...) }
			}
			refused := send(language+page.path, page.form...).want(422).shows(text, page.typed)
			if n := strings.Count(html.UnescapeString(refused.body), `"type":"user","id":`); n < 501 {
				t.Errorf("%s%s: %d of 501 targets are left", language, page.path, n)
			}
		}
	}
}
