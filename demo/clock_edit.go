package demo

import (
	"time"

	"officeconsole/workday"
)

// lapse is what goes wrong on a day of the documented employee, so that this
// account shows each kind of correction.
type lapse byte

const (
	none lapse = iota
	late
	forgotten
)

// The documented employee, and the number of workdays before today on which
// something happens.
const (
	employee       = "employee@" + Host
	lateDay        = 3
	askedDay       = 5  // a forgotten departure with a pending correction
	editedDay      = 8  // one that the head of the division entered
	approvedDay    = 12 // one whose correction was approved
	refusedDay     = 16 // one whose correction was refused
	correctionDays = 7  // of the policies
)

func (k *clocker) lapse() lapse {
	if k.person.Email != employee || k.plan.Type != workday.Workday || k.plan.End.IsZero() {
		return none
	}
	switch k.daysAgo() {
	case lateDay:
		return late
	case askedDay, editedDay, approvedDay, refusedDay:
		return forgotten
	}
	return none
}

// daysAgo returns the number of workdays from the date until today.
func (k *clocker) daysAgo() int {
	today, count := workday.DateOf(k.today), 0
	for _, d := range k.all.Days {
		if d.Date > k.plan.Date && d.Date <= today && d.Type() == workday.Workday {
			count++
		}
	}
	return count
}

// settle makes up what people do about a day afterwards: edits, corrections and
// views.
func (k *clocker) settle(l lapse, in time.Time, forgot bool) {
	seen, soon := k.seen()
	if !soon {
		return
	}
	if l != none {
		k.settleEmployee(in, seen)
		return
	}
	chance := k.Float64()
	switch missed := k.plan.Start.Before(in); {
	case forgot && k.plan.End.IsZero():
	case forgot && chance < 0.42:
		k.edit(workday.FieldDeparture, nil, k.left(), seen, oneOf(chance/0.42, "퇴근 체크 누락 확인", "동료 확인 후 입력", "출입 기록으로 확인"))
	case forgot && chance < 0.62:
		k.ask("approved", nil, k.left(), seen)
	case forgot && chance < 0.68:
		k.ask("refused", nil, k.left(), seen)
	case forgot && workday.DateOf(k.today)-k.plan.Date <= correctionDays:
		k.ask("pending", nil, k.left(), seen)
	case missed && k.plan.Policy.WorkType == workday.Fixed && chance < 0.06 && k.plan.Type == workday.Workday:
		k.edit(workday.FieldArrival, &in, k.plan.Start.Add(-2*time.Minute), seen, oneOf(chance/0.06, "지하철 지연 확인서 제출", "오전 외근 확인", "단말기 오류 확인"))
	case chance > 0.998:
		k.view(k.responsible(), seen)
	}
}

// seen returns when somebody opens the record, and whether that is in the past.
func (k *clocker) seen() (time.Time, bool) {
	at := k.plan.Date.At(24*60+9*60+10+k.IntN(460), seoul)
	return at, !at.After(k.now)
}

// excuse makes up the edit of a day on which the person did not come: some were
// ill.
func (k *clocker) excuse() {
	if seen, soon := k.seen(); soon && k.happens(0.4) {
		k.day.Leave = workday.Leave
		k.note(Edit{Field: "leave", To: string(workday.Leave), At: seen, Reason: "병가 신청서 제출"})
	}
}

// strike makes up the deletion of the record of a night call that was none.
func (k *clocker) strike() {
	if seen, soon := k.seen(); soon {
		k.note(Edit{Extra: true, Field: "deleted", From: "false", To: "true", At: seen, Reason: "시험 체크로 확인되어 삭제"})
	}
}

func (k *clocker) settleEmployee(in, seen time.Time) {
	switch k.daysAgo() {
	case lateDay:
		k.view(salesHead, seen)
	case askedDay:
		k.ask("pending", nil, k.left(), seen)
	case editedDay:
		k.edit(workday.FieldDeparture, nil, k.left(), seen, "퇴근 체크 누락 확인")
	case approvedDay:
		k.ask("approved", nil, k.left(), seen)
	case refusedDay:
		k.ask("refused", nil, k.left(), seen)
	}
}

// left returns when a person who forgot to clock out claims to have left.
func (k *clocker) left() time.Time {
	end := k.plan.End
	if k.plan.Policy.WorkType == workday.Flexible {
		end = end.Add(-30 * time.Minute)
	}
	return end.Add(time.Duration(k.IntN(25)) * time.Minute)
}

func (k *clocker) edit(field workday.Field, old *time.Time, to, at time.Time, reason string) {
	k.note(Edit{Field: string(field), Old: old, New: &to, At: at, Reason: reason})
	k.day.Edits = append(k.day.Edits, workday.Edit{At: at, Field: field, Old: old, New: &to, Reason: reason})
}

// note adds an edit of the date's record by the responsible person, and a view
// before it.
func (k *clocker) note(e Edit) {
	e.Date, e.By, e.Correction = k.plan.Date, k.responsible(), -1
	k.view(e.By, e.At.Add(-time.Minute))
	k.all.Edits = append(k.all.Edits, e)
}

// ask adds a correction with its answer. It is still pending if nobody could
// have answered it yet.
func (k *clocker) ask(status string, arrival *time.Time, departure, at time.Time) {
	r := Correction{Date: k.plan.Date, Arrival: arrival, Departure: &departure, Status: status, Created: at,
		Reason: oneOf(k.Float64(), "퇴근 체크를 잊었습니다", "회의가 길어져 퇴근을 누르지 못했습니다", "휴대폰 배터리가 방전되었습니다", "외부 회의 후 바로 귀가했습니다")}
	answered := at.Add(k.minutes(40, 1500))
	if answered.After(k.now) {
		r.Status = "pending"
	}
	if r.Status == "pending" {
		k.all.Corrections = append(k.all.Corrections, r)
		return
	}
	r.Decided, r.By = &answered, k.responsible()
	if r.Status == "refused" {
		r.Answer = "출입 기록과 시간이 다릅니다. 확인 후 다시 신청해 주세요."
	}
	k.all.Corrections = append(k.all.Corrections, r)
	if r.Status == "approved" {
		k.edit(workday.FieldDeparture, nil, departure, answered, r.Reason)
		k.all.Edits[len(k.all.Edits)-1].Correction = len(k.all.Corrections) - 1
	} else {
		k.view(r.By, answered.Add(-time.Minute))
	}
}

// view adds a view of the date's record. There is one for each date, with the
// latest time.
func (k *clocker) view(by int, at time.Time) {
	if last := len(k.all.Views) - 1; last >= 0 && k.all.Views[last].Date == k.plan.Date {
		k.all.Views[last].At = at
		return
	}
	k.all.Views = append(k.all.Views, View{Date: k.plan.Date, By: by, At: at})
}

// responsible returns who edits the person's records: the head of the person's
// division or, without one, the personnel manager; for that manager's own
// records the administrator.
func (k *clocker) responsible() int {
	if len(k.named) < japanHead {
		return admin
	}
	by := personnel
	for number := k.person.Department; number > 0; number = k.Departments[number-1].Parent {
		switch k.Departments[number-1].Name {
		case "고객지원센터":
			by = editing
		case "영업본부":
			by = salesHead
		case "일본지사":
			by = japanHead
		}
	}
	switch {
	case by != k.person.Number:
		return by
	case by == personnel:
		return admin
	}
	return personnel
}

// oneOf returns one of some texts by a random number from 0 to 1.
func oneOf(chance float64, texts ...string) string {
	return texts[min(int(chance*float64(len(texts))), len(texts)-1)]
}
