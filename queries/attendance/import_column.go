package attendance

import "officeconsole/importfile"

// ImportColumns are the columns of a file with a row for each user and day. A name only
// helps people to read the file. A status has the words of a leave.
var ImportColumns = []string{"employee_id", "work_date", "arrival", "departure", "device", "place", "name", "leave", "status"}

// importAliases are other headings of ImportColumns. Those of "" are not read: they are
// the department, which the console knows, and what it computes by itself, as in its
// own exports.
var importAliases = importfile.AliasesOf(map[string]string{
	"employee_id": "사번 사원번호 직원번호 社員番号 従業員番号 社員コード 社員id employeeid employeenumber employeeno",
	"name":        "이름 성명 사원명 氏名 名前 社員名",
	"work_date":   "날짜 일자 근무일 근무일자 근무날짜 日付 勤務日 年月日 出勤日 date workdate",
	"arrival":     "출근 출근시간 출근시각 出勤 出勤時間 出勤時刻 出社 出社時間 出社時刻 始業 始業時間 始業時刻 clockin",
	"departure":   "퇴근 퇴근시간 퇴근시각 退勤 退勤時間 退勤時刻 退社 退社時間 退社時刻 終業 終業時間 終業時刻 clockout",
	"device":      "기기 단말 단말기 端末 デバイス",
	"leave": "휴가 휴가구분 휴가종류 휴가유형 근태구분 근태종류 근태유형 근태 날짜구분 休暇 休暇区分 休暇種別 休暇種類 勤怠区分 勤怠種別 日の区分 " +
		"leavetype leavekind absence absencetype daytype",
	"status": "상태 근태상태 状態 勤怠状況",
	"place":  "장소 근무지 출근장소 위치 場所 勤務地 勤務場所 location",
	"": "부서 소속 소속부서 근무시간 휴게 연장 휴일(8시간까지) 휴일(8시간초과) 야간 정산잔여 지각시간 조퇴시간 표시 수정자 수정사유 수정일시 " +
		"部署 所属 所属部署 勤務時間 休憩 時間外 休日(8時間まで) 休日(8時間超) 深夜 清算残高 遅刻時間 早退時間 フラグ 特記事項 修正者 修正理由 修正日時 " +
		"department worked break overtime holiday(to8h) holiday(over8h) night balance lateby leftearlyby flags editedby editreason editedat",
})

// importColumns are the columns of a file, of which chosen were chosen.
func importColumns(chosen map[string]string) importfile.Columns {
	return importfile.Columns{Names: ImportColumns, Required: ImportColumns[:4], Aliases: importAliases, Chosen: chosen}
}

// devices are the platforms of clock events by the words of files, as importfile.Word
// returns them.
var devices = map[string]string{
	"": "", "pc": "pc", "web": "web", "mobile": "mobile", "mobile_web": "mobile_web",
	"웹": "web", "모바일": "mobile", "모바일웹": "mobile_web", "ウェブ": "web", "モバイル": "mobile", "モバイルウェブ": "mobile_web", "モバイルweb": "mobile_web", "mobileweb": "mobile_web",
}
