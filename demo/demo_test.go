package demo

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var today = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func companies(t testing.TB, employees int) []*Company {
	t.Helper()
	all, err := Companies(Options{Employees: employees, Days: 90, Seed: 1, Today: today})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSizes(t *testing.T) {
	for _, test := range []struct{ employees, departments, departmentsWanted, depth int }{
		{MinEmployees, 0, 12, 3},
		{100, 0, 12, 3},
		{100, 1, 1, 1},
		{600, 0, 32, 3},
		{1200, 0, 64, 5},
		{2000, 0, 106, 5},
		{100_000, 0, 5264, 5},
		{1_000_000, 0, MaxDepartments, 5},
	} {
		t.Run(fmt.Sprint(test.employees, " in ", test.departmentsWanted), func(t *testing.T) {
			all, err := Companies(Options{Employees: test.employees, Departments: test.departments, Today: today})
			if err != nil {
				t.Fatal(err)
			}
			c := all[0]
			depth, paths := 0, map[string]bool{}
			path := make([]string, len(c.Departments)+1)
			for i, d := range c.Departments {
				depth = max(depth, d.Depth)
				if (i == 0) != (d.Parent == 0) || d.Parent > i {
					t.Fatalf("department %d is below %d", i+1, d.Parent)
				}
				path[i+1] = path[d.Parent] + "/" + d.Name
				paths[path[i+1]] = true
			}
			if len(c.Departments) != test.departmentsWanted || len(paths) != test.departmentsWanted || depth != test.depth {
				t.Errorf("%d departments by %d paths, %d deep", len(c.Departments), len(paths), depth)
			}
			people := len(c.named)
			for _, n := range c.headcount {
				people += n
			}
			if people != test.employees {
				t.Errorf("%d people", people)
			}
		})
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{{Employees: 9, Today: today}, {Employees: MaxEmployees + 1, Today: today}, {Employees: 100},
		{Employees: 100, Departments: -1, Today: today}, {Employees: 100, Departments: MaxDepartments + 1, Today: today}, {Employees: 100, Days: -1, Today: today}} {
		if _, err := Companies(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

func TestSameOptionsSameData(t *testing.T) {
	text := func(seed uint64) string {
		all, err := Companies(Options{Employees: 300, Seed: seed, Today: today})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, c := range all {
			fmt.Fprintf(&b, "%+v %+v", c.Departments, c.Policies)
			for p := range c.People() {
				fmt.Fprintf(&b, "%+v", *p)
			}
		}
		return b.String()
	}
	first := text(1)
	if again := text(1); again != first {
		t.Error("the same seed gave other data")
	}
	if text(2) == first {
		t.Error("another seed gave the same data")
	}
}

func TestPeopleAreConsistent(t *testing.T) {
	for _, employees := range []int{MinEmployees, 1200, 20_000} {
		for _, c := range companies(t, employees) {
			emails, ids, number := map[string]bool{}, map[string]bool{}, 0
			for p := range c.People() {
				number++
				if p.Number != number || !utf8.ValidString(p.Name) || p.Name == "" {
					t.Fatalf("%+v after number %d", p, number-1)
				}
				if p.Bot {
					continue
				}
				if emails[p.Email] || !strings.HasSuffix(p.Email, "@"+c.Host) || strings.ContainsFunc(p.Email, func(r rune) bool { return r >= utf8.RuneSelf }) {
					t.Errorf("email %s of %s", p.Email, p.Name)
				}
				if ids[p.EmployeeID] || p.EmployeeID == "" {
					t.Errorf("employee id %s of %s", p.EmployeeID, p.Name)
				}
				emails[p.Email], ids[p.EmployeeID] = true, true
				if p.Department < 1 || p.Department > len(c.Departments) || p.Rank < 1 || p.Rank > len(c.Ranks) || p.Role < 1 || p.Role > len(c.Roles) || slices.Contains(p.Further, p.Department) {
					t.Errorf("%+v", p)
				}
				if p.Joined.After(c.today) || p.Hidden != nil && p.Hidden.After(c.today) {
					t.Errorf("%s joined %s, hidden %v, today is %s", p.Name, p.Joined, p.Hidden, c.today)
				}
			}
			if number != c.Size() {
				t.Errorf("%d people of %d", number, c.Size())
			}
		}
	}
}

// A few dozen of 1,200 share their name with a colleague, as in life.
func TestNamesAreBelievable(t *testing.T) {
	c := companies(t, 1200)[0]
	names, families, foreign := map[string]int{}, map[string]int{}, 0
	for p := range c.People() {
		if p.Bot {
			continue
		}
		names[p.Name]++
		families[p.Name[:len("김")]]++
		if !strings.ContainsFunc(p.Name, func(r rune) bool { return r >= '가' && r <= '힣' }) {
			foreign++
		}
	}
	sharing := 0
	for _, n := range names {
		if n > 1 {
			sharing += n
		}
	}
	if sharing < 20 || sharing > 150 {
		t.Errorf("%d people share their name", sharing)
	}
	if kims := families["김"]; kims < 200 || kims > 300 {
		t.Errorf("%d of 1,200 are called 김", kims)
	}
	if foreign < 40 || foreign > 120 {
		t.Errorf("%d people are from abroad", foreign)
	}
}

func TestLatinNames(t *testing.T) {
	for hangul, want := range map[string]string{"서연": "seoyeon", "준호": "junho", "민석": "minseok", "지훈": "jihun", "은영": "eunyeong", "광수": "gwangsu", "빛": "bit"} {
		if got := romanise(hangul); got != want {
			t.Errorf("%s: got %s, want %s", hangul, got, want)
		}
	}
	for name, want := range map[string]string{"Zoë": "zoe", "Weiß": "weiss", "Đặng": "dang", "Łukasz": "lukasz", "O’Connor": "oconnor", "Sørensen": "sorensen"} {
		if got := plainLatin(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		name := koreanName(r, 1960+r.IntN(45), r.IntN(2) == 0)
		if given, family, ok := strings.Cut(name.latin, "."); !ok || given == "" || family == "" || utf8.RuneCountInString(name.shown) < 3 {
			t.Fatalf("%+v", name)
		}
	}
}

func TestPoliciesKeepTheRules(t *testing.T) {
	for _, employees := range []int{MinEmployees, 200, 1200, 100_000, 1_000_000} {
		for _, c := range companies(t, employees) {
			checkPolicies(t, c)
		}
	}
}

func checkPolicies(t *testing.T, c *Company) {
	t.Helper()
	names, targets, count := map[string]bool{}, map[string]int{}, map[string]int{}
	for i, p := range c.Policies {
		count[p.Kind]++
		for no, v := range p.Versions {
			var settings map[string]any
			if err := json.Unmarshal([]byte(v.Settings), &settings); err != nil {
				t.Errorf("%s: settings of version %d: %v", v.Name, no+1, err)
			}
			if n := utf8.RuneCountInString(v.Name); n < 1 || n > 50 || utf8.RuneCountInString(v.Description) > 200 {
				t.Errorf("%s: name or description too long", v.Name)
			}
			if v.Created.After(c.today) || v.From.Before(v.Created.Truncate(24*time.Hour).Add(-24*time.Hour)) {
				t.Errorf("%s: version %d of %s is in force from %s", v.Name, no+1, v.Created, v.From)
			}
			if no > 0 && !v.From.After(p.Versions[no-1].From) {
				t.Errorf("%s: version %d is not in force after the one before", v.Name, no+1)
			}
			if v.From.After(c.today) && no != len(p.Versions)-1 {
				t.Errorf("%s: version %d lies ahead but is not the last", v.Name, no+1)
			}
			if p.Default && (len(v.Departments)+len(v.People) > 0 || !v.Enabled) {
				t.Errorf("%s: a default policy has targets or is disabled", v.Name)
			}
			for _, target := range append(prefixed(p.Kind+" department ", v.Departments), prefixed(p.Kind+" person ", v.People)...) {
				if owner, taken := targets[target]; taken && owner != i {
					t.Errorf("%s: %s has another policy", v.Name, target)
				}
				targets[target] = i
			}
			if slices.ContainsFunc(v.People, func(n int) bool { return n < 1 || n > c.staff }) {
				t.Errorf("%s: targets %v are nobody", v.Name, v.People)
			}
		}
		last := p.Versions[len(p.Versions)-1].Name
		if names[p.Kind+last] {
			t.Errorf("two policies are called %s", last)
		}
		names[p.Kind+last] = true
	}
	for kind, n := range count {
		if n > maxPolicies {
			t.Errorf("%d policies of %s", n, kind)
		}
	}
}

func prefixed(prefix string, numbers []int) []string {
	var all []string
	for _, n := range numbers {
		all = append(all, fmt.Sprint(prefix, n))
	}
	return all
}

func BenchmarkPeople(b *testing.B) {
	c := companies(b, 100_000)[0]
	for b.Loop() {
		for range c.People() {
		}
	}
}
