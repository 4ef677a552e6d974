package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/bot"
	"officeconsole/queries/directory"
)

// bot creates the service bot of a company with what programs sent through it.
// Nobody knows the tokens: an administrator who wants to send rotates one. The
// bot is a user, so the ids of users must have been advanced.
func (f *filler) bot(ctx context.Context, c *Company) error {
	company, err := directory.New(f.tx).CompanyByHost(ctx, c.Host)
	if err != nil {
		return err
	}
	f.companyID = company.ID
	if err := queries.New(f.tx).EnsurePartitionsFrom(ctx, c.Now().AddDate(0, 0, -botDays), c.Now()); err != nil {
		return err
	}
	departments := map[string]int64{}
	for i, d := range c.Departments {
		departments[d.Name] = int64(i) + 1
	}
	hook := bot.Receivers{Everyone: departments[botReceivers] == 0}
	if !hook.Everyone {
		hook.Departments = []int64{departments[botReceivers]}
	}
	err = bot.NewLoader(f.tx, c.officeTime(botDays+30)).Update(ctx, queries.Actor{CompanyID: f.companyID}, 0, func(d bot.Draft) bot.Draft {
		d.Name, d.HookReceivers = botName, hook
		return d
	})
	if err != nil {
		return fmt.Errorf("service bot: %w", err)
	}
	if err := f.botTokens(ctx, c); err != nil {
		return err
	}
	columns := []string{"company_id", "at", "kind", "trigger", "text", "receivers", "accepted", "code", "answer", "took_us", "address", "agent"}
	_, err = f.copy(ctx, "bot_messages", columns, func(yield func([]any) bool) {
		for _, d := range c.Deliveries {
			var to bot.Receivers
			for _, name := range d.Departments {
				to.Departments = append(to.Departments, departments[name])
			}
			for _, number := range d.People {
				to.Users = append(to.Users, int64(number))
			}
			if !yield([]any{f.companyID, d.At, d.Kind, bot.TriggerCall, d.Text, to, d.Code == "", d.Code, d.Answer, d.TookMicro, d.Address, d.Agent}) {
				return
			}
		}
	})
	return err
}

// botTokens creates a token of each kind, and one that was replaced this week.
func (f *filler) botTokens(ctx context.Context, c *Company) error {
	last := map[string]Delivery{}
	for _, d := range c.Deliveries {
		if d.Code == "" {
			last[d.Kind] = d
		}
	}
	var rows [][]any
	add := func(kind bot.Kind, ending string, created time.Time, endsAt *time.Time) {
		hash := make([]byte, 32)
		rand.Read(hash) // never fails
		d, used := last[string(kind)]
		row := []any{f.companyID, string(kind), hash, ending, created, endsAt, nil, nil, ""}
		if used {
			row[6], row[7], row[8] = d.At, d.Address, d.Agent
		}
		rows = append(rows, row)
	}
	ends := c.Now().AddDate(0, 0, 3)
	add(bot.KindNotification, "7Q2F", c.officeTime(botDays+30), nil)
	add(bot.KindMessage, "P31A", c.officeTime(botDays+30), &ends)
	add(bot.KindMessage, "XK5D", c.officeTime(4), nil)
	add(bot.KindHook, "C5HE", c.officeTime(botDays+20), nil)
	return f.copyTables(ctx, []demoTable{{"bot_tokens", []string{"company_id", "kind", "hash", "ending", "created_at", "ends_at", "used_at", "used_from", "used_by"}, rows}})
}
