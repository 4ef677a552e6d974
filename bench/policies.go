package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"officeconsole/demo"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// treeSize is the number of departments of the companies whose policies are
// measured. They have two hundred policies of each kind.
const treeSize = 10_000

const (
	policyRounds = 7
	policyRound  = time.Second
)

// policies measures the cost of resolving the policies that apply to users.
func policies(ctx context.Context, b *bench) error {
	var companies []*company
	for _, people := range []int{smallPeople, size} {
		database, err := b.server.companyDatabase(ctx, demo.Options{Employees: people, Departments: treeSize})
		if err != nil {
			return err
		}
		s, err := newConsole(ctx, database)
		if err != nil {
			return err
		}
		defer s.close()
		companies = append(companies, &company{people: people, site: s})
	}
	large := companies[1]
	var counted [2]int
	err := large.site.db.Pool().QueryRow(ctx, `select (select count(*) from departments where company_id = 1),
		(select count(*) from policies where company_id = 1 and kind = 'communication' and deleted_at is null)`).Scan(&counted[0], &counted[1])
	if err != nil {
		return err
	}
	b.table.head(fmt.Sprintf("Policies, %s people, %s departments, %d policies", thousands(size), thousands(counted[0]), counted[1]))
	for _, measure := range []func(context.Context, *bench, *company) error{effectivePolicy, wholeCompany, draftPreview, treeData, targetDialog} {
		if err := measure(ctx, b, large); err != nil {
			return err
		}
	}
	b.table.head(fmt.Sprintf("Application status by HTTP, %d rows a page, against %s people", pageSize, thousands(smallPeople)))
	if err := spreadOut(ctx, companies[0]); err != nil {
		return err
	}
	questions, err := statusQuestions(ctx, companies)
	if err != nil {
		return err
	}
	for _, c := range companies {
		if c.client, err = c.site.dial(ctx); err != nil {
			return err
		}
		defer c.client.conn.Close()
	}
	return compare(ctx, b, companies, questions, func(int) string { return "≤ 1.3" })
}

// effectivePolicy compares resolving the policy of a user with a bare select by
// primary key over the same pool.
func effectivePolicy(ctx context.Context, b *bench, c *company) error {
	ids, err := everybody(ctx, c)
	if err != nil {
		return err
	}
	bare := func(ctx context.Context, id int64) error {
		return c.site.db.Pool().QueryRow(ctx, "select id from users where company_id = $1 and id = $2", 1, id).Scan(&id)
	}
	effective := func(ctx context.Context, id int64) error {
		_, err := c.site.db.Policies.Effective(ctx, 1, id, "communication", c.site.db.Now())
		return err
	}
	var ratio spread
	var here, there float64
	for i := range policyRounds + 1 {
		if there, err = rate(ctx, ids, bare); err != nil {
			return err
		}
		if here, err = rate(ctx, ids, effective); err != nil {
			return err
		}
		if i > 0 { // warm-up
			ratio = append(ratio, here/there)
		}
	}
	b.table.row(fmt.Sprintf("one person's policy, %d at a time: rate relative to a select by primary key", connections), "≥ 0.50", ratio.String())
	b.table.row("one person's policy: policies and selects per second", "", fmt.Sprintf("%.0f, %.0f", here, there))
	return nil
}

// rate returns how many times a second do runs for users chosen at random.
func rate(ctx context.Context, ids []int64, do func(context.Context, int64) error) (float64, error) {
	group, ctx := errgroup.WithContext(ctx)
	var done [connections]int
	began := time.Now()
	for i := range connections {
		group.Go(func() error {
			for time.Since(began) < policyRound {
				if err := do(ctx, ids[rand.IntN(len(ids))]); err != nil {
					return err
				}
				done[i]++
			}
			return nil
		})
	}
	err := group.Wait()
	all := 0
	for _, n := range done {
		all += n
	}
	return float64(all) / time.Since(began).Seconds(), err
}

// everybody returns the ids of all users who can have a policy: the bare scan.
func everybody(ctx context.Context, c *company) ([]int64, error) {
	rows, err := c.site.db.Pool().Query(ctx, "select id from users where company_id = $1 and not bot", 1)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// wholeCompany compares resolving the policies of all users with the bare scan.
// They run one after the other on the same connection of the pool.
func wholeCompany(ctx context.Context, b *bench, c *company) error {
	return compareWithScan(ctx, b, c, "the whole company's: time, of a bare scan of the people", "≤ 3", func() error {
		all, err := c.site.db.Policies.ResolveCompany(ctx, 1, "communication", c.site.db.Now())
		if err == nil && len(all) != c.people {
			err = fmt.Errorf("%d of %d people have a policy", len(all), c.people)
		}
		return err
	})
}

// draftPreview compares the preview of a draft for all users with the bare
// scan.
func draftPreview(ctx context.Context, b *bench, c *company) error {
	admin, err := c.site.db.Directory.Person(ctx, directory.PersonParams{CompanyID: 1, ID: 1})
	if err != nil {
		return err
	}
	by := directory.ActorFrom(admin, netip.MustParseAddr("127.0.0.1"))
	draft := policy.Draft{
		Kind: "communication", Name: "본사 기준", Enabled: true, Targets: []policy.Target{{Type: policy.DepartmentTarget, ID: 1, IncludeChildren: true}},
		Settings: json.RawMessage(`{"session_time_sec": 600, "file_max_mb": 20, "mobile_capture": false, "read_receipt": "off"}`),
	}
	return compareWithScan(ctx, b, c, "preview of a draft on the root: time, of a bare scan", "< 10", func() error {
		_, err := c.site.db.Policies.PreviewDraft(ctx, by, draft, 0)
		return err
	})
}

// compareWithScan prints the time of do relative to the bare scan. The two alternate.
func compareWithScan(ctx context.Context, b *bench, c *company, name, target string, do func() error) error {
	var ratio, took, bare spread
	for i := range warmUp + 2*policyRounds {
		began := time.Now()
		if _, err := everybody(ctx, c); err != nil {
			return err
		}
		scan := time.Since(began)
		began = time.Now()
		if err := do(); err != nil {
			return err
		}
		if here := time.Since(began); i >= warmUp {
			ratio, took, bare = append(ratio, float64(here)/float64(scan)), append(took, milliseconds(here)), append(bare, milliseconds(scan))
		}
	}
	b.table.row(name, target, ratio.String())
	b.table.row("the same in ms, and the bare scan", "", fmt.Sprintf("%.1f, %.1f", took.median(), bare.median()))
	return nil
}
