package notice

import (
	"context"
	"slices"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/notice"
	"officeconsole/views"
)

// differences shows how a notice has changed.
type differences struct {
	notice.Differences
	names notice.TargetNames
	zone  *time.Location
}

// fieldLabel names a field of a notice.
func fieldLabel(ctx context.Context, field string) string {
	switch field {
	case "title":
		return locales.T(ctx, "notice.field.title")
	case "body":
		return locales.T(ctx, "notice.field.body")
	case "attachment_ids":
		return locales.T(ctx, "notice.attachments")
	case "targets":
		return locales.T(ctx, "notice.target")
	}
	return locales.T(ctx, "notice.when")
}

func (d differences) timeText(ctx context.Context, at *time.Time) string {
	if at == nil {
		return locales.T(ctx, "notice.when.now")
	}
	return locales.DateTime(ctx, at.In(d.zone))
}

// files are the names of the added and the removed files. Both are empty where only
// their order has changed.
func (d differences) files(ctx context.Context) (added, removed []string) {
	return filesWithout(ctx, d.After, d.Before), filesWithout(ctx, d.Before, d.After)
}

// filesWithout names the files of a record that another one does not have.
func filesWithout(ctx context.Context, record, other notice.Record) (names []string) {
	for i, id := range record.AttachmentIDs {
		if slices.Contains(other.AttachmentIDs, id) {
			continue
		}
		name := locales.T(ctx, "notice.attachments.deleted")
		if i < len(record.FileNames) {
			name = record.FileNames[i]
		}
		names = append(names, name)
	}
	return names
}

// targets are the names of the added and the removed targets.
func (d differences) targets(ctx context.Context) (added, removed []string) {
	return d.targetsWithout(ctx, d.After.Targets, d.Before.Targets), d.targetsWithout(ctx, d.Before.Targets, d.After.Targets)
}

// targetsWithout names the targets that others do not have. They are compared by their
// ids, because several people may have one name.
func (d differences) targetsWithout(ctx context.Context, t, others notice.Targets) (texts []string) {
	if t.Everyone && !others.Everyone {
		return []string{locales.T(ctx, "notice.everyone")}
	}
	for _, department := range t.Departments {
		if !slices.Contains(others.Departments, department) {
			named := notice.NamedTarget{DepartmentID: department.ID, IncludeChildren: department.IncludeChildren, Name: d.names.Departments.Names[department.ID]}
			texts = append(texts, withDetail(targetText(ctx, named), d.names.Departments.Details[department.ID]))
		}
	}
	for _, id := range t.UserIDs {
		if !slices.Contains(others.UserIDs, id) {
			texts = append(texts, withDetail(targetText(ctx, notice.NamedTarget{UserID: id, Name: d.names.Users.Names[id]}), d.names.Users.Details[id]))
		}
	}
	return texts
}

// withDetail adds what tells a target from others with its name; "" for nothing.
func withDetail(name, detail string) string {
	if detail == "" {
		return name
	}
	return name + " · " + detail
}

// targetText names a target, and of a department whether those below belong to it.
func targetText(ctx context.Context, t notice.NamedTarget) string {
	if t.DepartmentID != 0 && t.IncludeChildren && t.Name != "" {
		return locales.T(ctx, "notice.targets.children", "Department", t.Name)
	}
	return targetName(ctx, t)
}

// A line of a body that was added or removed.
type line struct {
	added bool
	text  string
}

// shownLines is the maximum number of lines shown of a changed body.
const shownLines = 12

// lines are the first shownLines lines in which the bodies differ, and how many
// more there are.
func (d differences) lines() (lines []line, more int) {
	lines = changedLines(strings.Split(d.Before.Body, "\n"), strings.Split(d.After.Body, "\n"))
	lines = slices.DeleteFunc(lines, func(l line) bool { return strings.TrimSpace(l.text) == "" })
	if len(lines) > shownLines {
		return lines[:shownLines], len(lines) - shownLines
	}
	return lines, 0
}

// maxCompared limits the work of a comparison: texts that differ in more pairs of
// lines count as replaced.
const maxCompared = 1_000_000

// changedLines returns what to remove from one text and add to it to get another,
// by their longest common subsequence.
func changedLines(before, after []string) (lines []line) {
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	common := func(int, int) int { return 0 }
	if len(before)*len(after) <= maxCompared {
		lengths := commonLengths(before, after)
		common = func(i, j int) int { return lengths[i][j] }
	}
	for i, j := 0, 0; i < len(before) || j < len(after); {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			i, j = i+1, j+1
		case j == len(after) || i < len(before) && common(i+1, j) >= common(i, j+1):
			lines, i = append(lines, line{false, before[i]}), i+1
		default:
			lines, j = append(lines, line{true, after[j]}), j+1
		}
	}
	return lines
}

// commonLengths returns the length of the longest common subsequence of each pair
// of ends of two texts.
func commonLengths(before, after []string) [][]int {
	lengths := make([][]int, len(before)+1)
	lengths[len(before)] = make([]int, len(after)+1)
	for i := len(before) - 1; i >= 0; i-- {
		lengths[i] = make([]int, len(after)+1)
		for j := len(after) - 1; j >= 0; j-- {
			lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			if before[i] == after[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			}
		}
	}
	return lengths
}

// momentOf writes a time of today by its hour, and another one with its date.
func momentOf(ctx context.Context, at time.Time, f views.Frame) string {
	at = at.In(f.Zone())
	if at.Format(time.DateOnly) == f.Now.Format(time.DateOnly) {
		return locales.Time(ctx, at)
	}
	return locales.ShortDateTime(ctx, at, f.Now)
}
