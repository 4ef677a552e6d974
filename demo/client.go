package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"officeconsole/workday"
)

// Client is a messenger that a person has installed.
type Client struct {
	Person                              *Person
	Platform, DeviceID, Device, Version string
	System                              string // with its version
	FirstLogin, LastLogin               time.Time
}

// clientRelease is a version of the messenger, and the part of the people with a
// client who have it at the end of the demo's days.
type clientRelease struct {
	version  string
	share    float64
	released int // days before the end
}

// The oldest version counts as released before the year that the days cover.
var pcReleases = []clientRelease{{"6.4.2", 674, 39}, {"6.3.1", 222, 95}, {"6.2.4", 139, 158}, {"6.1.3", 73, 420}}

var mobileReleases = []clientRelease{{"6.4.1", 640, 32}, {"6.3.0", 250, 101}, {"6.2.2", 110, 170}, {"6.1.0", 38, 420}}

// clientDays is the number of days whose shares are filled.
const clientDays = 365

// The people who have a client, of a thousand.
const (
	withPC     = 924 // 1,108 of 1,200
	withMobile = 905
)

// Clients returns the clients of the people of a company.
func (c *Company) Clients() []Client {
	random := rand.New(rand.NewPCG(c.seed, 0x636c69656e74))
	var people []*Person
	for p := range c.People() {
		if !p.Bot && p.Hidden == nil {
			people = append(people, p)
		}
	}
	var clients []Client
	for _, i := range random.Perm(len(people))[:len(people)*withPC/1000] {
		clients = append(clients, c.pcClient(random, people[i]))
	}
	spreadVersions(clients, pcReleases)
	mobile := len(clients)
	for _, i := range random.Perm(len(people))[:len(people)*withMobile/1000] {
		clients = append(clients, c.mobileClient(random, people[i]))
	}
	spreadVersions(clients[mobile:], mobileReleases)
	return clients
}

// spreadVersions gives clients the versions in their proportion. A few of those with the
// oldest version have a system that takes no newer one.
func spreadVersions(clients []Client, releases []clientRelease) {
	total, passed, from := 0.0, 0.0, 0
	for _, r := range releases {
		total += r.share
	}
	for _, r := range releases {
		passed += r.share
		to := int(math.Round(passed / total * float64(len(clients))))
		for i := range clients[from:to] {
			clients[from+i].Version = r.version
		}
		from = to
	}
	old := 0
	for i := len(clients) - 1; i >= 0 && old < max(1, len(clients)*14/1108); i-- {
		if clients[i].Platform == "pc" && clients[i].System[:3] == "Win" {
			clients[i].System = "Windows 8.1"
			old++
		}
	}
}

func (c *Company) pcClient(random *rand.Rand, p *Person) Client {
	client := Client{Person: p, Platform: "pc", DeviceID: fmt.Sprintf("pc-%06d", p.Number), Device: fmt.Sprintf("HB-%04d", p.Number)}
	switch random.IntN(18) {
	case 0:
		client.System, client.Device = []string{"macOS 15.7", "macOS 26.1"}[random.IntN(2)], fmt.Sprintf("MBP-%04d", p.Number)
	default:
		client.System = []string{"Windows 11 24H2", "Windows 11 25H2", "Windows 10 22H2"}[random.IntN(3)]
	}
	c.use(random, &client)
	return client
}

func (c *Company) mobileClient(random *rand.Rand, p *Person) Client {
	client := Client{Person: p, Platform: "mobile", DeviceID: fmt.Sprintf("mobile-%06d", p.Number)}
	if random.IntN(3) == 0 {
		client.System, client.Device = []string{"iOS 18.6", "iOS 26.1"}[random.IntN(2)], []string{"iPhone 15", "iPhone 16 Pro", "iPhone 17"}[random.IntN(3)]
	} else {
		client.System, client.Device = []string{"Android 14", "Android 15", "Android 16"}[random.IntN(3)], []string{"Galaxy S24", "Galaxy S25", "Galaxy Z Flip7"}[random.IntN(3)]
	}
	c.use(random, &client)
	return client
}

// use sets the first and the last login. Most people used the client today or on the
// last workday, and 47 of 1,108 not for more than thirty days.
func (c *Company) use(random *rand.Rand, client *Client) {
	end := c.now
	minutes := func(days int) time.Duration {
		return time.Duration(days)*24*time.Hour + time.Duration(random.IntN(12*60))*time.Minute
	}
	switch n := random.IntN(1108); {
	case n < 47:
		client.LastLogin = end.Add(-minutes(31 + random.IntN(60)))
	case n < 160:
		client.LastLogin = end.Add(-minutes(1 + random.IntN(6)))
	default:
		client.LastLogin = end.Add(-time.Duration(random.IntN(100)) * time.Minute)
	}
	client.FirstLogin = client.LastLogin.Add(-minutes(100 + random.IntN(1500)))
	if client.FirstLogin.Before(client.Person.Joined) && client.Person.Joined.Before(client.LastLogin) {
		client.FirstLogin = client.Person.Joined
	}
}

// ClientShare is how many people had a version on a day.
type ClientShare struct {
	Day               time.Time
	Platform, Version string
	People            int64
}

// ClientShares returns the days of a year before the last one: each version spreads
// from its release until it has the share of the last day.
func (c *Company) ClientShares(clients []Client) []ClientShare {
	_, last := c.Period()
	var shares []ClientShare
	for _, platform := range []struct {
		name     string
		releases []clientRelease
	}{{"pc", pcReleases}, {"mobile", mobileReleases}} {
		people := 0
		for _, client := range clients {
			if client.Platform == platform.name {
				people++
			}
		}
		for before := clientDays; before >= 1; before-- {
			remaining := float64(people) * (1 - float64(before)/4000)
			for _, r := range platform.releases {
				part := remaining * spreadOf(platform.releases, r, before)
				remaining -= part
				if count := int64(math.Round(part)); count > 0 {
					shares = append(shares, ClientShare{(last - workday.Date(before)).Time(), platform.name, r.version, count})
				}
			}
		}
	}
	return shares
}

// spreadOf is the part that a release has of those who do not have a newer one, a
// number of days before the end.
func spreadOf(releases []clientRelease, r clientRelease, before int) float64 {
	older := 0.0
	for _, other := range releases {
		if other.released >= r.released {
			older += other.share
		}
	}
	if r.released > clientDays {
		return 1
	}
	age := float64(r.released - before)
	if age <= 0 {
		return 0
	}
	const pace = 14.0 // days
	return r.share / older * (1 - math.Exp(-age/pace)) / (1 - math.Exp(-float64(r.released)/pace))
}
