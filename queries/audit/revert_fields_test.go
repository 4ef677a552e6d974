package audit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/bot"
	"officeconsole/queries/link"
	"officeconsole/queries/notice"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
)

// policyEditor saves a policy again and again, a minute apart.
type policyEditor struct {
	t     *testing.T
	db    *areas.Areas
	clock *queriestest.Clock
	by    queries.Actor
	id    int64
}

func newPolicyEditor(t *testing.T, d policy.Draft) policyEditor {
	t.Helper()
	db, clock := queriestest.NewWithClock(t)
	e := policyEditor{t, db, clock, queriestest.AdminActor(t, db), 0}
	e.id = queriestest.CreatePolicy(t, db, d).ID
	return e
}

// edit saves the policy as it is now, edited, and returns the change.
func (e policyEditor) edit(by queries.Actor, edit func(*policy.Draft)) audit.Change {
	e.t.Helper()
	e.clock.Advance(time.Minute)
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		e.t.Fatal(err)
	}
	p := queriestest.StoredPolicy(e.t, e.db, e.id)
	now := p.ToEdit(e.clock.Now(), zone)
	d := now.Draft(p)
	edit(&d)
	if _, err := e.db.Policies.Update(e.t.Context(), by, e.id, 0, d); err != nil {
		e.t.Fatal(err)
	}
	return latestChange(e.t, e.db, "policy", e.id)
}

// revert reverts a change, and returns the change that this is.
func (e policyEditor) revert(c audit.Change) audit.Change {
	e.t.Helper()
	e.clock.Advance(time.Minute)
	reverted, err := e.db.Audit.Revert(e.t.Context(), e.by, c.ID, false)
	if err != nil {
		e.t.Fatal(err)
	}
	return reverted.Change
}

// overlap returns whose change of which fields prevents that a change is reverted:
// "name 최유진, mobile_copy 김서연".
func (e policyEditor) overlap(c audit.Change) string {
	e.t.Helper()
	return overlapOf(e.t, e.db, c)
}

func overlapOf(t *testing.T, db *areas.Areas, c audit.Change) string {
	t.Helper()
	_, err := db.Audit.Revert(t.Context(), queriestest.AdminActor(t, db), c.ID, false)
	var overlap *audit.Overlap
	if !errors.As(err, &overlap) || !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Fatalf("reverted: %v", err)
	}
	var fields []string
	for _, f := range overlap.Fields {
		name := "nobody"
		if f.By != nil {
			name = f.By.ActorName
		}
		fields = append(fields, f.Name+" "+name)
	}
	return strings.Join(fields, ", ")
}

// set returns an edit that sets settings of a draft.
func set(changed string) func(*policy.Draft) {
	return func(d *policy.Draft) {
		var all map[string]json.RawMessage
		for _, text := range []string{string(d.Settings), changed} {
			if err := json.Unmarshal([]byte(text), &all); err != nil {
				panic(err)
			}
		}
		var err error
		if d.Settings, err = json.Marshal(all); err != nil {
			panic(err)
		}
	}
}

const oneRange = `{"allowed_ip_ranges":[{"location_name":"본사","range":"203.0.113.0/24"}]}`

// described is the content of a policy in one line.
func (e policyEditor) described() string {
	p := queriestest.StoredPolicy(e.t, e.db, e.id)
	return content(p.Version) + " " + p.Version.Description + " " + p.Owner.Name
}

// Each field that a change of a policy can have is set back after a later change of
// something else, and only that field. Reverting that after yet another change sets the
// field again.
func TestRevertFieldsOfPolicy(t *testing.T) {
	noCopy, short := set(`{"mobile_copy":false}`), set(`{"session_time_sec":900}`)
	for _, test := range []struct {
		name                     string
		edit, later, withoutEdit func(*policy.Draft) // the third is what the later one does without the first
	}{
		{"name", func(d *policy.Draft) { d.Name = "새 이름" }, noCopy, noCopy},
		{"description", func(d *policy.Draft) { d.Description = "설명" }, noCopy, noCopy},
		{"enabled", func(d *policy.Draft) { d.Enabled = false }, noCopy, noCopy},
		{"targets", func(d *policy.Draft) { d.Targets = []policy.Target{queriestest.UserTarget(queriestest.Employee)} }, noCopy, noCopy},
		{"owner", func(d *policy.Draft) { d.Owner = policy.Owner{UserID: queriestest.Manager} }, noCopy, noCopy},
		{"a setting", set(oneRange), noCopy, noCopy},
		{"another setting", noCopy, set(oneRange), set(oneRange)},
		{"a part of a setting", set(`{"file_save":{"web":"block"}}`), set(`{"file_save":{"web":"block","mobile":"block"}}`), set(`{"file_save":{"mobile":"block"}}`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			draft := queriestest.PolicyDraft("새 정책", queriestest.DepartmentTarget(queriestest.Messenger))
			only := newPolicyEditor(t, draft)
			only.edit(only.by, test.withoutEdit)
			e := newPolicyEditor(t, draft)
			c := e.edit(e.by, test.edit)
			e.edit(e.by, test.later)
			both := e.described()
			if !c.RevertsFields(e.clock.Now()) {
				t.Error("it says that it is reverted as a whole")
			}
			if preview, err := e.db.Audit.PreviewReversal(t.Context(), e.by, c); err != nil || preview == nil || !preview.At.Equal(e.clock.Now()) {
				t.Errorf("preview %+v, %v", preview, err)
			}
			undone := e.revert(c)
			if got, want := e.described(), only.described(); got != want {
				t.Errorf("reverted:\n%s\nwant:\n%s", got, want)
			}
			_, d, err := undone.PolicyDifferences()
			if err != nil || undone.Action != "policy.version_restored" || len(d.Fields)+len(d.Settings) != 1 {
				t.Errorf("recorded as %s of %+v, %v", undone.Action, d, err)
			}
			e.edit(e.by, short)
			e.revert(undone)
			e.edit(e.by, set(`{"session_time_sec":3600}`))
			if got := e.described(); got != both {
				t.Errorf("the reversal reverted:\n%s\nwant:\n%s", got, both)
			}
		})
	}
}

// A field that has another value by now is not set back, nor anything else of its change.
// The refusal names whoever changed it last.
func TestRevertChangedFieldsOfPolicy(t *testing.T) {
	e := newPolicyEditor(t, queriestest.PolicyDraft("새 정책", queriestest.DepartmentTarget(queriestest.Messenger)))
	manager := queriestest.ManagerActor(t, e.db)
	first := e.edit(e.by, func(d *policy.Draft) { d.Name = "둘"; set(oneRange)(d) })
	e.edit(e.by, func(d *policy.Draft) { d.Name = "셋" })
	e.edit(manager, func(d *policy.Draft) { d.Name = "넷" })
	e.edit(e.by, set(`{"mobile_copy":false}`))
	before := e.described()
	if got := e.overlap(first); got != "name 최유진" {
		t.Errorf("the name changed since: %q", got)
	}
	e.edit(e.by, set(`{"allowed_ip_ranges":[]}`))
	if got := e.overlap(first); got != "name 최유진, allowed_ip_ranges 김서연" {
		t.Errorf("both changed since: %q", got)
	}
	e.edit(e.by, set(oneRange))
	if got := e.described(); got != before {
		t.Errorf("became\n%s\nof\n%s", got, before)
	}
	if later, err := e.db.Audit.LaterFields(t.Context(), first); err != nil || len(later) != 2 || later[0].Name != "name" || later[0].By.ActorName != "최유진" || later[1].Name != "allowed_ip_ranges" {
		t.Errorf("changed later: %+v, %v", later, err)
	}
	e.edit(e.by, func(d *policy.Draft) { d.Name = "둘" }) // what the change set it to
	e.revert(first)
	if got := e.described(); !strings.HasPrefix(got, "새 정책 ") || strings.Contains(got, "203.0.113.0") {
		t.Errorf("reverted: %s", got)
	}
	if got := e.overlap(first); got != "name 김서연, allowed_ip_ranges 김서연" {
		t.Errorf("reverted twice: %q", got)
	}
}

// Targets go back to the policy that they were taken from, together with its change.
func TestRevertMovedTargetsAfterLaterChanges(t *testing.T) {
	e := newPolicyEditor(t, queriestest.PolicyDraft("새 정책"))
	taken := e.edit(e.by, func(d *policy.Draft) {
		d.Targets, d.Move = []policy.Target{queriestest.DepartmentTarget(queriestest.Overseas)}, true
	})
	released := latestChange(t, e.db, "policy", queriestest.SalesPolicyID)
	sales := e
	sales.id = queriestest.SalesPolicyID
	e.edit(e.by, set(`{"mobile_copy":false}`))
	sales.edit(e.by, func(d *policy.Draft) { d.Description = "영업" })
	moved := outline(t, e.db, "communication")
	undone := e.revert(released) // with the change that it belongs to
	restored := outline(t, e.db, "communication")
	lists := func(id int64) bool {
		return slices.ContainsFunc(queriestest.StoredPolicy(t, e.db, id).Version.Targets, func(target policy.Target) bool { return target.ID == queriestest.Overseas })
	}
	if lists(e.id) || !lists(sales.id) {
		t.Errorf("reverted:\n%s", restored)
	}
	e.revert(undone)
	if got := outline(t, e.db, "communication"); got != moved {
		t.Errorf("the reversal reverted:\n%s\nwant:\n%s", got, moved)
	}
	sales.edit(e.by, func(d *policy.Draft) { d.Targets = nil })
	_, err := e.db.Audit.Revert(t.Context(), e.by, taken.ID, false)
	var overlap *audit.Overlap
	if !errors.As(err, &overlap) || overlap.PolicyName != queriestest.SalesPolicyName || len(overlap.Fields) != 1 || overlap.Fields[0].Name != "targets" {
		t.Errorf("the other policy's targets changed since: %v", err)
	}
}

// Setting fields back is a save like any other: it may lock somebody out, and a plan stays.
func TestRevertFieldsIsASave(t *testing.T) {
	d := queriestest.LockingDraft(queriestest.DepartmentTarget(queriestest.Root))
	db, clock := queriestest.NewWithClock(t)
	inside := queriestest.ListedActor(t, db)
	p, err := db.Policies.Create(t.Context(), inside, d)
	if err != nil {
		t.Fatal(err)
	}
	e := policyEditor{t, db, clock, queriestest.AdminActor(t, db), p.ID}
	created := latestChange(t, db, "policy", p.ID)
	opened := e.edit(inside, set(`{"allowed_ip_mode":"any"}`))
	e.edit(e.by, set(`{"mobile_copy":false}`))
	planned := e.edit(e.by, func(d *policy.Draft) { d.Description, d.EffectiveFrom = "예정", queriestest.StartIn(48*time.Hour) })
	if _, err := db.Audit.Revert(t.Context(), e.by, opened.ID, false); !errors.As(err, new(*policy.Lockout)) {
		t.Fatalf("not asked about: %v", err)
	}
	if _, err := db.Audit.Revert(t.Context(), e.by, opened.ID, true); err != nil {
		t.Fatal(err)
	}
	got := queriestest.StoredPolicy(t, db, e.id)
	if !got.Version.IsProvisional() || got.Planned == nil || got.Planned.Description != "예정" || !strings.Contains(content(got.Version), "listed") {
		t.Errorf("reverted: %+v", got)
	}
	// What waits for its time is not reverted beside later changes, nor what began the policy.
	e.edit(inside, func(d *policy.Draft) { d.Description = "지금" })
	for _, c := range []audit.Change{planned, created} {
		if c.RevertsFields(clock.Now()) {
			t.Errorf("%s says that it is reverted by its fields", c.Action)
		}
		if _, err := db.Audit.Revert(t.Context(), e.by, c.ID, false); !errors.As(err, new(*policy.EditConflict)) {
			t.Errorf("%s: %v", c.Action, err)
		}
	}
}

// Each save of working attitude on a day takes the place of the one before, and begins with
// the next day: what a change of the day set is set back there, and a change of an earlier
// day in a version for the next one.
func TestRevertFieldsOfWorkingAttitude(t *testing.T) {
	draft := queriestest.PolicyDraft("근태")
	draft.Kind, draft.Settings = "workingattitude", nil
	for _, wait := range []time.Duration{0, 24 * time.Hour} {
		e := newPolicyEditor(t, draft)
		e.clock.Advance(24 * time.Hour)
		c := e.edit(e.by, func(d *policy.Draft) { d.Name, d.EffectiveFrom = "다른 근태", policy.Start{} })
		e.clock.Advance(wait)
		e.edit(e.by, func(d *policy.Draft) { d.Description, d.EffectiveFrom = "설명", policy.Start{} })
		next := func() string {
			p := queriestest.StoredPolicy(t, e.db, e.id)
			if p.Planned == nil || p.PlannedNext != nil {
				t.Fatalf("planned: %+v, then %+v", p.Planned, p.PlannedNext)
			}
			return p.Planned.Name + " " + p.Planned.Description
		}
		if preview, err := e.db.Audit.PreviewReversal(t.Context(), e.by, c); err != nil || !preview.At.After(e.clock.Now()) {
			t.Errorf("after %s: preview %+v, %v", wait, preview, err)
		}
		undone := e.revert(c)
		if got := next(); got != "근태 설명" {
			t.Errorf("after %s: %s", wait, got)
		}
		e.edit(e.by, func(d *policy.Draft) { d.Description, d.EffectiveFrom = "다른 설명", policy.Start{} })
		e.revert(undone)
		if got := next(); got != "다른 근태 다른 설명" {
			t.Errorf("after %s, the reversal reverted: %s", wait, got)
		}
	}
	// One that begins later would have to be moved or cancelled for a save, and so for this.
	e := newPolicyEditor(t, draft)
	e.clock.Advance(24 * time.Hour)
	c := e.edit(e.by, func(d *policy.Draft) { d.Name, d.EffectiveFrom = "다른 근태", policy.Start{} })
	e.clock.Advance(24 * time.Hour)
	e.edit(e.by, func(d *policy.Draft) { d.Description, d.EffectiveFrom = "설명", queriestest.StartIn(30*24*time.Hour) })
	if _, err := e.db.Audit.Revert(t.Context(), e.by, c.ID, false); !errors.Is(err, queries.Conflict("policy.effective_from.planned_already")) {
		t.Errorf("beside a plan: %v", err)
	}
}

// So are the fields of a link, a reservation and the bot.
func TestRevertFieldsOfOtherObjects(t *testing.T) {
	for name, object := range map[string]func(*areas.Areas, queries.Actor) (edit func(queries.Actor, string, string) error, outline func() string){
		"link": func(db *areas.Areas, by queries.Actor) (func(queries.Actor, string, string) error, func() string) {
			id, err := db.Links.Create(t.Context(), by, link.Draft{Name: "처음", Description: "설명", URL: "{host}", Visible: true, Banner: ""})
			if err != nil {
				t.Fatal(err)
			}
			edit := func(by queries.Actor, field, value string) error {
				return db.Links.Update(t.Context(), by, id, 0, func(d link.Draft) link.Draft {
					if field == "name" {
						d.Name = value
					} else {
						d.Description, d.Visible = value, false
					}
					return d
				})
			}
			return edit, func() string { return linkOutline(t, db) }
		},
		"notice": func(db *areas.Areas, by queries.Actor) (func(queries.Actor, string, string) error, func() string) {
			at := queriestest.Now.Add(48 * time.Hour)
			n, err := db.Notices.Create(t.Context(), by, notice.Draft{Title: "처음", Body: "설명", Targets: notice.Targets{Everyone: true}, PublishAt: &at})
			if err != nil {
				t.Fatal(err)
			}
			edit := func(by queries.Actor, field, value string) error {
				_, err := db.Notices.Update(t.Context(), by, n.ID, 0, func(d notice.Draft) notice.Draft {
					if field == "name" {
						d.Title = value
					} else {
						later := d.PublishAt.Add(time.Hour)
						d.Body, d.PublishAt = value, &later
					}
					return d
				})
				return err
			}
			return edit, func() string { return noticeOutline(t, db) }
		},
		"bot": func(db *areas.Areas, by queries.Actor) (func(queries.Actor, string, string) error, func() string) {
			edit := func(by queries.Actor, field, value string) error {
				return db.Bots.Update(t.Context(), by, 0, func(d bot.Draft) bot.Draft {
					if field == "name" {
						d.Name = value
					} else {
						d.AllowedAddresses = append(slices.Clone(d.AllowedAddresses), "203.0.113.0/24")
					}
					return d
				})
			}
			return edit, func() string {
				b, err := db.Bots.Bot(t.Context(), queriestest.Hanbit)
				if err != nil {
					t.Fatal(err)
				}
				return fmt.Sprint(b.Draft)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			outlines := map[bool]string{}
			for _, first := range []bool{false, true} {
				db, clock := queriestest.NewWithClock(t)
				by, manager := queriestest.AdminActor(t, db), queriestest.ManagerActor(t, db)
				edit, outline := object(db, by)
				save := func(by queries.Actor, field, value string) audit.Change {
					t.Helper()
					clock.Advance(time.Minute)
					if err := edit(by, field, value); err != nil {
						t.Fatal(err)
					}
					return newestChange(t, db)
				}
				if !first {
					save(by, "text", "다른 설명")
					outlines[false] = outline()
					continue
				}
				c := save(by, "name", "둘째")
				if !c.RevertsFields(clock.Now()) {
					t.Error("it says that it is reverted as a whole")
				}
				save(by, "text", "다른 설명")
				outlines[true] = outline()
				clock.Advance(time.Minute)
				undone, err := db.Audit.Revert(t.Context(), by, c.ID, false)
				if err != nil {
					t.Fatal(err)
				}
				if got := outline(); got != outlines[false] {
					t.Errorf("reverted:\n%s\nwant:\n%s", got, outlines[false])
				}
				clock.Advance(time.Minute)
				if _, err := db.Audit.Revert(t.Context(), by, undone.Change.ID, false); err != nil {
					t.Fatal(err)
				}
				if got := outline(); got != outlines[true] {
					t.Errorf("the reversal reverted:\n%s\nwant:\n%s", got, outlines[true])
				}
				save(manager, "name", "셋째")
				save(by, "text", "또 다른 설명")
				before := outline()
				field := map[string]string{"notice": "title"}[name]
				if field == "" {
					field = "name"
				}
				if got := overlapOf(t, db, c); got != field+" 최유진" {
					t.Errorf("changed since: %q", got)
				}
				if got := outline(); got != before {
					t.Errorf("became\n%s\nof\n%s", got, before)
				}
			}
		})
	}
}
