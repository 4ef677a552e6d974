package handlers_test

import (
	"strconv"
	"testing"

	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestRetentionPage(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const path = "/manage/security/retention"
	admin.get(path).want(200).shows("접속 이력", "파일 저장 로그", "2년 이상", "아직 없음", `<option value="0" selected>기한 없음`).hides("완전히 지워지며")
	admin.get("/en"+path).want(200).shows("Indefinitely", "24 months", "1 month<")
	admin.get("/ja"+path).want(200).shows("無期限", "24か月")

	// Nothing is deleted without a confirmation, in which what was chosen stays.
	admin.post("/en"+path, "version", "0", "access", "24", "files", "3", "clients", "0").want(422).
		shows("Saving permanently deletes old entries", "Access history: rows older than 24 months", "Saved-file log: rows older than 3 months", `<option value="3" selected>`).hides("sign-ins of the messenger: rows")
	if got := s.count("select count(*) from retentions"); got != 0 {
		t.Fatal("it was saved without a confirmation")
	}
	admin.post("/en"+path, "version", "0", "access", "24", "files", "3", "clients", "0", "confirmed", "1").leads("/en" + path)
	admin.get("/en"+path).want(200).shows("The log retention was saved.", `<option value="3" selected>`)
	if err := s.db.Usage.DeleteOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	admin.get("/en" + path).want(200).shows("0 rows")

	// A longer time deletes nothing and needs no confirmation.
	admin.post("/en"+path, "version", "1", "access", "24", "files", "6", "clients", "0").leads("/en" + path)
	admin.post("/en"+path, "version", "1", "access", "24", "files", "12", "clients", "0").want(409).shows("김서연", `name="version" value="2"`, `<option value="12" selected>`)
	admin.post("/en"+path, "version", "2", "access", "12", "files", "6", "clients", "0", "confirmed", "1").want(422).shows("Access history: This period cannot be chosen.")
	for _, months := range []string{"x", "-1"} {
		admin.post("/en"+path, "version", "2", "access", "24", "files", months, "clients", "0").want(422).hides("rows older than")
	}

	admin.get("/en/manage/security/changes?object=retention").want(200).shows("Log retention", "Saved-file log 3 months → 6 months")
	reversal := "/en/manage/security/changes/" + strconv.Itoa(s.lastChange()) + "/reversal"
	admin.post(reversal).want(409).shows("older rows are permanently deleted within a day", `name="confirmed" value="1"`)
	admin.get("/en" + path).want(200).shows(`<option value="6" selected>`)
	admin.post(reversal, "confirmed", "1").want(303)
	admin.get("/en" + path).want(200).shows(`<option value="3" selected>`)

	// Somebody who has not proved who they are for a while does so first. What was chosen stays.
	s.clock.Advance(identity.ProofAge)
	shorter := []string{"version", "3", "access", "24", "files", "1", "clients", "0", "confirmed", "1"}
	admin.post("/en"+path, shorter...).want(422).shows("Confirm that it is you", `action="/en`+path+`"`, `name="files" value="1"`, `name="confirmed" value="1"`)
	admin.get("/en" + path).want(200).shows(`<option value="3" selected>`)
	admin.post("/en"+path, append(shorter, "proof_password", queriestest.Password)...).leads("/en" + path)
	admin.get("/en" + path).want(200).shows(`<option value="1" selected>`)
	s.clock.Advance(identity.ProofAge)
	admin.post("/en/manage/security/changes/" + strconv.Itoa(s.lastChange()) + "/reversal").want(422).shows("Confirm that it is you")

	s.as(queriestest.OtherAdmin).get(path).want(200).hides(`<option value="3" selected>`)
	s.as(queriestest.Manager).get(path).leads("/logs/workingattitude/day")
}
