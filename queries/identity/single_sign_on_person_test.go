package identity_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestSignOnOfSomebodyUnknown(t *testing.T) {
	s := newSignOn(t, func(d *identity.ProviderDraft) { d.Domains = append(d.Domains, "lab.example") })
	for _, test := range []struct {
		name, email string
		verified    any
		want        queries.Invalid
	}{
		{"unverified email", "employee@hanbit.example", false, "sso.email.refused"},
		{"unverified as a text", "employee@hanbit.example", "false", "sso.email.refused"},
		{"nothing about the email", "employee@hanbit.example", nil, "sso.email.refused"},
		{"no email", "", true, "sso.email.refused"},
		{"another company's domain", "admin@other.example", true, "sso.email.refused"},
		{"nobody's email", "nobody@lab.example", true, "sso.unknown"},
		{"hidden", "hidden@hanbit.example", true, "session.hidden"},
		{"verified as a text", "kim.cs@hanbit.example", "true", ""},
	} {
		s.provider.Claims = map[string]any{"sub": "s-" + test.name, "email": test.email, "email_verified": test.verified}
		done, err := s.enter()
		if test.want == "" && err == nil && done.ID == queriestest.Kim {
			continue
		}
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %+v, %v", test.name, done.Person, err)
		}
	}
	if got := queriestest.LookUp(t, s.db, "select string_agg(reason || ' ' || coalesce(user_id, 0) || ' ' || account, ', ' order by id) from access_events where reason not like 'sso%'"); got != "unknown_account 0 nobody@lab.example, hidden 5 " {
		t.Errorf("recorded %s", got)
	}
}

// A user of another company, whose email is in a domain of this one, stays theirs.
func TestSignOnOfAnotherCompanysUser(t *testing.T) {
	s := newSignOn(t, nil)
	queriestest.Exec(t, s.db, "update users set email = 'kim@hanbit.example' where id = $1", queriestest.OtherKim)
	s.provider.Enters("s-11", "kim@hanbit.example", "김철수")
	if done, err := s.enter(); !errors.Is(err, queries.Invalid("sso.unknown")) {
		t.Errorf("%+v, %v", done.Person, err)
	}
}

// Whoever gets somebody's email later does not get their account.
func TestSubjectKeepsItsAccount(t *testing.T) {
	s := newSignOn(t, nil)
	if _, err := s.enter(); err != nil {
		t.Fatal(err)
	}
	s.provider.Enters("s-3", "employee@hanbit.example", "")
	if done, err := s.enter(); !errors.Is(err, queries.Invalid("sso.taken")) {
		t.Errorf("%+v, %v", done.Person, err)
	}
	by := queries.Actor{CompanyID: queriestest.Hanbit, Name: "officeconsole provider unlink"}
	for _, want := range []int{1, 0} {
		if n, err := s.db.Identity.Unlink(t.Context(), by, queriestest.Person(t, s.db, queriestest.Hanbit, queriestest.Employee)); n != want || err != nil {
			t.Fatalf("%d identities, %v", n, err)
		}
	}
	if got := queriestest.LookUp(t, s.db, "select string_agg(concat_ws(' ', actor_name, action, object_name, old), ', ') from changes where object_type = 'user'"); got != `officeconsole provider unlink user.unlinked 이준호 {"issuer": "`+s.provider.URL+`"}` {
		t.Errorf("change log: %s", got)
	}
	if _, err := s.enter(); err != nil {
		t.Errorf("after unlinking: %v", err)
	}
}

func TestSignOnCreatesPeople(t *testing.T) {
	s := newSignOn(t, func(d *identity.ProviderDraft) { d.CreatePeople = true })
	s.provider.Enters("s-new", "new@hanbit.example", "한새봄")
	done, err := s.enter()
	if err != nil || done.Name != "한새봄" || done.CompanyID != queriestest.Hanbit || done.IsAdmin {
		t.Fatalf("%+v, %v", done.Person, err)
	}
	if again, err := s.enter(); err != nil || again.ID != done.ID {
		t.Errorf("the second time: %+v, %v", again.Person, err)
	}
	if got := queriestest.LookUp(t, s.db, "select string_agg(actor_name || ' ' || action || ' ' || object_name, ', ') from changes where object_type = 'user'"); got != "한빛 계정 user.created 한새봄" {
		t.Errorf("change log: %s", got)
	}
}

func TestSignOnSetsAttributes(t *testing.T) {
	s := newSignOn(t, func(d *identity.ProviderDraft) {
		d.DepartmentClaim, d.RankClaim, d.AdminClaim, d.AdminValue = "groups", "title", "groups", "console-admins"
	})
	stored := func() string {
		return queriestest.LookUp(t, s.db, "select concat_ws(' ', name, department_id, rank_id, is_admin) from users where id = $1", queriestest.Employee)
	}
	enter := func(name, title string, groups ...any) string {
		t.Helper()
		s.provider.Enters("s-2", "employee@hanbit.example", name)
		s.provider.Claims["title"], s.provider.Claims["groups"] = title, groups
		if _, err := s.enter(); err != nil {
			t.Fatal(err)
		}
		return stored()
	}
	for _, test := range []struct{ got, want string }{
		{enter("이준호", "", "nothing"), "이준호 6 3 f"},
		{enter("이준오", "부장", 7, "없는 부서", "영업본부/국내영업팀", "console-admins"), "이준오 3 2 t"},
		{enter("", "없는 직위", "한빛테크/연구소"), "이준오 5 2 f"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	got := queriestest.LookUp(t, s.db, "select string_agg(concat_ws(' ', actor_name, action, object_name, old, new), E'\n' order by id) from changes where object_type = 'user'")
	const want = `한빛 계정 user.updated 이준오 {"name": "이준호", "job_title": "사원", "department": "연구소/메신저팀"} {"name": "이준오", "job_title": "부장", "department": "영업본부/국내영업팀"}
한빛 계정 user.admin_granted 이준오
한빛 계정 user.updated 이준오 {"department": "영업본부/국내영업팀"} {"department": "연구소"}
한빛 계정 user.admin_revoked 이준오`
	if got != want {
		t.Errorf("change log:\n%s\nwant\n%s", got, want)
	}
	// The only administrator stays one.
	s.provider.Enters("s-1", "admin@hanbit.example", "김서연")
	if done, err := s.enter(); err != nil || !done.IsAdmin {
		t.Errorf("the only administrator: %+v, %v", done.Person, err)
	}
}

// The policy of a person counts for single sign-on, too.
func TestSignOnFollowsThePolicy(t *testing.T) {
	s := newSignOn(t, nil)
	for i, test := range []struct{ settings, want, kind string }{
		{`{"login_platforms": ["pc"]}`, "session.platform", "platform_blocked"},
		{`{"allowed_ip_mode": "listed", "allowed_ip_ranges": [{"location_name": "본사", "range": "203.0.113.0/24"}]}`, "session.address", "ip_blocked"},
	} {
		queriestest.Exec(t, s.db, "update policy_versions set settings = $1 where policy_id = 6 and no = 1", test.settings)
		queriestest.Exec(t, s.db, "update companies set policy_version = policy_version + 1")
		done, err := s.enter()
		if !errors.Is(err, queries.Invalid(test.want)) || done.SignInID != 0 {
			t.Errorf("%s: %+v, %v", test.settings, done.SignedIn, err)
		}
		if got, want := s.lastAccess(), fmt.Sprintf("%s refused  %d ", test.kind, queriestest.Employee); got != want {
			t.Errorf("%d: recorded %q", i, got)
		}
	}
}

// allowOnlyPC changes communication policies so that nobody signs in with a browser.
func (s *signOn) allowOnlyPC(which string) {
	s.t.Helper()
	queriestest.Exec(s.t, s.db, `update policy_versions set settings = '{"login_platforms": ["pc"]}' where company_id = 1 and `+which)
	queriestest.Exec(s.t, s.db, "update companies set policy_version = policy_version + 1")
}

// Whoever is not let in stays as they are, and nobody is created.
func TestRefusedSignOnChangesNothing(t *testing.T) {
	s := newSignOn(t, func(d *identity.ProviderDraft) {
		d.CreatePeople, d.DepartmentClaim, d.AdminClaim, d.AdminValue = true, "groups", "groups", "console-admins"
	})
	enter := func(subject, email string, want queries.Invalid) {
		t.Helper()
		s.provider.Enters(subject, email, "다른 이름")
		s.provider.Claims["groups"] = []any{"영업본부/국내영업팀", "console-admins"}
		if _, err := s.enter(); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", email, err, want)
		}
	}
	state := func() string {
		return queriestest.LookUp(t, s.db, "select concat_ws(' ', (select md5(string_agg(u::text, ',' order by id)) from users u), (select count(*) from identities), (select count(*) from changes where object_type = 'user'))")
	}
	before := state()
	enter("s-5", "hidden@hanbit.example", "session.hidden")
	s.allowOnlyPC("true")
	enter("s-2", "employee@hanbit.example", "session.platform")
	enter("s-new", "new@hanbit.example", "session.platform")
	if got := state(); got != before {
		t.Errorf("refused sign-ins have changed people from %s to %s", before, got)
	}
	if got := s.lastAccess(); got != "platform_blocked refused  0 new@hanbit.example" {
		t.Errorf("recorded %q", got)
	}
}

// The policy counts of the department to which the provider moves somebody.
func TestSignOnFollowsThePolicyOfTheNewDepartment(t *testing.T) {
	s := newSignOn(t, func(d *identity.ProviderDraft) { d.CreatePeople, d.DepartmentClaim = true, "group" })
	s.allowOnlyPC("policy_id = 6")
	for _, test := range []struct {
		subject, email, group string
		want                  queries.Invalid
	}{
		{"s-new", "new@hanbit.example", "연구소/메신저팀", "session.platform"},
		{"s-new", "new@hanbit.example", "없는 부서", ""},
		{"s-2", "employee@hanbit.example", "없는 부서", "session.platform"},
		{"s-2", "employee@hanbit.example", "영업본부/국내영업팀", ""},
	} {
		s.provider.Enters(test.subject, test.email, "")
		s.provider.Claims["group"] = test.group
		if _, err := s.enter(); test.want == "" && err != nil || test.want != "" && !errors.Is(err, test.want) {
			t.Errorf("%s in %s: %v", test.email, test.group, err)
		}
	}
}

// Names that show nothing, or other letters than they have, are not taken over, and
// neither is an email that nobody can have.
func TestSignOnWithDeceptiveTexts(t *testing.T) {
	s := newSignOn(t, func(d *identity.ProviderDraft) { d.CreatePeople = true })
	for i, name := range []string{"\u200b", "\u202e성명", "\u3164", "\x00", strings.Repeat("가", 101)} {
		s.provider.Enters("s-2", "employee@hanbit.example", name)
		if done, err := s.enter(); err != nil || done.Name != "이준호" {
			t.Errorf("%q: %q, %v", name, done.Name, err)
		}
		local := fmt.Sprintf("new%d", i)
		s.provider.Enters("s-"+local, local+"@hanbit.example", name)
		if done, err := s.enter(); err != nil || done.Name != local {
			t.Errorf("%q of somebody new: %q, %v", name, done.Name, err)
		}
	}
	s.provider.Enters("s-long", strings.Repeat("a", 260)+"@hanbit.example", "한새봄")
	if done, err := s.enter(); !errors.Is(err, queries.Invalid("sso.email.refused")) {
		t.Errorf("a long email: %+v, %v", done.Person, err)
	}
}

func TestHandover(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	issue := func(userID int64) string {
		t.Helper()
		h, err := db.Identity.IssueHandover(t.Context(), queriestest.Hanbit, userID)
		if err != nil || !h.ExpiresAt.Equal(clock.Now().Add(time.Minute)) {
			t.Fatalf("%+v, %v", h, err)
		}
		return h.Code
	}
	take := func(code string) (identity.SignedIn, error) {
		return db.Identity.TakeHandover(t.Context(), code, here, "test")
	}
	code := issue(queriestest.Employee)
	if s, err := take(code); err != nil || s.ID != queriestest.Employee || s.SignInID == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	used := issue(queriestest.Kim)
	for _, name := range []string{code, "x", ""} {
		if _, err := take(name); !errors.Is(err, queries.Invalid("sso.handover")) {
			t.Errorf("%q: %v", name, err)
		}
	}
	clock.Advance(time.Minute + time.Second)
	if _, err := take(used); !errors.Is(err, queries.Invalid("sso.handover")) {
		t.Errorf("too late: %v", err)
	}
	late := issue(queriestest.Kim)
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Kim)
	if _, err := take(late); !errors.Is(err, queries.Invalid("session.hidden")) {
		t.Errorf("hidden meanwhile: %v", err)
	}
	for name, id := range map[string]int64{"hidden": queriestest.Hidden, "another company's": queriestest.OtherAdmin, "bot": queriestest.Bot, "nobody": 999} {
		if _, err := db.Identity.IssueHandover(t.Context(), queriestest.Hanbit, id); !errors.Is(err, queries.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := queriestest.LookUp(t, db, "select string_agg(concat_ws(' ', result, reason, user_id), ', ' order by id) from access_events"); got != "ok handover 2, failed handover_expired 6, failed hidden 6" {
		t.Errorf("recorded %s", got)
	}
}
