package handlers_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"officeconsole/blobs"
	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/handlers/scim"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/bot"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
	"officeconsole/queries/identity"
	"officeconsole/queries/link"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/usage"
	"officeconsole/queries/webhook"
	"officeconsole/settings"
	"officeconsole/workday"
)

// objects are the values of a path's parameters: one object of each noun.
type objects map[string]string

// The words that only the objects of the matrix have: of this company within and
// outside the scope of its manager, and of the other company.
const (
	insideWord  = "루비"
	outsideWord = "진주"
	foreignWord = "자수정"
)

// matrixSite is a site in which both companies have one of everything.
type matrixSite struct {
	*site
	inside, outside, foreign, invented objects
	tokens                             map[string]string // that have ended
	hidden                             *client           // who was signed in when they were hidden
}

func newMatrixSite(t *testing.T) *matrixSite {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	s := &matrixSite{invented: inventedObjects(), tokens: map[string]string{}}
	s.site = newSiteOver(t, db, clock, handlers.Config{API: api.New(db, "test", files), SCIM: scim.New(db, ""), Blobs: files, OperatingCompany: "hanbit.example"})
	s.exec("insert into passwords (company_id, user_id, hash) select company_id, id, (select hash from passwords where user_id = 2) from users where id in ($1, $2, $3)",
		queriestest.Kim, queriestest.Japanese, queriestest.OtherKim)
	s.endTokens()
	maker := objectMaker{s.site, files, queriestest.NewSignOnProvider(t, db)}
	s.inside = maker.objects(queriestest.Admin, queriestest.Kim, insideWord)
	s.outside = maker.objects(queriestest.Admin, queriestest.Japanese, outsideWord)
	s.foreign = maker.objects(queriestest.OtherAdmin, queriestest.OtherKim, foreignWord)
	s.inside["export"] = maker.export(queriestest.Manager) // who alone may fetch it
	return s
}

// endTokens makes tokens and a session that have ended, each in its way.
func (s *matrixSite) endTokens() {
	s.t.Helper()
	check := func(err error) {
		s.t.Helper()
		if err != nil {
			s.t.Fatal(err)
		}
	}
	by, soon := queriestest.AdminActor(s.t, s.db), s.clock.Now().Add(time.Hour)
	s.tokens["expired token"] = s.bearer(queriestest.Admin)
	service, err := s.db.Identity.IssueServiceToken(s.t.Context(), by, identity.ServiceTokenDraft{Name: "expired", Scopes: identity.Scopes, ExpiresAt: &soon})
	check(err)
	s.tokens["expired service token"] = service.Token
	check(s.db.Attendance.BeginDays(s.t.Context()))
	s.clock.Advance(10 * time.Hour)

	s.tokens["revoked token"] = s.bearer(queriestest.Admin)
	s.nobody().with("Authorization", "Bearer "+s.tokens["revoked token"]).do(http.MethodPost, "/api/v1/logout", "").want(http.StatusNoContent)
	service, err = s.db.Identity.IssueServiceToken(s.t.Context(), by, identity.ServiceTokenDraft{Name: "revoked", Scopes: identity.Scopes})
	check(err)
	s.tokens["revoked service token"] = service.Token
	_, err = s.db.Identity.EndServiceToken(s.t.Context(), by, service.ID)
	check(err)

	s.exec("update users set is_admin = true where id = $1", queriestest.Hidden)
	_, err = s.db.Hidings.Show(s.t.Context(), by, []int64{queriestest.Hidden})
	check(err)
	s.hidden, s.tokens["hidden"] = s.as(queriestest.Hidden), s.bearer(queriestest.Hidden)
	_, err = s.db.Hidings.Hide(s.t.Context(), by, hiding.Draft{UserIDs: []int64{queriestest.Hidden}, Kind: hiding.Leaver})
	check(err)
}

// inventedObjects are objects that nobody has.
func inventedObjects() objects {
	const id = "987654"
	return objects{
		"user": id, "department": id, "policy": id, "check": id, "notice": id, "attachment": id, "link": id, "token": id, "provider": id, "holiday": id, "import": id, "viewer": id, "set": id, "delivery": id,
		"bot": id, "bot_token": id, "bot_delivery": id, "correction": id, "export": id, "change": id, "session": id, "passkey": id, "record": id + "-2026-11-20", "file": "1763600000000000-" + id,
		"hash": strings.Repeat("0", 64), "hook": strings.Repeat("A", 43), "company": id, "address": "203.0.113.77",
	}
}

// objectMaker makes objects by the rules that the console makes them by.
type objectMaker struct {
	*site
	files    blobs.Store
	provider *queriestest.SignOnProvider
}

// last returns the newest id of a company's table.
func (m objectMaker) last(table string, company int64) string {
	m.t.Helper()
	id := m.count("select coalesce(max(id), 0) from "+table+" where company_id = $1", company)
	if id == 0 {
		m.t.Fatalf("no row in %s", table)
	}
	return strconv.Itoa(id)
}

// objects makes one object of each noun by an administrator about a person.
func (m objectMaker) objects(administrator, person int64, word string) objects {
	m.t.Helper()
	ctx := m.t.Context()
	check := func(err error) {
		m.t.Helper()
		if err != nil {
			m.t.Fatal(err)
		}
	}
	company := queriestest.Hanbit
	if administrator == queriestest.OtherAdmin {
		company = queriestest.Other
	}
	of := queriestest.Person(m.t, m.db, company, person)
	by := directory.ActorFrom(queriestest.Person(m.t, m.db, company, administrator), queriestest.OfficeAddress)
	made := objects{"company": fmt.Sprint(company), "user": fmt.Sprint(person), "department": fmt.Sprint(*of.DepartmentID), "record": fmt.Sprintf("%d-2026-11-20", person)}

	target := queriestest.UserTarget(person)
	if person == queriestest.Japanese { // who is a target of another policy
		target = queriestest.DepartmentTarget(queriestest.Japan)
	}
	draft := queriestest.PolicyDraft(word+" 정책", target)
	draft.Owner = policy.Owner{UserID: administrator}
	created, err := m.db.Policies.Create(ctx, by, draft)
	check(err)
	made["policy"] = fmt.Sprint(created.ID)
	expected, err := m.db.Policies.SaveCheck(ctx, by, policy.CheckChange{Kind: created.Kind, Draft: &policy.CheckDraft{
		Name: word + " 점검", Quantifier: policy.Every, Severity: policy.Warn, Expectation: settings.Expectation{Relation: settings.AtMost, Key: "session_time_sec", Value: "3600"},
	}})
	check(err)
	made["check"] = fmt.Sprint(expected.ID)

	notice := queriestest.InsertNotice(m.t, m.db, queriestest.Notice{Company: company, Title: word + " 공지", Body: word, PublishAt: m.clock.Now().Add(-time.Hour), Users: []int64{person}})
	made["notice"] = fmt.Sprint(notice)
	made["attachment"] = m.text(`insert into notice_attachments (company_id, notice_id, position, name, size, md5, content_type, blob, uploaded_by, uploaded_at)
		values ($1, $2, 0, $3, 1, '', 'text/plain', $4, $5, $6) returning id::text`,
		company, notice, word+".txt", m.blob(company, []byte(word)), administrator, m.clock.Now())

	banner := m.blob(company, pngOf(m.t, 10+int(person), 10))
	id, err := m.db.Links.Create(ctx, by, link.Draft{Name: word + " 링크", URL: "https://" + fmt.Sprint(person) + ".example/", Visible: true, Banner: banner})
	check(err)
	made["link"], made["hash"] = fmt.Sprint(id), banner[strings.LastIndexByte(banner, '/')+1:]

	picture := m.blob(company, pngOf(m.t, 20+int(person), 20))
	m.exec("update users set image_hash = $2 where id = $1", person, picture[strings.LastIndexByte(picture, '/')+1:])

	token, err := m.db.Identity.IssueServiceToken(ctx, by, identity.ServiceTokenDraft{Name: word + " 토큰", Scopes: []string{identity.ScopeRead}})
	check(err)
	made["token"] = fmt.Sprint(token.ID)
	providerDraft := m.provider.Draft()
	providerDraft.Name, providerDraft.ClientID, providerDraft.Domains = word+" 계정", "client-"+fmt.Sprint(person), []string{fmt.Sprint(person) + ".example"}
	id, err = m.db.Identity.CreateProvider(ctx, by, providerDraft)
	check(err)
	made["provider"] = fmt.Sprint(id)
	date := workday.NewDate(2027, 3, 1) + workday.Date(person)
	day, err := m.db.Policies.SaveHoliday(ctx, by, policy.HolidayChange{Draft: &policy.HolidayDraft{First: date, Name: word + " 휴일"}})
	check(err)
	made["holiday"] = fmt.Sprint(day.ID)
	viewer, err := m.db.Attendance.RegisterViewer(ctx, by, queriestest.IndividualsDraft([]attendance.ViewerDepartment{queriestest.WithoutSubtree(*of.DepartmentID)}, false, person))
	check(err)
	made["viewer"] = fmt.Sprint(viewer.ID)
	uploaded := m.blob(company, []byte(word+",날짜\n"))
	id, err = m.db.Attendance.CreateImport(ctx, by, []attendance.StoredFile{{Name: word + ".csv", Key: uploaded}}, attendance.ImportOptions{}, attendance.ImportDraft)
	check(err)
	made["import"] = fmt.Sprint(id)

	if word != outsideWord { // a company has one webhook and one bot
		_, err = m.db.Webhooks.Create(ctx, by, webhook.Draft{URL: "https://hooks.example/" + word, Enabled: true})
		check(err)
		check(m.db.Publish(ctx, company, m.clock.Now(), "link.changed", struct{}{}))
		m.attempt(webhook.Result{})
		made["delivery"] = m.last("webhook_deliveries", company)
		check(m.db.Bots.Update(ctx, by, 0, func(d bot.Draft) bot.Draft {
			d.Name, d.HookReceivers = word+" 봇", bot.Receivers{Users: []int64{person}}
			return d
		}))
		made["hook"], err = m.db.Bots.Rotate(ctx, by, bot.KindHook, 0)
		check(err)
		made["bot_token"] = m.last("bot_tokens", company)
		_, err = m.db.Bots.SendTest(ctx, by, bot.KindMessage, word)
		check(err)
		made["bot_delivery"] = m.last("bot_messages", company)
		made["bot"] = m.last("users", company)
	}

	results, err := m.db.Usage.TakeFileEvents(ctx, company, []usage.FileEvent{{
		EventID: word, UserID: person, ReceiverIDs: []int64{person}, Room: word, Name: word + ".pdf", Size: 1, Platform: "mobile_web", SavedAt: m.clock.Now().Add(-time.Minute),
	}})
	check(err)
	if results[0].Status != usage.Accepted {
		m.t.Fatalf("%+v", results)
	}
	made["file"] = m.text("select (extract(epoch from saved_at) * 1000000)::bigint || '-' || id from saved_files where company_id = $1 and user_id = $2", company, person)

	m.clocksOf(company, person, workday.In, "2026-11-20T09:34:12")
	made["correction"] = m.text(`insert into attendance_corrections (company_id, user_id, work_date, extra, department_id, arrival_at, reason, created_at)
		values ($1, $2, '2026-11-20', false, $3, '2026-11-20 00:00:00Z', $4, $5) returning id::text`, company, person, of.DepartmentID, word, m.clock.Now())
	made["export"] = m.export(administrator)

	_, err = m.db.Identity.SignIn(ctx, queriestest.Credentials(queriestest.Email(person), queriestest.Password))
	check(err)
	made["session"] = m.last("sign_ins", company)
	made["passkey"] = m.text(`insert into passkeys (company_id, user_id, credential_id, credential, name, created_at) values ($1, $2, $3, '{}', $4, $5) returning id::text`,
		company, person, []byte(word), word, m.clock.Now())
	hidden := m.insertUser(company, *of.DepartmentID, word)
	_, err = m.db.Hidings.Hide(ctx, by, hiding.Draft{UserIDs: []int64{hidden}, Kind: hiding.Leaver, Reason: word})
	check(err)
	made["set"] = fmt.Sprint(m.count("select hidden_in from hidings where user_id = $1", hidden))
	made["change"] = m.last("changes", company)
	return made
}

// text returns the text that a statement returns.
func (m objectMaker) text(statement string, args ...any) (text string) {
	m.t.Helper()
	if err := m.db.Pool().QueryRow(m.t.Context(), statement, args...).Scan(&text); err != nil {
		m.t.Fatal(err)
	}
	return text
}

func (m objectMaker) blob(company int64, content []byte) string {
	m.t.Helper()
	blob, err := m.files.Put(m.t.Context(), company, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		m.t.Fatal(err)
	}
	return blob.Key
}

func (m objectMaker) insertUser(company, department int64, word string) (id int64) {
	m.t.Helper()
	statement := "insert into users (company_id, department_id, name, email, employee_id, search_text, search_grams) values ($1, $2, $3, $4, '', $3, '{}') returning id"
	if err := m.db.Pool().QueryRow(m.t.Context(), statement, company, department, word, word+"@hidden.example").Scan(&id); err != nil {
		m.t.Fatal(err)
	}
	return id
}

// export requests the list of a day as a file for a user.
func (m objectMaker) export(user int64) string {
	m.t.Helper()
	company := int64(m.count("select company_id from users where id = $1", user))
	a := m.nobody().with("Authorization", "Bearer "+m.bearer(user)).with("Content-Type", "application/json").
		do(http.MethodPost, fmt.Sprintf("/api/v1/companies/%d/users/%d/exports", company, user), `{"list":"attendance","unit":"day","format":"csv"}`)
	a.want(http.StatusAccepted)
	return m.last("exports", company)
}

// bearer returns an access token of a user.
func (s *site) bearer(user int64) string {
	s.t.Helper()
	c := queriestest.Credentials(queriestest.Email(user), queriestest.Password)
	c.Address = netip.MustParseAddr("127.0.0.1")
	token, err := s.db.Identity.IssueAccessToken(s.t.Context(), c)
	if err != nil {
		s.t.Fatal(err)
	}
	return token.Token
}

// service returns a service token of a company.
func (s *site) service(company int64, scope string) identity.IssuedServiceToken {
	s.t.Helper()
	token, err := s.db.Identity.IssueServiceToken(s.t.Context(), queries.Actor{CompanyID: company}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{scope}})
	if err != nil {
		s.t.Fatal(err)
	}
	return token
}
