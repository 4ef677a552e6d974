package scim_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestUserFilters(t *testing.T) {
	s := newSite(t)
	s.call(http.MethodPatch, "/Users/7", `{"Operations":[{"op":"replace","value":{"name":{"givenName":"Olivia","familyName":"Martin"},"externalId":"Ext-7","phoneNumbers":[{"type":"mobile","value":"010-77"}]}}]}`).want(200)
	s.call(http.MethodPatch, "/Users/4", `{"Operations":[{"op":"replace","path":"displayName","value":"최\"유진\\"}]}`).want(200)
	s.call(http.MethodPatch, "/Users/8", `{"Operations":[{"op":"replace","path":"active","value":false}]}`).want(200)
	for filter, want := range map[string]string{
		``:                                                        "1 2 3 4 5 6 7 8",
		`userName eq "Employee@HANBIT.example"`:                   "2",
		`userName ne "employee@hanbit.example"`:                   "1 3 4 5 6 7 8",
		`userName sw "k"`:                                         "6",
		`userName ew "in@hanbit.example"`:                         "1",
		`userName co "a_"`:                                        "",
		`userName co "%"`:                                         "",
		`displayName eq "김철수"`:                                    "6",
		`displayName co "olivia"`:                                 "7",
		`name.familyName eq "martin"`:                             "7",
		`name.givenName pr`:                                       "7",
		`not (name.givenName pr)`:                                 "1 2 3 4 5 6 8",
		`externalId eq "Ext-7"`:                                   "7",
		`externalId eq "ext-7"`:                                   "",
		`not (externalId eq "Ext-7")`:                             "1 2 3 4 5 6 8",
		`displayName eq "최\"\uC720진\\"`:                           "4",
		`externalId eq null`:                                      "1 2 3 4 5 6 8",
		`externalId ne null`:                                      "7",
		`active eq false`:                                         "8",
		`active eq "True" and title eq "부장"`:                      "3 4",
		`active ne true`:                                          "8",
		`id eq "2" or id eq "3" and active eq false`:              "2",
		`(id eq "2" or id eq "3") and active eq true`:             "2 3",
		`id eq "x"`:                                               "",
		`id ne "2"`:                                               "1 3 4 5 6 7 8",
		`title pr and not (title eq "사원")`:                        "1 3 4 8",
		`emails.value eq "olivia@hanbit.example"`:                 "7",
		`emails[type eq "work" and value sw "olivia"]`:            "7",
		`emails[type eq "home"]`:                                  "",
		`emails[type eq "work"].value eq "olivia@hanbit.example"`: "7",
		`emails[type eq "work"].value eq "OLIVIA@hanbit.example" and active eq true`: "7",
		`emails[type eq "home"].value eq "olivia@hanbit.example"`:                    "",
		`emails[value eq "]"].value eq "olivia@hanbit.example"`:                      "",
		`phoneNumbers[type eq "mobile" and value co "77"]`:                           "7",
		`phoneNumbers pr`:                                                                  "7",
		enterprise + `:employeeNumber eq "H0002"`:                                          "2",
		enterprise + `:employeeNumber gt "H0006"`:                                          "7 8",
		enterprise + `:department eq "영업본부"`:                                               "3 4",
		enterprise + `:department eq "영업본부/국내영업팀"`:                                         "6",
		enterprise + `:department sw "연구소/"`:                                               "2",
		`groups.value eq "4"`:                                                              "6 7",
		`groups[display eq "국내영업팀"]`:                                                       "6",
		`meta.created gt "2020-01-01T00:00:00Z" and id lt "x"`:                             "refused",
		`meta.lastModified ge "2999-01-01T00:00:00Z"`:                                      "",
		`schemas eq "urn:ietf:params:scim:schemas:core:2.0:User" and id eq "2"`:            "2",
		`meta.resourceType eq "Group"`:                                                     "",
		`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "employee@hanbit.example"`: "2",
		`userName`:                           "refused",
		`userName eq`:                        "refused",
		`userName eq 7`:                      "refused",
		`userName xx "a"`:                    "refused",
		`active gt true`:                     "refused",
		`active eq "perhaps"`:                "refused",
		`meta.created eq "yesterday"`:        "refused",
		`shoeSize eq "42"`:                   "refused",
		`urn:x:userName eq "a"`:              "refused",
		`cities[value eq "1"]`:               "refused",
		`emails[shoeSize eq "1"]`:            "refused",
		`emails[type eq "work"].value`:       "refused",
		`emails[type eq "work"].size eq "1"`: "refused",
		`userName gt null`:                   "refused",
		`userName eq "a\u0000"`:              "refused",
		`userName eq "` + strings.Repeat("a", 10<<10) + `"`:             "refused",
		strings.Repeat("(", 50) + `id eq "2"` + strings.Repeat(")", 50): "refused",
		strings.Repeat(`id eq "1" or `, 100) + `id eq "2"`:              "refused",
		strings.Repeat("(", 15) + `id eq "2"` + strings.Repeat(")", 15): "2",
	} {
		a := s.find("Users", filter)
		if want == "refused" {
			a.refused(http.StatusBadRequest, "invalidFilter")
		} else if got := a.ids(); got != want {
			t.Errorf("%s: %q, not %q", filter, got, want)
		}
	}
}

func TestGroupFilters(t *testing.T) {
	s := newSite(t)
	for filter, want := range map[string]string{
		``:                                   "1 2 3 4 5 6 7",
		`displayName eq "영업본부"`:              "2",
		`displayName ew "팀"`:                 "3 4 6",
		`members.value eq "6"`:               "3 4",
		`members[display sw "김"]`:            "1 3 4",
		department + `:parent eq "2"`:        "3 4",
		`not (` + department + `:parent pr)`: "1",
		`userName eq "x"`:                    "refused",
	} {
		a := s.find("Groups", filter)
		if want == "refused" {
			a.refused(http.StatusBadRequest, "invalidFilter")
		} else if got := a.ids(); got != want {
			t.Errorf("%s: %q, not %q", filter, got, want)
		}
	}
}

func TestPages(t *testing.T) {
	s := newSite(t)
	for query, want := range map[string][3]string{ // ids, startIndex, itemsPerPage
		"count=3":                 {"1 2 3", "1", "3"},
		"startIndex=4&count=3":    {"4 5 6", "4", "3"},
		"startIndex=7&count=300":  {"7 8", "7", "2"},
		"startIndex=-5&count=1":   {"1", "1", "1"},
		"startIndex=99":           {"", "99", "0"},
		"count=0":                 {"", "1", "0"},
		"count=-1":                {"", "1", "0"},
		"sortBy=userName&count=1": {"1", "1", "1"},
	} {
		a := s.get("/Users?" + query)
		body := a.want(200)
		equal(t, query, []any{a.ids(), body["totalResults"], body["startIndex"], body["itemsPerPage"]}, []any{want[0], 8.0, number(want[1]), number(want[2])})
	}
	s.get("/Users?count=many").refused(http.StatusBadRequest, "invalidValue")
	s.get("/Users?startIndex=99999999999").refused(http.StatusBadRequest, "invalidValue")
}

func number(text string) (n float64) {
	for _, c := range text {
		n = n*10 + float64(c-'0')
	}
	return n
}

func TestAttributes(t *testing.T) {
	s := newSite(t)
	get := func(query string) map[string]any {
		t.Helper()
		return s.get("/Users/6?" + query).want(200)
	}
	schemas := []any{"urn:ietf:params:scim:schemas:core:2.0:User", enterprise}
	equal(t, "chosen", get("attributes=userName,name.formatted,"+url.QueryEscape(enterprise+":department")+",groups.value,unknown"), map[string]any{
		"id": "6", "schemas": schemas, "userName": "kim.cs@hanbit.example", "name": map[string]any{"formatted": "김철수"}, enterprise: map[string]any{"department": "영업본부/국내영업팀"},
		"groups": []any{map[string]any{"value": "3"}, map[string]any{"value": "4"}},
	})
	rest := get("excludedAttributes=id,emails,meta,groups.$ref,groups.type,displayName,phoneNumbers," + url.QueryEscape(enterprise))
	equal(t, "all but some", rest, map[string]any{
		"id": "6", "schemas": schemas, "userName": "kim.cs@hanbit.example", "name": map[string]any{"formatted": "김철수"}, "active": true, "title": "사원",
		"groups": []any{map[string]any{"value": "3", "display": "국내영업팀"}, map[string]any{"value": "4", "display": "해외영업팀"}},
	})
	equal(t, "below a text", get("attributes=schemas.x,userName.y,title")["title"], "사원")
	list := s.get("/Users?attributes=userName&count=1").want(200)["Resources"].([]any)
	equal(t, "of a list", list, []any{map[string]any{"id": "1", "schemas": schemas, "userName": queriestest.Email(1)}})
}
