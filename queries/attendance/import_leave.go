package attendance

import (
	"context"
	"fmt"
	"strings"

	"officeconsole/importfile"
	"officeconsole/workday"
)

// importLeaves are the kinds of leave by the words of files, without spaces and in
// lower case.
var importLeaves = wordsOf(map[workday.DayType]string{
	workday.Leave: "휴가 연차 연차휴가 월차 종일휴가 전일휴가 병가 공가 경조휴가 경조 출산휴가 육아휴직 대체휴가 보상휴가 특별휴가 생리휴가 예비군 leave annualleave annual vacation dayoffleave paidleave sickleave sick pto " +
		"休暇 有給 有休 年休 有給休暇 年次有給休暇 年次休暇 全休 特別休暇 慶弔休暇 代休 振替休暇 病気休暇 病欠",
	workday.HalfLeaveAM: "오전반차 오전반휴 반차(오전) 반차오전 오전휴가 amhalf halfam amhalfleave halfday(am) halfdayam amleave morningleave morninghalf morningoff half_leave_am " +
		"午前半休 午前休 am半休 半休(午前) 半休am 前半休",
	workday.HalfLeavePM: "오후반차 오후반휴 반차(오후) 반차오후 오후휴가 pmhalf halfpm pmhalfleave halfday(pm) halfdaypm pmleave afternoonleave afternoonhalf afternoonoff half_leave_pm " +
		"午後半休 午後休 pm半休 半休(午後) 半休pm 後半休",
	// What the console computes by itself. Files that say it besides leave are common.
	"": "- na n/a 정상 출근 근무 정상근무 정상출근 평일 지각 조퇴 지각조퇴 결근 휴일 휴무 휴무일 주휴 공휴일 외근 출장 재택 재택근무 연장 야근 normal present work worked working late absent none holiday dayoff off " +
		"通常 出勤 勤務 平日 遅刻 早退 欠勤 休日 公休 祝日 出張 在宅 在宅勤務 残業",
})

func wordsOf(words map[workday.DayType]string) map[string]workday.DayType {
	all := map[string]workday.DayType{}
	for leave, texts := range words {
		for _, text := range strings.Fields(texts) {
			all[text] = leave
		}
	}
	return all
}

// leaveOf returns the leave that a value says, "" for a word that says none. known is
// false for any other text.
func leaveOf(text string) (leave workday.DayType, known bool) {
	key := strings.ToLower(strings.Join(strings.Fields(text), ""))
	key = strings.NewReplacer("（", "(", "）", ")").Replace(key)
	leave, known = importLeaves[key]
	return leave, known || key == ""
}

// Refusals of leave.
const (
	refusedLeave         = "import.attendance.leave"
	refusedLeaveConflict = "import.attendance.leave_conflict"
	refusedLeaveTaken    = "import.attendance.leave_taken"
)

// setLeave sets the leave of a day, and returns the reason to refuse another one.
func (d *clockedDay) setLeave(leave workday.DayType) (reason string) {
	code := codeOf(monthTypes, string(leave))
	if code != 0 && d.leave != 0 && d.leave != code {
		return refusedLeaveConflict
	}
	d.leave = max(d.leave, code)
	return ""
}

func (d *clockedDay) leaveType() workday.DayType { return workday.DayType(wordOf(monthTypes, d.leave)) }

// leaveCell reads the column of leave.
func (f *attendanceReader) leaveCell(day *clockedDay, row importfile.Cells, refuse func(column, reason string) *importfile.Refusal) *importfile.Refusal {
	leave, known := leaveOf(row["leave"])
	reason := refusedLeave
	if known {
		reason = day.setLeave(leave)
	}
	if reason != "" {
		return refuse("leave", reason)
	}
	return nil
}

// clocked reads a time of a day. A word of leave in its stead is the day's leave.
func (f *attendanceReader) clocked(day *clockedDay, text string) (t cellTime, reason string) {
	if leave, known := leaveOf(text); known && leave != "" {
		return 0, day.setLeave(leave)
	}
	t, err := f.time(text, day.date())
	if err != nil {
		return 0, valueReason(err, refusedClock)
	}
	return t, ""
}

// grants returns the leave that users have already.
func (im *importer) grants(ctx context.Context, days []clockedDay) (map[RecordKey]workday.DayType, error) {
	first, last := datesOf(days)
	rows, err := im.grantsBetween(ctx, grantsBetweenParams{im.by.CompanyID, im.idsOf(days), first.Time(), last.Time()})
	granted := make(map[RecordKey]workday.DayType, len(rows))
	for _, g := range rows {
		granted[RecordKey{UserID: g.UserID, Date: workday.DateOf(g.WorkDate)}] = workday.DayType(g.Leave)
	}
	return granted, err
}

// checkLeave marks a day whose leave is to be granted, or returns why it is refused: as
// for leave that somebody enters, the day must be a workday.
func (im *importer) checkLeave(ctx context.Context, day *clockedDay, before workday.DayType) (reason string, err error) {
	if day.leave == 0 || day.leaveType() == before {
		return "", nil
	}
	plan, err := im.plan(ctx, im.key(day))
	switch {
	case err != nil:
		return "", err
	case plan.Type != workday.Workday:
		return string(refusedEditFree), nil
	case before != "":
		return refusedLeaveTaken, nil
	}
	day.granted = true
	return "", nil
}

// grantLeave stores the leave of days.
func (im *importer) grantLeave(ctx context.Context, days []clockedDay) error {
	arg := importGrantsParams{CompanyID: im.by.CompanyID}
	for i := range days {
		if days[i].granted {
			key := im.key(&days[i])
			arg.UserIds, arg.Days, arg.Leaves = append(arg.UserIds, key.UserID), append(arg.Days, key.Date.Time()), append(arg.Leaves, string(days[i].leaveType()))
		}
	}
	if len(arg.Days) == 0 {
		return nil
	}
	if err := im.importGrants(ctx, arg); err != nil {
		return fmt.Errorf("grant leave: %w", err)
	}
	return nil
}

// dropGrants takes back the leave that an import has granted, except for days whose
// leave somebody has edited since.
func (q *Queries) dropGrants(ctx context.Context, row Import, people []importPeopleRow) error {
	arg := dropImportGrantsParams{CompanyID: row.CompanyID}
	if row.ImportedAt != nil {
		arg.Since = *row.ImportedAt
	}
	for _, p := range people {
		for _, on := range p.Granted {
			arg.UserIds, arg.Days = append(arg.UserIds, p.UserID), append(arg.Days, on)
		}
	}
	if len(arg.Days) == 0 {
		return nil
	}
	if err := q.dropImportGrants(ctx, arg); err != nil {
		return err
	}
	return q.deleteEmptyGrants(ctx, deleteEmptyGrantsParams{CompanyID: arg.CompanyID, UserIds: arg.UserIds, Days: arg.Days})
}
