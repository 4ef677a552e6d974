package demo

import (
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Delivery is what a program sent through the service bot.
type Delivery struct {
	At          time.Time
	Kind        string // of the token: notification, message or hook
	Text        string // "" of a refused call whose text was not read
	Departments []string
	People      []int  // numbers of people
	Code        string // why it was refused; "" if it was accepted
	Answer      int32  // status of HTTP
	TookMicro   int32
	Agent       string
	Address     netip.Addr
}

// botDays is the number of days whose deliveries are in the log.
const botDays = 14

// botName is the name of the demo company's service bot, and botReceivers the
// department that gets what comes by its address for Slack's payloads.
const (
	botName      = "한빛 알림봇"
	botReceivers = "플랫폼팀"
)

// deliveryDraft is a delivery at a time of day, on one day of every so many.
type deliveryDraft struct {
	hour, minute int
	every, on    int // on days whose number leaves the remainder on
	kind, agent  string
	text         string // %d is a number that grows from day to day
	department   string
	people       []int
	code         string
	answer       int32
}

var programs = map[string]string{
	"Alertmanager": "203.0.113.40", "Grafana": "203.0.113.41", "GitHub-Hookshot": "198.51.100.22", "e-approval": "203.0.113.61", "room-booking": "203.0.113.62", "curl": "198.51.100.77",
}

var deliveryDrafts = []deliveryDraft{
	{6, 2, 1, 0, "message", "curl", "야간 백업 완료 · 3시간 41분 · %d GB", "플랫폼팀", nil, "", 202},
	{9, 5, 1, 0, "notification", "e-approval", "결재 요청 %d건이 기다리고 있습니다", "", []int{31, 47, 58}, "", 202},
	{9, 31, 1, 0, "message", "GitHub-Hookshot", "**배포 완료**: messenger-web 6.4.%d\n변경 4건, 담당 메신저팀", "메신저팀", nil, "", 202},
	{9, 40, 3, 1, "hook", "Grafana", "**[p99 응답 시간](https://grafana.hanbit.example/alerting/list)**\n값 1.284초, 기준 0.800초", "플랫폼팀", nil, "", 200},
	{9, 58, 3, 1, "hook", "Grafana", "**[p99 응답 시간이 돌아왔습니다](https://grafana.hanbit.example/alerting/list)**\n값 0.412초", "플랫폼팀", nil, "", 200},
	{10, 4, 2, 0, "hook", "Alertmanager", "**[(FIRING:2) 디스크 사용률 92%](https://alertmanager.hanbit.example/#/alerts)**\ndb-03 · /var/lib/postgresql", "플랫폼팀", nil, "", 200},
	{10, 22, 2, 0, "hook", "Alertmanager", "**[(RESOLVED) 디스크 사용률](https://alertmanager.hanbit.example/#/alerts)**\ndb-03", "플랫폼팀", nil, "", 200},
	{11, 15, 5, 2, "message", "curl", "", "", nil, "bot.body.large", 413},
	{11, 30, 1, 0, "notification", "room-booking", "12시 회의실 한강이 비었습니다", "", []int{72}, "", 202},
	{13, 20, 1, 0, "message", "GitHub-Hookshot", "빌드 실패: messenger-api #%d\n`TestRetention`이 실패했습니다", "메신저팀", nil, "", 202},
	{13, 52, 1, 0, "message", "GitHub-Hookshot", "**빌드 성공**: messenger-api #%d", "메신저팀", nil, "", 202},
	{14, 10, 4, 3, "message", "curl", "서버 점검 안내", "", nil, "bot.receivers.unknown", 422},
	{15, 0, 1, 0, "notification", "e-approval", "지출 결의서가 승인되었습니다", "", []int{88}, "", 202},
	{15, 44, 3, 2, "hook", "Alertmanager", "**[(FIRING:1) 인증서 만료 임박](https://alertmanager.hanbit.example/#/alerts)**\nmail.hanbit.example · 12일 남음", "플랫폼팀", nil, "", 200},
	{16, 8, 6, 4, "message", "curl", "", "", nil, "bot.token.ended", 401},
	{17, 30, 1, 0, "notification", "e-approval", "오늘 마감인 결재 %d건이 있습니다", "", []int{31, 104}, "", 202},
	{18, 12, 7, 5, "hook", "Alertmanager", "", "", nil, "bot.rate", 429},
}

// deliveries returns what programs sent in the last days, the oldest first.
func (c *Company) deliveries() []Delivery {
	var all []Delivery
	for day := range botDays {
		date := c.today.AddDate(0, 0, day-botDays+1)
		weekend := date.Weekday() == time.Saturday || date.Weekday() == time.Sunday
		for i, d := range deliveryDrafts {
			at := date.Add(time.Duration(d.hour)*time.Hour + time.Duration(d.minute)*time.Minute + time.Duration((day*37+i*11)%60)*time.Second)
			if day%d.every != d.on%d.every || at.After(c.Now()) || weekend && d.agent != "Alertmanager" && d.hour > 6 {
				continue
			}
			delivery := Delivery{
				At: at, Kind: d.kind, Code: d.code, Answer: d.answer, TookMicro: int32(1800 + (day*7919+i*104729)%31000),
				Agent: d.agent, Address: netip.MustParseAddr(programs[d.agent]),
			}
			delivery.Text = strings.ReplaceAll(d.text, "%d", strconv.Itoa(3+day))
			for _, number := range d.people {
				delivery.People = append(delivery.People, 1+number%c.staff)
			}
			if d.department != "" {
				delivery.Departments = []string{d.department}
			}
			all = append(all, delivery)
		}
	}
	return all
}
