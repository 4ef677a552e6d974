package directory_test

import (
	"errors"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
)

// Another name, host or organization page is stored with its change; the root department
// has the name that somebody else gave it.
func TestUpdateCompany(t *testing.T) {
	db := queriestest.New(t)
	by := queries.Actor{Name: "test"}
	version := queriestest.LookUp(t, db, "select directory_version from companies where id = 1")
	company, err := db.Directory.UpdateCompany(t.Context(), by, queriestest.Hanbit, directory.CompanyChange{Name: new("한빛 A/S"), Host: new(" New.example ")})
	if err != nil || company.Name != "한빛 A/S" || company.Host != "new.example" || company.OrganizationURL != "https://org.hanbit.example/" {
		t.Fatalf("got %+v, %v", company, err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(path, ',' order by path) from departments where company_id = 1 and id in (1, 3)"); got != "한빛 A·S,한빛 A·S/영업본부/국내영업팀" {
		t.Errorf("departments %q", got)
	}
	if queriestest.LookUp(t, db, "select directory_version from companies where id = 1") == version {
		t.Error("caches of the directory stay valid")
	}
	if got := queriestest.LookUp(t, db, "select concat_ws(' ', actor_name, old->>'host', new->>'host', new->>'name') from changes where action = 'company.updated'"); got != "test hanbit.example new.example 한빛 A/S" {
		t.Errorf("change log %q", got)
	}
	queriestest.Exec(t, db, "update departments set name = '본사' where id = 1")
	if _, err := db.Directory.UpdateCompany(t.Context(), by, queriestest.Hanbit, directory.CompanyChange{Name: new("한빛")}); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select name from departments where id = 1"); got != "본사" {
		t.Errorf("a renamed root department is %q", got)
	}
	if _, err := db.Directory.UpdateCompany(t.Context(), by, queriestest.Hanbit, directory.CompanyChange{Host: new("new.example")}); err != nil {
		t.Fatal(err)
	}
	if n := queriestest.LookUp(t, db, "select count(*) from changes where action = 'company.updated'"); n != "2" {
		t.Errorf("%s changes after one that changes nothing", n)
	}
	for want, c := range map[queries.Invalid]directory.CompanyChange{
		"company.host.taken":               {Host: new("other.example")},
		"company.host.invalid":             {Host: new("a b")},
		"company.name.invalid":             {Name: new("")},
		"company.organization_url.invalid": {OrganizationURL: new("javascript:alert(1)")},
	} {
		var refused queries.Invalid
		if _, err := db.Directory.UpdateCompany(t.Context(), by, queriestest.Hanbit, c); !errors.As(err, &refused) || refused != want {
			t.Errorf("%v, not %s", err, want)
		}
	}
}
