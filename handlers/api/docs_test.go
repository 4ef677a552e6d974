package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"officeconsole/handlers/api"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/bot"
	"officeconsole/queries/hiding"
	"officeconsole/queries/notice"
	"officeconsole/queries/usage"
	"officeconsole/queries/webhook"
)

// Every call of specification §7, as spelled in the contract.
var everyCall = []string{
	"DELETE /companies/{company_id}/users/{id}/bots/service/image",
	"DELETE /companies/{company_id}/users/{id}/bots/service/tokens/{token_id}",
	"DELETE /companies/{company_id}/users/{id}/deactivated-users/{user_id}",
	"DELETE /companies/{company_id}/users/{id}/exports/{export_id}",
	"DELETE /companies/{company_id}/users/{id}/hidden-users/{user_id}",
	"DELETE /companies/{company_id}/users/{id}/holidays/{holiday_id}",
	"DELETE /companies/{company_id}/users/{id}/links/{link_id}",
	"DELETE /companies/{company_id}/users/{id}/links/{link_id}/banner",
	"DELETE /companies/{company_id}/users/{id}/logs/workingattitude/corrections/{correction_id}",
	"DELETE /companies/{company_id}/users/{id}/logs/workingattitude/locks",
	"DELETE /companies/{company_id}/users/{id}/logs/workingattitude/{record_id}",
	"DELETE /companies/{company_id}/users/{id}/notices/{notice_id}",
	"DELETE /companies/{company_id}/users/{id}/policies/workingattitude/managers/{manager_id}",
	"DELETE /companies/{company_id}/users/{id}/policies/{kind}/checks/{check_id}",
	"DELETE /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}",
	"DELETE /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}/plan",
	"DELETE /companies/{company_id}/users/{id}/security/factors/{user_id}",
	"DELETE /companies/{company_id}/users/{id}/security/locks/addresses/{address}",
	"DELETE /companies/{company_id}/users/{id}/security/locks/people/{user_id}",
	"DELETE /companies/{company_id}/users/{id}/security/password-links/{user_id}",
	"DELETE /companies/{company_id}/users/{id}/security/providers/{provider_id}",
	"DELETE /companies/{company_id}/users/{id}/security/sessions",
	"DELETE /companies/{company_id}/users/{id}/security/sessions/{session_id}",
	"DELETE /companies/{company_id}/users/{id}/security/tokens/{token_id}",
	"DELETE /companies/{company_id}/users/{id}/webhook",
	"GET /companies/{company_id}/banners/{hash}",
	"GET /companies/{company_id}/bots/service",
	"GET /companies/{company_id}/bots/service/images/{hash}",
	"GET /companies/{company_id}/effective/{user_id}",
	"GET /companies/{company_id}/hidden-users",
	"GET /companies/{company_id}/holidays",
	"GET /companies/{company_id}/installation-rules/{user_id}",
	"GET /companies/{company_id}/notices/{user_id}",
	"GET /companies/{company_id}/shortcuts/{user_id}",
	"GET /companies/{company_id}/stream",
	"GET /companies/{company_id}/users/{id}/attachments/{attachment_id}",
	"GET /companies/{company_id}/users/{id}/audit",
	"GET /companies/{company_id}/users/{id}/audit/reads",
	"GET /companies/{company_id}/users/{id}/bots/service",
	"GET /companies/{company_id}/users/{id}/bots/service/deliveries",
	"GET /companies/{company_id}/users/{id}/bots/service/deliveries/{delivery_id}",
	"GET /companies/{company_id}/users/{id}/bots/service/image",
	"GET /companies/{company_id}/users/{id}/convenience-services",
	"GET /companies/{company_id}/users/{id}/deactivated-users",
	"GET /companies/{company_id}/users/{id}/exports/{export_id}",
	"GET /companies/{company_id}/users/{id}/exports/{export_id}/file",
	"GET /companies/{company_id}/users/{id}/hidden-users",
	"GET /companies/{company_id}/users/{id}/holidays",
	"GET /companies/{company_id}/users/{id}/imports",
	"GET /companies/{company_id}/users/{id}/imports/{import_id}",
	"GET /companies/{company_id}/users/{id}/installation-rules",
	"GET /companies/{company_id}/users/{id}/installations",
	"GET /companies/{company_id}/users/{id}/links",
	"GET /companies/{company_id}/users/{id}/links/{link_id}",
	"GET /companies/{company_id}/users/{id}/links/{link_id}/banner",
	"GET /companies/{company_id}/users/{id}/logs/communication/files",
	"GET /companies/{company_id}/users/{id}/logs/workingattitude",
	"GET /companies/{company_id}/users/{id}/logs/workingattitude/corrections",
	"GET /companies/{company_id}/users/{id}/logs/workingattitude/desk",
	"GET /companies/{company_id}/users/{id}/logs/workingattitude/forecast",
	"GET /companies/{company_id}/users/{id}/logs/workingattitude/locks",
	"GET /companies/{company_id}/users/{id}/logs/workingattitude/locks/{month}/events",
	"GET /companies/{company_id}/users/{id}/logs/workingattitude/{record_id}",
	"GET /companies/{company_id}/users/{id}/logs/workingattitude/{record_id}/events",
	"GET /companies/{company_id}/users/{id}/map-licenses",
	"GET /companies/{company_id}/users/{id}/notices",
	"GET /companies/{company_id}/users/{id}/notices/{notice_id}",
	"GET /companies/{company_id}/users/{id}/notices/{notice_id}/attachments.zip",
	"GET /companies/{company_id}/users/{id}/notices/{notice_id}/readers",
	"GET /companies/{company_id}/users/{id}/options/browser",
	"GET /companies/{company_id}/users/{id}/organizations/departments",
	"GET /companies/{company_id}/users/{id}/organizations/ranks",
	"GET /companies/{company_id}/users/{id}/organizations/roles",
	"GET /companies/{company_id}/users/{id}/organizations/saved-managers",
	"GET /companies/{company_id}/users/{id}/organizations/users",
	"GET /companies/{company_id}/users/{id}/organizations/users/{user_id}/image",
	"GET /companies/{company_id}/users/{id}/policies/workingattitude/managers",
	"GET /companies/{company_id}/users/{id}/policies/workingattitude/managers/{manager_id}",
	"GET /companies/{company_id}/users/{id}/policies/{kind}",
	"GET /companies/{company_id}/users/{id}/policies/{kind}/checks",
	"GET /companies/{company_id}/users/{id}/policies/{kind}/effective",
	"GET /companies/{company_id}/users/{id}/policies/{kind}/status",
	"GET /companies/{company_id}/users/{id}/policies/{kind}/taken-targets",
	"GET /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}",
	"GET /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}/recomputations",
	"GET /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}/versions",
	"GET /companies/{company_id}/users/{id}/security/access",
	"GET /companies/{company_id}/users/{id}/security/disclosure",
	"GET /companies/{company_id}/users/{id}/security/factor-rule",
	"GET /companies/{company_id}/users/{id}/security/locks",
	"GET /companies/{company_id}/users/{id}/security/providers",
	"GET /companies/{company_id}/users/{id}/security/providers/{provider_id}",
	"GET /companies/{company_id}/users/{id}/security/retention",
	"GET /companies/{company_id}/users/{id}/security/sessions",
	"GET /companies/{company_id}/users/{id}/security/tokens",
	"GET /companies/{company_id}/users/{id}/webhook",
	"GET /companies/{company_id}/users/{id}/webhook/deliveries",
	"GET /companies/{company_id}/users/{id}/webhook/deliveries/{delivery_id}",
	"GET /oauth/info",
	"GET /oauth/token",
	"GET /profile",
	"PATCH /companies/{company_id}/users/{id}/bots/service",
	"PATCH /companies/{company_id}/users/{id}/convenience-services/{service_id}",
	"PATCH /companies/{company_id}/users/{id}/holidays/{holiday_id}",
	"PATCH /companies/{company_id}/users/{id}/links/{link_id}",
	"PATCH /companies/{company_id}/users/{id}/logs/workingattitude/corrections/{correction_id}",
	"PATCH /companies/{company_id}/users/{id}/logs/workingattitude/{record_id}",
	"PATCH /companies/{company_id}/users/{id}/notices/{notice_id}",
	"PATCH /companies/{company_id}/users/{id}/policies/workingattitude/managers/{manager_id}",
	"PATCH /companies/{company_id}/users/{id}/policies/{kind}/checks/{check_id}",
	"PATCH /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}/plan",
	"PATCH /companies/{company_id}/users/{id}/security/providers/{provider_id}",
	"POST /bots/{bot_id}/messages",
	"POST /bots/{bot_id}/notifications",
	"POST /companies/{company_id}/events/access",
	"POST /companies/{company_id}/events/activities",
	"POST /companies/{company_id}/events/clients",
	"POST /companies/{company_id}/events/clock",
	"POST /companies/{company_id}/events/consents",
	"POST /companies/{company_id}/events/devices",
	"POST /companies/{company_id}/events/files",
	"POST /companies/{company_id}/events/reads",
	"POST /companies/{company_id}/users/{id}/audit/{change_id}/revert",
	"POST /companies/{company_id}/users/{id}/bots/service/deliveries/{delivery_id}/resending",
	"POST /companies/{company_id}/users/{id}/bots/service/tokens/{kind}/rotation",
	"POST /companies/{company_id}/users/{id}/deactivated-users",
	"POST /companies/{company_id}/users/{id}/exports",
	"POST /companies/{company_id}/users/{id}/hidden-users",
	"POST /companies/{company_id}/users/{id}/holidays",
	"POST /companies/{company_id}/users/{id}/imports",
	"POST /companies/{company_id}/users/{id}/imports/{import_id}/reversal",
	"POST /companies/{company_id}/users/{id}/ip-ranges/check",
	"POST /companies/{company_id}/users/{id}/links",
	"POST /companies/{company_id}/users/{id}/links/{link_id}/restoration",
	"POST /companies/{company_id}/users/{id}/logs/workingattitude/clock",
	"POST /companies/{company_id}/users/{id}/logs/workingattitude/corrections",
	"POST /companies/{company_id}/users/{id}/logs/workingattitude/desk/reviews",
	"POST /companies/{company_id}/users/{id}/logs/workingattitude/desk/reviews/{set}/reversal",
	"POST /companies/{company_id}/users/{id}/logs/workingattitude/forecast/notices",
	"POST /companies/{company_id}/users/{id}/logs/workingattitude/locks",
	"POST /companies/{company_id}/users/{id}/logs/workingattitude/{record_id}/restore",
	"POST /companies/{company_id}/users/{id}/notices",
	"POST /companies/{company_id}/users/{id}/notices/{notice_id}/reminders",
	"POST /companies/{company_id}/users/{id}/notices/{notice_id}/restoration",
	"POST /companies/{company_id}/users/{id}/policies/workingattitude/managers",
	"POST /companies/{company_id}/users/{id}/policies/workingattitude/managers/{manager_id}/restoration",
	"POST /companies/{company_id}/users/{id}/policies/{kind}",
	"POST /companies/{company_id}/users/{id}/policies/{kind}/checks",
	"POST /companies/{company_id}/users/{id}/policies/{kind}/preview",
	"POST /companies/{company_id}/users/{id}/policies/{kind}/targets/bulk",
	"POST /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}/restore",
	"POST /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}/versions/{no}/confirmation",
	"POST /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}/versions/{no}/restore",
	"POST /companies/{company_id}/users/{id}/security/password-links",
	"POST /companies/{company_id}/users/{id}/security/providers",
	"POST /companies/{company_id}/users/{id}/security/providers/{provider_id}/test",
	"POST /companies/{company_id}/users/{id}/security/tokens",
	"POST /companies/{company_id}/users/{id}/security/tokens/{token_id}/rotation",
	"POST /companies/{company_id}/users/{id}/uploads",
	"POST /companies/{company_id}/users/{id}/webhook/deliveries/{delivery_id}/redelivery",
	"POST /companies/{company_id}/users/{id}/webhook/resumption",
	"POST /companies/{company_id}/users/{id}/webhook/secret/rotation",
	"POST /companies/{company_id}/users/{id}/webhook/test",
	"POST /logout", "POST /oauth/handover",
	"POST /oauth/login",
	"PUT /companies/{company_id}/users/{id}/bots/service/image",
	"PUT /companies/{company_id}/users/{id}/convenience-services/order",
	"PUT /companies/{company_id}/users/{id}/installation-rules",
	"PUT /companies/{company_id}/users/{id}/links/order",
	"PUT /companies/{company_id}/users/{id}/links/{link_id}/banner",
	"PUT /companies/{company_id}/users/{id}/links/{link_id}/position",
	"PUT /companies/{company_id}/users/{id}/map-licenses",
	"PUT /companies/{company_id}/users/{id}/policies/{kind}/{policy_id}",
	"PUT /companies/{company_id}/users/{id}/security/disclosure",
	"PUT /companies/{company_id}/users/{id}/security/factor-rule",
	"PUT /companies/{company_id}/users/{id}/security/retention",
	"PUT /companies/{company_id}/users/{id}/webhook",
}

type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Properties map[string]schema
	Items      *schema
	AnyOf      []schema // an object and null
}

func TestOpenAPI(t *testing.T) {
	s := newSite(t)
	a := s.get("/openapi.json", "")
	var document struct {
		OpenAPI string
		Info    struct{ Version string }
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			OperationID string
			Summary     string
			Security    []map[string][]string
			Responses   map[string]struct {
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal([]byte(a.body), &document); err != nil {
		t.Fatalf("%d %v", a.status, err)
	}
	if !strings.HasPrefix(document.OpenAPI, "3.1") || document.Info.Version != "test" || document.Servers[0].URL != "/api/v1" {
		t.Errorf("%+v", document)
	}
	if alone, err := api.Document("test"); err != nil {
		t.Error(err)
	} else {
		sameJSON(t, string(alone), a.body)
	}
	var calls []string
	for path, methods := range document.Paths {
		for method, op := range methods {
			name := strings.ToUpper(method) + " " + path
			calls = append(calls, name)
			if op.Summary == "" || op.OperationID == "" {
				t.Errorf("%s has no summary", name)
			}
			if open := path == "/oauth/login"; open != (len(op.Security) == 0) {
				t.Errorf("%s: security %v", name, op.Security)
			}
			hasSession := path != "/oauth/login" && !strings.HasPrefix(path, "/bots/") // a bot's token has none
			if _, described := op.Responses["419"]; described != hasSession {
				t.Errorf("%s: answers %v", name, op.Responses)
			}
			described := op.Responses["200"].Content["application/json"].Schema.Ref != ""
			if strings.Contains(path, "/banner") || strings.Contains(path, "/image") {
				described = op.Responses["200"].Content["image/png"].Schema.Type == "string"
			}
			if strings.Contains(path, "/attachments") {
				described = op.Responses["200"].Content["*/*"].Schema.Type == "string" || op.Responses["200"].Content["application/zip"].Schema.Type == "string"
			}
			if method == "get" && !strings.HasSuffix(path, "/stream") && !strings.HasSuffix(path, "/file") && !described {
				t.Errorf("%s: the answer is not described", name)
			}
		}
	}
	slices.Sort(calls)
	if !slices.Equal(calls, everyCall) {
		t.Errorf("calls %v", calls)
	}
	for _, match := range regexp.MustCompile(`"\$ref":\s*"#/components/schemas/([^"]+)"`).FindAllStringSubmatch(a.body, -1) {
		if _, ok := document.Components.Schemas[match[1]]; !ok {
			t.Errorf("nothing describes %s", match[1])
		}
	}
}

// The document has the answers that follow from what an operation takes.
func TestAnswersAreDescribed(t *testing.T) {
	content, err := api.Document("test")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct{ Name string }
			RequestBody any
			Responses   map[string]struct{ Headers map[string]any }
		}
	}
	if err := json.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	for _, methods := range document.Paths {
		for method, op := range methods {
			want := []string{"503"}
			if op.RequestBody != nil {
				want = append(want, "400", "408", "413", "415")
			}
			if method != "get" {
				want = append(want, "507")
			}
			for _, p := range op.Parameters {
				switch p.Name {
				case "If-Match":
					want = append(want, "400")
				case "If-None-Match":
					want = append(want, "304")
				}
			}
			if op.OperationID == "set-webhook" {
				want = append(want, "200", "201")
			}
			for _, status := range want {
				if _, described := op.Responses[status]; !described {
					t.Errorf("%s: the answer %s is not described", op.OperationID, status)
				}
			}
			for _, status := range []string{"429", "503"} {
				if later, described := op.Responses[status]; described && later.Headers["Retry-After"] == nil {
					t.Errorf("%s: Retry-After of %s is not described", op.OperationID, status)
				}
			}
		}
	}
}

// The document lists the values of the data.
func TestEnumsAreTheValues(t *testing.T) {
	content, err := api.Document("test")
	if err != nil {
		t.Fatal(err)
	}
	type described struct{ Enum []any }
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema described
			}
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]json.RawMessage }
		}
	}
	if err := json.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	same := func(name string, got []any, want []string) {
		t.Helper()
		var listed []string
		for _, value := range got {
			listed = append(listed, fmt.Sprint(value))
		}
		if !slices.Equal(slices.Sorted(slices.Values(listed)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %q, want %q", name, listed, want)
		}
	}
	field := func(schema, property string, want []string) {
		t.Helper()
		var d described
		if err := json.Unmarshal(document.Components.Schemas[schema].Properties[property], &d); err != nil {
			t.Errorf("%s.%s: %v", schema, property, err)
		}
		same(schema+"."+property, d.Enum, want)
	}
	parameter := func(path, name string, want []string) {
		t.Helper()
		for _, p := range document.Paths[u+path]["get"].Parameters {
			if p.Name == name {
				same(path+"?"+name, p.Schema.Enum, want)
				return
			}
		}
		t.Errorf("%s has no parameter %s", path, name)
	}
	field("Read", "kind", words(audit.ReadKinds))
	parameter("/audit/reads", "kind", words(audit.ReadKinds))
	field("Read", "via", words(audit.ReadVias))
	parameter("/audit/reads", "via", words(audit.ReadVias))
	field("AccessRow", "kind", words(usage.AccessKinds))
	field("AccessRow", "result", words(usage.AccessResults))
	parameter("/security/access", "kind", words(usage.AccessKinds))
	parameter("/security/access", "result", words(usage.AccessResults))
	field("AccessEvent", "kind", words(usage.ReportedAccessKinds))
	field("AccessEvent", "platform", usage.Platforms)
	field("ClientEvent", "platform", usage.ClientPlatforms)
	field("BotMessage", "kind", words(bot.Kinds))
	parameter("/bots/service/deliveries", "kind", words(bot.Kinds))
	field("HiddenUser", "kind", words(hiding.Kinds))
	parameter("/hidden-users", "kind", words(hiding.Kinds))
	field("DeactivatedUser", "source", words(hiding.Sources))
	parameter("/deactivated-users", "source", words(hiding.Sources))
	field("DeskItem", "kind", words(attendance.DeskKinds))
	parameter("/logs/workingattitude/desk", "kind", words(attendance.DeskKinds))
	parameter("/logs/workingattitude/forecast", "level", words(attendance.ForecastLevels))
	parameter("/logs/workingattitude", "status", words(attendance.Statuses))
	field("AttendanceDay", "status", words(attendance.Statuses))
	field("AttendanceRecord", "status", words(attendance.Statuses))
	parameter("/logs/workingattitude", "device", attendance.Devices)
	field("NoticeRow", "status", words(notice.Statuses))
	parameter("/notices", "status", words(notice.Statuses))
	parameter("/webhook/deliveries", "status", webhook.States)
}

const u = "/companies/{company_id}/users/{id}"

func words[T ~string](values []T) []string {
	var all []string
	for _, v := range values {
		all = append(all, string(v))
	}
	return all
}

// Rows match the OpenAPI document.
func TestRowsMatchTheDocument(t *testing.T) {
	s := newSite(t)
	s.exec("insert into attendance_viewers (company_id, rank_id, whole_company, may_edit, created_at, updated_at) values (1, 1, true, false, now(), now())")
	admin := s.token(1)
	var document struct {
		Components struct{ Schemas map[string]schema }
		Paths      map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema schema }
			}
		}
	}
	if err := json.Unmarshal([]byte(s.get("/openapi.json", "").body), &document); err != nil {
		t.Fatal(err)
	}
	named := func(s schema) schema {
		return document.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	for _, name := range []string{"departments", "users", "ranks", "roles", "saved-managers"} {
		answer := named(document.Paths["/companies/{company_id}/users/{id}/organizations/"+name]["get"].Responses["200"].Content["application/json"].Schema)
		described := named(*answer.Properties["data"].Items).Properties
		var rows struct{ Data []map[string]any }
		if err := json.Unmarshal([]byte(s.get(own(1)+"/organizations/"+name, admin).body), &rows); err != nil {
			t.Fatal(err)
		}
		if len(rows.Data) == 0 || len(described) == 0 {
			t.Fatalf("%s: %d rows, %d fields described", name, len(rows.Data), len(described))
		}
		for field := range rows.Data[0] {
			if _, ok := described[field]; !ok {
				t.Errorf("%s: %s is not described", name, field)
			}
		}
	}
}

func TestDocs(t *testing.T) {
	s := newSite(t)
	for language, word := range map[string]string{"ko": "매개변수", "en-GB": "Parameters", "ja": "パラメーター"} {
		a := s.get("/docs", "", "Accept-Language: "+language)
		if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			t.Fatalf("%d %v", a.status, a.header)
		}
		if !strings.Contains(a.body, word) || !strings.Contains(a.body, `<html lang="`+language[:2]+`">`) {
			t.Errorf("%s: not in that language", language)
		}
		for _, call := range everyCall {
			if !strings.Contains(a.body, "-title\"><code>"+call+"</code></h2>") {
				t.Errorf("%s: %s is missing", language, call)
			}
		}
		for _, field := range []string{"data[].parent_id", "data[].departments[].default", "access_token", "If-None-Match", "integer 1-500", "errors[].field"} {
			if !strings.Contains(a.body, "<code>"+field) && !strings.Contains(a.body, field+"</code>") {
				t.Errorf("%s: %s is missing", language, field)
			}
		}
		for _, foreign := range []string{"://", "<script", "<style", "style=", "⟦", "onclick"} {
			if strings.Contains(a.body, foreign) {
				t.Errorf("%s: the page holds %s", language, foreign)
			}
		}
	}
}

func TestLanguages(t *testing.T) {
	s := newSite(t)
	for language, want := range map[string]string{
		"":                     "찾을 수 없습니다.",
		"ko-KR,ko;q=0.9":       "찾을 수 없습니다.",
		"fr-FR, en-US;q=0.8":   "This could not be found.",
		"ja":                   "見つかりませんでした。",
		"%%%":                  "찾을 수 없습니다.",
		"de":                   "찾을 수 없습니다.",
		"ja;q=0.2, en-AU;q=.9": "This could not be found.",
	} {
		a := s.get("/nothing", "", "Accept-Language: "+language)
		sameJSON(t, a.body, `{"message":"`+want+`","code":"api.not_found"}`)
	}
	a := s.get(own(1)+"/organizations/users?limit=501", s.token(1), "Accept-Language: en")
	sameJSON(t, a.body, `{"message":"Please check the values you entered.","code":"api.refused",
		"errors":[{"field":"limit","code":"api.field.too_large","message":"This must be 500 or less."}]}`)
}

// Every list has meta, but for the services of maps: PUT takes them back as they are.
func TestListsHaveMeta(t *testing.T) {
	content, err := api.Document("test")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]struct {
			Get struct {
				Responses map[string]struct {
					Content map[string]struct{ Schema schema }
				}
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	found := 0
	for path, item := range document.Paths {
		answer := document.Components.Schemas[strings.TrimPrefix(item.Get.Responses["200"].Content["application/json"].Schema.Ref, "#/components/schemas/")]
		if answer.Properties["data"].Items == nil {
			continue
		}
		found++
		if _, hasMeta := answer.Properties["meta"]; !hasMeta && !strings.HasSuffix(path, "/map-licenses") {
			t.Errorf("%s has none", path)
		}
	}
	if found == 0 {
		t.Error("there are no lists")
	}
}
