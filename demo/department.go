package demo

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Department is a department. Its number is its index in the company's list
// plus 1.
type Department struct {
	Name   string
	Parent int // 0 for the root
	Depth  int // 1 for the root
	weight int // share of the people
	kind   kind
}

// kind determines the names of the people of a department.
type kind byte

const (
	korean kind = iota
	abroad      // more names in Latin letters
	japan
	busan
	research
)

// The departments of the demo company, one a line, indented by depth, each with
// its share of the people.
const hanbitTree = `
한빛테크 3
 경영지원본부 2
  인사실 2
   인사팀 16
   채용팀 10
   교육문화팀 8
  재무실 2
   회계팀 16
   자금팀 8
   구매팀 12
  총무팀 16
  법무팀 8
  정보보안팀 14
 전략기획실 3
  사업전략팀 14
  홍보팀 9
 연구소 4
  플랫폼개발실 3
   플랫폼팀 12
    서버파트 42
    데이터파트 34
    인프라파트 28
   메신저팀 14
    웹파트 40
    모바일파트 44
    PC파트 36
   보안개발팀 28
  품질실 2
   품질팀 38
   테스트자동화팀 24
  선행기술팀 10
   음성인식파트 16
   언어처리파트 18
 디자인실 4
  UX디자인팀 30
  브랜드디자인팀 20
 영업본부 4
  국내영업실 3
   국내영업1팀 46
   국내영업2팀 42
   공공영업팀 8
    수도권파트 26
    영남파트 18
   파트너영업팀 32
  해외영업실 3
   북미영업팀 24
   유럽영업팀 20
   동남아영업팀 26
  기술영업팀 30
  마케팅팀 28
 고객지원센터 3
  상담실 3
   상담1팀 40
   상담2팀 38
   야간상담팀 24
  기술지원팀 34
  고객경험팀 16
 일본지사 3
  도쿄영업팀 22
  오사카영업팀 14
  일본개발팀 20
 부산지사 2
  부산영업팀 16
  부산기술팀 12
`

const otherTree = `
다른컴퍼니 2
 경영지원팀 6
 개발실 2
  앱개발팀 8
  서버팀 7
 디자인팀 4
 영업팀 7
 고객지원팀 4
`

// hanbitDepartments returns n departments: the upper levels of hanbitTree, or
// all of it and further business units.
func hanbitDepartments(n int) []Department {
	all := readTree(hanbitTree)
	if n < len(all) {
		return upper(all, n)
	}
	for unit := 0; len(all) < n; unit++ {
		all = addUnit(all, unit, n)
	}
	return all
}

func otherDepartments() []Department { return readTree(otherTree) }

func readTree(text string) []Department {
	var all []Department
	above := []int{0}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		name, weight, _ := strings.Cut(strings.TrimSpace(line), " ")
		depth := 1 + len(line) - len(strings.TrimLeft(line, " "))
		d := Department{Name: name, Depth: depth, Parent: above[depth-1]}
		d.weight, _ = strconv.Atoi(weight)
		d.kind = kindOf(all, d)
		all = append(all, d)
		above = append(above[:depth], len(all))
	}
	return all
}

func kindOf(all []Department, d Department) kind {
	switch d.Name {
	case "해외영업실":
		return abroad
	case "일본지사":
		return japan
	case "부산지사":
		return busan
	case "연구소":
		return research
	}
	if d.Parent == 0 {
		return korean
	}
	return all[d.Parent-1].kind
}

// upper returns the n departments nearest to the root, in their order.
func upper(all []Department, n int) []Department {
	byDepth := make([]int, len(all))
	for i := range byDepth {
		byDepth[i] = i
	}
	slices.SortStableFunc(byDepth, func(a, b int) int { return cmp.Compare(all[a].Depth, all[b].Depth) })
	kept := byDepth[:n]
	slices.Sort(kept)
	number := make(map[int]int, n)
	result := make([]Department, 0, n)
	for _, i := range kept {
		d := all[i]
		d.Parent = number[d.Parent]
		result = append(result, d)
		number[i+1] = len(result)
	}
	return result
}

// addUnit adds a business unit with divisions, teams and parts, up to n
// departments in all.
func addUnit(all []Department, unit, n int) []Department {
	cities := strings.Fields("서울 인천 수원 성남 용인 고양 화성 청주 대전 세종 천안 전주 광주 여수 대구 구미 포항 울산 창원 김해 춘천 원주 강릉 제주 평택")
	fields := strings.Fields("반도체 디스플레이 모빌리티 물류 헬스케어 에너지 금융 공공 유통 교육")
	add := func(parent int, name string, weight int) int {
		if parent == 0 || len(all) >= n {
			return 0
		}
		all = append(all, Department{Name: name, Parent: parent, Depth: all[parent-1].Depth + 1, weight: weight})
		return len(all)
	}
	head := add(1, cities[unit%len(cities)]+fields[unit/len(cities)%len(fields)]+turn(unit/len(cities)/len(fields))+"사업본부", 3)
	for _, division := range []string{"개발실", "영업실", "운영실"} {
		room := add(head, division, 2)
		for team := 1; team <= 4; team++ {
			t := add(room, strings.TrimSuffix(division, "실")+strconv.Itoa(team)+"팀", 12)
			add(t, "기획파트", 20)
			add(t, "실행파트", 26)
		}
	}
	return all
}

// turn returns the suffix that distinguishes the names of a later round from
// those of the first.
func turn(round int) string {
	if round == 0 {
		return ""
	}
	return strconv.Itoa(round + 1)
}

// department returns the number of the department with a name, and whether
// there is one.
func (c *Company) department(name string) (int, bool) {
	i := slices.IndexFunc(c.Departments, func(d Department) bool { return d.Name == name })
	return i + 1, i >= 0
}

// nearest returns the number of the department with a path, or of its nearest
// ancestor in a small company.
func (c *Company) nearest(path string) int {
	found := 1
	for name := range strings.SplitSeq(path, "/") {
		number, ok := c.department(name)
		if !ok {
			break
		}
		found = number
	}
	return found
}

// spread distributes the unnamed people among the departments by the largest
// remainder, and leaves no department empty if possible.
func (c *Company) spread() {
	people, total := max(0, c.staff-len(c.named)), 0
	for _, d := range c.Departments {
		total += d.weight
	}
	c.headcount = make([]int, len(c.Departments))
	left, rest := people, make([]int, len(c.Departments))
	for i, d := range c.Departments {
		c.headcount[i] = people * d.weight / total
		left -= c.headcount[i]
		rest[i] = people * d.weight % total
	}
	order := make([]int, len(c.Departments))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(min(c.headcount[a], 1), min(c.headcount[b], 1)), cmp.Compare(rest[b], rest[a]))
	})
	for _, i := range order[:left] {
		c.headcount[i]++
	}
}
