package demo

import (
	"context"
	"math"
	"math/rand/v2"
	"net/netip"
	"time"

	"officeconsole/queries/identity"
)

// mostSignIns is the number of people up to which people have been in the console.
const mostSignIns = 2000

// signIns creates the last sign-in of most people, which has ended: of the last
// days, during the day. The others were not there for as long as sign-ins are stored.
func (f *filler) signIns(ctx context.Context, c *Company) error {
	random := rand.New(rand.NewPCG(c.seed, 20))
	var rows [][]any
	for p := range c.People() {
		days, minute, sometimes := -math.Log(1-random.Float64())*2, 490+random.IntN(640), random.IntN(8) > 0
		if p.Bot || p.Hidden != nil || len(rows) == mostSignIns {
			continue
		}
		at := c.today.AddDate(0, 0, -int(days)).Add(time.Duration(minute) * time.Minute)
		if at.After(c.now) {
			at = at.AddDate(0, 0, -1)
		}
		if sometimes && p.Joined.Before(at) && c.now.Sub(at) < identity.EndedSignInDays*24*time.Hour {
			rows = append(rows, []any{
				f.companyID, f.users + int64(p.Number), at.Add(-20 * time.Minute), at, at.Add(identity.SessionAge), int32(3600), at,
				netip.AddrFrom4([4]byte{203, 0, 113, byte(1 + p.Number%250)}), "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36",
			})
		}
	}
	return f.copyTables(ctx, []demoTable{{
		"sign_ins", []string{"company_id", "user_id", "created_at", "seen_at", "expires_at", "idle_seconds", "ended_at", "address", "user_agent"}, rows,
	}})
}
