package demo

import "time"

// A hidingReason is why somebody of the company is hidden, in the words of who
// hid them.
type hidingReason struct{ kind, reason string }

var parentalLeave = hidingReason{"leave", "육아휴직"}

var hidingReasons = []hidingReason{
	{"leaver", "퇴사 처리 완료"},
	parentalLeave,
	{"contract_end", "계약 기간 만료"},
	{"leaver", ""},
	{"leave", "질병휴직, 복직일 미정"},
	{"test", "배포 점검용"},
	{"other", "본인 요청으로 조직도 비공개"},
}

// HiddenBecause returns the kind and the reason for which a person is hidden, and the
// day on which they are shown again, nil for none.
func (p *Person) HiddenBecause() (kind, reason string, until *time.Time) {
	r := hidingReasons[p.Number%len(hidingReasons)]
	if p.Account {
		r = parentalLeave
	}
	if r == parentalLeave {
		year := p.Hidden.AddDate(1, 0, 0)
		until = &year
	}
	return r.kind, r.reason, until
}
