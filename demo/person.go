package demo

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Person is a person or a bot of a company. Department, Rank and Role count
// from 1; 0 is none.
type Person struct {
	Number                      int // counts from 1, without gaps
	Name, Email, EmployeeID     string
	CompanyPhone, PersonalPhone string
	Department, Rank, Role      int
	Further                     []int // departments besides the default one
	Bot, Admin                  bool
	Account                     bool // whether the person can sign in with Password
	Joined                      time.Time
	Hidden                      *time.Time
	Avatar                      int // of the avatars, from 1; 0 for none
	Controls                    []Control
}

// Control is a permission beyond those of everybody.
type Control struct {
	Type, Role  string
	Departments []int
}

// withImages is the number up to which people of a large company have pictures.
const withImages = 1200

// named is a person whom tests and documents rely on.
type named struct {
	name, latin, email string // without an email, one is made from latin
	department         string // a path without the root
	rank, role         string
	admin, account     bool
	hidden             bool
	control            *Control // of the department above
}

// The numbers of people whom policies and notices name.
const (
	admin      = 1
	supervisor = 3
	salesHead  = 6
	personnel  = 7
	japanHead  = 8
)

func hanbitPeople() []named {
	const support = "고객지원센터"
	return []named{
		{name: "김서연", email: "admin@" + Host, department: "경영지원본부/정보보안팀", rank: "차장", role: "팀장", admin: true, account: true},
		{name: "박민재", email: employee, department: "영업본부/국내영업실/국내영업1팀", rank: "사원", role: "팀원", account: true},
		{name: "최유진", email: "viewer@" + Host, department: support, rank: "상무", role: "센터장", account: true, control: &Control{Type: "commute"}},
		{name: "한도윤", email: "manager@" + Host, department: support, rank: "부장", role: "팀원", account: true, control: &Control{Type: "commute", Role: "ROLE_W_COMMUTE"}},
		{name: "정하윤", email: "hidden@" + Host, department: "영업본부/국내영업실/파트너영업팀", rank: "대리", role: "팀원", account: true, hidden: true},
		{name: "이준호", latin: "junho.lee", department: "영업본부", rank: "전무", role: "본부장", admin: true},
		{name: "임수아", latin: "sua.lim", department: "경영지원본부/인사실/인사팀", rank: "차장", role: "팀장", admin: true},
		{name: "佐藤 美咲", latin: "misaki.sato", department: "일본지사", rank: "이사", role: "지사장"},
	}
}

func otherPeople() []named {
	return []named{{name: "오지훈", email: "admin@" + OtherHost, department: "경영지원팀", rank: "부장", role: "팀장", admin: true, account: true}}
}

// Named returns the name of a person whom documents or policies name.
func (c *Company) Named(number int) string { return c.named[number-1].name }

// People makes up the company's people in the order of their numbers, bots
// last. It makes up one person at a time and holds only the email addresses
// that are taken.
func (c *Company) People() iter.Seq[*Person] {
	return func(yield func(*Person) bool) {
		m := maker{Company: c, addresses: map[string]int{}, entrants: map[int]int{}}
		for i, n := range c.named {
			if !yield(m.named(i+1, n)) {
				return
			}
		}
		number := len(c.named)
		for i, count := range c.headcount {
			led := m.led(i + 1)
			for k := range count {
				number++
				if !yield(m.person(number, i+1, k == 0 && !led)) {
					return
				}
			}
		}
		for _, name := range c.bots {
			number++
			if !yield(&Person{Number: number, Name: name, Bot: true, Joined: c.today.AddDate(-2, 0, -number%90), Avatar: botAvatar(number)}) {
				return
			}
		}
	}
}

// maker makes up people, one after another.
type maker struct {
	*Company
	addresses map[string]int // number of people who have asked for an address
	entrants  map[int]int    // number of people who joined, by year
}

// led reports whether a named person leads the department.
func (m *maker) led(department int) bool {
	for _, n := range m.Company.named {
		if n.role != "팀원" && m.nearest(n.department) == department {
			return true
		}
	}
	return false
}

func (m *maker) named(number int, n named) *Person {
	r := m.chance(number)
	p := &Person{
		Number: number, Name: n.name, Email: n.email, Department: m.nearest(n.department),
		Rank: index(m.Ranks, n.rank), Role: index(m.Roles, n.role), Admin: n.admin, Account: n.account,
	}
	if p.Email == "" {
		p.Email = m.address(n.latin)
	}
	if n.control != nil {
		p.Controls = []Control{{n.control.Type, n.control.Role, []int{p.Department}}}
	}
	if n.hidden {
		p.Hidden = m.hiddenSince(r)
	}
	m.employ(p, r, m.today.Year()-2-(len(m.Ranks)-p.Rank))
	if n.role != "팀원" || n.hidden {
		p.Avatar = personAvatar(r.IntN(1000))
	}
	return p
}

func (m *maker) person(number, department int, head bool) *Person {
	r := m.chance(number)
	d := m.Departments[department-1]
	rank := m.rank(r, d, head)
	age := youngest[rank-1] + r.IntN(11)
	woman := r.IntN(100) < 42
	name := m.name(r, d, m.today.Year()-age, woman)
	p := &Person{
		Number: number, Name: name.shown, Email: m.address(name.latin), Department: department,
		Rank: rank, Role: m.role(d, head),
	}
	if r.IntN(160) == 0 {
		p.Hidden = m.hiddenSince(r)
	}
	if r.IntN(25) == 0 {
		if further := 1 + r.IntN(len(m.Departments)); further != department {
			p.Further = []int{further}
		}
	}
	m.employ(p, r, m.today.Year()-r.IntN(max(1, min(age-23, 22))))
	if number <= withImages && r.IntN(100) < 62 {
		p.Avatar = personAvatar(r.IntN(1000))
	}
	return p
}

// chance returns the random numbers of one person, who therefore does not
// depend on the number of people before.
func (m *maker) chance(number int) *rand.Rand { return rand.New(rand.NewPCG(m.seed, uint64(number))) }

func (m *maker) name(r *rand.Rand, d Department, born int, woman bool) fullName {
	foreign := r.IntN(1000)
	switch {
	case d.kind == japan && foreign < 800:
		return japaneseName(r, woman)
	case d.kind == abroad && foreign < 160, foreign >= 990:
		return latinName(r, woman)
	case foreign >= 986:
		return japaneseName(r, woman)
	}
	return koreanName(r, born, woman)
}

// The minimum age of each rank, and the number of people of each rank among 100
// members of a department.
var (
	youngest = []int{55, 53, 50, 48, 46, 42, 42, 37, 33, 28, 25, 22}
	share    = []int{0, 0, 0, 0, 0, 3, 4, 10, 18, 25, 16, 24}
)

// The ranks of the head of a department, by its depth: one of the two.
var leading = [][2]int{{1, 1}, {3, 4}, {5, 7}, {7, 8}, {8, 9}}

func (m *maker) rank(r *rand.Rand, d Department, head bool) int {
	if head {
		return leading[min(d.Depth, len(leading))-1][r.IntN(2)]
	}
	n := r.IntN(100)
	for i, s := range share {
		if n < s {
			return i + 1
		}
		n -= s
	}
	return len(share)
}

// role returns the role of a person: for a head, the one that the department's
// name implies.
func (m *maker) role(d Department, head bool) int {
	role := "팀원"
	if head {
		role = "팀장"
		if d.Depth == 1 {
			role = "대표이사"
		}
		for _, title := range m.Roles {
			if kind, leads := strings.CutSuffix(title, "장"); leads && strings.HasSuffix(d.Name, kind) {
				role = title
				break
			}
		}
	}
	return index(m.Roles, role)
}

// address returns a unique address: if it is taken, a number is appended.
func (m *maker) address(latin string) string {
	m.addresses[latin]++
	if n := m.addresses[latin]; n > 1 {
		latin += strconv.Itoa(n)
	}
	return latin + "@" + m.Host
}

// employ sets what comes with a job. After the area code, telephone numbers
// begin with a zero, so that they are nobody's.
func (m *maker) employ(p *Person, r *rand.Rand, year int) {
	m.entrants[year]++
	p.EmployeeID = fmt.Sprintf("%d%04d", year, m.entrants[year])
	p.Joined = time.Date(year, time.January, 1+r.IntN(360), 9, 0, 0, 0, seoul)
	if latest := m.today.AddDate(0, 0, -1); p.Joined.After(latest) {
		p.Joined = latest.Add(9 * time.Hour)
	}
	p.PersonalPhone = fmt.Sprintf("010-0%03d-%04d", r.IntN(1000), r.IntN(10_000))
	switch m.Departments[p.Department-1].kind {
	case japan:
		p.CompanyPhone = fmt.Sprintf("+81-3-0%03d-%04d", r.IntN(1000), r.IntN(10_000))
	case busan:
		p.CompanyPhone = fmt.Sprintf("051-0%02d-%04d", r.IntN(100), r.IntN(10_000))
	default:
		p.CompanyPhone = fmt.Sprintf("02-0%03d-%04d", r.IntN(1000), r.IntN(10_000))
	}
}

func (m *maker) hiddenSince(r *rand.Rand) *time.Time {
	since := m.today.AddDate(0, 0, -1-r.IntN(200)).Add(time.Duration(9*60+r.IntN(480)) * time.Minute)
	return &since
}

// index returns the number, from 1, of a name in a list.
func index(list []string, name string) int {
	for i, s := range list {
		if s == name {
			return i + 1
		}
	}
	panic("demo: no " + name + " among " + fmt.Sprint(list))
}
