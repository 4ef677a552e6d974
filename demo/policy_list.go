package demo

import (
	"fmt"
	"strings"
)

// communicationDrafts returns the communication policies of the demo company
// besides the default one. Addresses are from the ranges that are reserved for
// documentation.
func (c *Company) communicationDrafts() []draft {
	const office = `"allowed_ip_ranges":[{"location_name":"본사","range":"203.0.113.0/25"},{"location_name":"연구동","range":"198.51.100.10-198.51.100.60"}]`
	const wording = `"retraction_wording":{"ko":"회수된 메시지입니다.","en":"This message was retracted.","ja":"メッセージを取り消しました。"}`
	partners := c.partners(27)
	atSupport := partners[:min(4, len(partners))]
	contractors := partners[len(atSupport):]
	return []draft{
		{name: "연구소 보안 정책", description: "소스 유출 방지 · 허용 IP에서만 저장", age: 2, owner: admin,
			departments: []string{"플랫폼팀", "메신저팀", "보안개발팀"},
			settings:    `{"file_save_ip_mode":"listed","file_save":{"pc":"allow","web":"view_only","mobile":"block","mobile_web":"block"},` + office + `}`,
			history: []change{
				{before: 96, by: admin, settings: `{"file_save":{"pc":"allow","web":"view_only","mobile":"view_only","mobile_web":"view_only"}}`, reason: "모바일 저장 차단"},
				{before: 31, by: personnel, settings: `{"file_save":{"pc":"allow","web":"view_only","mobile":"block","mobile_web":"block"}}`, reason: "보안 점검 결과 반영"},
			},
			plan: &plan{days: 11, by: admin, reason: "망 분리 일정에 맞춤",
				settings: `{"file_save_ip_mode":"listed","file_save":{"pc":"view_only","web":"block","mobile":"block","mobile_web":"block"},"watermark":{"pc":true,"mobile":true},` + office + `}`}},
		{name: "영업본부 외근 정책", description: "모바일 중심 · 로그인 유지 60일", age: 8, owner: salesHead,
			departments: []string{"국내영업실", "해외영업실"},
			settings:    `{"mobile_session_days":60,"concurrent_sessions":{"pc":1,"web":1,"mobile":2}}`,
			history:     []change{{before: 64, by: salesHead, settings: `{"mobile_session_days":45}`, reason: "외근자 재로그인 불편 개선"}}},
		{name: "고객지원센터 상담 정책", description: "읽음 확인 모두 표시 · 읽은 메시지 회수 불가", age: 17, owner: supervisor,
			departments: []string{"고객지원센터"}, people: atSupport,
			settings: `{"read_receipt":"everyone","retraction_mode":"until_any_read","retraction_limit_min":5}`,
			history: []change{
				{before: 120, by: admin, settings: `{"read_receipt":"everyone"}`, reason: "상담 이력 보존"},
				{before: 22, by: personnel, settings: `{"read_receipt":"everyone","retraction_mode":"until_any_read"}`, reason: "회수 가능 시간 제한"},
			}},
		{name: "일본지사 정책", description: "일본어 회수 문구 · 근무 외 메시지 보류", age: 24, ownerDepartment: "일본지사",
			departments: []string{"일본지사"},
			settings:    `{` + wording + `,"off_hours":"notice"}`,
			history:     []change{{before: 75, by: admin, settings: `{` + wording + `}`, reason: "근무 외 메시지 안내"}},
			plan:        &plan{days: 3, hour: 9, by: personnel, reason: "勤務時間外の通知を保留", settings: `{` + wording + `,"off_hours":"hold"}`}},
		{name: "협력사 계정 정책", description: "대화 범위를 소속 부서로 제한", age: 37, owner: admin, people: contractors,
			settings: `{"chat_scope":"own_department_tree","file_send":{"pc":true,"web":false,"mobile":false,"mobile_web":false},"session_time_sec":1800}`},
		{name: "디자인실 대용량 파일", description: "파일 최대 크기 2,048MB", age: 59, ownerDepartment: "디자인실",
			departments: []string{"디자인실"}, settings: `{"file_max_mb":2048}`,
			history: []change{
				{before: 140, by: personnel, settings: `{"file_max_mb":1024}`, reason: "영상 시안 공유"},
				{before: 31, by: admin, settings: `{"file_max_mb":2048}`, reason: "원본 영상 납품"},
				{before: 4, by: admin, settings: `{"file_max_mb":4096}`, reason: "파일 서버 용량 부족", undone: true},
			}},
		{name: "감사 대응 정책", description: "워터마크 적용 · 모바일 캡처 차단", age: 101, disabled: true,
			settings: `{"watermark":{"pc":true,"mobile":true},"mobile_capture":false}`},
		{name: "임원 정책", description: "앱 잠금 필수 · 세션 30분", age: 44, owner: admin, people: c.executives(),
			settings: `{"screen_lock":"required","session_time_sec":1800,"concurrent_sessions":{"pc":2,"web":1,"mobile":2}}`},
		{name: "인사실 개인정보 정책", description: "개인정보 파일의 모바일 저장 차단", age: 13, owner: personnel,
			departments: []string{"인사실"},
			settings:    `{"file_save":{"pc":"allow","web":"allow","mobile":"block","mobile_web":"block"},"mobile_copy":false,"auto_login":{"pc":false,"mobile":false}}`},
		{name: "재무실 접속 제한", description: "본사 회선에서만 접속", age: 28, ownerDepartment: "재무실",
			departments: []string{"재무실"},
			settings:    `{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"본사 재무실","range":"203.0.113.128/27"}]}`},
		{name: "야간상담팀 정책", description: "교대 중 로그아웃 방지 · 세션 8시간", age: 6, owner: supervisor,
			departments: []string{"야간상담팀"}, settings: `{"read_receipt":"everyone","session_time_sec":28800}`},
		{name: "부산지사 정책", description: "부산 회선 등록 · 실행 파일 전송 차단", age: 66, ownerDepartment: "부산지사",
			departments: []string{"부산지사"},
			settings:    `{"file_ext_mode":"except","file_exts":["exe","bat","msi","scr"],"allowed_ip_ranges":[{"location_name":"부산","range":"192.0.2.*"}],"file_save_ip_mode":"listed"}`},
		{name: "선행기술팀 촬영 제한", description: "모바일 캡처와 복사 차단 · 워터마크", age: 5, owner: admin,
			departments: []string{"선행기술팀"},
			settings:    `{"mobile_capture":false,"mobile_copy":false,"watermark":{"pc":true,"mobile":true}}`},
	}
}

// Where people clock in: addresses, and circles on the map.
const (
	officeRanges = `"ip_ranges":[{"location_name":"본사","range":"203.0.113.1-203.0.113.126"},{"location_name":"연구동","range":"198.51.100.10-198.51.100.60"},{"location_name":"부산지사","range":"192.0.2.1-192.0.2.62"}]`
	salesPlaces  = `{"name":"강남 거점오피스","lat":37.4979,"lng":127.0276,"radius_m":200},{"name":"부산지사","lat":35.1796,"lng":129.0756,"radius_m":200}`
	japanPlaces  = `"places":[{"name":"東京オフィス","lat":35.6812,"lng":139.7671,"radius_m":200},{"name":"大阪オフィス","lat":34.7025,"lng":135.4959,"radius_m":200}]`
)

// workingAttitudeDrafts returns the working attitude policies besides the
// default one.
func (c *Company) workingAttitudeDrafts() []draft {
	return []draft{
		{name: "연구소 유연근무", description: "07:00-10:00 출근, 코어 타임 10:00-16:00", age: 33, owner: personnel,
			departments: []string{"연구소"},
			settings:    `{"work_type":"flexible","flexible_start":{"from":"07:00","to":"10:00"},"core_time":{"from":"10:00","to":"16:00"},"clock_platforms":["pc","web","mobile"],` + officeRanges + `}`,
			history:     []change{{before: 180, by: personnel, settings: `{"work_type":"flexible",` + officeRanges + `}`, reason: "코어 타임 조정"}}},
		{name: "상담실 주간 교대", description: "월-토 08:00-17:00, 연장근무는 승인 후 인정", age: 52, owner: personnel,
			departments: []string{"상담실"}, settings: `{"week":` + weekdays("08:00", "17:00", true) + `,"grace_in_min":5,"remind_in":10,"overtime":"approved","ip_mode":"listed",` + officeRanges + `}`},
		{name: "야간상담팀 야간근무", description: "22:00-07:00, 휴게 02:00-03:00", age: 52, owner: personnel,
			departments: []string{"야간상담팀"},
			settings:    `{"week":` + weekdays("22:00", "07:00", false) + `,"breaks":[{"from":"02:00","to":"03:00"}],` + officeRanges + `}`},
		{name: "보안 관제 야간근무", description: "월-토 22:00-07:00, 휴게 02:00-03:00, 본사에서만", age: 140, owner: personnel,
			people: c.guards(), settings: `{"week":` + weekdays("22:00", "07:00", true) + `,"breaks":[{"from":"02:00","to":"03:00"}],"ip_mode":"listed",` + officeRanges + `}`},
		{name: "일본지사 근무제", description: "도쿄 시간대 · 일본 휴일", age: 90, ownerDepartment: "일본지사",
			departments: []string{"일본지사"}, settings: `{"timezone":"Asia/Tokyo","holiday_calendar":"JP","gps_mode":"record","ip_ranges":[{"location_name":"東京オフィス","range":"192.0.2.65-192.0.2.126"}],` + japanPlaces + `}`},
		{name: "영업본부 외근 근무제", description: "외근은 사유와 함께 · 위치 확인", age: 21, owner: salesHead,
			departments: []string{"국내영업실", "해외영업실"},
			settings:    `{"overtime":"approved","gps_mode":"require","ip_mode":"listed",` + officeRanges + `,"places":[{"name":"본사","lat":37.5665,"lng":126.978,"radius_m":300},` + salesPlaces + `]}`,
			history: []change{{before: 110, by: salesHead, reason: "위치 확인 시작",
				settings: `{"overtime":"approved","gps_mode":"record",` + officeRanges + `,"places":[{"name":"본사","lat":37.5665,"lng":126.978,"radius_m":300}]}`}},
			plan: &plan{days: 9, by: salesHead, reason: "거래처 방문 증가",
				settings: `{"overtime":"approved","gps_mode":"record","grace_in_min":10,` + officeRanges + `,"places":[{"name":"본사","lat":37.5665,"lng":126.978,"radius_m":500},` + salesPlaces + `]}`}},
		{name: "임원 자율근무", description: "출퇴근 시간을 정하지 않음", age: 130, owner: admin, people: c.executives(),
			settings: `{"work_type":"free","overtime":"none",` + officeRanges + `}`},
	}
}

// weekdays returns the value of the setting "week" with the same hours from
// Monday to Friday, or to Saturday.
func weekdays(start, end string, saturday bool) string {
	days := make([]string, 0, 7)
	for i, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		kind := "work"
		switch {
		case day == "sun":
			kind = "weekly_holiday"
		case i == 5 && !saturday:
			kind = "day_off"
		}
		days = append(days, fmt.Sprintf(`%q:{"kind":%q,"start":%q,"end":%q,"end_next_day":%t}`, day, kind, start, end, end < start))
	}
	return "{" + strings.Join(days, ",") + "}"
}
