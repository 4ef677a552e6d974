package scim_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

const department = "urn:officeconsole:params:scim:schemas:extension:1.0:Group"

// members are the ids of the members of a group.
func (s *site) members(id string) string {
	s.t.Helper()
	var ids []string
	list, _ := s.get("/Groups/" + id).want(200)["members"].([]any)
	for _, m := range list {
		ids = append(ids, at(m, "value").(string))
	}
	return strings.Join(ids, " ")
}

func (s *site) departmentsOf(userID int64) string {
	s.t.Helper()
	return s.lookUp(`select d.name || coalesce((select ' + ' || string_agg(y.name, ' ' order by y.id) from user_departments x join departments y on y.company_id = 1 and y.id = x.department_id where x.company_id = 1 and x.user_id = u.id), '')
		from users u join departments d on d.company_id = 1 and d.id = u.department_id where u.company_id = 1 and u.id = $1`, userID)
}

// What Okta sends for groups: the name without a path, members with a filter.
func TestOktaGroup(t *testing.T) {
	s := newSite(t)
	group := s.call(http.MethodPost, "/Groups", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:Group"],"displayName":"데이터팀","members":[{"value":"1","display":"김서연"},{"value":"2"}]}`).want(http.StatusCreated)
	id := group["id"].(string)
	equal(t, "below the root", at(group, department, "parent", "value"), "1")
	equal(t, "members", s.members(id), "1 2")
	// The root alone is replaced by the first department; another default one remains.
	equal(t, "who was in the root", s.departmentsOf(queriestest.Admin), "데이터팀")
	equal(t, "who was in a team", s.departmentsOf(queriestest.Employee), "메신저팀 + 데이터팀")
	patch := func(operations string) map[string]any {
		t.Helper()
		return s.call(http.MethodPatch, "/Groups/"+id, `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[`+operations+`]}`).want(http.StatusOK)
	}
	equal(t, "renamed", patch(`{"op":"replace","value":{"id":"` + id + `","displayName":"데이터 플랫폼팀"}}`)["displayName"], "데이터 플랫폼팀")
	patch(`{"op":"remove","path":"members[value eq \"1\"]"},{"op":"add","path":"members","value":[{"value":"6","display":"x"}]}`)
	equal(t, "changed", s.members(id), "2 6")
	equal(t, "back in the root", s.departmentsOf(queriestest.Admin), "한빛테크")
	patch(`{"op":"replace","path":"members","value":[{"value":"7"}]}`)
	equal(t, "replaced", s.members(id), "7")
	equal(t, "left it", s.departmentsOf(queriestest.Employee), "메신저팀")
	equal(t, "change log", s.lookUp("select string_agg(action || coalesce(' +' || (new::jsonb ->> 'members_added'), '') || coalesce(' -' || (new::jsonb ->> 'members_removed'), ''), '; ' order by id) from changes where object_type = 'department'"),
		`department.created +["김서연", "이준호"]; department.updated; department.updated +["김철수"] -["김서연"]; department.updated +["Olivia Martin"] -["이준호", "김철수"]`)

	s.call(http.MethodDelete, "/Groups/"+id, "").want(http.StatusNoContent)
	s.get("/Groups/"+id).refused(http.StatusNotFound, "")
	equal(t, "not found", s.find("Groups", `displayName eq "데이터 플랫폼팀"`).ids(), "")
	s.call(http.MethodPatch, "/Users/2", `{"Operations":[{"op":"replace","path":"`+enterprise+`:department","value":"데이터 플랫폼팀"}]}`).refused(http.StatusBadRequest, "invalidValue")
	equal(t, "in the console", s.lookUp("select name from departments where id = $1", id), "데이터 플랫폼팀")
	again := s.call(http.MethodPost, "/Groups", `{"displayName":"데이터 플랫폼팀"}`).want(http.StatusCreated)
	equal(t, "created again", again["id"], id)
}

// What Entra ID sends for groups: it finds them without members, adds and removes
// members one by one, and removes them in an older way, too.
func TestEntraGroup(t *testing.T) {
	s := newSite(t)
	group := s.call(http.MethodPost, "/Groups", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:Group"],"externalId":"8aa1a0c0","displayName":"보안팀","meta":{"resourceType":"Group"}}`).want(http.StatusCreated)
	id := group["id"].(string)
	a := s.get("/Groups?excludedAttributes=members&filter=externalId%20eq%20%228aa1a0c0%22")
	equal(t, "found", a.ids(), id)
	if strings.Contains(a.body, `"members"`) {
		t.Error("with members", a.body)
	}
	equal(t, "all without members", strings.Contains(s.get("/Groups?excludedAttributes=members").body, `"members"`), false)
	equal(t, "only names", s.get("/Groups/"+id+"?attributes=displayName").want(200),
		map[string]any{"id": id, "displayName": "보안팀", "schemas": []any{"urn:ietf:params:scim:schemas:core:2.0:Group", department}})
	patch := func(operation string) {
		t.Helper()
		s.call(http.MethodPatch, "/Groups/"+id, `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[`+operation+`]}`).want(http.StatusOK)
	}
	patch(`{"op":"Add","path":"members","value":[{"$ref":null,"value":"2"}]}`)
	patch(`{"op":"Add","path":"members","value":[{"$ref":null,"value":"2"},{"value":"3"},{"value":"4"}]}`)
	equal(t, "added", s.members(id), "2 3 4")
	patch(`{"op":"Remove","path":"members","value":[{"$ref":null,"value":"2"}]}`)
	patch(`{"op":"Remove","path":"members[value eq \"3\"]"}`)
	equal(t, "removed", s.members(id), "4")
	equal(t, "of a person", s.find("Groups", `members[value eq "4"]`).ids(), "2 "+id)
	equal(t, "of a group", s.find("Users", `groups.value eq "`+id+`"`).ids(), "4")
	patch(`{"op":"Remove","path":"members"}`)
	equal(t, "emptied", s.members(id), "")
}

// What Keycloak sends for groups: the whole group with PUT. The parent is an
// attribute of an extension.
func TestKeycloakGroup(t *testing.T) {
	s := newSite(t)
	group := s.call(http.MethodPost, "/Groups", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:Group","`+department+`"],"displayName":"3팀","externalId":"k1","members":[],"`+department+`":{"parent":{"value":"2"}}}`).want(http.StatusCreated)
	id := group["id"].(string)
	equal(t, "path", s.lookUp("select path from departments where id = $1", id), "한빛테크/영업본부/3팀")
	put := func(body string) answer {
		t.Helper()
		return s.call(http.MethodPut, "/Groups/"+id, body)
	}
	put(`{"id":"` + id + `","displayName":"영업3팀","externalId":"k1","members":[{"value":"2","display":"이준호","$ref":"x"}]}`).want(200)
	equal(t, "members", s.members(id), "2")
	put(`{"displayName":"영업3팀","externalId":"k1"}`).want(200)
	equal(t, "members that were not sent", s.members(id), "2")
	put(`{"displayName":"영업3팀","` + department + `":{"parent":{"value":"5"}}}`).want(200)
	equal(t, "moved", s.lookUp("select path from departments where id = $1", id), "한빛테크/연구소/영업3팀")
	equal(t, "children", s.find("Groups", department+`:parent.value eq "5"`).ids(), "6 "+id)
	s.call(http.MethodPatch, "/Groups/"+id, `{"Operations":[{"op":"remove","path":"`+department+`:parent"}]}`).want(200)
	equal(t, "to the root", s.lookUp("select path from departments where id = $1", id), "한빛테크/영업3팀")
}

func TestGroupIsRefused(t *testing.T) {
	s := newSite(t)
	many := make([]string, 10_001)
	for i := range many {
		many[i] = fmt.Sprintf(`{"value":"%d"}`, i+1)
	}
	before := s.get("/Groups/2").want(200)
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		kind               string
	}{
		"an unknown member":        {"PATCH", "/Groups/2", `{"op":"add","path":"members","value":[{"value":"2"},{"value":"999"}]}`, 400, "invalidValue"},
		"of another company":       {"PATCH", "/Groups/2", `{"op":"add","path":"members","value":[{"value":"11"}]}`, 400, "invalidValue"},
		"a bot":                    {"PATCH", "/Groups/2", `{"op":"add","path":"members","value":[{"value":"9"}]}`, 400, "invalidValue"},
		"a group":                  {"PATCH", "/Groups/2", `{"op":"add","path":"members","value":[{"value":"3","type":"Group"}]}`, 400, "invalidValue"},
		"a reference to a group":   {"PATCH", "/Groups/2", `{"op":"add","path":"members","value":[{"value":"3","$ref":"https://console.example/scim/v2/Groups/3"}]}`, 400, "invalidValue"},
		"no id":                    {"PATCH", "/Groups/2", `{"op":"add","path":"members","value":[{"value":"x"}]}`, 400, "invalidValue"},
		"texts":                    {"PATCH", "/Groups/2", `{"op":"add","path":"members","value":["2"]}`, 400, "invalidValue"},
		"too many members":         {"PATCH", "/Groups/2", `{"op":"add","path":"members","value":[` + strings.Join(many, ",") + `]}`, 400, "tooMany"},
		"members by name":          {"PATCH", "/Groups/2", `{"op":"remove","path":"members[display eq \"이준호\"]"}`, 400, "invalidFilter"},
		"a part of members":        {"PATCH", "/Groups/2", `{"op":"replace","path":"members[value eq \"3\"].display","value":"x"}`, 400, "invalidPath"},
		"an unknown path":          {"PATCH", "/Groups/2", `{"op":"add","path":"colour","value":"x"}`, 400, "invalidPath"},
		"the id":                   {"PATCH", "/Groups/2", `{"op":"replace","path":"id","value":"x"}`, 400, "mutability"},
		"a slash":                  {"PATCH", "/Groups/2", `{"op":"replace","path":"displayName","value":"a/b"}`, 400, "invalidValue"},
		"no name":                  {"PATCH", "/Groups/2", `{"op":"remove","path":"displayName"}`, 400, "invalidValue"},
		"a sibling's name":         {"PATCH", "/Groups/2", `{"op":"replace","path":"displayName","value":"연구소"}`, 409, "uniqueness"},
		"below itself":             {"PATCH", "/Groups/2", `{"op":"replace","path":"` + department + `:parent","value":{"value":"3"}}`, 400, "invalidValue"},
		"an unknown parent":        {"PATCH", "/Groups/2", `{"op":"replace","path":"` + department + `:parent","value":{"value":"77"}}`, 400, "invalidValue"},
		"another company's parent": {"PATCH", "/Groups/2", `{"op":"replace","path":"` + department + `:parent","value":"8"}`, 400, "invalidValue"},
		"a parent of the root":     {"PATCH", "/Groups/1", `{"op":"replace","path":"` + department + `:parent","value":"2"}`, 400, "mutability"},
		"the root":                 {"DELETE", "/Groups/1", "", 403, ""},
		"departments below":        {"DELETE", "/Groups/2", "", 403, ""},
		"of another one":           {"DELETE", "/Groups/8", "", 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			body := c.body
			if body != "" {
				body = `{"Operations":[` + body + `]}`
			}
			a := s.call(c.method, c.path, body)
			a.t = t
			a.refused(c.status, c.kind)
		})
	}
	equal(t, "after all", s.get("/Groups/2").want(200), before)
	s.call(http.MethodPost, "/Groups", `{"displayName":"연구소"}`).refused(http.StatusConflict, "uniqueness")
	s.call(http.MethodPatch, "/Groups/3", `{"Operations":[{"op":"add","path":"members","value":[{"value":"2"}]}]}`, `If-Match: W/"old"`).refused(http.StatusPreconditionFailed, "")
}

// The version of a group changes with its members, also where an answer leaves them
// out.
func TestGroupVersion(t *testing.T) {
	s := newSite(t)
	version := func() string { return s.get("/Groups/6?excludedAttributes=members").header.Get("ETag") }
	first := version()
	s.call(http.MethodPatch, "/Groups/6", `{"Operations":[{"op":"add","path":"members","value":[{"value":"6"}]}]}`, "If-Match: "+first).want(200)
	second := version()
	s.call(http.MethodPatch, "/Groups/6", `{"Operations":[{"op":"remove","path":"members[value eq \"6\"]"}]}`).want(200)
	if first == second || version() != first {
		t.Errorf("%s, %s, %s", first, second, version())
	}
	s.call(http.MethodDelete, "/Users/2", "").want(http.StatusNoContent)
	if version() == first {
		t.Error("the version is the same without a member who was deleted")
	}
	// Nobody leaves the root without another department, so nothing changes.
	s.call(http.MethodPatch, "/Groups/1", `{"Operations":[{"op":"remove","path":"members[value eq \"1\"]"}]}`).want(200)
	equal(t, "changes of the root", s.lookUp("select count(*)::text from changes where object_type = 'department' and object_id = 1"), "0")
}
