package demo

import (
	"fmt"
	"time"
)

// Notice is a notice of a company.
type Notice struct {
	Title, Body string
	Author      int       // number of a person
	Departments []int     // with those below them; none for everyone
	Created     time.Time // also its publication, unless it is reserved
	Reserved    time.Time // zero for a notice that was published at once
	Files       []NoticeFile
	Interest    float64 // share of its people who read it in the end
}

// NoticeFile is a file of a notice. Its content is drawn from its name.
type NoticeFile struct{ Name, Content string }

// noticeDraft is a notice as it is written in the lists of this package: days is
// how long ago it was published, or negative how many days ahead it is reserved.
type noticeDraft struct {
	days         int
	author       int
	target       string // name of a department; "" for everyone
	title, body  string
	files        string // names, separated by "; "
	interestRate float64
}

// hanbitNotices are the notices of the demo company, the latest first.
var hanbitNotices = []noticeDraft{
	{-6, personnel, "", "연말 전사 행사 안내", "12월 **마지막 금요일** 오후 4시에 본사 1층 강당에서 엽니다.\n\n- 16:00 올해의 한빛인 시상\n- 17:00 저녁 식사\n\n> 재택 근무자는 화상으로 참여할 수 있습니다.", "행사 순서.pdf; 좌석 배치.csv", 0},
	{-2, salesHead, "영업본부", "영업본부 4분기 실적 마감 일정", "# 마감 일정\n**12월 11일 18:00**까지 CRM 입력을 마쳐 주세요.\n이후에는 영업기획팀 승인이 있어야 고칠 수 있습니다.\n\n- 국내영업팀: 12월 9일 중간 점검\n- 해외영업팀: 12월 10일, 환율은 11월 30일 기준\n\n| 항목 | 담당 |\n| --- | --- |\n| 매출 | 정하윤 |\n| 수금 | 오세진 |", "4분기 마감 체크리스트.csv; CRM 입력 안내.pdf; 환율표.csv", 0},
	{-1, admin, "", "메신저 정기 점검", "새벽 2시부터 **40분 동안** 파일 전송이 멈춥니다. 대화와 통화는 그대로 쓸 수 있습니다.", "점검 범위.txt", 0},
	{0, admin, "", "의심스러운 메일이 늘고 있습니다", "택배 회사를 사칭한 메일의 첨부 파일을 열지 마세요. 받았다면 [보안 신고](https://help.hanbit.example/security)로 전달해 주세요.", "사칭 메일 사례.pdf", 0.86},
	{3, admin, "", "하반기 정보보호 서약서 제출 안내", "11월 30일까지 전자서명으로 제출해 주세요.\n\n1. 그룹웨어 > 서약서\n2. 내용 확인\n3. 전자서명", "서약서 안내.pdf; 자주 묻는 질문.txt; 제출 방법.pdf; 대상자.csv", 0.82},
	{4, personnel, "연구소", "판교 연구동 주차장 공사", "지하 2층 진입로를 12월 4일까지 막습니다. 그동안 지하 1층과 옥외 주차장을 써 주세요.", "공사 구간.pdf; 대체 주차장.txt", 0.95},
	{8, personnel, "", "건강검진 예약 마감이 다가옵니다", "예약하지 않은 분은 12월 11일까지 예약해 주세요. ~~전화 예약~~은 받지 않습니다.", "검진 기관.csv; 문진표.pdf", 0.91},
	{9, japanHead, "일본지사", "日本支社 年末調整のご案内", "11月27日までに申告書をご提出ください。\n\n- 扶養控除等申告書\n- 保険料控除申告書", "申告書の書き方.pdf; 提出先.txt; 控除一覧.csv", 0.7},
	{11, salesHead, "영업본부", "신규 견적 양식 사용 안내", "이번 달부터 견적서는 새 양식만 받습니다. 이전 양식은 CRM에서 사라집니다.", "견적 양식.csv", 0.88},
	{12, admin, "", "Two-step sign-in for overseas trips", "From next month, signing in from abroad asks for a **second step**. Please register your phone before you travel.", "Setup guide.pdf", 0.64},
	{13, personnel, "", "11월 급여명세서 발송", "인사 포털에서 확인해 주세요.", "", 0.96},
	{17, personnel, "", "가을 체육대회 결과와 사진", "사진은 2주 동안 내려받을 수 있습니다. 우승은 **연구소**입니다.", "종목별 결과.csv; 사진 목록.txt", 0.62},
	{22, salesHead, "고객지원센터", "고객지원센터 상담 스크립트 개정 (v12)", "환불 규정 문구가 바뀌었습니다. 이번 주 상담부터 적용합니다.", "상담 스크립트 v12.pdf", 1},
	{24, personnel, "", "10월 급여명세서 발송", "인사 포털에서 확인해 주세요.", "", 0.95},
	{26, admin, "연구소", "소스 저장소 접근 권한 재확인", "퇴사자와 부서 이동자의 권한을 정리합니다. 팀장은 목록을 확인해 주세요.", "권한 목록.csv", 0.9},
	{31, personnel, "", "법정 의무 교육 수강 안내", "개인정보 보호, 성희롱 예방 교육을 12월까지 이수해 주세요.", "교육 일정.csv", 0.85},
	{33, salesHead, "", "신제품 ‘한빛 미팅 3’ 출시", "회의록을 자동으로 정리해 줍니다. 사내에서 먼저 써 보고 의견을 남겨 주세요.", "소개 자료.pdf", 0.78},
	{36, personnel, "", "사내 식당 운영 시간 변경", "점심은 11:20부터 13:20까지입니다.", "", 0.83},
	{40, japanHead, "일본지사", "東京オフィス移転のお知らせ", "来月1日から新しいオフィスで業務を開始します。", "新オフィス案内.pdf", 0.93},
	{43, admin, "", "업무용 PC 백신 교체", "자동으로 설치되며 한 번 다시 시작해야 합니다.", "설치 안내.pdf", 0.8},
	{47, personnel, "경영지원본부", "예산 신청 양식 배포", "내년도 예산은 부서별로 취합해 제출해 주세요.", "예산 신청.csv", 0.97},
	{50, personnel, "", "추석 연휴 근무와 당직 안내", "연휴 동안 고객지원센터는 순환 근무합니다.", "당직표.csv", 0.89},
	{54, personnel, "", "9월 급여명세서 발송", "인사 포털에서 확인해 주세요.", "", 0.96},
	{58, salesHead, "영업본부", "3분기 실적 마감 일정", "9월 11일 18시까지 CRM 입력을 마쳐 주세요.", "3분기 마감 체크리스트.csv", 0.94},
	{61, admin, "", "비밀번호 규칙 변경", "9자에서 16자, 영문·숫자·특수문자를 함께 써 주세요.", "", 0.77},
	{65, personnel, "", "동호회 지원금 신청", "분기별로 신청해 주세요. 영수증이 필요합니다.", "신청서.csv", 0.58},
	{68, personnel, "연구소", "연구소 공기 질 개선 공사", "주말에 진행하며 출입이 제한됩니다.", "공사 일정.pdf", 0.9},
	{72, admin, "", "랜섬웨어 모의 훈련 결과", "신고율이 64%로 지난번보다 11%p 올랐습니다. 감사합니다.", "훈련 결과.pdf", 0.73},
	{76, personnel, "", "여름 휴가 사용 독려", "남은 연차를 확인하고 계획해 주세요.", "", 0.81},
	{80, salesHead, "", "고객사 방문 주간 안내", "방문객 안내판과 회의실 예약을 확인해 주세요.", "방문 일정.csv", 0.69},
	{84, personnel, "", "8월 급여명세서 발송", "인사 포털에서 확인해 주세요.", "", 0.95},
	{88, admin, "", "화상 회의 프로그램 업데이트", "이전 판은 다음 달부터 쓸 수 없습니다.", "", 0.84},
	{92, personnel, "전략기획실", "중장기 전략 워크숍", "1박 2일로 진행합니다. 참석 여부를 알려 주세요.", "워크숍 일정.pdf", 1},
	{97, personnel, "", "사내 추천 채용 포상금 확대", "추천한 분이 입사 후 3개월이 지나면 지급합니다.", "모집 직무.csv", 0.75},
	{101, japanHead, "일본지사", "夏季休業のお知らせ", "8月13日から15日まで休業します。", "", 0.9},
	{106, personnel, "", "7월 급여명세서 발송", "인사 포털에서 확인해 주세요.", "", 0.94},
	{111, admin, "", "Guest Wi-Fi has a new password every week", "Ask the reception desk, or find it on the **lobby screen**.", "", 0.55},
	{117, salesHead, "영업본부", "상반기 우수 사원 발표", "축하합니다! 시상은 월례 조회에서 합니다.", "", 0.97},
	{124, personnel, "", "통근 버스 노선 개편", "2개 노선을 늘리고 첫차를 10분 앞당깁니다.", "노선도.pdf; 시간표.csv", 0.79},
	{130, personnel, "", "개인정보 처리 방침 개정", "수탁 업체가 한 곳 늘었습니다.", "개정 전후 비교.pdf", 0.66},
}

var otherNotices = []noticeDraft{
	{2, 1, "", "연말정산 서류 제출", "12월 20일까지 인사 시스템에 올려 주세요.", "제출 서류.txt", 0.7},
}

// notices returns drafts as notices, the latest first. One that is for a
// department that the company does not have is for everyone.
func (c *Company) notices(drafts []noticeDraft) []Notice {
	notices := make([]Notice, len(drafts))
	for i, d := range drafts {
		n := Notice{Title: d.title, Body: d.body, Author: min(d.author, len(c.named)), Interest: d.interestRate, Files: noticeFiles(d)}
		if department, found := c.department(d.target); found && d.target != "" {
			n.Departments = []int{department}
		}
		switch {
		case d.days < 0:
			n.Created = c.today.AddDate(0, 0, -1).Add(17 * time.Hour)
			n.Reserved = c.today.AddDate(0, 0, -d.days).Add(9 * time.Hour)
		case d.days == 0:
			n.Created = c.today.Add(8*time.Hour + 40*time.Minute)
			if !n.Created.Before(c.now) {
				n.Created = c.now.Add(-20 * time.Minute)
			}
		default:
			n.Created = c.officeTime(d.days)
		}
		notices[i] = n
	}
	return notices
}

// noticeFiles returns the files of a draft.
func noticeFiles(d noticeDraft) []NoticeFile {
	var files []NoticeFile
	for name := range fileNames(d.files) {
		files = append(files, NoticeFile{name, noticeFile(name, d.title)})
	}
	return files
}

// noticeFile draws a small file by the extension of its name.
func noticeFile(name, title string) string {
	switch extension(name) {
	case "pdf":
		return onePagePDF("Hanbit Tech notice")
	case "csv":
		text := "\ufeff번호,항목,담당,기한\r\n"
		for i := range 12 {
			text += fmt.Sprintf("%d,%s %d,담당 %d,2026-12-%02d\r\n", i+1, title, i+1, i%4+1, i+5)
		}
		return text
	}
	return title + "\r\n\r\n문의: 담당 부서 내선으로 연락해 주세요.\r\n"
}
