package attendance

import (
	"strings"

	"officeconsole/importfile"
)

// ImportColumns are the columns of a file with a row for each user and day. A name only
// helps people to read the file.
var ImportColumns = []string{"employee_id", "work_date", "arrival", "departure", "device", "place", "name", "leave"}

// importAliases are other headings of ImportColumns.
var importAliases = aliasesOf(map[string]string{
	"employee_id": "사번 사원번호 직원번호 社員番号 従業員番号 社員コード employeeid employeenumber employeeno",
	"name":        "이름 성명 사원명 氏名 名前 社員名",
	"work_date":   "날짜 일자 근무일 근무일자 근무날짜 日付 勤務日 年月日 出勤日 date workdate",
	"arrival":     "출근 출근시간 출근시각 出勤 出勤時間 出勤時刻 始業時刻 clockin",
	"departure":   "퇴근 퇴근시간 퇴근시각 退勤 退勤時間 退勤時刻 終業時刻 clockout",
	"device":      "기기 단말 단말기 端末 デバイス",
	"leave":       "휴가 휴가구분 휴가종류 휴가유형 근태구분 근태종류 근태유형 근태 休暇 休暇区分 休暇種別 休暇種類 勤怠区分 勤怠種別 leavetype leavekind absence absencetype",
	"place":       "장소 근무지 출근장소 場所 勤務地 勤務場所",
})

func aliasesOf(headings map[string]string) map[string]string {
	all := map[string]string{}
	for name, others := range headings {
		for _, heading := range strings.Fields(others) {
			all[heading] = name
		}
	}
	return all
}

// importColumns are the columns of a file, of which chosen were chosen.
func importColumns(chosen map[string]string) importfile.Columns {
	return importfile.Columns{Names: ImportColumns, Required: ImportColumns[:4], Aliases: importAliases, Chosen: chosen}
}

// devices are the platforms of clock events by the words of files, in lower case.
var devices = map[string]string{
	"": "", "pc": "pc", "web": "web", "mobile": "mobile", "mobile_web": "mobile_web",
	"웹": "web", "모바일": "mobile", "모바일웹": "mobile_web", "ウェブ": "web", "モバイル": "mobile", "モバイルウェブ": "mobile_web",
}
