package demo

import "time"

// Link is a common link. Banner is the name of a drawing; "" for none.
type Link struct {
	Name, Description, URL string
	Visible, IconVisible   bool
	Banner                 string
	Created                time.Time
	Hidden                 time.Time // when a link that is not visible was hidden
}

// ServiceChange is a change of the services that the messenger shows: a service
// is hidden on platforms, or moved directly after another one.
type ServiceChange struct {
	ID       string
	HiddenOn []string // of link.Platforms
	After    string   // id of the other service; "" if it is not moved
	At       time.Time
}

// linkDraft is a link as it is written in the lists of this package. Links are
// visible, and without the service icon, unless it says otherwise.
type linkDraft struct {
	name, description, url string
	banner                 string
	icon, hidden           bool
}

// hanbitLinks are the links of the demo company: what everybody uses every day,
// then requests, daily life, learning, the tools of some teams, and reports.
var hanbitLinks = []linkDraft{
	{"그룹웨어", "전자결재, 메일, 일정, 게시판", "https://gw.{host}/", "windows", true, false},
	{"인사 포털", "급여 명세, 연차, 평가, 발령 이력", "https://hr.{host}/my", "people", true, false},
	{"전화번호부", "부서와 담당 업무로 연락처 찾기", "https://org.{host}/contacts", "", true, false},
	{"회의실 예약", "본사와 연구동의 회의실 32곳", "https://room.{host}/today", "rooms", true, false},
	{"IT 헬프데스크", "장비 고장, 계정, 소프트웨어 설치 문의", "https://help.{host}/new?from=messenger", "speech", true, false},
	{"증명서 발급", "재직, 경력, 원천징수 증명서를 바로 출력", "https://hr.{host}/certificates", "certificate", false, false},
	{"법인카드", "사용 내역 확인과 영수증 제출", "https://corporate.narubank.example/card/login?company={host}", "card", true, false},
	{"출장 신청", "국내외 출장 신청과 여비 정산", "https://gw.{host}/trip/new", "route", false, false},
	{"자산 관리", "노트북, 모니터 등 지급 장비 조회와 반납", "https://asset.{host}/mine", "", false, false},
	{"구내식당", "이번 주 식단과 혼잡도", "https://www.bapsang-catering.example/hanbit/menu", "plate", true, false},
	{"통근 버스", "노선, 정류장, 실시간 위치와 좌석 예약", "https://bus.{host}/live", "wheels", true, false},
	{"주차 등록", "방문 차량과 정기 주차 신청", "https://parking.{host}:8443/visit", "parking", false, false},
	{"택배 조회", "사내 우편실에 도착한 택배 확인", "https://post.{host}/parcels", "parcel", false, false},
	{"한빛 복지몰", "복지 포인트로 이용하는 임직원 전용 쇼핑몰", "https://mall.goeun-benefit.example/?partner={host}", "bags", true, false},
	{"건강검진 예약", "올해 검진 대상 확인과 병원 예약", "https://checkup.saesol-clinic.example/reserve?group={host}", "pulse", false, false},
	{"사내 도서관", "도서 1만 2천 권과 전자책 대출", "https://library.{host}/", "books", false, false},
	{"사내 강의", "직무, 외국어, 리더십 온라인 과정", "https://hanbit.baeum-campus.example/courses", "sunrise", false, false},
	{"보안 교육", "전 직원 필수 과정, 연 2회 이수", "https://edu.{host}/security", "lock", true, false},
	{"코드 저장소", "소스 코드와 코드 리뷰", "https://git.{host}/", "branches", false, false},
	{"CI 대시보드", "빌드와 배포 현황", "https://ci.{host}/overview", "steps", false, false},
	{"디자인 시스템", "컴포넌트, 색상, 아이콘 지침", "https://design.{host}/", "figures", false, false},
	{"고객 지원 콘솔", "문의 접수와 상담 이력", "https://console.dapbyeon-desk.example/agents", "", false, false},
	{"영업 CRM", "고객사, 견적, 계약 관리", "https://hanbit.salim-crm.example/pipeline", "rise", false, false},
	{"협력사 포털", "발주와 대금 지급 조회", "https://partner.{host}/", "", false, true},
	{"한빛 소식지", "이달의 인물, 신제품 출시 뒷이야기", "https://news.{host}/latest", "news", false, false},
	{"동호회", "동호회 41곳 소개와 가입 신청", "https://club.{host}/", "circles", false, false},
	{"채용 추천", "지인 추천 채용, 상반기 모집 종료", "https://recruit.{host}/referral", "choice", false, true},
	{"안전 신고", "사업장의 위험 요소를 사진과 함께 신고", "https://safety.{host}/report", "", false, false},
	{"윤리 제보", "익명 제보, 외부 기관에서 운영", "https://hotline.baro-ethics.example/hanbit", "", false, true},
	{"해외 출장 안전", "국가별 여행 경보와 긴급 연락처", "https://travel.{host}/safety", "waves", false, true},
}

var otherLinks = []linkDraft{
	{"그룹웨어", "결재와 게시판", "https://gw.{host}/", "", true, false},
	{"인사 시스템", "연차와 급여 명세", "https://hr.{host}/", "", false, false},
	{"점심 식당 지도", "", "https://map.dongne.example/list/8214", "", false, false},
}

// links returns drafts as links that were created one after another up to some
// days ago.
func (c *Company) links(drafts []linkDraft) []Link {
	links := make([]Link, len(drafts))
	for i, d := range drafts {
		links[i] = Link{
			Name: d.name, Description: d.description, URL: d.url, Visible: !d.hidden, IconVisible: d.icon, Banner: d.banner,
			Created: c.officeTime(3 + 11*(len(drafts)-1-i)), Hidden: c.officeTime(2 + 5*(len(drafts)-1-i)),
		}
	}
	return links
}

// hanbitServices returns the changes of services by the demo company, the oldest
// first.
func (c *Company) hanbitServices() []ServiceChange {
	return []ServiceChange{
		{ID: "remote_support", HiddenOn: []string{"web"}, At: c.officeTime(203)},
		{ID: "poll", HiddenOn: []string{"mobile"}, At: c.officeTime(131)},
		{ID: "work_clock", After: "mail", At: c.officeTime(88)},
		{ID: "translation", HiddenOn: []string{"pc", "web", "mobile"}, At: c.officeTime(45)},
		{ID: "drive", HiddenOn: []string{"mobile"}, At: c.officeTime(19)},
	}
}

// officeTime returns a time between 09:00 and 17:00 on the date a number of days
// before today.
func (c *Company) officeTime(days int) time.Time {
	return c.today.AddDate(0, 0, -days).Add(time.Duration(9*60+days*37%480) * time.Minute)
}
