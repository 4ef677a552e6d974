package scim_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

// What Okta sends: it looks for the person, creates them, changes the whole profile
// with PUT, and deactivates with a PATCH without a path.
func TestOktaUser(t *testing.T) {
	s := newSite(t)
	equal(t, "before", s.find("Users", `userName eq "haneul@hanbit.example"`).ids(), "")
	a := s.call(http.MethodPost, "/Users", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User","urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
		"userName":"haneul@hanbit.example","name":{"givenName":"하늘","familyName":"김"},"emails":[{"primary":true,"value":"haneul@hanbit.example","type":"work"}],
		"displayName":"김하늘","locale":"ko-KR","externalId":"00u1abc","groups":[],"password":"Secret!2026","title":"사원","active":true,
		"phoneNumbers":[{"value":"02-555-0001","type":"work"},{"value":"010-5555-0001","type":"mobile"}],
		"`+enterprise+`":{"employeeNumber":"H0100","department":"메신저팀","costCenter":"R1"}}`)
	user := a.want(http.StatusCreated)
	id := user["id"].(string)
	equal(t, "location", a.header.Get("Location"), s.url+"/Users/"+id)
	equal(t, "user", []any{user["userName"], user["displayName"], user["externalId"], user["title"], user["active"], at(user, "name", "familyName"), at(user, "emails", "0", "value"),
		at(user, "phoneNumbers", "1", "value"), at(user, enterprise, "employeeNumber"), at(user, enterprise, "department"), at(user, "groups", "0", "value"), at(user, "meta", "location"), user["password"]},
		[]any{"haneul@hanbit.example", "김하늘", "00u1abc", "사원", true, "김", "haneul@hanbit.example", "010-5555-0001", "H0100", "연구소/메신저팀", "6", s.url + "/Users/" + id, nil})
	equal(t, "found", s.find("Users", `userName eq "HANEUL@hanbit.example"`).ids(), id)
	equal(t, "found by externalId", s.find("Users", `externalId eq "00u1abc"`).ids(), id)
	s.call(http.MethodPost, "/Users", `{"userName":"Haneul@hanbit.example","displayName":"x"}`).refused(http.StatusConflict, "uniqueness")

	user = s.call(http.MethodPut, "/Users/"+id, `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"id":"`+id+`","meta":{"resourceType":"User"},"groups":[{"value":"6"}],
		"userName":"haneul.kim@hanbit.example","name":{"givenName":"하늘","familyName":"김"},"displayName":"김하늘","active":true,"title":"부장","externalId":"00u1abc"}`).want(http.StatusOK)
	equal(t, "after PUT", []any{user["userName"], user["title"], at(user, enterprise, "employeeNumber"), at(user, "phoneNumbers", "0", "value")},
		[]any{"haneul.kim@hanbit.example", "부장", "H0100", "02-555-0001"}) // what a PUT lacks remains

	user = s.call(http.MethodPatch, "/Users/"+id, `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"replace","value":{"active":false}}]}`).want(http.StatusOK)
	equal(t, "deactivated", user["active"], false)
	equal(t, "list", s.lookUp("select source || ' ' || hidden_by_name from hidings where user_id = $1", id), "provisioning 인사 시스템 (provisioning)")
	equal(t, "reactivated", s.call(http.MethodPut, "/Users/"+id, `{"userName":"haneul.kim@hanbit.example","active":true}`).want(http.StatusOK)["active"], true)
	equal(t, "change log", s.lookUp("select string_agg(action, ' ' order by id) || ' ' || min(actor_name) from changes where object_id = $1", id),
		"user.created user.updated user.deactivated user.reactivated 인사 시스템 (provisioning)")
	equal(t, "updated", s.lookUp("select old::text || ' ' || new::text from changes where action = 'user.updated'"),
		`{"email": "haneul@hanbit.example", "job_title": "사원"} {"email": "haneul.kim@hanbit.example", "job_title": "부장"}`)
}

// What Entra ID sends: names of operations with a capital letter, booleans as texts,
// paths with filters, and names of attributes as keys of a value without a path.
func TestEntraUser(t *testing.T) {
	s := newSite(t)
	user := s.call(http.MethodPost, "/Users", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User","`+enterprise+`"],"externalId":"0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
		"userName":"Test_User@hanbit.example","active":true,"displayName":"Olivia Park","emails":[{"primary":true,"type":"work","value":"other@hanbit.example"}],
		"meta":{"resourceType":"User"},"name":{"formatted":"Olivia Park","familyName":"Park","givenName":"Olivia"},"roles":[]}`).want(http.StatusCreated)
	path := "/Users/" + user["id"].(string)
	equal(t, "of the root", at(user, "groups", "0", "value"), "1")
	patch := func(operations string) map[string]any {
		t.Helper()
		return s.call(http.MethodPatch, path, `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[`+operations+`]}`).want(http.StatusOK)
	}
	user = patch(`{"op":"Replace","path":"emails[type eq \"work\"].value","value":"updated@hanbit.example"},{"op":"Replace","path":"name.familyName","value":"Lee"},
		{"op":"Add","path":"phoneNumbers[type eq \"mobile\"].value","value":"010-1"},{"op":"Add","path":"phoneNumbers[type eq \"fax\"].value","value":"02-9"},
		{"op":"Add","path":"addresses[type eq \"work\"].formatted","value":"Seoul"},{"op":"Replace","path":"preferredLanguage","value":"ko"},
		{"op":"Add","path":"` + enterprise + `:department","value":"한빛테크/영업본부"},{"op":"Add","path":"` + enterprise + `:manager","value":"1"}`)
	equal(t, "user", []any{user["displayName"], at(user, "name", "familyName"), at(user, "phoneNumbers", "0", "value"), at(user, "phoneNumbers", "1"), at(user, enterprise, "department"), user["userName"]},
		[]any{"Olivia Lee", "Lee", "010-1", nil, "영업본부", "Test_User@hanbit.example"})
	user = patch(`{"op":"Add","value":{"displayName":"Olivia P. Lee","name.givenName":"Olivia P.","` + enterprise + `:employeeNumber":"E-77"}}`)
	equal(t, "user", []any{user["displayName"], at(user, "name", "givenName"), at(user, enterprise, "employeeNumber")}, []any{"Olivia P. Lee", "Olivia P.", "E-77"})
	equal(t, "by employee number", s.find("Users", enterprise+`:employeeNumber eq "E-77"`).ids(), strings.TrimPrefix(path, "/Users/"))
	equal(t, "deactivated", patch(`{"op":"Replace","path":"active","value":"False"}`)["active"], false)
	equal(t, "reactivated", patch(`{"op":"Replace","path":"active","value":"True"}`)["active"], true)
	equal(t, "removed", at(patch(`{"op":"Remove","path":"phoneNumbers[type eq \"mobile\"]"},{"op":"Remove","path":"`+enterprise+`:employeeNumber"}`), "phoneNumbers"), nil)
	user = patch(`{"op":"Add","path":"` + enterprise + `:employeeNumber","value":"E-78"},{"op":"Add","path":"phoneNumbers","value":[{"value":"02-1","type":"work"},{"value":"02-2"}]}`)
	equal(t, "a number without a type", []any{at(user, "phoneNumbers", "0", "value"), at(user, enterprise, "employeeNumber")}, []any{"02-1", "E-78"})
	user = patch(`{"op":"Remove","path":"` + enterprise + `"},{"op":"Remove","path":"phoneNumbers"}`)
	equal(t, "without the extension", []any{at(user, enterprise, "employeeNumber"), at(user, enterprise, "department")}, []any{nil, "한빛테크"})
	equal(t, "wrapped", patch(`{"op":"Add","path":"externalId","value":[{"$ref":null,"value":"wrapped"}]}`)["externalId"], "wrapped")

	// A soft deletion sets active to false, a hard one deletes; a person who comes back is
	// the same one.
	s.call(http.MethodDelete, path, "").want(http.StatusNoContent)
	s.get(path).refused(http.StatusNotFound, "")
	s.call(http.MethodDelete, path, "").refused(http.StatusNotFound, "")
	s.call(http.MethodPatch, path, `{"Operations":[{"op":"replace","path":"active","value":true}]}`).refused(http.StatusNotFound, "")
	equal(t, "deleted", s.find("Users", `userName eq "test_user@hanbit.example"`).ids(), "")
	equal(t, "their row", s.lookUp("select (deactivated_at is not null)::text from users where lower(email) = 'test_user@hanbit.example'"), "true")
	queriestest.Exec(t, s.db, "update users set employee_id = 'E-78' where lower(email) = 'test_user@hanbit.example'")
	s.call(http.MethodPost, "/Users", `{"userName":"test_user@hanbit.example","displayName":"Oliver Lee","`+enterprise+`":{"employeeNumber":"E-79"}}`).refused(http.StatusConflict, "uniqueness")
	again := s.call(http.MethodPost, "/Users", `{"userName":"test_user@hanbit.example","displayName":"Olivia Lee","active":true,"externalId":"new"}`).want(http.StatusCreated)
	equal(t, "again", []any{"/Users/" + again["id"].(string), again["active"], again["externalId"]}, []any{path, true, "new"})
}

// What Keycloak sends: PUT with the whole user, and departments as groups.
func TestKeycloakUser(t *testing.T) {
	s := newSite(t)
	user := s.call(http.MethodPost, "/Users", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"sakura@hanbit.example","active":true,"externalId":"f4c1",
		"name":{"familyName":"佐藤","givenName":"さくら"},"emails":[{"value":"sakura@hanbit.example","primary":true}]}`, "Content-Type: application/json").want(http.StatusCreated)
	equal(t, "name", user["displayName"], "佐藤さくら")
	body := `{"id":"` + user["id"].(string) + `","schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"sakura@hanbit.example","active":%s,"externalId":"f4c1",
		"name":{"familyName":"%s","givenName":"さくら"},"emails":[{"value":"sakura@hanbit.example","primary":true}],"meta":{"location":"x","resourceType":"User"}}`
	path := "/Users/" + user["id"].(string)
	equal(t, "renamed", s.call(http.MethodPut, path, fmt.Sprintf(body, "true", "鈴木")).want(http.StatusOK)["displayName"], "鈴木さくら")
	equal(t, "disabled", s.call(http.MethodPut, path, fmt.Sprintf(body, "false", "鈴木")).want(http.StatusOK)["active"], false)
}

// A part of the name changes the name only where the other part is known.
func TestPartOfName(t *testing.T) {
	s := newSite(t)
	patch := func(operations string) map[string]any {
		t.Helper()
		return s.call(http.MethodPatch, "/Users/2", `{"Operations":[`+operations+`]}`).want(http.StatusOK)
	}
	equal(t, "one part", patch(`{"op":"replace","path":"name.familyName","value":"박"}`)["displayName"], "이준호")
	equal(t, "both parts", patch(`{"op":"replace","path":"name.givenName","value":"준호"}`)["displayName"], "박준호")
	equal(t, "one of two", patch(`{"op":"replace","path":"name.familyName","value":"최"}`)["displayName"], "최준호")
	equal(t, "removed", patch(`{"op":"remove","path":"name"}`)["displayName"], "최준호")
}

// A leaver: sessions on three devices and tokens end, and the policy counts one person
// less.
func TestLeaver(t *testing.T) {
	s := newSite(t)
	credentials := queriestest.Credentials(queriestest.Email(queriestest.Employee), queriestest.Password)
	for range 3 {
		if _, err := s.db.Identity.SignIn(t.Context(), credentials); err != nil {
			t.Fatal(err)
		}
	}
	token, err := s.db.Identity.IssueAccessToken(t.Context(), credentials)
	if err != nil {
		t.Fatal(err)
	}
	people := func() int64 {
		t.Helper()
		counts, err := s.db.Policies.DepartmentPeople(t.Context(), queriestest.Person(t, s.db, queriestest.Hanbit, queriestest.Admin), directory.Scope{Everybody: true})
		if err != nil {
			t.Fatal(err)
		}
		return counts[queriestest.Messenger]
	}
	before := people()
	s.call(http.MethodPatch, "/Users/2", `{"Operations":[{"op":"Replace","path":"active","value":"False"}]}`).want(http.StatusOK)
	equal(t, "people of policies", people(), before-1)
	equal(t, "open sign-ins", s.lookUp("select count(*)::text from sign_ins where user_id = 2 and ended_at is null"), "0")
	if _, err := s.db.Identity.Bearer(t.Context(), identity.PresentedToken{Token: token.Token}); err == nil {
		t.Error("the token is valid")
	}
	equal(t, "access history", s.lookUp("select string_agg(distinct source || ' ' || reason || ' ' || actor_name, ', ') from access_events where user_id = 2 and kind in ('session_revoked', 'token_revoked')"),
		"api deactivated 인사 시스템 (provisioning)")
}

// Hidden people are like others to another directory, which must not create them
// again; making them active does not show them.
func TestHiddenUser(t *testing.T) {
	s := newSite(t)
	equal(t, "found", s.find("Users", `userName eq "hidden@hanbit.example" and active eq true`).ids(), "5")
	equal(t, "active", s.call(http.MethodPatch, "/Users/5", `{"Operations":[{"op":"replace","value":{"active":true,"title":"부장"}}]}`).want(200)["active"], true)
	s.call(http.MethodPatch, "/Users/5", `{"Operations":[{"op":"replace","value":{"active":false}}]}`).want(200)
	s.call(http.MethodPatch, "/Users/5", `{"Operations":[{"op":"replace","value":{"active":true}}]}`).want(200)
	equal(t, "still hidden", s.lookUp("select (hidden_at is not null and deactivated_at is null)::text from users where id = 5"), "true")
}

// What the directory cannot accept changes nothing, and says why as SCIM does.
func TestUserIsRefused(t *testing.T) {
	s := newSite(t)
	before := s.get("/Users/2").want(200)
	many := strings.TrimSuffix(strings.Repeat(`{"op":"replace","path":"title","value":"x"},`, 1001), ",")
	for name, c := range map[string]struct {
		operation string
		status    int
		kind      string
	}{
		"an unknown path":          {`{"op":"replace","path":"shoeSize","value":"42"}`, 400, "invalidPath"},
		"a filter of one value":    {`{"op":"replace","path":"title[value eq \"사원\"]","value":"이사"}`, 400, "invalidPath"},
		"a long path":              {`{"op":"remove","path":"phoneNumbers[type eq \"` + strings.Repeat("x", 1<<10) + `\"]"}`, 400, "invalidPath"},
		"an unreadable path":       {`{"op":"replace","path":"name[","value":"42"}`, 400, "invalidPath"},
		"a deep path":              {`{"op":"remove","path":"phoneNumbers[` + strings.Repeat("(", 50) + `type eq \"x\"` + strings.Repeat(")", 50) + `]"}`, 400, "invalidPath"},
		"the id":                   {`{"op":"replace","path":"id","value":"9"}`, 400, "mutability"},
		"the groups":               {`{"op":"add","path":"groups","value":[{"value":"3"}]}`, 400, "mutability"},
		"a number for a text":      {`{"op":"replace","path":"title","value":7}`, 400, "invalidValue"},
		"an object for a text":     {`{"op":"replace","path":"displayName","value":{"a":1}}`, 400, "invalidValue"},
		"a text for a truth":       {`{"op":"replace","path":"active","value":"perhaps"}`, 400, "invalidValue"},
		"a truth removed":          {`{"op":"remove","path":"active"}`, 400, "invalidValue"},
		"a text for phone numbers": {`{"op":"add","path":"phoneNumbers","value":["02"]}`, 400, "invalidValue"},
		"no email":                 {`{"op":"replace","path":"userName","value":"jlee"}`, 400, "invalidValue"},
		"an empty email":           {`{"op":"remove","path":"userName"}`, 400, "invalidValue"},
		"somebody's email":         {`{"op":"replace","path":"userName","value":"KIM.CS@hanbit.example"}`, 409, "uniqueness"},
		"another company's email":  {`{"op":"replace","path":"userName","value":"kim.cs@other.example"}`, 409, "uniqueness"},
		"somebody's number":        {`{"op":"replace","path":"` + enterprise + `:employeeNumber","value":"H0006"}`, 409, "uniqueness"},
		"an unknown department":    {`{"op":"replace","path":"` + enterprise + `:department","value":"우주본부"}`, 400, "invalidValue"},
		"a long name":              {`{"op":"replace","path":"displayName","value":"` + strings.Repeat("가", 101) + `"}`, 400, "invalidValue"},
		"a control character":      {`{"op":"replace","path":"displayName","value":"a\u0000b"}`, 400, "invalidValue"},
		"a second one is refused":  {`{"op":"replace","path":"title","value":"이사"},{"op":"replace","path":"active","value":1}`, 400, "invalidValue"},
		"no path":                  {`{"op":"remove"}`, 400, "noTarget"},
		"no object":                {`{"op":"add","value":"x"}`, 400, "invalidValue"},
		"an unknown operation":     {`{"op":"move","path":"title","value":"x"}`, 400, "invalidSyntax"},
		"a path that is no text":   {`{"op":"add","path":7,"value":"x"}`, 400, "invalidSyntax"},
		"no operation":             {``, 400, "invalidSyntax"},
		"too many":                 {many, 400, "tooMany"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.call(http.MethodPatch, "/Users/2", `{"Operations":[`+c.operation+`]}`)
			a.t = t
			a.refused(c.status, c.kind)
		})
	}
	equal(t, "after all", s.get("/Users/2").want(200), before)
	equal(t, "changes", s.lookUp("select count(*)::text from changes where object_type = 'user'"), "0")
	// The last administrator cannot be deactivated, nor deleted.
	s.call(http.MethodPatch, "/Users/1", `{"Operations":[{"op":"replace","value":{"active":false}}]}`).refused(http.StatusForbidden, "")
	s.call(http.MethodDelete, "/Users/1", "").refused(http.StatusForbidden, "")
	for _, path := range []string{"/Users/9", "/Users/11", "/Users/x", "/Users/99999999999999999999", "/Users/0"} { // a bot, of another company, no id
		s.get(path).refused(http.StatusNotFound, "")
	}
	s.call(http.MethodPost, "/Users", `{"displayName":"x"}`).refused(http.StatusBadRequest, "invalidValue")
	if detail := s.call(http.MethodPost, "/Users", `{"displayName":"x"}`, "Accept-Language: ko").want(400)["detail"]; detail != "userName: 값이 필요합니다." {
		t.Errorf("detail %q", detail)
	}
}

// A version is that of what SCIM shows. A request that changes nothing writes
// nothing.
func TestVersions(t *testing.T) {
	s := newSite(t)
	first := s.get("/Users/2")
	tag := first.header.Get("ETag")
	equal(t, "version", at(first.want(200), "meta", "version"), tag)
	if a := s.get("/Users/2", "If-None-Match: "+tag); a.status != http.StatusNotModified || a.body != "" {
		t.Errorf("%d %s", a.status, a.body)
	}
	directory := func() string { return s.lookUp("select directory_version::text from companies where id = 1") }
	before := directory()
	same := s.call(http.MethodPut, "/Users/2", `{"userName":"employee@hanbit.example","active":true,"displayName":"이준호","title":"사원","`+enterprise+`":{"department":"연구소/메신저팀"}}`, "If-Match: "+tag)
	equal(t, "the same", []any{same.want(200)["displayName"], same.header.Get("ETag")}, []any{"이준호", tag})
	equal(t, "nothing is written", []any{directory(), s.lookUp("select count(*)::text from provisioned_users")}, []any{before, "0"})
	s.call(http.MethodPatch, "/Users/2", `{"Operations":[{"op":"replace","path":"title","value":"부장"}]}`, "If-Match: *").want(200)
	s.call(http.MethodPatch, "/Users/2", `{"Operations":[{"op":"replace","path":"title","value":"이사"}]}`, "If-Match: "+tag).refused(http.StatusPreconditionFailed, "")
	s.call(http.MethodDelete, "/Users/2", "", "If-Match: "+tag).refused(http.StatusPreconditionFailed, "")
	if now := s.get("/Users/2").header.Get("ETag"); now == tag {
		t.Error("the version is the same")
	}
}

// Whom an administrator deactivated, another directory sees as such, and the other
// way round.
func TestDeactivatedByAnAdministrator(t *testing.T) {
	s := newSite(t)
	admin := queriestest.AdminActor(t, s.db)
	if _, err := s.db.Hidings.Deactivate(t.Context(), admin, hiding.Deactivation{UserIDs: []int64{queriestest.Kim}}); err != nil {
		t.Fatal(err)
	}
	equal(t, "inactive", s.find("Users", "active eq false").ids(), "6")
	s.call(http.MethodDelete, "/Users/6", "").want(http.StatusNoContent)
	equal(t, "deleted", s.find("Users", "active eq false").ids(), "")
	if _, err := s.db.Hidings.Reactivate(t.Context(), admin, []int64{queriestest.Kim}); err != nil {
		t.Fatal(err)
	}
	equal(t, "reactivated in the console", s.get("/Users/6").want(200)["active"], true)
}
