package demo

import (
	"fmt"
	"iter"
	"time"

	"officeconsole/queries/audit"
	"officeconsole/workday"
)

// ListRead is a list about other people that somebody read on a page, or exported.
type ListRead struct {
	By       int // number of a person
	At       time.Time
	Kind     audit.ReadKind
	Query    string // of the page's URL
	Rows     int
	Exported bool
}

// readHabit is a list that somebody reads on every so many workdays.
type readHabit struct {
	by, every int
	kind      audit.ReadKind
	query     string // %s is the date
	rows      int
	exported  bool
}

// readHabits are those of the administrators and the heads of divisions.
var readHabits = []readHabit{
	{personnel, 1, audit.ReadDay, "date=%s", 50, false},
	{personnel, 2, audit.ReadDay, "date=%s&status=late", 17, false},
	{salesHead, 2, audit.ReadDay, "date=%s&q=영업", 38, false},
	{japanHead, 3, audit.ReadDay, "date=%s", 29, false},
	{supervisor, 4, audit.ReadWeek, "date=%s", 50, false},
	{personnel, 5, audit.ReadWeek, "date=%s&over=48", 12, false},
	{personnel, 5, audit.ReadCorrections, "", 9, false},
	{personnel, 20, audit.ReadMonth, "", 1200, true},
	{personnel, 20, audit.ReadManagement, "", 50, false},
	{admin, 6, audit.ReadFiles, "platform=web", 50, false},
	{admin, 9, audit.ReadAccess, "pattern=failures", 21, false},
	{admin, 11, audit.ReadClients, "platform=pc&state=outdated", 50, false},
	{admin, 30, audit.ReadFiles, "", 812, true},
}

// readDays is the number of days for which the company has a log of reads.
const readDays = 90

// ListReads returns what people read of lists, the oldest first.
func (c *Company) ListReads() iter.Seq[ListRead] {
	return func(yield func(ListRead) bool) {
		for day := range readDays {
			date := c.today.AddDate(0, 0, day-readDays+1)
			if date.Weekday() == time.Saturday || date.Weekday() == time.Sunday {
				continue
			}
			for i, h := range readHabits {
				at := date.Add(9*time.Hour + time.Duration(5+31*i+day*17%23)*time.Minute)
				if day%h.every != i%h.every || h.by > len(c.named) || at.After(c.Now()) {
					continue
				}
				query := h.query
				if h.kind == audit.ReadDay || h.kind == audit.ReadWeek {
					query = fmt.Sprintf(h.query, workday.DateOf(date))
				}
				if !yield(ListRead{By: h.by, At: at, Kind: h.kind, Query: query, Rows: min(h.rows, c.staff), Exported: h.exported}) {
					return
				}
			}
		}
	}
}
