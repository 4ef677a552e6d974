package demo

import (
	"fmt"
	"slices"
	"time"
)

// The kinds of policy.
const (
	Communication   = "communication"
	WorkingAttitude = "workingattitude"
)

// Policy is a policy with its history. Owners are numbers; with neither, only
// administrators can edit it.
type Policy struct {
	Kind            string
	Default         bool
	OwnerPerson     int
	OwnerDepartment int
	Versions        []Version // the first one is number 1
}

// Version is a past, present or planned version of a policy.
type Version struct {
	From, Created     time.Time
	Enabled           bool
	Name, Description string
	Settings          string // the settings that differ from the defaults, as JSON
	Reason            string
	By                int  // the person who saved it
	Undo              bool // whether it restores the version before the last one
	Departments       []int
	People            []int
}

// draft is a policy as it is written in the lists of this package.
type draft struct {
	name, description string
	settings          string
	departments       []string
	people            []int
	owner             int    // number of a person
	ownerDepartment   string // or name of a department
	disabled          bool
	age               int // days since the start of the newest version in force
	history           []change
	plan              *plan
}

// change describes an earlier version: how it differed from the next one, and
// the reason for that one.
type change struct {
	before   int // days between the two versions
	by       int
	settings string
	reason   string // the reason for the next version
	undone   bool   // whether the next version restores the one before
}

// plan is a planned change.
type plan struct {
	days, hour int
	settings   string
	reason     string
	by         int
}

// maxPolicies is the number of policies of a kind in a large company.
const maxPolicies = 200

func (c *Company) hanbitPolicies() []Policy {
	all := []Policy{c.defaultPolicy(Communication, 79), c.defaultPolicy(WorkingAttitude, 81)}
	for _, d := range c.communicationDrafts() {
		all = append(all, c.policy(Communication, d))
	}
	for _, d := range c.workingAttitudeDrafts() {
		all = append(all, c.policy(WorkingAttitude, d))
	}
	return append(all, c.unitPolicies(maxPolicies-14)...)
}

func (c *Company) otherPolicies() []Policy {
	return []Policy{
		c.defaultPolicy(Communication, 40), c.defaultPolicy(WorkingAttitude, 40),
		c.policy(Communication, draft{name: "개발실 보안 정책", description: "허용 IP에서만 파일 저장", departments: []string{"개발실"}, age: 12,
			owner: admin, settings: `{"file_save_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"사무실","range":"203.0.113.64/26"}]}`}),
		c.policy(WorkingAttitude, draft{name: "개발실 유연근무", description: "07:30-10:30 출근, 코어 타임 11:00-16:00", departments: []string{"개발실"}, age: 20,
			owner: admin, settings: `{"work_type":"flexible","flexible_start":{"from":"07:30","to":"10:30"}}`}),
	}
}

func (c *Company) defaultPolicy(kind string, age int) Policy {
	description, settings := "지정 대상 외 모든 직원의 기준", `{"concurrent_sessions":{"pc":1,"web":5,"mobile":1}}`
	if kind == WorkingAttitude {
		description, settings = "평일 09:00-18:00, 연장근무는 승인 후 인정", `{"overtime":"approved",`+officeRanges+`}`
	}
	p := c.policy(kind, draft{name: "기본 정책", description: description, age: age, settings: settings,
		history: []change{{before: 420, by: admin, settings: `{}`, reason: "설명 보완"}}})
	p.Default = true
	p.Versions[0].Description = ""
	return p
}

// policy returns a draft as a policy: the versions up to the one in force, then
// the planned one.
func (c *Company) policy(kind string, d draft) Policy {
	p := Policy{Kind: kind, OwnerPerson: d.owner}
	p.OwnerDepartment, _ = c.department(d.ownerDepartment)
	days := d.age
	for _, h := range d.history {
		days += h.before
	}
	by, reason, undo := admin, "정책 신설", false
	for i, h := range d.history {
		p.Versions = append(p.Versions, c.version(kind, d, days, i, Version{Settings: h.settings, By: by, Reason: reason, Undo: undo}))
		days, by, reason, undo = days-h.before, h.by, h.reason, h.undone
	}
	p.Versions = append(p.Versions, c.version(kind, d, days, len(d.history), Version{Settings: d.settings, By: by, Reason: reason, Undo: undo}))
	if d.plan != nil {
		v := p.Versions[len(p.Versions)-1]
		v.Settings, v.Reason, v.By, v.Undo = d.plan.settings, d.plan.reason, d.plan.by, false
		v.Created = v.Created.Add(26 * time.Minute)
		v.From = c.today.AddDate(0, 0, d.plan.days).Add(time.Duration(d.plan.hour) * time.Hour)
		p.Versions = append(p.Versions, v)
	}
	return p
}

// version completes the version with an index that was saved a number of days
// ago. It takes effect at once for communication, and on the next day for
// working attitude.
func (c *Company) version(kind string, d draft, days, no int, v Version) Version {
	created := c.today.AddDate(0, 0, -days).Add(time.Duration(9*60+(days*37+no*113)%500) * time.Minute)
	v.From, v.Created = created, created
	if kind == WorkingAttitude {
		v.From = c.today.AddDate(0, 0, 1-days)
	}
	v.Enabled, v.Name, v.Description, v.People = !d.disabled, d.name, d.description, d.people
	for _, name := range d.departments {
		if number, ok := c.department(name); ok {
			v.Departments = append(v.Departments, number)
		}
	}
	return v
}

// unitPolicies returns the policies of the business units of a large company:
// one for each, and one for the hours of every fifth unit.
func (c *Company) unitPolicies(most int) []Policy {
	var all []Policy
	units := 0
	first := slices.IndexFunc(c.Departments, func(d Department) bool { return d.Name == "서울반도체사업본부" })
	if first < 0 {
		return nil
	}
	for _, d := range c.Departments[first:] {
		if d.Depth != 2 || units == most {
			continue
		}
		units++
		all = append(all, c.policy(Communication, draft{
			name: d.Name + " 정책", description: "사업장 네트워크에서 접속", departments: []string{d.Name}, ownerDepartment: d.Name,
			age: 1 + units%150, settings: fmt.Sprintf(`{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"사업장","range":"198.51.100.%d"}],"session_time_sec":7200}`, units%250),
		}))
		if units%5 == 0 {
			all = append(all, c.policy(WorkingAttitude, draft{
				name: d.Name + " 근무제", description: "08:30-17:30 근무", departments: []string{d.Name}, ownerDepartment: d.Name,
				age: 3 + units%120, settings: `{"week":` + weekdays("08:30", "17:30", false) + `}`,
			}))
		}
	}
	return all
}

// executives returns the heads of the departments directly below the root.
func (c *Company) executives() []int {
	leaders := []int{supervisor, salesHead, japanHead}
	number := len(c.named)
	m := maker{Company: c}
	for i, count := range c.headcount {
		if c.Departments[i].Depth <= 2 && count > 0 && i < 64 && !m.led(i+1) {
			leaders = append(leaders, number+1)
		}
		number += count
	}
	slices.Sort(leaders)
	return leaders
}

// guards returns the last members of the department that watches over the
// network at night.
func (c *Company) guards() []int {
	security, ok := c.department("정보보안팀")
	if !ok {
		return nil
	}
	last := len(c.named)
	for _, n := range c.headcount[:security] {
		last += n
	}
	var people []int
	for number := last - min(5, c.headcount[security-1]/2) + 1; number <= last; number++ {
		people = append(people, number)
	}
	return people
}

// partners returns members of sales and support who come from other companies.
func (c *Company) partners(count int) []int {
	last := len(c.named)
	for _, n := range c.headcount {
		last += n
	}
	var people []int
	leaders := c.executives()
	for number := len(c.named) + 2; number <= last && len(people) < count; number += max(1, (last-len(c.named))/(count+1)) {
		if !slices.Contains(leaders, number) {
			people = append(people, number)
		}
	}
	return people
}
