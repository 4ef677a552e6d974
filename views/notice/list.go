// Package notice renders the pages of notices.
package notice

import (
	"context"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	"officeconsole/views"
	"officeconsole/workday"
)

// Path is the address of the list of notices, without language prefix.
const Path = "/manage/notice"

// Action is the address of a form about a notice; "" for the notice itself.
func Action(id int64, action string) string {
	path := Path + "/" + strconv.FormatInt(id, 10)
	if action != "" {
		path += "/" + action
	}
	return path
}

// List is the page with the list of notices.
type List struct {
	Frame views.Frame
	notice.Filter
	Refused string // id of the message why the search is refused; "" if it is not
	Page    lists.Page[notice.Row]
	Counts  notice.Counts
	Choices notice.Choices
}

// tabs are the statuses of the tabs, "" for all notices that are not deleted.
var tabs = []notice.Status{"", notice.Published, notice.Reserved, notice.Expired, notice.Deleted}

// statusText is the message id of a status.
func statusText(status notice.Status) string {
	if status == "" {
		return "notice.status.all"
	}
	return "notice.status." + string(status)
}

// tabURL is the address of the list with a status and no other filter.
func tabURL(status notice.Status) string {
	return views.WithQuery(Path, notice.Filter{Status: status}.Values())
}

// count writes how many notices a tab has, "" if that is not shown.
func (l List) count(ctx context.Context, status notice.Status) string {
	switch n := l.Counts.Of(status); {
	case n >= 0:
		return locales.Number(ctx, int64(n))
	case status == notice.Deleted:
		return ""
	}
	return locales.Number(ctx, notice.MostCounted) + "+"
}

func (l List) isDeleted() bool { return l.Status == notice.Deleted }

func (l List) isFiltered() bool { return !l.OnlyStatus() }

// sortURL is the address of the list in the other order.
func (l List) sortURL() string {
	f := l.Filter
	f.Ascending = !f.Ascending
	return views.WithQuery(Path, f.Values())
}

// back is the address of the list as shown, to which its actions lead back. They may
// leave its last page without a row, so they lead to the first.
func (l List) back() string { return views.WithQuery(Path, l.Values()) }

func (l List) sortDirection() string {
	if l.Ascending {
		return "ascending"
	}
	return "descending"
}

func (l List) pager(ctx context.Context) views.Pager {
	if l.OnlyStatus() {
		l.Page.Total = l.Counts.Of(l.Status)
	}
	return views.NewPager(ctx, l.Page, "notice.range", func(cursor string) string {
		return views.ListURL(Path, l.Values(), "cursor", cursor)
	})
}

// target is the value of the filter of targets.
func (l List) target() string {
	if l.Everyone {
		return notice.Everyone
	}
	return views.IDText(l.DepartmentID)
}

func (l List) targets(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "notice.target.any")}, {Value: notice.Everyone, Text: locales.T(ctx, "notice.everyone")}}
	for _, d := range l.Choices.Departments {
		options = append(options, views.Option{Value: views.IDText(d.ID), Text: d.Name})
	}
	return options
}

func (l List) authors(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "notice.author.any")}}
	for _, a := range l.Choices.Authors {
		options = append(options, views.Option{Value: views.IDText(a.ID), Text: a.Name})
	}
	return options
}

// at is the time that a row of the list is sorted by, by the company's clocks.
func (l List) at(r notice.Row) time.Time {
	if r.DeletedAt != nil {
		return r.DeletedAt.In(l.Frame.Zone())
	}
	return r.PublishAt.In(l.Frame.Zone())
}

// dateText writes the time of a row: with its minute if it is still to come.
func (l List) dateText(ctx context.Context, r notice.Row) string {
	at := l.at(r)
	if r.Status(l.Frame.Now) == notice.Reserved {
		return locales.ShortestDateTime(ctx, at)
	}
	return locales.ShortDate(ctx, at, l.Frame.Now)
}

// percent is how many percent of a notice's recipients have read it.
func percent(r notice.Row) int64 {
	return notice.Percent(int64(r.Readers), int64(r.Recipients))
}

func (l List) readersText(ctx context.Context, r notice.Row) string {
	return locales.T(ctx, "notice.readers.of", "Readers", locales.Number(ctx, int64(r.Readers)), "Recipients", locales.Number(ctx, int64(r.Recipients)))
}

// statusBadge is how the list shows a status: the tone and icon of a badge.
func statusBadge(status notice.Status) (tone, icon string) {
	switch status {
	case notice.Reserved:
		return "warning", "clock"
	case notice.Published:
		return "success", "check"
	case notice.Deleted:
		return "", "trash"
	}
	return "", "minus"
}

// attachedText names the files of a row in words.
func attachedText(ctx context.Context, r notice.Row, now time.Time) string {
	switch {
	case r.Files == 0:
		return locales.T(ctx, "notice.files.none")
	case filesEnded(r, now):
		return locales.T(ctx, "notice.files.expired", "Count", locales.Number(ctx, int64(r.Files)))
	}
	return locales.T(ctx, "notice.files.count", "Count", locales.Number(ctx, int64(r.Files)))
}

// isNeverPublished reports whether a row is a reservation that was deleted before
// its time.
func isNeverPublished(r notice.Row, now time.Time) bool {
	return r.DeletedAt != nil && (r.Missed || r.PublishAt.After(now))
}

// filesEnded reports whether the files of a row can no longer be downloaded.
func filesEnded(r notice.Row, now time.Time) bool {
	return notice.Notice{PublishAt: r.PublishAt}.StatusAt(now) == notice.Expired
}

// targetName is the name of a target, which may no longer exist.
func targetName(ctx context.Context, t notice.NamedTarget) string {
	if t.Name == "" {
		return locales.T(ctx, "notice.targets.deleted")
	}
	return t.Name
}

// targetPlace is what tells a target from others with its name: the path of a department,
// the department and the rank of a user.
func targetPlace(t notice.NamedTarget) string {
	if t.DepartmentID != 0 {
		return views.SpacedPath(t.Path)
	}
	if t.Department == "" || t.Rank == "" {
		return t.Department + t.Rank
	}
	return t.Department + " · " + t.Rank
}

// chipTitle is the name of a target with what tells it from its namesakes.
func chipTitle(ctx context.Context, t notice.NamedTarget) string {
	if t.UserID == 0 {
		return targetName(ctx, t)
	}
	return withDetail(targetName(ctx, t), targetPlace(t))
}

// endedAttribute marks the number of files that can no longer be downloaded.
func endedAttribute(ended bool) templ.Attributes {
	if !ended {
		return nil
	}
	return templ.Attributes{"data-off": true}
}

// dateValue is the value of a date field; "" for no date.
func dateValue(date workday.Date) string {
	if date == 0 {
		return ""
	}
	return date.String()
}

// rowPath is where the name of a row leads; "" for a deleted notice, or one
// without a page.
func rowPath(r notice.Row, now time.Time) string {
	if r.Status(now) == notice.Reserved {
		return Action(r.ID, "edit")
	}
	if r.DeletedAt != nil {
		return ""
	}
	return Action(r.ID, string(ReadersTab))
}

// menuState says which actions of listMenu a notice has.
func menuState(r notice.Row, now time.Time) string {
	switch {
	case r.Missed:
		return "missed"
	case r.DeletedAt != nil:
		return "deleted"
	case r.Status(now) == notice.Reserved:
		return "reserved"
	}
	return "published"
}
