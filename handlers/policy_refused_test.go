package handlers_test

import (
	"context"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"officeconsole/locales"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

// beside returns the message beside a field of a refused form, "" for none.
func (a answer) beside(field string) string {
	a.t.Helper()
	id := regexp.QuoteMeta(field) + "-errors?"
	if !regexp.MustCompile(`aria-describedby="[^"]*\b` + id).MatchString(a.body) {
		return ""
	}
	found := regexp.MustCompile(`(?s)id="` + id + `"[^>]*>(.*?)</(?:p|ul|div)>`).FindStringSubmatch(a.body)
	if found == nil {
		return ""
	}
	return strings.Join(strings.Fields(html.UnescapeString(regexp.MustCompile(`(?s)<svg.*?</svg>|<[^>]*>`).ReplaceAllString(found[1], " "))), " ")
}

// Every number that is too small or too large is refused beside its field, in
// the language of the page, and its input is preserved.
func TestEveryNumberIsRefusedBesideItsField(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	tried := 0
	for _, kind := range []settings.Kind{settings.Communication, settings.WorkingAttitude} {
		for _, setting := range settings.Settings(kind) {
			of := setting.Type
			if nullable, ok := of.(settings.Nullable); ok {
				of = nullable.Of
			}
			if number, ok := of.(settings.Int); !ok || len(number.Choices) > 0 {
				continue
			}
			for _, typed := range []string{"-1", "9999999"} {
				tried++
				said := map[string]bool{}
				for _, prefix := range []string{"", "/en", "/ja"} {
					f := newForm.with("session_time_sec", "", "description", "적어 둔 설명", setting.Key, typed, "action", "review")
					for _, needed := range setting.When {
						f = f.with(needed.Key, needed.Values[0])
					}
					a := admin.post(prefix+"/policies/"+string(kind), f...).want(422).shows("적어 둔 설명", `value="`+typed+`"`, `href="#`+setting.Key+`"`).hides("⟦")
					said[a.beside(setting.Key)] = true
				}
				if len(said) != 3 || said[""] {
					t.Errorf("%s of %s: said %v", setting.Key, typed, said)
				}
			}
		}
	}
	if tried < 30 {
		t.Errorf("only %d are tried", tried)
	}
}

// All other errors are shown beside their fields in every language, and the
// input is preserved.
func TestRefusalsInEveryLanguage(t *testing.T) {
	s := newSite(t)
	s.exec("update companies set time_zone = 'Europe/Berlin' where id = 1")
	s.exec("update policy_versions set name = 'Abc PLAN' where policy_id = 7")
	s.exec("update companies set policy_version = policy_version + 1")
	admin := s.as(queriestest.Admin)
	var pasted strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&pasted, "지점 %d, 203.0.%d.%d\n", i, i/250, i%250)
	}
	for _, test := range []struct {
		name   string
		change form
		field  string
		id     string
		stays  string
	}{
		{"no name", form{"name", ""}, "name", "policy.name.required", ""},
		{"51 characters", form{"name", strings.Repeat("가", 51)}, "name", "policy.name.too_long", strings.Repeat("가", 51)},
		{"a name by case and width", form{"name", "ＡＢＣ　ｐｌａｎ"}, "name", "policy.name.taken", "ＡＢＣ　ｐｌａｎ"},
		{"the past", form{"when", "time", "at", "2026-11-19T09:00"}, "at", "policy.effective_from.too_soon", "2026-11-19T09:00"},
		{"this minute", form{"when", "time", "at", "2026-11-20T02:00"}, "at", "policy.effective_from.too_soon", "2026-11-20T02:00"},
		{"an hour that is skipped", form{"when", "time", "at", "2027-03-28T02:30"}, "at", "policy.effective_from.skipped", "2027-03-28T02:30"},
		{"no time", form{"when", "time", "at", ""}, "at", "policy.effective_from.invalid", ""},
		{"no such start", form{"when", "yesterday"}, "when", "policy.effective_from.invalid", ""},
		{"a target that is gone", form{"targets", `[{"type":"department","id":99,"include_children":true}]`}, "policy-targets", "policy.targets.unknown", ""},
		{"another company's target", form{"targets", `[{"type":"department","id":9,"include_children":true}]`}, "policy-targets", "policy.targets.unknown", ""},
		{"10,000 pasted ranges", form{"allowed_ip_mode", "listed", "allowed_ip_ranges.lines", pasted.String()}, "allowed_ip_ranges", "setting.error.too_many", "지점 9999, 203.0.39.249"},
	} {
		for prefix, locale := range map[string]locales.Locale{"": locales.Korean, "/en": locales.English, "/ja": locales.Japanese} {
			t.Run(test.name+prefix, func(t *testing.T) {
				want, _, _ := strings.Cut(locales.T(locales.NewContext(context.Background(), locale), test.id, "Max", "200"), "{{")
				f := newForm.with("description", "적어 둔 설명", "file_max_mb", "77").with(test.change...)
				a := admin.post(prefix+"/policies/communication", append(f, "action", "review")...).want(422).
					shows("적어 둔 설명", `value="77"`, html.EscapeString(test.stays), `id="error-summary"`, `href="#`+test.field+`"`).hides("⟦")
				if got := a.beside(test.field); !strings.Contains(got, want) || want == "" {
					t.Errorf("beside %s stands %q, want %q", test.field, got, want)
				}
			})
		}
	}
	// Of an hour that occurs twice the first is used, and the confirmation
	// shows the resulting time.
	f := newForm.with("session_time_sec", "30", "when", "time", "at", "2027-10-31T02:30")
	admin.post("/en/policies/communication", append(f, "action", "review")...).want(200).shows("2:30")
	if got := admin.apply("/policies/communication", f); got.status != 303 {
		t.Errorf("answered %d", got.status)
	}
	if n := s.count("select count(*) from policy_versions where effective_from = '2027-10-31T00:30Z'"); n != 1 {
		t.Errorf("%d versions begin then", n)
	}
}

// The form of a policy that was deleted in the meantime changes nothing, and
// the message is in the language of the page.
func TestSavingADeletedPolicy(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	f := admin.formOf(salesPath).with("description", "적어 둔 설명", "action", "review")
	admin.post(salesPath+"/delete", "version_no", "2").leads(policiesPath)
	for prefix, locale := range map[string]locales.Locale{"": locales.Korean, "/en": locales.English, "/ja": locales.Japanese} {
		ctx := locales.NewContext(context.Background(), locale)
		admin.get(prefix + salesPath).want(404).shows(html.EscapeString(locales.T(ctx, "policy.gone.title", "Policy", "영업본부 외근 정책")))
		admin.post(prefix+salesPath, f...).want(409).shows(html.EscapeString(locales.T(ctx, "policy.gone.text")), "적어 둔 설명")
	}
	for _, action := range []string{"duplicate", "confirm", "plan", "plan/delete", "versions/1/restore"} {
		admin.post(salesPath+"/"+action, "version_no", "2", "enabled", "true").want(404)
	}
}
