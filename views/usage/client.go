package usage

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/queries/usage"
	"officeconsole/views"
)

// ClientsPath is the address of the list of a platform, without language prefix.
func ClientsPath(platform string) string { return "/manage/use/agent/" + platform }

// Clients is the page with the clients of people on a platform.
type Clients struct {
	Frame views.Frame
	usage.ClientFilter
	Refused      string // id of the message why the search is refused; "" if it is not
	Rules        usage.Rules
	Counts       usage.ClientCounts
	ByDepartment []usage.DepartmentClients // nil unless they were asked for
	Days         []usage.ReleaseDay
	List         lists.Page[usage.ClientPersonRow]
	Departments  []policy.UpperDepartment
}

func (c Clients) path() string { return ClientsPath(c.Platform) }

// text is a message of the platform: "client.title.pc".
func (c Clients) text(ctx context.Context, id string) string {
	return locales.T(ctx, "client."+id+"."+c.Platform)
}

func (c Clients) pager(ctx context.Context) views.Pager {
	if c.IsEmpty() {
		c.List.Total = int(c.Counts.People)
	}
	return views.NewPager(ctx, c.List, "client.range", func(cursor string) string {
		return views.ListURL(c.path(), c.Values(), "cursor", cursor)
	}).Exported()
}

// clientTab is a choice of the state.
type clientTab struct {
	State usage.ClientState
	Text  string
}

func (c Clients) tabs(ctx context.Context) []clientTab {
	count := func(id string, people int64) string {
		return locales.T(ctx, "client.tab."+id, "Count", locales.Number(ctx, people), "Days", strconv.Itoa(c.IdleFor()))
	}
	tabs := []clientTab{
		{usage.AnyClient, locales.T(ctx, "client.tab.all")},
		{usage.NeverInstalled, count("never", c.Counts.Never())},
		{usage.OutdatedClient, count("outdated", c.Counts.Outdated)},
		{usage.IdleClient, count("idle", c.Counts.Idle)},
	}
	if c.Counts.Unable > 0 || c.State == usage.UnableClient {
		tabs = append(tabs, clientTab{usage.UnableClient, count("unable", c.Counts.Unable)})
	}
	return tabs
}

// stateURL is the list of a state, with the other filters.
func (c Clients) stateURL(state usage.ClientState) string {
	return views.ListURL(c.path(), c.Values(), "state", string(state))
}

// releaseURL is the list of those who have a release.
func (c Clients) releaseURL(release string) string {
	return views.WithQuery(c.path(), usage.ClientFilter{Platform: c.Platform, Release: release}.Values())
}

// shownDepartments is the number of departments with figures of their own.
const shownDepartments = 8

// departmentURL is the list of a department, "" for whoever is in none.
func (c Clients) departmentURL(d usage.DepartmentClients) string {
	if d.ID == 0 {
		return ""
	}
	return views.WithQuery(c.path(), usage.ClientFilter{Platform: c.Platform, State: c.State, DepartmentID: d.ID}.Values())
}

func (c Clients) idleDays(ctx context.Context) []views.Option {
	var options []views.Option
	for _, days := range usage.IdleDays {
		options = append(options, views.Option{Value: strconv.Itoa(days), Text: locales.T(ctx, "client.days", "Days", strconv.Itoa(days))})
	}
	return options
}

// minimums are the minimum versions of the platform's systems, "6.3.0" or
// "Windows 6.3.0, macOS 6.2.0" where they differ; "" for none.
func (c Clients) minimums(ctx context.Context) string {
	var versions, named []string
	for _, rule := range c.Rules.Clients {
		if usage.PlatformOf(rule.System) == c.Platform && rule.Minimum != "" {
			versions = append(versions, rule.Minimum)
			named = append(named, systemText(ctx, rule.System)+" "+rule.Minimum)
		}
	}
	for _, version := range versions {
		if version != versions[0] {
			return views.Enumeration(ctx, named)
		}
	}
	if len(versions) == 0 {
		return ""
	}
	return versions[0]
}

func systemText(ctx context.Context, system string) string {
	if system == "" {
		return locales.T(ctx, "client.system.unknown")
	}
	return locales.T(ctx, "client.system."+system)
}

// badge is how a state is shown.
type badge struct{ Tone, Icon, Text string }

func (c Clients) badge(ctx context.Context, r usage.ClientPersonRow) badge {
	state := r.State(c.Rules, c.Frame.Now, c.IdleFor())
	switch state {
	case usage.NeverInstalled:
		if r.Known {
			return badge{"", "minus", locales.T(ctx, "client.state.removed")}
		}
		return badge{"", "minus", locales.T(ctx, "client.state.never")}
	case usage.OutdatedClient:
		return badge{"warning", "alert", locales.T(ctx, "client.state.outdated")}
	case usage.UnableClient:
		return badge{"danger", "error", locales.T(ctx, "client.state.unable")}
	}
	if r.HasNoLogin() {
		return badge{"", "clock", locales.T(ctx, "client.state.unused")}
	}
	if state == usage.IdleClient {
		days := int(c.Frame.Now.Sub(*r.UsedAt) / (24 * time.Hour))
		return badge{"", "clock", locales.T(ctx, "client.state.idle", "Days", locales.Number(ctx, int64(days)))}
	}
	return badge{"success", "check", locales.T(ctx, "client.state.installed")}
}

func (c Clients) at(t time.Time) time.Time { return t.In(c.Frame.Zone()) }

// percent writes a share of those who have a client.
func (c Clients) percent(people int64) string { return fmt.Sprint(c.share(people), "%") }

func (c Clients) share(people int64) int64 {
	if c.Counts.Installed == 0 {
		return 0
	}
	return (people*100 + c.Counts.Installed/2) / c.Counts.Installed
}

func releaseText(ctx context.Context, release string) string {
	if release == "" {
		return locales.T(ctx, "client.release.unknown")
	}
	return release
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}
