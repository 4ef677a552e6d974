package notice

import (
	"context"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	"officeconsole/views"
)

// Tab is a part of the page of a notice, and the end of its address.
type Tab string

// The tabs in their order.
const (
	BodyTab    Tab = ""
	ReadersTab Tab = "readers"
	FilesTab   Tab = "files"
	HistoryTab Tab = "history"
)

var detailTabs = []Tab{BodyTab, ReadersTab, FilesTab, HistoryTab}

// Detail is the page of a notice for administrators. Coverage, Filter, People with
// what they do, and Plan are those of ReadersTab, History is that of HistoryTab.
type Detail struct {
	Frame views.Frame
	notice.Full
	Targets    []notice.NamedTarget
	Tab        Tab
	Coverage   notice.Coverage
	Filter     notice.ReaderFilter
	Refused    string // id of the message why the search is refused; "" if it is not
	People     lists.Page[notice.Recipient]
	Work       map[int64]attendance.CurrentWork // of the people, by their ids; without those nothing is known of
	LastAccess map[int64]time.Time              // the same
	Plan       *notice.ReminderPlan             // nil if it was not computed
	History    History
}

func (d Detail) status() notice.Status { return d.StatusAt(d.Frame.Now) }

func (d Detail) isPublished() bool { return d.status() != notice.Reserved }

// row is the notice as the list shows its targets.
func (d Detail) row() notice.Row {
	return notice.Row{ID: d.ID, Title: d.Title, Everyone: d.Everyone, Targets: d.Targets}
}

func (d Detail) publishedAt() time.Time { return d.PublishAt.In(d.Frame.Zone()) }

// tabText names a tab; tabCount is the number beside the name, "" for none.
func tabText(ctx context.Context, tab Tab) string {
	switch tab {
	case ReadersTab:
		return locales.T(ctx, "reader.tab.readers")
	case FilesTab:
		return locales.T(ctx, "reader.tab.files")
	case HistoryTab:
		return locales.T(ctx, "reader.tab.history")
	}
	return locales.T(ctx, "reader.tab.body")
}

func (d Detail) tabCount(tab Tab) string {
	switch {
	case tab == FilesTab:
		return strconv.Itoa(len(d.Attachments))
	case !d.isPublished(): // nobody can have read it
		return ""
	case tab == ReadersTab:
		return percentText(d.reach())
	}
	return ""
}

// reach returns how many have read the notice and for how many it is, as the tab shows
// them.
func (d Detail) reach() (readers, recipients int64) {
	if d.Tab == ReadersTab {
		return d.Coverage.Readers, d.Coverage.Recipients
	}
	return int64(d.Readers), int64(d.Recipients)
}

// unread returns how many have not read the notice.
func (d Detail) unread() int64 {
	readers, recipients := d.reach()
	return recipients - readers
}

func percentText(readers, recipients int64) string {
	return strconv.FormatInt(notice.Percent(readers, recipients), 10) + "%"
}

// isLow reports whether a department is marked because few have read the notice.
func isLow(d notice.DepartmentCoverage) bool { return d.Percent() < lowPercent }

const lowPercent = 60

// departmentURL shows the departments below one, and its people.
func (d Detail) departmentURL(id int64) string {
	query := d.Filter.Values()
	lists.SetID(query, "department_id", id)
	if id == 0 {
		query.Del("department_id")
	}
	return views.WithQuery(Action(d.ID, string(ReadersTab)), query)
}

// peopleAddress is the address of the list with its filters.
func (d Detail) peopleAddress() string {
	return views.WithQuery(Action(d.ID, string(ReadersTab)), d.Filter.Values())
}

// readURL shows those who have read the notice, or those who have not.
func (d Detail) readURL(read bool) string {
	query := d.Filter.Values()
	query.Del("read")
	if read {
		query.Set("read", "true")
	}
	return views.WithQuery(Action(d.ID, string(ReadersTab)), query)
}

// departments are the choices of the filter: those below the department of the
// page, and the way to it.
func (d Detail) departments(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "reader.department.any")}}
	for _, p := range d.Coverage.Path {
		options = append(options, views.Option{Value: views.IDText(p.ID), Text: p.Name})
	}
	for _, c := range d.Coverage.Departments {
		if !c.Own {
			options = append(options, views.Option{Value: views.IDText(c.ID), Text: c.Name})
		}
	}
	return options
}

func (d Detail) pager(ctx context.Context) views.Pager {
	if d.Filter.DepartmentID == 0 && d.Filter.Search.Empty() {
		d.People.Total = int(d.Coverage.Unread())
		if d.Filter.Read {
			d.People.Total = int(d.Coverage.Readers)
		}
	}
	return views.NewPager(ctx, d.People, "reader.range", func(cursor string) string {
		return views.ListURL(Action(d.ID, string(ReadersTab)), d.Filter.Values(), "cursor", cursor)
	}).Exported()
}

// momentText writes a time of a list: "–" for none.
func (d Detail) momentText(ctx context.Context, at *time.Time) string {
	if at == nil {
		return "–"
	}
	return locales.ShortestDateTime(ctx, at.In(d.Frame.Zone()))
}

// workLooks are the tone and the icon of each state of work.
var workLooks = map[attendance.WorkState]struct{ tone, icon string }{
	attendance.Working:    {"accent", "play"},
	attendance.WorkingOut: {"info", "pin"},
	attendance.BeforeWork: {"", "clock"},
	attendance.AfterWork:  {"", "logout"},
	attendance.OnLeave:    {"info", "leave"},
	attendance.DayOff:     {"", "calendar"},
}

// workText names a state of work; before work it is when that begins.
func workText(ctx context.Context, work attendance.CurrentWork, zone *time.Location) string {
	if work.State == attendance.BeforeWork && work.StartsAt != nil {
		return locales.T(ctx, "reader.work.starts", "Time", locales.Time(ctx, work.StartsAt.In(zone)))
	}
	return locales.T(ctx, "reader.work."+string(work.State))
}

// remindText says when those who have not read the notice would be reminded.
func remindText(ctx context.Context, p notice.ReminderPlan, zone *time.Location) string {
	now, later := locales.N(ctx, "reader.people", p.Now), locales.N(ctx, "reader.people", p.Later)
	switch {
	case p.Later == 0:
		return locales.T(ctx, "reader.remind.now", "Now", now)
	case p.Now == 0:
		return locales.T(ctx, "reader.remind.later", "Later", later, "Time", locales.ShortestDateTime(ctx, p.Next.In(zone)))
	}
	return locales.T(ctx, "reader.remind.both", "Now", now, "Later", later)
}
