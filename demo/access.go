package demo

import (
	"iter"
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"

	"officeconsole/workday"
)

// Access is a row of the access history.
type Access struct {
	Person                                 *Person // nil for an unknown account
	Account                                string
	At                                     time.Time
	Kind, Result, Reason, Source, Platform string
	UserAgent                              string
	Address                                netip.Addr
	NewAddress, NewDevice                  bool
	Failures                               int
}

// maxAccesses is the maximum number of rows of a company, and accessRate how many a
// person has a day: of a console that few people open every day.
const (
	maxAccesses = 60_000
	accessRate  = 0.14
	accessDays  = 365
)

// accessFrom is the time from which the company has an access history.
func (c *Company) accessFrom() time.Time { return c.now.AddDate(0, 0, -accessDays) }

// A client of the company's people.
type accessClient struct{ source, platform, agent string }

var accessClients = []accessClient{
	{"messenger", "pc", "OfficeMessenger/6.3.0 (Windows NT 10.0)"},
	{"console", "web", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"},
	{"messenger", "mobile", "OfficeMessenger/6.2.4 (Android 16)"},
	{"console", "web", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15"},
	{"messenger", "mobile", "OfficeMessenger/6.3.1 (iPhone; iOS 19.1)"},
	{"console", "web", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0"},
}

// accessDraft is a kind of event with its weight.
type accessDraft struct {
	kind, result, reason string
	weight               int
}

var accessDrafts = []accessDraft{
	{"login", "ok", "", 560}, {"logout", "ok", "", 190}, {"idle_end", "ok", "", 110}, {"expired", "ok", "", 60}, {"login", "failed", "password", 50},
	{"ip_blocked", "refused", "", 8}, {"password_changed", "ok", "", 8}, {"session_revoked", "ok", "self", 6}, {"platform_blocked", "refused", "", 4}, {"admin_entry", "ok", "", 4},
}

// Accesses returns the access history of a year, the earliest first. Everybody uses
// two clients and two addresses; now and then one is new, somebody forgets a
// password, or somebody tries to guess one.
func (c *Company) Accesses() iter.Seq[Access] {
	return func(yield func(Access) bool) {
		m := accessMaker{Company: c, random: rand.New(rand.NewPCG(c.seed, 0x616363657373))}
		for p := range c.People() {
			if !p.Bot && p.Hidden == nil && p.Email != "" && len(m.people) < mostSenders {
				m.people = append(m.people, p)
			}
		}
		first, last := workday.DateOf(c.accessFrom().In(seoul)), workday.DateOf(c.now.In(seoul))
		total, days := min(maxAccesses, float64(c.staff)*accessDays*accessRate), float64(0)
		for date := first; date <= last; date++ {
			days += fileShare(date)
		}
		for date := first; date <= last; date++ {
			for _, a := range m.day(date, int(total*fileShare(date)/days)) {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// accessMaker makes up the access history of a company.
type accessMaker struct {
	*Company
	people []*Person
	random *rand.Rand
}

func (m *accessMaker) day(date workday.Date, count int) []Access {
	var all []Access
	for range count {
		p := m.people[m.random.IntN(len(m.people))]
		at := date.At(7*60+m.random.IntN(13*60), seoul).Add(time.Duration(m.random.Int64N(int64(time.Minute))))
		if at.Before(p.Joined) {
			continue
		}
		a := m.usual(p, at)
		switch m.random.IntN(1500) {
		case 0:
			all = append(all, m.guesses(a)...)
		case 1, 2, 3:
			a.Address, a.NewAddress = netip.AddrFrom4([4]byte{198, 51, 100, byte(1 + m.random.IntN(250))}), true
		case 4, 5, 6:
			other := accessClients[(p.Number+2+m.random.IntN(3))%len(accessClients)]
			a.Source, a.Platform, a.UserAgent, a.NewDevice = other.source, other.platform, other.agent, true
		case 7:
			a.Person, a.Account, a.Kind, a.Result, a.Reason = nil, "info@"+m.Host, "login", "failed", "unknown_account"
		default:
			m.event(&a)
		}
		all = append(all, a)
	}
	all = slices.DeleteFunc(all, func(a Access) bool { return a.At.After(m.now) })
	slices.SortStableFunc(all, func(a, b Access) int { return a.At.Compare(b.At) })
	return all
}

// usual is a login of a person as always.
func (m *accessMaker) usual(p *Person, at time.Time) Access {
	client := accessClients[(p.Number+m.random.IntN(2))%len(accessClients)]
	a := Access{Person: p, At: at, Kind: "login", Result: "ok", Source: client.source, Platform: client.platform, UserAgent: client.agent}
	a.Address = netip.AddrFrom4([4]byte{10, 12, byte(p.Department), byte(p.Number%250 + 1)})
	if client.platform == "mobile" {
		a.Address = netip.AddrFrom4([4]byte{203, 0, 113, byte(p.Number%250 + 1)})
	}
	return a
}

// event draws what happened.
func (m *accessMaker) event(a *Access) {
	n := m.random.IntN(1000)
	for _, d := range accessDrafts {
		if n -= d.weight; n < 0 {
			a.Kind, a.Result, a.Reason = d.kind, d.result, d.reason
			return
		}
	}
}

// guesses are five failures of an account that becomes locked.
func (m *accessMaker) guesses(a Access) []Access {
	const tries = 5
	a.Result, a.Reason, a.Address, a.NewAddress = "failed", "password", netip.AddrFrom4([4]byte{198, 51, 100, 77}), true
	var all []Access
	for i := range tries {
		try := a
		try.At = a.At.Add(time.Duration(i-tries) * 20 * time.Second)
		if i == tries-1 {
			try.Failures = tries
		}
		all = append(all, try)
	}
	locked := all[tries-1]
	locked.Kind, locked.Result, locked.Reason, locked.Failures, locked.NewAddress = "locked", "refused", "account", 0, false
	locked.At = locked.At.Add(time.Millisecond)
	return append(all, locked)
}
