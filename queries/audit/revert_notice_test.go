package audit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

// noticeOutline says in a line a notice what there are.
func noticeOutline(t *testing.T, db *areas.Areas) string {
	t.Helper()
	page, err := db.Notices.List(t.Context(), queriestest.Hanbit, time.UTC, notice.Filter{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, row := range page.Rows {
		full, err := db.Notices.Full(t.Context(), queriestest.Hanbit, row.ID)
		if err != nil {
			t.Fatal(err)
		}
		d, err := db.Notices.Draft(t.Context(), full.Notice)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(d.Title, d.Body, d.Targets, d.PublishAt, d.AttachmentIDs))
	}
	return strings.Join(all, "\n")
}

// Each change is reverted, and its reversal is reverted.
func TestRevertNoticeChange(t *testing.T) {
	for name, change := range map[string]func(*areas.Areas, queries.Actor, int64) error{
		"notice.created": func(db *areas.Areas, by queries.Actor, _ int64) error {
			_, err := db.Notices.Create(t.Context(), by, notice.Draft{Title: "새 공지", Body: "본문", Targets: notice.Targets{Everyone: true}})
			return err
		},
		"notice.updated": func(db *areas.Areas, by queries.Actor, id int64) error {
			_, err := db.Notices.Update(t.Context(), by, id, 0, func(d notice.Draft) notice.Draft {
				at := d.PublishAt.Add(time.Hour)
				return notice.Draft{Title: "고친 제목", Body: "고친 본문", Targets: notice.Targets{UserIDs: []int64{queriestest.Kim}}, PublishAt: &at}
			})
			return err
		},
		"notice.deleted": func(db *areas.Areas, by queries.Actor, id int64) error {
			_, err := db.Notices.Delete(t.Context(), by, id, 0)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := queriestest.New(t)
			by := queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}
			file, err := db.Notices.Upload(t.Context(), by, queriestest.Blobs(t), notice.Upload{Name: "a.txt", Content: strings.NewReader("a")})
			if err != nil {
				t.Fatal(err)
			}
			at := queriestest.Now.Add(time.Hour)
			n, err := db.Notices.Create(t.Context(), by, notice.Draft{
				Title: "예약", Body: "본문", PublishAt: &at, AttachmentIDs: []int64{file.ID},
				Targets: notice.Targets{Departments: []notice.DepartmentTarget{{ID: queriestest.Sales, IncludeChildren: true}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			before := noticeOutline(t, db)
			if err := change(db, by, n.ID); err != nil {
				t.Fatal(err)
			}
			after := noticeOutline(t, db)
			c := latestChange(t, db, "notice", 0)
			if c.Action != name || !c.Revertible() || before == after {
				t.Fatalf("the change is %+v", c)
			}
			reverted, err := db.Audit.Revert(t.Context(), by, c.ID, false)
			if err != nil {
				t.Fatal(err)
			}
			if got := noticeOutline(t, db); got != before {
				t.Errorf("reverted:\n%s\nwant:\n%s", got, before)
			}
			if _, err := db.Audit.Revert(t.Context(), by, reverted.Change.ID, false); err != nil {
				t.Fatal(err)
			}
			if got := noticeOutline(t, db); got != after {
				t.Errorf("reverted twice:\n%s\nwant:\n%s", got, after)
			}
		})
	}
}

func TestRevertNoticeChangeTooLate(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	by := queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}
	at := queriestest.Now.Add(time.Hour)
	n, err := db.Notices.Create(t.Context(), by, notice.Draft{Title: "예약", Body: "본문", PublishAt: &at, Targets: notice.Targets{Everyone: true}})
	if err != nil {
		t.Fatal(err)
	}
	edit := func(title string) {
		t.Helper()
		later := at.Add(time.Hour)
		if _, err := db.Notices.Update(t.Context(), by, n.ID, 0, func(d notice.Draft) notice.Draft { d.Title, d.PublishAt = title, &later; return d }); err != nil {
			t.Fatal(err)
		}
	}
	edit("나")
	first := latestChange(t, db, "notice", n.ID)
	edit("다")
	if _, err := db.Audit.Revert(t.Context(), by, first.ID, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("after another change: %v", err)
	}
	second := latestChange(t, db, "notice", n.ID)
	clock.Advance(2 * time.Hour)
	if _, err := db.Audit.Revert(t.Context(), by, second.ID, false); !errors.Is(err, queries.Conflict("notice.published")) {
		t.Errorf("after its publication: %v", err)
	}
	if _, err := db.Notices.Delete(t.Context(), by, n.ID, 0); err != nil {
		t.Fatal(err)
	}
	deletion := latestChange(t, db, "notice", n.ID)
	clock.Advance(notice.RestoreTime + time.Second)
	if _, err := db.Audit.Revert(t.Context(), by, deletion.ID, false); !errors.Is(err, queries.Conflict("change.revert.changed")) {
		t.Errorf("after a month: %v", err)
	}
}

func TestRevertNoticeDeletionOnce(t *testing.T) {
	for name, publication := range map[string]*time.Time{"published": nil, "reserved": new(queriestest.Now.Add(time.Hour))} {
		t.Run(name, func(t *testing.T) {
			db := queriestest.New(t)
			by := queriestest.AdminActor(t, db)
			n, err := db.Notices.Create(t.Context(), by, notice.Draft{Title: "공지", Body: "본문", PublishAt: publication, Targets: notice.Targets{Everyone: true}})
			if err != nil {
				t.Fatal(err)
			}
			revertDeletionOnce(t, db, "notice", n.ID, func() error {
				_, err := db.Notices.Delete(t.Context(), by, n.ID, 0)
				return err
			})
			if err := db.Notices.Restore(t.Context(), by, n.ID); err != nil {
				t.Errorf("restored outside the change log: %v", err)
			}
		})
	}
}
