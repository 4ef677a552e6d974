package handlers_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"officeconsole/backup"
	"officeconsole/handlers"
	"officeconsole/queries/queriestest"
)

const backupsPath = "/manage/operation/backups"

func TestBackupsPage(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	dir := t.TempDir()
	schedule := &backup.Schedule{Source: backup.Source{DataDir: filepath.Join(dir, "none")}, Dir: dir, Every: 24 * time.Hour, Keep: 3, Now: db.Now}
	s := newSiteOver(t, db, clock, handlers.Config{OperatingCompany: "hanbit.example", Backups: schedule})
	admin := s.as(queriestest.Admin)
	admin.get(backupsPath).want(200).shows("백업", "24시간", "최근 3개", "곧 시작", "아직 백업이 없습니다", `href="/manage/operation/backups" aria-current="page"`)

	archive := backup.Name(db.Now().Add(-time.Hour), false)
	if err := os.WriteFile(filepath.Join(dir, archive), make([]byte, 3<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	admin.get("/en"+backupsPath).want(200).shows(archive, "3 MB", "24 h", "The latest 3", "Off").hides("The backup of", "although one is due")

	clock.Advance(72 * time.Hour)
	admin = s.as(queriestest.Admin)
	admin.get("/en"+backupsPath).want(200).shows("although one is due", "Starting soon")
	if err := schedule.Run(t.Context()); err == nil {
		t.Fatal("a console without data was backed up")
	}
	admin.get("/en"+backupsPath).want(200).shows("The backup of", archive).hides("although one is due", "Starting soon")
	admin.get("/ja" + backupsPath).want(200).shows("失敗しました")

	// The page does not exist for others, and nothing leads to it.
	s.as(queriestest.OtherAdmin).get(backupsPath).want(404)
	s.as(queriestest.Employee).get(backupsPath).leads("/logs/workingattitude/day")
	s.as(queriestest.OtherAdmin).get("/manage/use/holidays").want(200).hides(backupsPath)
	s.as(queriestest.OtherAdmin).get("/search?q=백업").want(200).hides(backupsPath)
	admin.get("/search?q=백업").want(200).shows(backupsPath)
}

func TestBackupsPageWithoutASchedule(t *testing.T) {
	newSiteWith(t, handlers.Config{OperatingCompany: "hanbit.example"}).as(queriestest.Admin).get(backupsPath).want(200).shows("--backup-dir")
	newSiteWith(t, handlers.Config{OperatingCompany: "hanbit.example", ExternalDatabase: true}).as(queriestest.Admin).get(backupsPath).want(200).shows("외부 PostgreSQL")
	newSite(t).as(queriestest.Admin).get(backupsPath).want(404)
}
