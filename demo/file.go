package demo

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"time"

	"officeconsole/workday"
)

// SavedFile is a file that a person saved in the messenger.
type SavedFile struct {
	Sender                     *Person
	Receivers                  []int // numbers of people
	Room, Folder, Name, SHA256 string
	Size                       int64
	Platform                   string
	SavedAt                    time.Time
	Address                    netip.Addr
}

// maxSavedFiles is the maximum number of saved files of a company: enough for a log
// that looks real, and few rows in a large company.
const maxSavedFiles = 200_000

// savedFileRate is how many files a person saves a day.
const savedFileRate = 1.85

// mostSenders is the number of people up to which people save files.
const mostSenders = 5_000

// savedFileDraft is a kind of files. In names, {date}, {month}, {week}, {year},
// {no}, {client} and {place} are replaced.
type savedFileDraft struct {
	name    string
	folder  string // of a department; "" for one of the company's
	weight  int
	typical float64 // kilobytes
}

var savedFileDrafts = []savedFileDraft{
	{"주간업무보고_{month}월{week}주.pptx", "", 9, 2_400},
	{"회의록_{date}.docx", "", 9, 88},
	{"견적서_{client}_{date}.pdf", "영업", 9, 410},
	{"계약서_{client}_최종.pdf", "영업", 4, 1_100},
	{"{client}_제안서_v{no}.pptx", "영업", 5, 9_600},
	{"11월_배포_점검표.xlsx", "연구", 2, 412},
	{"{month}월_배포_점검표.xlsx", "연구", 4, 380},
	{"회로도_v{no}_최종.png", "연구", 4, 18_400},
	{"로그_{date}_{no}.gz", "연구", 6, 94_600},
	{"화면_오류_재현_{no}.mp4", "고객지원", 4, 38_900},
	{"상담_녹취_요약_{month}월{week}주.docx", "고객지원", 6, 88},
	{"현장사진_{place}_{no}동_옥상배관.jpg", "", 6, 6_200},
	{"시험성적서_묶음_{date}.zip", "", 3, 212_000},
	{"키비주얼_A안_원본_{no}.psd", "디자인", 2, 1_400_000},
	{"2026_연말정산_안내_및_제출서류_목록(배포용).pdf", "경영", 2, 1_100},
	{"급여대장_{month}월.xlsx", "경영", 2, 640},
	{"조직개편안_초안_v{no}.hwpx", "경영", 1, 640},
	{"휴가신청서_{date}.hwpx", "", 4, 64},
	{"지출결의서_{date}_{no}.pdf", "", 7, 220},
	{"영수증_{date}_{no}.jpg", "", 8, 2_100},
	{"거래처_연락처_{year}.csv", "영업", 3, 96},
	{"매출현황_{year}년_{month}월.xlsx", "영업", 5, 780},
	{"KakaoTalk_Photo_{date}_{no}.jpeg", "", 6, 3_300},
	{"Screenshot {date} {no}.png", "", 6, 1_900},
	{"API spec v{no}.yaml", "연구", 3, 140},
	{"Product roadmap {year} H2.pdf", "", 2, 5_200},
}

var japaneseFileDrafts = []savedFileDraft{
	{"見積書_{client}_{date}.pdf", "", 6, 3_700},
	{"議事録_{date}.docx", "", 6, 92},
	{"請求書_{year}年{month}月_{no}.pdf", "", 4, 310},
	{"週報_{month}月第{week}週.xlsx", "", 5, 240},
	{"現地写真_{no}.jpg", "", 3, 5_400},
}

var (
	fileClients         = []string{"한강물산", "서해전자", "대한기공", "미래소프트", "한빛건설", "동방해운", "제일제약", "그린푸드", "누리은행", "가온테크"}
	japaneseFileClients = []string{"株式会社ひかり様", "さくら商事様", "青葉システム様", "みなと電機様"}
	filePlaces          = []string{"고양", "판교", "광교", "송도", "세종", "대전", "부산"}
	fileProjects        = []string{"프로젝트 한강", "브랜드 개편", "장애 대응", "품질 회의", "신제품 출시", "차세대 ERP"}
)

// deceptiveNames are names that look like others: with characters that turn the
// text around, that are invisible, or that are displayed as blanks.
var deceptiveNames = []string{"견적서\u202efdp.exe", "급여명세\u3164\u3164\u3164\u3164\u3164.pdf.exe", "연봉계약서\u2066xslx\u2069.scr", "회의록\u200b_최종.docx.js"}

// SavedFiles returns the files that were saved in the days of attendance, the
// earliest first.
func (c *Company) SavedFiles() iter.Seq[SavedFile] {
	return func(yield func(SavedFile) bool) {
		first, last := c.Period()
		if first > last {
			return
		}
		var senders []*Person
		for p := range c.People() {
			if !p.Bot && p.Hidden == nil && len(senders) < mostSenders {
				senders = append(senders, p)
			}
		}
		m := fileMaker{Company: c, senders: senders, random: rand.New(rand.NewPCG(c.seed, 0x66696c65))}
		total, days := min(maxSavedFiles, float64(c.staff)*float64(last-first+1)*savedFileRate), float64(0)
		for date := first; date <= last; date++ {
			days += fileShare(date)
		}
		for date := first; date <= last; date++ {
			for _, f := range m.day(date, int(total*fileShare(date)/days)) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// fileShare is how many files are saved on a date, relative to a workday.
func fileShare(date workday.Date) float64 {
	if weekday := date.Time().Weekday(); weekday == time.Saturday || weekday == time.Sunday {
		return 0.06
	}
	return 1
}

// fileMaker makes up the files of a company.
type fileMaker struct {
	*Company
	senders []*Person
	random  *rand.Rand
	made    int
}

func (m *fileMaker) day(date workday.Date, count int) []SavedFile {
	var files []SavedFile
	for range count {
		at := date.At(m.minute(), seoul).Add(time.Duration(m.random.Int64N(int64(time.Minute))))
		sender := m.senders[m.random.IntN(len(m.senders))]
		f := m.file(sender, at)
		if !at.After(m.now) && !at.Before(sender.Joined) {
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b SavedFile) int { return a.SavedAt.Compare(b.SavedAt) })
	return files
}

// minute draws a minute of the day: most of them in the morning and afternoon.
func (m *fileMaker) minute() int {
	if m.random.IntN(20) == 0 {
		return m.random.IntN(24 * 60)
	}
	center := []float64{10.4 * 60, 15.6 * 60}[m.random.IntN(2)]
	return min(max(int(center+m.random.NormFloat64()*75), 0), 24*60-1)
}

func (m *fileMaker) file(sender *Person, at time.Time) SavedFile {
	m.made++
	department := m.Departments[sender.Department-1].Name
	draft, clients := m.draft(department)
	f := SavedFile{Sender: sender, SavedAt: at, Name: m.name(draft, clients, at), Platform: m.platform()}
	if m.made%40_000 == 39_000 {
		f.Name = deceptiveNames[m.made/40_000%len(deceptiveNames)]
	}
	f.Size = max(200, int64(draft.typical*1000*math.Exp(m.random.NormFloat64()*0.6)))
	m.place(&f, department)
	var hash [32]byte
	for i := range 4 {
		binary.LittleEndian.PutUint64(hash[i*8:], m.random.Uint64())
	}
	f.SHA256 = hex.EncodeToString(hash[:])
	f.Address = netip.AddrFrom4([4]byte{10, 12, byte(sender.Department), byte(sender.Number%250 + 1)})
	if strings.HasPrefix(f.Platform, "mobile") {
		f.Address = netip.AddrFrom4([4]byte{203, 0, 113, byte(m.random.IntN(250) + 1)})
	}
	return f
}

// draft draws a kind of files that people of a department save.
func (m *fileMaker) draft(department string) (savedFileDraft, []string) {
	drafts, clients := savedFileDrafts, fileClients
	if strings.Contains(department, "일본") {
		drafts, clients = japaneseFileDrafts, japaneseFileClients
	}
	for {
		d := drafts[m.random.IntN(len(drafts))]
		fits := d.folder == "" || strings.Contains(department, d.folder)
		if m.random.IntN(10) < d.weight && (fits || m.random.IntN(5) == 0) {
			return d, clients
		}
	}
}

func (m *fileMaker) name(d savedFileDraft, clients []string, at time.Time) string {
	return strings.NewReplacer(
		"{date}", at.Format("20060102"), "{month}", fmt.Sprint(int(at.Month())), "{week}", fmt.Sprint((at.Day()-1)/7+1), "{year}", fmt.Sprint(at.Year()),
		"{no}", fmt.Sprint(1+m.random.IntN(40)), "{client}", clients[m.random.IntN(len(clients))], "{place}", filePlaces[m.random.IntN(len(filePlaces))],
	).Replace(d.name)
}

func (m *fileMaker) platform() string {
	switch n := m.random.IntN(100); {
	case n < 58:
		return "pc"
	case n < 81:
		return "web"
	case n < 95:
		return "mobile"
	}
	return "mobile_web"
}

// place chooses the room, the folder and the receivers.
func (m *fileMaker) place(f *SavedFile, department string) {
	others := 1
	switch n := m.random.IntN(100); {
	case n < 45:
		f.Room = "1:1 대화"
	case n < 60:
		f.Folder, others = department+" 자료실", 2+m.random.IntN(6)
	case n < 80:
		f.Room, others = fileProjects[m.random.IntN(len(fileProjects))], 2+m.random.IntN(11)
	case n < 90:
		f.Folder, others = "내 보관함", 0
		f.Receivers = []int{f.Sender.Number}
	default:
		f.Room, f.Folder, others = department, "공유/설계", 1+m.random.IntN(4)
	}
	for range others {
		f.Receivers = append(f.Receivers, m.senders[m.random.IntN(len(m.senders))].Number)
	}
	slices.Sort(f.Receivers)
	f.Receivers = slices.Compact(f.Receivers)
}
