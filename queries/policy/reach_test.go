package policy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// groupTexts writes groups as "NAME people/covered/affected/saving [parts]".
func groupTexts(groups []policy.ReachGroup) string {
	text := func(p policy.ReachPart) string {
		return fmt.Sprintf("%s %d/%d/%d/%d", p.Name, p.People, p.Covered, p.Affected, p.Saving)
	}
	var all []string
	for _, g := range groups {
		var parts []string
		for _, p := range g.Parts {
			parts = append(parts, text(p))
		}
		all = append(all, text(g.ReachPart)+" ["+strings.Join(parts, ", ")+"]")
	}
	return strings.Join(all, "; ")
}

// The departments of a reach add up to its sums, which are those of the preview.
func TestPreviewReach(t *testing.T) {
	db := queriestest.New(t)
	by, admin := queriestest.AdminActor(t, db), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	blocking := json.RawMessage(`{"file_save":{"mobile":"view_only"}}`)
	for _, test := range []struct {
		name    string
		targets []policy.Target
		want    string
	}{
		{"a department", []policy.Target{queriestest.DepartmentTarget(queriestest.Sales)}, "영업본부 4/2/2/2 [영업본부 2/2/2/2, 국내영업팀 1/0/0/0, 해외영업팀 1/0/0/0]; 한빛테크 1/0/0/0 [한빛테크 1/0/0/0]; 연구소 1/0/0/0 [메신저팀 1/0/0/0];  1/0/0/0 [일본지사 1/0/0/0]"},
		{"a person", []policy.Target{queriestest.UserTarget(queriestest.Admin)}, "한빛테크 1/1/1/1 [한빛테크 1/1/1/1]; 영업본부 4/0/0/0 [영업본부 2/0/0/0, 국내영업팀 1/0/0/0, 해외영업팀 1/0/0/0]; 연구소 1/0/0/0 [메신저팀 1/0/0/0];  1/0/0/0 [일본지사 1/0/0/0]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := queriestest.PolicyDraft("본사", test.targets...)
			d.Settings = blocking
			r, err := db.Policies.PreviewReach(t.Context(), admin, by, d, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := groupTexts(r.Groups); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			p, err := db.Policies.PreviewDraft(t.Context(), by, d, 0)
			if err != nil {
				t.Fatal(err)
			}
			people, affected, saving := 0, 0, 0
			for _, g := range r.Groups {
				people, affected, saving = people+g.People, affected+g.Affected, saving+g.Saving
			}
			if people != 7 || affected != p.People() || saving != p.Saving || r.People() != p.People() || r.Saving != p.Saving {
				t.Errorf("the groups have %d people, %d affected and %d who cannot save; the preview %d and %d", people, affected, saving, p.People(), p.Saving)
			}
		})
	}
}

// Whoever uses the console from where a draft does not allow it loses the connection.
func TestPreviewOfConnections(t *testing.T) {
	db := queriestest.New(t)
	for _, id := range []int64{queriestest.Viewer, queriestest.Viewer, queriestest.Employee} {
		if _, err := db.Identity.SignIn(t.Context(), queriestest.Credentials(queriestest.Email(id), queriestest.Password)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]int{"국내": 0, "영업": 1, "모두": 1} {
		target := map[string]int64{"국내": queriestest.Domestic, "영업": queriestest.Sales, "모두": queriestest.Root}[name]
		d := queriestest.LockingDraft(queriestest.DepartmentTarget(target))
		d.Name, d.Move = name, true
		p, err := db.Policies.PreviewDraft(t.Context(), queriestest.ListedActor(t, db), d, 0)
		if err != nil || p.Cut != want || !p.IsExact {
			t.Errorf("%s: %d connections end, want %d: %v", name, p.Cut, want, err)
		}
	}
}

// A reach names those who can no longer save files, and nobody else: not hidden people, and
// not those of another policy.
func TestReachNamesWhoCannotSave(t *testing.T) {
	db := queriestest.New(t)
	by, admin := queriestest.AdminActor(t, db), queriestest.Person(t, db, queriestest.Hanbit, queriestest.Admin)
	queriestest.Exec(t, db, "update users set hidden_at = null where id = $1", queriestest.Hidden)
	p := queriestest.CreatePolicy(t, db, queriestest.PolicyDraft("본사", queriestest.UserTarget(queriestest.Hidden)))
	queriestest.Exec(t, db, hide, queriestest.Hidden)
	d := queriestest.PolicyDraft("본사", queriestest.DepartmentTarget(queriestest.Sales), queriestest.UserTarget(queriestest.Admin), queriestest.UserTarget(queriestest.Hidden))
	d.Settings = json.RawMessage(`{"file_save":{"mobile":"view_only"}}`)
	r, err := db.Policies.PreviewReach(t.Context(), admin, by, d, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, p := range r.CannotSave {
		ids = append(ids, p.ID)
	}
	if len(ids) != 3 || r.Saving != 3 || !slices.Contains(ids, queriestest.Admin) || slices.Contains(ids, queriestest.Hidden) || slices.Contains(ids, queriestest.Foreigner) {
		t.Errorf("%d people cannot save; named are %+v", r.Saving, r.CannotSave)
	}
	d.Settings = json.RawMessage(`{"session_time_sec":600}`)
	if r, err = db.Policies.PreviewReach(t.Context(), admin, by, d, p.ID); err != nil || len(r.CannotSave) != 0 {
		t.Errorf("nobody loses anything, named are %+v: %v", r.CannotSave, err)
	}
}
