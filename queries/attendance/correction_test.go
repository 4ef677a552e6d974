package attendance_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest"
)

func asked(t *testing.T, db *areas.Areas, user int64, date string, departure time.Time) attendance.Correction {
	t.Helper()
	by, _ := editor(t, db, user)
	c, err := db.Attendance.RequestCorrection(t.Context(), by, attendance.CorrectionRequest{Key: keyOf(user, date), Departure: &departure, Reason: "회의에 다시 참석했습니다."})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCorrections(t *testing.T) {
	db, _ := lateKim(t)
	key := keyOf(queriestest.Kim, friday)
	kim := someone(t, db, queriestest.Kim)
	c := asked(t, db, queriestest.Kim, friday, at(t, "2026-11-20 19:20"))
	if got := dayOf(t, db, queriestest.Kim, friday); got != "[late 09:34 18:02 448]" {
		t.Errorf("a request changed the record: %s", got)
	}
	t.Run("one at a time", func(t *testing.T) {
		by, _ := editor(t, db, queriestest.Kim)
		var refused queries.FieldErrors
		_, err := db.Attendance.RequestCorrection(t.Context(), by, attendance.CorrectionRequest{Key: key, Arrival: ptr(at(t, "2026-11-20 09:00")), Reason: "x"})
		if !errors.As(err, &refused) || refused["record"] != "record.correction.pending" {
			t.Errorf("got %v", err)
		}
		if r, err := db.Attendance.Record(t.Context(), kim, key); err != nil || r.MayRequest || r.Pending() == nil || r.Pending().ID != c.ID {
			t.Errorf("the record: %v, may request %v", err, r.MayRequest)
		}
	})
	t.Run("only those who edit see and decide it", func(t *testing.T) {
		for id, want := range map[int64]int{queriestest.Manager: 1, queriestest.Admin: 1, queriestest.Viewer: 0, queriestest.Kim: 0, queriestest.Employee: 0} {
			by, scope := editor(t, db, id)
			waiting, err := db.Attendance.PendingCorrections(t.Context(), queriestest.Hanbit, scope, nil, 50)
			n, countErr := db.Attendance.PendingCorrectionCount(t.Context(), directory.Person{CompanyID: queriestest.Hanbit}, scope, 100)
			if err != nil || countErr != nil || len(waiting.Rows) != want || int(n) != want {
				t.Errorf("%d sees %d, counts %d: %v %v", id, len(waiting.Rows), n, err, countErr)
			}
			if want == 0 {
				if _, err := db.Attendance.DecideCorrection(t.Context(), by, scope, c.ID, attendance.CorrectionDecision{Approve: true}); !errors.Is(err, queries.NotFound) {
					t.Errorf("%d decides: %v", id, err)
				}
				continue
			}
			w := waiting.Rows[0]
			if w.Name != "김철수" || w.Department != "국내영업팀" || w.Status != "late" || !w.RecordDepartureAt.Equal(at(t, "2026-11-20 18:02")) || !w.DepartureAt.Equal(at(t, "2026-11-20 19:20")) || w.ArrivalAt != nil {
				t.Errorf("%d sees %+v", id, w)
			}
		}
		if waiting, err := db.Attendance.PendingCorrections(t.Context(), queriestest.Other, attendance.RecordScope{Scope: directory.Scope{Everybody: true}}, nil, 50); err != nil || len(waiting.Rows) > 0 {
			t.Errorf("another company sees %+v, %v", waiting, err)
		}
	})
	by, scope := editor(t, db, queriestest.Manager)
	if n, err := db.Attendance.PendingCorrectionCount(t.Context(), directory.Person{CompanyID: queriestest.Hanbit}, scope, 0); n != 0 || err != nil {
		t.Errorf("%d requests are pending for the manager, %v", n, err)
	}
	t.Run("approved", func(t *testing.T) {
		if _, err := db.Attendance.DecideCorrection(t.Context(), by, scope, c.ID, attendance.CorrectionDecision{Approve: true, Answer: "확인", IfLastEdit: ptr(int64(0))}); err != nil {
			t.Fatal(err)
		}
		if got := dayOf(t, db, queriestest.Kim, friday); got != "[late 09:34 19:20 526]" {
			t.Errorf("got %s", got)
		}
		r, err := db.Attendance.Record(t.Context(), kim, key)
		if err != nil || len(r.Edits) != 1 || r.Edits[0].CorrectionID == nil || *r.Edits[0].CorrectionID != c.ID || r.Edits[0].EditorName != "최유진" || r.Edits[0].Reason != "회의에 다시 참석했습니다." {
			t.Errorf("edits: %+v, %v", r.Edits, err)
		}
		if c := r.Corrections[0]; c.Status != attendance.CorrectionApproved || c.DeciderName != "최유진" || c.Answer != "확인" || !r.MayRequest {
			t.Errorf("request: %+v, may request again: %v", c, r.MayRequest)
		}
		if _, err := db.Attendance.DecideCorrection(t.Context(), by, scope, c.ID, attendance.CorrectionDecision{Answer: "아니요"}); !errors.Is(err, queries.Conflict("record.correction.decided")) {
			t.Errorf("once more: %v", err)
		}
	})
	t.Run("refused", func(t *testing.T) {
		second := asked(t, db, queriestest.Kim, friday, at(t, "2026-11-20 19:50"))
		var fields queries.FieldErrors
		for _, answer := range []string{" ", "\u3164"} {
			if _, err := db.Attendance.DecideCorrection(t.Context(), by, scope, second.ID, attendance.CorrectionDecision{Answer: answer}); !errors.As(err, &fields) || fields["answer"] != "record.answer.required" {
				t.Errorf("refused without an answer: %v", err)
			}
		}
		before := len(queriestest.Messages(t, db, queriestest.Hanbit, 0))
		if _, err := db.Attendance.DecideCorrection(t.Context(), by, scope, second.ID, attendance.CorrectionDecision{Answer: "기록이 맞습니다."}); err != nil {
			t.Fatal(err)
		}
		messages := queriestest.Messages(t, db, queriestest.Hanbit, 0)
		if len(messages) != before+1 || messages[before].Type != "attendance.correction_refused" || !strings.Contains(string(messages[before].Payload), "기록이 맞습니다.") {
			t.Errorf("messages: %+v", messages[before:])
		}
		if got := dayOf(t, db, queriestest.Kim, friday); got != "[late 09:34 19:20 526]" {
			t.Errorf("a refusal changed the record: %s", got)
		}
	})
	t.Run("withdrawn", func(t *testing.T) {
		third := asked(t, db, queriestest.Kim, friday, at(t, "2026-11-20 19:50"))
		if err := db.Attendance.WithdrawCorrection(t.Context(), by, third.ID); !errors.Is(err, queries.NotFound) {
			t.Errorf("by somebody else: %v", err)
		}
		mine, _ := editor(t, db, queriestest.Kim)
		if err := db.Attendance.WithdrawCorrection(t.Context(), mine, third.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Attendance.DecideCorrection(t.Context(), by, scope, third.ID, attendance.CorrectionDecision{Approve: true}); !errors.Is(err, queries.Conflict("record.correction.decided")) {
			t.Errorf("approved afterwards: %v", err)
		}
	})
	t.Run("overtaken by an edit", func(t *testing.T) {
		c := asked(t, db, queriestest.Kim, friday, at(t, "2026-11-20 19:50"))
		if err := db.Attendance.EditRecord(t.Context(), by, scope, attendance.RecordEdit{Key: key, Departure: set(at(t, "2026-11-20 19:00")), Reason: "x"}); err != nil {
			t.Fatal(err)
		}
		var conflict *attendance.RecordConflict
		if _, err := db.Attendance.DecideCorrection(t.Context(), by, scope, c.ID, attendance.CorrectionDecision{Approve: true, IfLastEdit: ptr(int64(0))}); !errors.As(err, &conflict) {
			t.Errorf("got %v", err)
		}
		if got := queriestest.LookUp(t, db, "select status from attendance_corrections order by id desc limit 1"); got != attendance.CorrectionPending {
			t.Errorf("the request is %s", got)
		}
	})
}

func TestNobodyDecidesAboutTheirOwn(t *testing.T) {
	db, _ := lateKim(t)
	by, scope := editor(t, db, queriestest.Admin)
	c, err := db.Attendance.RequestCorrection(t.Context(), by, attendance.CorrectionRequest{Key: keyOf(queriestest.Admin, "2026-11-19"), Arrival: ptr(at(t, "2026-11-19 09:00")), Reason: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Attendance.DecideCorrection(t.Context(), by, scope, c.ID, attendance.CorrectionDecision{Approve: true}); !errors.Is(err, queries.NotFound) {
		t.Errorf("got %v", err)
	}
}

func TestRefusedCorrections(t *testing.T) {
	db, c := lateKim(t)
	by, _ := editor(t, db, queriestest.Kim)
	good := attendance.CorrectionRequest{Key: keyOf(queriestest.Kim, friday), Departure: ptr(at(t, "2026-11-20 19:20")), Reason: "x"}
	for name, x := range map[string]struct {
		change func(*attendance.CorrectionRequest)
		want   queries.FieldErrors
	}{
		"without a reason": {func(r *attendance.CorrectionRequest) { r.Reason = " " }, queries.FieldErrors{"reason": "record.reason.required"}},
		"an unseen reason": {func(r *attendance.CorrectionRequest) { r.Reason = "\u3164 \u200b" }, queries.FieldErrors{"reason": "record.reason.required"}},
		"without a change": {func(r *attendance.CorrectionRequest) { r.Departure = ptr(at(t, "2026-11-20 18:02")) }, queries.FieldErrors{"record": "record.unchanged"}},
		"ahead of now":     {func(r *attendance.CorrectionRequest) { r.Departure = ptr(at(t, "2026-11-20 20:30")) }, queries.FieldErrors{"departure": "record.time.future"}},
		"of another day":   {func(r *attendance.CorrectionRequest) { r.Arrival = ptr(at(t, "2026-11-19 20:30")) }, queries.FieldErrors{"arrival": "record.time.outside"}},
		"of eight days ago": {func(r *attendance.CorrectionRequest) {
			r.Key = keyOf(queriestest.Kim, "2026-11-12")
			r.Arrival, r.Departure = ptr(at(t, "2026-11-12 09:00")), nil
		}, queries.FieldErrors{"record": "record.correction.late"}},
		"of tomorrow": {func(r *attendance.CorrectionRequest) {
			r.Key = keyOf(queriestest.Kim, "2026-11-21")
			r.Departure = ptr(at(t, "2026-11-21 09:00"))
		}, queries.FieldErrors{"record": "record.correction.late", "departure": "record.time.future"}},
		"without an arrival": {func(r *attendance.CorrectionRequest) {
			r.Key = keyOf(queriestest.Kim, "2026-11-19")
			r.Departure = ptr(at(t, "2026-11-19 18:00"))
		}, queries.FieldErrors{"arrival": "record.arrival.required"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := good
			x.change(&r)
			var refused queries.FieldErrors
			if _, err := db.Attendance.RequestCorrection(t.Context(), by, r); !errors.As(err, &refused) || !reflect.DeepEqual(refused, x.want) {
				t.Errorf("got %v, not %v", err, x.want)
			}
		})
	}
	t.Run("of somebody else's record", func(t *testing.T) {
		manager, _ := editor(t, db, queriestest.Manager)
		if _, err := db.Attendance.RequestCorrection(t.Context(), manager, good); !errors.Is(err, queries.NotFound) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("where the policy allows none", func(t *testing.T) {
		queriestest.Exec(t, db, `update policy_versions set settings = '{"correction_days": 0}' where company_id = 1 and policy_id = 2`)
		other, err := areas.Open(t.Context(), db.Pool().Config().ConnString(), c.Now)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		var refused queries.FieldErrors
		if _, err := other.Attendance.RequestCorrection(t.Context(), by, good); !errors.As(err, &refused) || refused["record"] != "record.correction.late" {
			t.Errorf("got %v", err)
		}
	})
}

func TestPendingCorrectionsInPages(t *testing.T) {
	db, _ := lateKim(t)
	for _, day := range []string{"2026-11-17", "2026-11-18", "2026-11-19"} {
		by, _ := editor(t, db, queriestest.Kim)
		if _, err := db.Attendance.RequestCorrection(t.Context(), by, attendance.CorrectionRequest{Key: keyOf(queriestest.Kim, day), Arrival: ptr(at(t, day+" 09:00")), Reason: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	_, scope := editor(t, db, queriestest.Manager)
	var days []string
	for at := (*lists.Cursor)(nil); ; {
		page, err := db.Attendance.PendingCorrections(t.Context(), queriestest.Hanbit, scope, at, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Rows {
			days = append(days, c.Key().String())
		}
		if at = page.Next; at == nil {
			break
		}
	}
	if got := fmt.Sprint(days); got != "[6-2026-11-17 6-2026-11-18 6-2026-11-19]" {
		t.Errorf("got %s", got)
	}
}
