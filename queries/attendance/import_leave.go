package attendance

import (
	"context"
	"fmt"
	"strings"

	"officeconsole/importfile"
	"officeconsole/workday"
)

// importLeaves are the kinds of leave by the words of files, as importfile.Word returns
// them.
var importLeaves = wordsOf(map[workday.DayType]string{
	workday.Leave: "휴가 연차 연차휴가 월차 월차휴가 종일휴가 전일휴가 유급휴가 무급휴가 병가 공가 경조휴가 경조 경조사휴가 결혼휴가 출산휴가 출산전후휴가 배우자출산휴가 육아휴직 육아휴가 휴직 " +
		"대체휴가 대체휴무 대휴 보상휴가 보상휴무 특별휴가 특휴 포상휴가 하계휴가 여름휴가 동계휴가 겨울휴가 생리휴가 보건휴가 가족돌봄휴가 난임치료휴가 리프레시휴가 예비군 예비군훈련 민방위 " +
		"leave annualleave annual vacation dayoffleave paidleave unpaidleave sickleave sick pto specialleave summerleave summervacation compensatoryleave compensatorydayoff substituteholiday comptime " +
		"maternityleave paternityleave parentalleave childcareleave familycareleave bereavementleave menstrualleave " +
		"休暇 有給 有休 年休 有給休暇 年次有給休暇 年次休暇 全休 全日有休 全日休暇 特別休暇 特休 慶弔休暇 慶弔 忌引 忌引休暇 結婚休暇 代休 代替休暇 振替休暇 振替休日 振休 病気休暇 病欠 " +
		"夏季休暇 夏期休暇 夏休み 冬季休暇 冬期休暇 年末年始休暇 生理休暇 産休 産前休暇 産後休暇 産前産後休暇 育休 育児休業 育児休暇 介護休業 介護休暇 看護休暇 子の看護休暇 子の看護等休暇 " +
		"リフレッシュ休暇 誕生日休暇 ボランティア休暇 裁判員休暇 無給休暇 休職",
	workday.HalfLeaveAM: "오전반차 오전반휴 반차(오전) 반차오전 오전휴가 오전연차 amhalf halfam amhalfleave halfday(am) halfdayam halfdayoff(am) amleave morningleave morninghalf morningoff half_leave_am " +
		"午前半休 午前休 午前休暇 午前有休 午前有給 午前年休 午前半日休暇 午前半日有休 am半休 am有休 半休(午前) 半休am 半日有休(午前) 有休(午前) 前半休",
	workday.HalfLeavePM: "오후반차 오후반휴 반차(오후) 반차오후 오후휴가 오후연차 pmhalf halfpm pmhalfleave halfday(pm) halfdaypm halfdayoff(pm) pmleave afternoonleave afternoonhalf afternoonoff half_leave_pm " +
		"午後半休 午後休 午後休暇 午後有休 午後有給 午後年休 午後半日休暇 午後半日有休 pm半休 pm有休 半休(午後) 半休pm 半日有休(午後) 有休(午後) 後半休",
	// What the console computes by itself. Files that say it besides leave are common, as
	// the statuses and kinds of days in its own exports.
	"": "- na n/a 정상 출근 근무 근무일 정상근무 정상출근 평일 지각 조퇴 지각조퇴 지각·조퇴 결근 휴일 휴무 휴무일 주휴 공휴일 휴일근로 휴일근무 휴일출근 출근누락 퇴근누락 근무중 출근전 예정 외근 출장 재택 재택근무 연장 야근 " +
		"normal present work worked working late absent none holiday holidaywork dayoff off workday workingday ontime lateandleftearly leftearly missingarrival missingdeparture notyetin notdue " +
		"通常 正常 出勤 出社 勤務 勤務日 勤務中 出勤前 平日 遅刻 早退 遅刻・早退 欠勤 休日 公休 所定休日 法定休日 法定休日・祝日 祝日 休日出勤 休出 出勤漏れ 退勤漏れ 予定 出張 直行 直帰 在宅 在宅勤務 テレワーク 残業",
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
	if isNoTime(text) {
		return "", true
	}
	leave, known = importLeaves[importfile.Word(text)]
	return leave, known
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

// leaveColumnOf returns the column of a row that says its leave; "" for none.
func leaveColumnOf(row importfile.Cells) string {
	for _, column := range []string{"arrival", "departure", "leave", "status"} {
		if leave, _ := leaveOf(row[column]); leave != "" {
			return column
		}
	}
	return ""
}

// leaveCells reads the columns of leave and status.
func (f *attendanceReader) leaveCells(day *clockedDay, row importfile.Cells, refuse func(column, reason string) *importfile.Refusal) *importfile.Refusal {
	for _, column := range []string{"leave", "status"} {
		leave, known := leaveOf(row[column])
		reason := refusedLeave
		if known {
			reason = day.setLeave(leave)
		}
		if reason != "" {
			return refuse(column, reason)
		}
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
