package directory_test

import (
	"errors"
	"strings"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
)

func TestCreateCompany(t *testing.T) {
	db := queriestest.New(t)
	company, err := db.Directory.CreateCompany(t.Context(), queries.Actor{Name: "test"}, directory.NewCompany{Name: " 서울 A/S 센터 ", Host: "AS.example"})
	if err != nil {
		t.Fatal(err)
	}
	if company.Name != "서울 A/S 센터" || company.Host != "as.example" || company.TimeZone != "Asia/Seoul" {
		t.Errorf("got %+v", company)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(path, ',') from departments where company_id = $1 and parent_id is null", company.ID); got != "서울 A·S 센터" {
		t.Errorf("root department %q", got)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(concat_ws(' ', actor_name, action, object_name, new), ', ') from changes where company_id = $1", company.ID); got != `test company.created 서울 A/S 센터 {"host": "as.example", "name": "서울 A/S 센터", "time_zone": "Asia/Seoul"}` {
		t.Errorf("change log %s", got)
	}
	defaults := queriestest.LookUp(t, db, `select string_agg(p.kind || ' ' || v.no || ' ' || v.enabled || ' ' || v.settings, ', ' order by p.kind)
		from policies p join policy_versions v on v.company_id = p.company_id and v.policy_id = p.id where p.company_id = $1 and p.is_default`, company.ID)
	if want := "communication 1 true {}, workingattitude 1 true {}"; defaults != want {
		t.Errorf("default policies %q, want %q", defaults, want)
	}
}

// Attendance begins with the time zone and the holidays of where the company is, and
// both policies have a name in the language there.
func TestDefaultPolicyOfATimeZone(t *testing.T) {
	db := queriestest.New(t)
	for zone, want := range map[string]string{
		"Asia/Seoul":      `기본 정책 {}, 기본 정책 {}`,
		"Asia/Tokyo":      `既定のポリシー {}, 既定のポリシー {"timezone": "Asia/Tokyo", "holiday_calendar": "JP"}`,
		"America/Chicago": `Default policy {}, Default policy {"timezone": "America/Chicago", "holiday_calendar": "none"}`,
	} {
		host := strings.ToLower(strings.ReplaceAll(zone, "/", "-")) + ".example"
		company, err := db.Directory.CreateCompany(t.Context(), queries.Actor{Name: "test"}, directory.NewCompany{Name: zone, Host: host, TimeZone: zone})
		if err != nil {
			t.Fatal(err)
		}
		got := queriestest.LookUp(t, db, `select string_agg(v.name || ' ' || v.settings, ', ' order by p.kind)
			from policies p join policy_versions v on v.company_id = p.company_id and v.policy_id = p.id where p.company_id = $1`, company.ID)
		if got != want {
			t.Errorf("%s: %s, want %s", zone, got, want)
		}
	}
}

func TestCreateCompanyRefuses(t *testing.T) {
	db := queriestest.New(t)
	before := queriestest.LookUp(t, db, "select count(*) from companies")
	for _, test := range []struct {
		company directory.NewCompany
		want    queries.Invalid
	}{
		{directory.NewCompany{Name: "\u200b", Host: "a.example"}, "company.name.invalid"},
		{directory.NewCompany{Name: strings.Repeat("가", 101), Host: "a.example"}, "company.name.invalid"},
		{directory.NewCompany{Name: "새\x00회사", Host: "a.example"}, "company.name.invalid"},
		{directory.NewCompany{Name: "새회사"}, "company.host.invalid"},
		{directory.NewCompany{Name: "새회사", Host: "https://a.example"}, "company.host.invalid"},
		{directory.NewCompany{Name: "새회사", Host: "-a.example"}, "company.host.invalid"},
		{directory.NewCompany{Name: "새회사", Host: "a..example"}, "company.host.invalid"},
		{directory.NewCompany{Name: "새회사", Host: strings.Repeat("a.", 130) + "example"}, "company.host.invalid"},
		{directory.NewCompany{Name: "새회사", Host: "HANBIT.example"}, "company.host.taken"},
		{directory.NewCompany{Name: "새회사", Host: "a.example", TimeZone: "Asia/Pyeongtaek"}, "company.time_zone.unknown"},
		{directory.NewCompany{Name: "새회사", Host: "a.example", TimeZone: "Local"}, "company.time_zone.unknown"},
		{directory.NewCompany{Name: "새회사", Host: "a.example", OrganizationURL: "javascript:alert(1)"}, "company.organization_url.invalid"},
	} {
		if _, err := db.Directory.CreateCompany(t.Context(), queries.Actor{Name: "test"}, test.company); !errors.Is(err, test.want) {
			t.Errorf("%+v: got %v, want %v", test.company, err, test.want)
		}
	}
	if after := queriestest.LookUp(t, db, "select count(*) from companies"); after != before {
		t.Errorf("%s companies became %s", before, after)
	}
}
