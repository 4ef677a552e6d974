package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"officeconsole/handlers/api"
	"officeconsole/queries/queriestest"
)

// bodies are the operations of the document with what their bodies need.
type bodies struct {
	Paths map[string]map[string]struct {
		RequestBody *struct {
			Content map[string]struct {
				Schema struct {
					Ref string `json:"$ref"`
				}
			}
		}
	}
	Components struct {
		Schemas map[string]struct{ Required []string }
	}
}

func (b bodies) required(method, path string) []string {
	operation := b.Paths[u+path][strings.ToLower(method)]
	if operation.RequestBody == nil {
		return nil
	}
	name := strings.TrimPrefix(operation.RequestBody.Content["application/json"].Schema.Ref, "#/components/schemas/")
	return slices.Sorted(slices.Values(b.Components.Schemas[name].Required))
}

// The document says that a new object needs the fields without which every kind of it is
// refused, each with its own code, and that a change needs none.
func TestRequiredFields(t *testing.T) {
	content, err := api.Document("test")
	if err != nil {
		t.Fatal(err)
	}
	var document bodies
	if err := json.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	oidc, saml := queriestest.NewSignOnProvider(t, s.db), queriestest.NewSAMLProvider(t, s.db)
	admin := s.token(queriestest.Admin)
	for _, c := range []struct {
		path, one string
		complete  []string // a body for each kind, with only what it needs
	}{
		{"/links", "/{link_id}", []string{`{"name":"사내 위키","url":"https://wiki.example"}`}},
		{"/notices", "/{notice_id}", []string{`{"title":"점검","body":"안내","targets":{"everyone":true}}`}},
		{"/holidays", "/{holiday_id}", []string{`{"first_date":"2027-03-02","name":"창립기념일"}`}},
		{"/policies/workingattitude/managers", "/{manager_id}", []string{
			`{"by":"person","user_ids":[2],"departments":[{"id":5}]}`, `{"by":"position","rank_id":2,"whole_company":true,"departments":[{"id":5}]}`,
		}},
		{"/policies/{kind}", "/{policy_id}", []string{`{"name":"새 정책"}`}},
		{"/policies/{kind}/checks", "/{check_id}", []string{
			`{"relation":"is","setting":"file_save","part":"pc","value":"allow"}`, `{"relation":"sign_in","value":"203.0.113.7"}`,
		}},
		{"/security/providers", "/{provider_id}", []string{
			fmt.Sprintf(`{"name":"계정","issuer":%q,"client_id":"console","client_secret":%q,"domains":["hanbit.example"]}`, oidc.URL, queriestest.SignOnSecret),
			fmt.Sprintf(`{"name":"계정 2","kind":"saml","metadata_url":%q,"domains":["hanbit2.example"]}`, saml.EntityID),
		}},
	} {
		refusedWithout := map[string]int{}
		for _, complete := range c.complete {
			var body map[string]any
			if err := json.Unmarshal([]byte(complete), &body); err != nil {
				t.Fatal(err)
			}
			create := func(fields map[string]any) answer {
				text, err := json.Marshal(fields)
				if err != nil {
					t.Fatal(err)
				}
				return s.call(http.MethodPost, own(queriestest.Admin)+strings.Replace(c.path, "{kind}", "communication", 1), admin, string(text))
			}
			for field := range body {
				without := maps.Clone(body)
				delete(without, field)
				if a := create(without); a.status == http.StatusUnprocessableEntity {
					refusedWithout[field]++
					if got := code(t, a); got == "api.field.required" || got == "api.refused" {
						t.Errorf("%s without %s: %s says less than the rule", c.path, field, got)
					}
				}
			}
			if a := create(body); a.status != http.StatusCreated {
				t.Errorf("%s %s: %d %s", c.path, complete, a.status, a.body)
			}
		}
		maps.DeleteFunc(refusedWithout, func(_ string, kinds int) bool { return kinds < len(c.complete) })
		equal(t, "POST "+c.path, document.required(http.MethodPost, c.path), slices.Sorted(maps.Keys(refusedWithout)))
		equal(t, "PATCH "+c.path, document.required(http.MethodPatch, c.path+c.one), []string{})
	}
}
