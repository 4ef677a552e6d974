package demo

import "time"

// Viewer is a registration of viewing-authority persons: of a rank or above, or
// of one or two individuals. Rank, people and departments count from 1.
type Viewer struct {
	Rank         int // 0 for the individuals
	WholeCompany bool
	Within       []Managed // where the rank counts, unless WholeCompany
	People       []int
	Departments  []Managed
	MayEdit      bool
	By           int // the person who registered it
	Created      time.Time
}

// Managed is a department, with or without its subtree.
type Managed struct {
	Department int
	Children   bool
}

// The numbers of the named people who may view, or view and edit, by their
// permission.
const looking, editing = 3, 4

// hanbitViewers returns the registrations of the demo company. None of them
// lets a documented account see more than its permission does.
func (c *Company) hanbitViewers() []Viewer {
	var all []Viewer
	add := func(days int, v Viewer, managed ...Managed) {
		if managed = known(managed); len(managed) == 0 || v.Rank != 0 && !v.WholeCompany && len(known(v.Within)) == 0 {
			return
		}
		v.Departments = managed
		v.Created = c.officeTime(days)
		all = append(all, v)
	}
	support, sales, research := c.managed("고객지원센터", true), c.managed("영업본부", true), c.managed("연구소", true)
	add(212, Viewer{Rank: index(c.Ranks, "전무"), WholeCompany: true, By: personnel}, c.managed(c.Departments[0].Name, true))
	add(180, Viewer{People: []int{looking}, By: personnel}, support)
	add(176, Viewer{People: []int{editing}, MayEdit: true, By: admin}, support)
	add(121, Viewer{Rank: index(c.Ranks, "부장"), Within: []Managed{sales}, MayEdit: true, By: salesHead}, sales)
	add(93, Viewer{People: []int{japanHead}, MayEdit: true, By: admin}, c.managed("일본지사", true))
	add(58, Viewer{Rank: index(c.Ranks, "차장"), Within: []Managed{research}, By: personnel},
		c.managed("플랫폼개발실", true), c.managed("품질실", true), c.managed("선행기술팀", false))
	if leaders := c.plainLeaders(); len(leaders) >= 2 {
		add(24, Viewer{People: leaders[:2], By: personnel}, c.managed("전략기획실", true), c.managed("마케팅팀", false))
	}
	add(6, Viewer{Rank: index(c.Ranks, "과장"), Within: []Managed{c.managed("인사실", true)}, MayEdit: true, By: admin},
		c.managed("경영지원본부", true), c.managed("부산지사", true))
	return all
}

func (c *Company) otherViewers() []Viewer {
	return []Viewer{{
		Rank: index(c.Ranks, "부장"), WholeCompany: true, Departments: []Managed{{1, true}}, By: admin,
		Created: c.today.AddDate(0, 0, -30).Add(10 * time.Hour),
	}}
}

// plainLeaders returns the executives whom no document names.
func (c *Company) plainLeaders() []int {
	var plain []int
	for _, number := range c.executives() {
		if number > len(c.named) {
			plain = append(plain, number)
		}
	}
	return plain
}

// managed returns the department with a name; department 0 if a small company
// does not have it.
func (c *Company) managed(name string, children bool) Managed {
	number, ok := c.department(name)
	if !ok {
		return Managed{}
	}
	return Managed{number, children}
}

func known(departments []Managed) []Managed {
	var found []Managed
	for _, d := range departments {
		if d.Department != 0 {
			found = append(found, d)
		}
	}
	return found
}
