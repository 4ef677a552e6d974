package demo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"officeconsole/queries/notice"
)

// mostReaders is the number of people up to which people read notices: enough for
// pages that look real, and few rows in a large company.
const mostReaders = 2000

// readShards is the number of rows that count the readers of a notice.
const readShards = 8

// notices creates the notices, with files if there is a store of files, and who
// has read them.
func (f *filler) notices(ctx context.Context, c *Company) error {
	var people []*Person
	for p := range c.People() {
		if !p.Bot && p.Hidden == nil && len(people) < mostReaders {
			people = append(people, p)
		}
	}
	var reads, counts [][]any
	for _, n := range slices.Backward(c.Notices) { // in the order of their creation
		created, err := f.notice(ctx, c, n)
		if err != nil {
			return fmt.Errorf("notice %s: %w", n.Title, err)
		}
		if n.Reserved.IsZero() {
			readers := f.readers(c, n, people)
			shards := [readShards]int{}
			for _, r := range readers {
				reads = append(reads, []any{f.companyID, created.ID, r.id, r.at})
				shards[r.id%readShards]++
			}
			for shard, readers := range shards {
				if readers > 0 {
					counts = append(counts, []any{f.companyID, created.ID, shard, readers})
				}
			}
		}
	}
	return f.copyTables(ctx, []demoTable{
		{"notice_reads", []string{"company_id", "notice_id", "user_id", "read_at"}, reads},
		{"notice_read_counts", []string{"company_id", "notice_id", "shard", "readers"}, counts},
	})
}

func (f *filler) notice(ctx context.Context, c *Company, n Notice) (notice.Notice, error) {
	loader := notice.NewLoader(f.tx, n.Created)
	by := f.actor(c, n.Author)
	draft := notice.Draft{Title: n.Title, Body: n.Body, Targets: notice.Targets{Everyone: len(n.Departments) == 0}}
	for _, number := range n.Departments {
		draft.Targets.Departments = append(draft.Targets.Departments, notice.DepartmentTarget{ID: f.departments + int64(number), IncludeChildren: true})
	}
	if !n.Reserved.IsZero() {
		draft.PublishAt = &n.Reserved
	}
	if f.files != nil {
		for _, file := range n.Files {
			stored, err := loader.Upload(ctx, by, f.files, notice.Upload{Name: file.Name, Content: strings.NewReader(file.Content)})
			if err != nil {
				return notice.Notice{}, fmt.Errorf("file %s: %w", file.Name, err)
			}
			draft.AttachmentIDs = append(draft.AttachmentIDs, stored.ID)
		}
	}
	return loader.Create(ctx, by, draft)
}

// read is when a user read a notice.
type read struct {
	id int64
	at time.Time
}

// readers returns who of a notice's people has read it: most of them within two
// days, and within working hours.
func (f *filler) readers(c *Company, n Notice, people []*Person) []read {
	random := rand.New(rand.NewPCG(c.seed, uint64(n.Created.Unix())))
	day := n.Created.Truncate(time.Hour)
	midnight := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, day.Location())
	var all []read
	for _, p := range people {
		willRead, days, minute := random.Float64() < n.Interest, int(-math.Log(1-random.Float64())*1.2), 510+random.IntN(560)
		at := midnight.AddDate(0, 0, days).Add(time.Duration(minute) * time.Minute)
		if at.Before(n.Created) {
			at = n.Created.Add(time.Duration(1+minute%90) * time.Minute)
		}
		if willRead && c.isRecipient(n, p) && p.Joined.Before(at) && at.Before(c.now) {
			all = append(all, read{f.users + int64(p.Number), at})
		}
	}
	return all
}

// isRecipient reports whether a notice is for a person.
func (c *Company) isRecipient(n Notice, p *Person) bool {
	if len(n.Departments) == 0 {
		return true
	}
	for number := p.Department; number != 0; number = c.Departments[number-1].Parent {
		if slices.Contains(n.Departments, number) {
			return true
		}
	}
	return false
}
