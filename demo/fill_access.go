package demo

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/usage"
)

// access fills the access history with a year.
func (f *filler) access(ctx context.Context, c *Company) error {
	if first, last := c.Period(); first > last {
		return nil
	}
	if err := queries.New(f.tx).EnsurePartitionsOf(ctx, "access_events", c.accessFrom(), c.Now()); err != nil {
		return err
	}
	var rows usage.AccessRows
	for a := range c.Accesses() {
		e := usage.Access{
			CompanyID: f.companyID, At: a.At.Truncate(time.Microsecond), Account: a.Account, Kind: a.Kind, Result: a.Result, Reason: a.Reason, Source: a.Source,
			Platform: a.Platform, Ip: &a.Address, UserAgent: a.UserAgent, ReceivedAt: a.At.Truncate(time.Microsecond),
			NewAddress: a.NewAddress, NewDevice: a.NewDevice, Failures: int32(a.Failures),
		}
		if a.Person != nil {
			id := f.users + int64(a.Person.Number)
			e.UserID = &id
		}
		if a.Source == string(usage.AccessMessenger) {
			e.EventID = fmt.Sprint("demo-", f.companyID, "-", rows.Len())
		}
		rows.Add(e)
	}
	return usage.LoadAccess(ctx, f.tx, rows)
}
