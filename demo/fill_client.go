package demo

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"officeconsole/queries/usage"
	"officeconsole/workday"
)

// clientBatch is the number of clients that are written at once.
const clientBatch = 10_000

// clients fills the clients of the people, and the shares of their versions.
func (f *filler) clients(ctx context.Context, c *Company) error {
	clients := c.Clients()
	var days []usage.ClientDay
	for _, s := range c.ClientShares(clients) {
		days = append(days, usage.ClientDay{Day: s.Day, Platform: s.Platform, Version: s.Version, People: s.People})
	}
	for batch := range slices.Chunk(clients, clientBatch) {
		rows := make([]usage.ClientRow, len(batch))
		for i, client := range batch {
			rows[i] = usage.ClientRow{
				UserID: f.users + int64(client.Person.Number), Platform: client.Platform, DeviceID: client.DeviceID, DeviceName: client.Device,
				Version: client.Version, OS: client.System,
				FirstLogin: client.FirstLogin.Truncate(time.Microsecond), LastLogin: client.LastLogin.Truncate(time.Microsecond),
			}
		}
		if err := usage.LoadClients(ctx, f.tx, f.companyID, rows, days); err != nil {
			return err
		}
		days = nil
	}
	return f.installationRules(ctx, c)
}

// installationRules fills the rules in the middle of a campaign: the minimum version
// of PCs is new, and is forced from the next Monday.
func (f *filler) installationRules(ctx context.Context, c *Company) error {
	monday := workday.DateOf(c.now.In(seoul)) + 1
	for monday.Weekday() != time.Monday {
		monday++
	}
	return usage.LoadRules(ctx, f.tx, f.actor(c, admin), c.now.Add(-26*time.Hour).Truncate(time.Microsecond), func(r *usage.ClientRule) {
		address := "https://download." + c.Host + "/" + r.System
		switch r.System {
		case "windows", "macos":
			r.Version, r.Minimum, r.ForcedFrom, r.URL = pcReleases[0].version, "6.3.0", monday, address
			r.SHA256 = fmt.Sprintf("%x", sha256.Sum256([]byte(address)))
			r.Size = map[string]int64{"windows": 88_185_242, "macos": 106_954_752}[r.System]
			r.RequiresOS = map[string]string{"windows": "10", "macos": "13"}[r.System]
		case "linux":
			r.Allowed = false
		default:
			r.Version, r.Minimum, r.URL = mobileReleases[0].version, "6.1.0", address
		}
	})
}
