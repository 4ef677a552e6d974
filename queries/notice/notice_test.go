package notice_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

func TestRefusedNotice(t *testing.T) {
	db := queriestest.New(t)
	n := create(t, db, draft("예약", time.Hour))
	many := notice.Targets{}
	for id := range int64(notice.MaxTargets + 1) {
		many.UserIDs = append(many.UserIDs, id+1)
	}
	files := make([]int64, notice.MaxAttachments+1)
	for name, test := range map[string]struct {
		edit func(*notice.Draft)
		want queries.FieldErrors
	}{
		"nothing": {func(d *notice.Draft) { *d = notice.Draft{} }, queries.FieldErrors{"title": "notice.title.required", "body": "notice.body.required", "targets": "notice.targets.required"}},
		"unseen":  {func(d *notice.Draft) { d.Title, d.Body = "\u3164", "\u200b\n\u3164" }, queries.FieldErrors{"title": "notice.title.required", "body": "notice.body.required"}},
		"blank":   {func(d *notice.Draft) { d.Title, d.Body = " \t", "\n \r\n" }, queries.FieldErrors{"title": "notice.title.required", "body": "notice.body.required"}},
		"too long": {func(d *notice.Draft) { d.Title, d.Body = strings.Repeat("가", 101), strings.Repeat("나", 20_001) },
			queries.FieldErrors{"title": "notice.title.too_long", "body": "notice.body.too_long"}},
		"control characters":  {func(d *notice.Draft) { d.Title, d.Body = "두\n줄", "벨\a" }, queries.FieldErrors{"title": "notice.title.invalid", "body": "notice.body.invalid"}},
		"invalid UTF-8":       {func(d *notice.Draft) { d.Title = "\xff" }, queries.FieldErrors{"title": "notice.title.invalid"}},
		"too many targets":    {func(d *notice.Draft) { d.Targets = many }, queries.FieldErrors{"targets": "notice.targets.too_many"}},
		"another company's":   {func(d *notice.Draft) { d.Targets = notice.Targets{UserIDs: []int64{queriestest.OtherKim}} }, queries.FieldErrors{"targets": "notice.targets.unknown"}},
		"its department":      {func(d *notice.Draft) { d.Targets = departments(queriestest.Sales, queriestest.OtherSales) }, queries.FieldErrors{"targets": "notice.targets.unknown"}},
		"a bot":               {func(d *notice.Draft) { d.Targets = notice.Targets{UserIDs: []int64{queriestest.Bot}} }, queries.FieldErrors{"targets": "notice.targets.unknown"}},
		"this moment":         {func(d *notice.Draft) { d.PublishAt = &queriestest.Now }, queries.FieldErrors{"publish_at": "notice.publish_at.past"}},
		"a moment ago":        {func(d *notice.Draft) { d.PublishAt = after(-time.Minute) }, queries.FieldErrors{"publish_at": "notice.publish_at.past"}},
		"more than a year":    {func(d *notice.Draft) { d.PublishAt = after(366 * 24 * time.Hour) }, queries.FieldErrors{"publish_at": "notice.publish_at.too_late"}},
		"21 files":            {func(d *notice.Draft) { d.AttachmentIDs = files }, queries.FieldErrors{"attachment_ids": "notice.attachments.too_many"}},
		"an unknown file":     {func(d *notice.Draft) { d.AttachmentIDs = []int64{77} }, queries.FieldErrors{"attachment_ids": "notice.attachments.unknown"}},
		"everything together": {func(d *notice.Draft) { d.Title, d.PublishAt = "", after(0) }, queries.FieldErrors{"title": "notice.title.required", "publish_at": "notice.publish_at.past"}},
	} {
		d := draft("제목", 2*time.Hour)
		test.edit(&d)
		_, err := db.Notices.Create(t.Context(), admin, d)
		refuses(t, name, err, test.want)
		refuses(t, name+", checked", db.Notices.CheckDraft(t.Context(), queriestest.Hanbit, 0, d), test.want)
		_, err = db.Notices.Update(t.Context(), admin, n.ID, 0, func(notice.Draft) notice.Draft { return d })
		refuses(t, name+", changed", err, test.want)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(title, ' ') || max(version_no) from notices"); got != "예약1" {
		t.Errorf("the notices are %s", got)
	}
}

func after(d time.Duration) *time.Time {
	at := queriestest.Now.Add(d)
	return &at
}

func departments(ids ...int64) (t notice.Targets) {
	for _, id := range ids {
		t.Departments = append(t.Departments, notice.DepartmentTarget{ID: id, IncludeChildren: true})
	}
	return t
}

func TestUpdateReservation(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	first, second, third := upload(t, db, files, "하나.txt", "1"), upload(t, db, files, "둘.txt", "2"), upload(t, db, files, "셋.txt", "3")
	d := draft("예약", time.Hour)
	d.AttachmentIDs = []int64{second, first}
	n := create(t, db, d)
	if got := fileNames(t, db, n.ID); got != "둘.txt 하나.txt" || n.AnnouncedAt != nil || messages(t, db) != "" {
		t.Errorf("files %q, announced %v, messages %q", got, n.AnnouncedAt, messages(t, db))
	}
	everything := notice.Draft{
		Title: "  고친 제목 ", Body: "고친 본문\r\n둘째 줄\n\n", PublishAt: after(2 * time.Hour), AttachmentIDs: []int64{first, third},
		Targets: notice.Targets{Departments: []notice.DepartmentTarget{{ID: queriestest.Sales}, {ID: queriestest.Sales, IncludeChildren: true}}, UserIDs: []int64{queriestest.Kim, queriestest.Kim}},
	}
	edit := func(d notice.Draft) func(notice.Draft) notice.Draft {
		return func(notice.Draft) notice.Draft { return d }
	}
	updated, err := db.Notices.Update(t.Context(), admin, n.ID, 1, edit(everything))
	if err != nil || updated.Title != "고친 제목" || updated.Body != "고친 본문\n둘째 줄" || updated.VersionNo != 2 || !updated.PublishAt.Equal(*everything.PublishAt) {
		t.Fatalf("updated to %+v (%v)", updated, err)
	}
	stored, err := db.Notices.Full(t.Context(), queriestest.Hanbit, n.ID)
	if err != nil || len(stored.Targets.Departments) != 1 || !stored.Targets.Departments[0].IncludeChildren || len(stored.Targets.UserIDs) != 1 {
		t.Errorf("the targets are %+v (%v)", stored.Targets, err)
	}
	if got := fileNames(t, db, n.ID); got != "하나.txt 셋.txt" {
		t.Errorf("the files are %s", got)
	}
	if again, err := db.Notices.Update(t.Context(), admin, n.ID, 2, func(d notice.Draft) notice.Draft { return d }); err != nil || again.VersionNo != 2 {
		t.Errorf("nothing to change: %+v (%v)", again, err)
	}
	if _, err := db.Notices.Update(t.Context(), admin, n.ID, 1, edit(d)); !errors.Is(err, queries.Conflict("notice.edited")) {
		t.Errorf("a change of an older version: %v", err)
	}
	for name, by := range map[string]queries.Actor{"another company": other} {
		_, updating := db.Notices.Update(t.Context(), by, n.ID, 0, edit(d))
		_, deleting := db.Notices.Delete(t.Context(), by, n.ID, 0)
		_, _, copying := db.Notices.Duplicate(t.Context(), by.CompanyID, n.ID)
		for _, err := range []error{updating, deleting, copying, db.Notices.Restore(t.Context(), by, n.ID)} {
			if !errors.Is(err, queries.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	clock.Advance(2 * time.Hour) // the moment of publication
	if _, err := db.Notices.Update(t.Context(), admin, n.ID, 2, edit(d)); !errors.Is(err, queries.Conflict("notice.published")) {
		t.Errorf("a published notice: %v", err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(action, ' ' order by id) from changes where object_type = 'notice'"); got != "notice.created notice.updated" {
		t.Errorf("the change log has %s", got)
	}
}

func TestPublishReservationAtOnce(t *testing.T) {
	db := queriestest.New(t)
	n := create(t, db, draft("예약", time.Hour))
	n, err := db.Notices.Update(t.Context(), admin, n.ID, 0, func(d notice.Draft) notice.Draft { d.PublishAt = nil; return d })
	if err != nil || n.StatusAt(db.Now()) != notice.Published || messages(t, db) != "notice.published" {
		t.Errorf("%+v (%v), messages %q", n, err, messages(t, db))
	}
	if err := db.Notices.Announce(t.Context()); err != nil || messages(t, db) != "notice.published" {
		t.Errorf("announced twice: %q (%v)", messages(t, db), err)
	}
}

// Publishing writes the same number of rows however many people the notice is for.
func TestPublishingWritesAConstantNumberOfRows(t *testing.T) {
	db := queriestest.New(t)
	queriestest.Exec(t, db, `insert into users (company_id, department_id, name, email, search_text, search_grams)
		select 1, 3, 'p', 'p' || i || '@hanbit.example', '', '{}' from generate_series(1, 500) i`)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1")
	log := queriestest.LogStatements(t, db)
	create(t, db, draft("모두에게", 0))
	if statements := log.Take(); len(statements) > 14 {
		t.Errorf("%d statements: %s", len(statements), strings.Join(statements, "\n"))
	}
	rows := queriestest.LookUp(t, db, `select (select count(*) from notices) || ' ' || (select count(*) from notice_targets) || ' ' || (select count(*) from notice_reads) || ' ' ||
		(select count(*) from notice_read_counts) || ' ' || (select count(*) from outbox where type = 'notice.published') || ' ' || (select count(*) from changes where object_type = 'notice')`)
	if rows != "1 0 0 0 1 1" {
		t.Errorf("rows of notices, targets, reads, counts, messages and changes: %s", rows)
	}
}

func TestAnnounce(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	for i := range 60 { // more than one transaction announces
		create(t, db, draft("예약", time.Hour+time.Duration(i)*time.Second))
	}
	later, deleted := create(t, db, draft("나중", 2*time.Hour)), create(t, db, draft("지운 것", time.Hour))
	if _, err := db.Notices.Delete(t.Context(), admin, deleted.ID, 0); err != nil {
		t.Fatal(err)
	}
	announce := func() {
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if err := db.Notices.Announce(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
	announce()
	if got := messages(t, db); got != "" {
		t.Errorf("before the time: %s", got)
	}
	clock.Advance(time.Hour + time.Minute)
	announce()
	announce()
	if got := strings.Count(messages(t, db), "notice.published"); got != 60 {
		t.Errorf("%d messages", got)
	}
	clock.Advance(time.Hour)
	announce()
	last := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if got := string(last[len(last)-1].Payload); !strings.Contains(got, `"title": "나중"`) || !strings.Contains(got, `"everyone": true`) || len(last) != 61 {
		t.Errorf("the last of %d messages is %s (of %d)", len(last), got, later.ID)
	}
}

func TestDeleteAndRestoreNotice(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	published, reserved, missed := create(t, db, draft("게시", 0)), create(t, db, draft("예약", 48*time.Hour)), create(t, db, draft("놓친 예약", time.Hour))
	if deleted, err := db.Notices.DeleteAll(t.Context(), admin, []int64{missed.ID, published.ID, reserved.ID, 99, published.ID}); err != nil || len(deleted) != 3 {
		t.Fatalf("deleted %v: %v", deleted, err)
	}
	if got := messages(t, db); got != "notice.published notice.deleted" {
		t.Errorf("messages after deleting: %s", got)
	}
	if _, err := db.Notices.Delete(t.Context(), admin, published.ID, 0); !errors.Is(err, queries.NotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	clock.Advance(24 * time.Hour)
	if err := db.Notices.Restore(t.Context(), admin, published.ID, missed.ID); !errors.Is(err, queries.Invalid("notice.restore.missed")) {
		t.Errorf("a missed reservation: %v", err)
	}
	if err := db.Notices.Restore(t.Context(), admin, published.ID, reserved.ID); err != nil {
		t.Fatal(err)
	}
	if got := messages(t, db); got != "notice.published notice.deleted notice.changed" {
		t.Errorf("messages after restoring: %s", got)
	}
	if d, lost, err := db.Notices.Duplicate(t.Context(), queriestest.Hanbit, missed.ID); err != nil || d.Title != "놓친 예약" || d.PublishAt != nil || lost != 0 {
		t.Errorf("a duplicate of the missed one: %+v %d (%v)", d, lost, err)
	}
	clock.Advance(notice.RestoreTime)
	if err := db.Notices.Restore(t.Context(), admin, missed.ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("restored late: %v", err)
	}
	if _, _, err := db.Notices.Duplicate(t.Context(), queriestest.Hanbit, missed.ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("duplicated late: %v", err)
	}
}

// A notice that is deleted between its time and its announcement can be restored.
func TestDeleteBeforeAnnouncement(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	n := create(t, db, draft("예약", time.Hour))
	clock.Advance(time.Hour)
	if _, err := db.Notices.Delete(t.Context(), admin, n.ID, 0); err != nil {
		t.Fatal(err)
	}
	if err := db.Notices.Restore(t.Context(), admin, n.ID); err != nil || messages(t, db) != "notice.changed" {
		t.Errorf("%v, messages %q", err, messages(t, db))
	}
}

// Of two who save the same version, one gets the conflict.
func TestTwoPeopleSaveOneNotice(t *testing.T) {
	db := queriestest.New(t)
	n := create(t, db, draft("예약", time.Hour))
	var group sync.WaitGroup
	results := make([]error, 2)
	for i, title := range []string{"한 사람", "다른 사람"} {
		group.Go(func() {
			_, results[i] = db.Notices.Update(t.Context(), admin, n.ID, n.VersionNo, func(d notice.Draft) notice.Draft { d.Title = title; return d })
		})
	}
	group.Wait()
	if (results[0] == nil) == (results[1] == nil) || !errors.Is(errors.Join(results...), queries.Conflict("notice.edited")) {
		t.Errorf("saved with %v", results)
	}
}

func TestParseReservation(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ date, clock, want string }{
		{"2026-11-24", "09:00", "2026-11-24T14:00:00Z"},
		{"2026-11-24", "09:00:00", "2026-11-24T14:00:00Z"},
		{"", "09:00", "notice.publish_at.required"},
		{"2026-11-24", "", "notice.publish_at.required"},
		{"2026-02-30", "09:00", "notice.publish_at.invalid"},
		{"2026-11-24", "25:00", "notice.publish_at.invalid"},
		{"2027-03-14", "02:30", "notice.publish_at.skipped"},
	} {
		at, err := notice.ParseReservation(test.date, test.clock, newYork)
		got := at.UTC().Format(time.RFC3339)
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s %s is %s, want %s", test.date, test.clock, got, test.want)
		}
	}
}
