// Package demo makes up companies to try the console with: departments, people,
// policies, attendance and links that look realistic. The same options give the
// same data. Fill stores them in a database.
package demo

import (
	"errors"
	"fmt"
	"time"
)

// Host and OtherHost are the hosts of the two companies, and Password is the
// password of every account among their people.
const (
	Host      = "hanbit.example"
	OtherHost = "other.example"
	Password  = "Console!2026"
)

// The bounds of Options.
const (
	MinEmployees   = 10
	MaxEmployees   = 5_000_000
	MaxDepartments = 10_000
)

// Options are the size of the demo company and its present day.
type Options struct {
	Employees   int       // number of people without bots
	Departments int       // number of departments; 0 for one for every 19 employees
	Days        int       // days of attendance up to today; people and policies do not depend on it
	Seed        uint64    // the seed of the random numbers
	Today       time.Time // the present day; nothing is clocked after it, and planned changes follow it
}

// Company is a made-up company. Departments and people are identified by their
// number, which counts from 1; 0 is none.
type Company struct {
	Name, Host, TimeZone, OrganizationURL string
	AdminManualURL, UserManualURL         string
	Maps                                  []Map
	Departments                           []Department // parents before their children, the root first
	Ranks, Roles                          []string     // the highest first
	Policies                              []Policy
	Viewers                               []Viewer
	Links                                 []Link     // in their order
	Deliveries                            []Delivery // the oldest first
	Services                              []ServiceChange
	Notices                               []Notice // the latest first

	staff     int
	days      int
	seed      uint64
	now       time.Time
	today     time.Time // the first moment of the present day
	named     []named
	headcount []int // number of unnamed people, by department
	bots      []string
}

// Map is a provider of map tiles.
type Map struct{ Provider, Key, TileURL, Attribution string }

// Companies returns the demo company and a small second one.
func Companies(o Options) ([]*Company, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Departments == 0 {
		o.Departments = min(max(12, (o.Employees+18)/19), MaxDepartments)
	}
	year, month, day := o.Today.In(seoul).Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, seoul)
	return []*Company{hanbit(o, today), other(o, today)}, nil
}

// Afternoon returns 15:00 of a date in Korea, when most people are at work.
func Afternoon(date time.Time) time.Time {
	year, month, day := date.Date()
	return time.Date(year, month, day, 15, 0, 0, 0, seoul)
}

// Size returns the number of people of the company, including bots.
func (c *Company) Size() int { return c.staff + len(c.bots) }

// A fixed zone, because Korea has had no summer time since 1988.
var seoul = time.FixedZone("KST", 9*60*60)

func (o Options) check() error {
	switch {
	case o.Employees < MinEmployees || o.Employees > MaxEmployees:
		return fmt.Errorf("employees: %d is not between %d and %d", o.Employees, MinEmployees, MaxEmployees)
	case o.Departments < 0 || o.Departments > MaxDepartments:
		return fmt.Errorf("departments: %d is not between 0 and %d", o.Departments, MaxDepartments)
	case o.Days < 0:
		return fmt.Errorf("days: %d is negative", o.Days)
	case o.Today.IsZero():
		return errors.New("today is not given")
	}
	return nil
}

func hanbit(o Options, today time.Time) *Company {
	c := &Company{
		Name: "한빛테크", Host: Host, TimeZone: "Asia/Seoul",
		OrganizationURL: "https://org." + Host + "/",
		AdminManualURL:  "https://help." + Host + "/admin",
		UserManualURL:   "https://help." + Host + "/user",
		Maps:            openStreetMap(),
		Departments:     hanbitDepartments(o.Departments),
		Ranks:           ranks(),
		Roles:           roles(),
		staff:           o.Employees,
		days:            o.Days,
		seed:            o.Seed,
		now:             o.Today,
		today:           today,
		named:           hanbitPeople(),
		bots:            []string{"공지봇", "근태알림봇", "결재알림봇", "회의실예약봇", "빌드봇", "도움말봇"},
	}
	c.spread()
	c.Policies = c.hanbitPolicies()
	c.Viewers = c.hanbitViewers()
	c.Links = c.links(hanbitLinks)
	c.Deliveries = c.deliveries()
	c.Services = c.hanbitServices()
	c.Notices = c.notices(hanbitNotices)
	return c
}

func other(o Options, today time.Time) *Company {
	c := &Company{
		Name: "다른컴퍼니", Host: OtherHost, TimeZone: "Asia/Seoul",
		OrganizationURL: "https://org." + OtherHost + "/",
		AdminManualURL:  "https://help." + OtherHost + "/admin",
		UserManualURL:   "https://help." + OtherHost + "/user",
		Maps:            openStreetMap(),
		Departments:     otherDepartments(),
		Ranks:           ranks(),
		Roles:           roles(),
		staff:           40,
		days:            o.Days,
		seed:            o.Seed + 1,
		now:             o.Today,
		today:           today,
		named:           otherPeople(),
		bots:            []string{"공지봇"},
	}
	c.spread()
	c.Policies = c.otherPolicies()
	c.Viewers = c.otherViewers()
	c.Links = c.links(otherLinks)
	c.Notices = c.notices(otherNotices)
	return c
}

func openStreetMap() []Map {
	return []Map{{
		Provider: "OpenStreetMap", Key: "demo",
		TileURL:     "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
		Attribution: "© OpenStreetMap contributors",
	}}
}

func ranks() []string {
	return []string{"사장", "부사장", "전무", "상무", "이사", "수석", "부장", "차장", "과장", "대리", "주임", "사원"}
}

func roles() []string {
	return []string{"대표이사", "본부장", "연구소장", "센터장", "지사장", "실장", "팀장", "파트장", "팀원"}
}
