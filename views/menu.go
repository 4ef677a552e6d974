package views

import (
	"slices"
	"strings"
)

// A section is a link in the header with the side menu of its pages. Titles
// and labels are message ids; paths have no language prefix. Every entry
// leads to a page that exists.
type section struct {
	title, label string
	prefix       string // which the paths of the section begin with
	path         string // of the top link
	groups       []menuGroup
}

type menuGroup struct {
	title   string
	entries []menuEntry
}

type menuEntry struct{ title, path string }

// ChangesPath is the address of the change log, without language prefix.
const ChangesPath = "/manage/security/changes"

// BackupPath is the address of the console's own backups, without language prefix.
const BackupPath = "/manage/operation/backups"

// operation is the group of the pages that concern the whole console, for operators.
var operation = menuGroup{"frame.side.operation", []menuEntry{{"backup.title", BackupPath}}}

// sections are the links in the header that administrators have (spec §2).
var sections = []section{
	{
		title: "frame.top.policies", label: "frame.side.label.policies",
		prefix: "/policies/", path: "/policies/communication/management",
		groups: []menuGroup{
			{"frame.side.communication", []menuEntry{
				{"frame.side.policies", "/policies/communication/management"},
				{"status.menu", "/policies/communication/status"},
			}},
			{"frame.side.attendance_group", []menuEntry{
				{"frame.side.attendance_policies", "/policies/workingattitude/management"},
				{"frame.side.viewers", "/policies/workingattitude/manager"},
				{"status.menu", "/policies/workingattitude/status"},
			}},
		},
	},
	{
		title: "frame.top.logs", label: "frame.side.label.logs",
		prefix: "/logs/", path: "/logs/communication/file",
		groups: []menuGroup{{"frame.side.communication", []menuEntry{{"file.title", "/logs/communication/file"}}}, {attendanceLogs.title, append(attendanceLogs.entries[:len(attendanceLogs.entries):len(attendanceLogs.entries)], menuEntry{"attendance.log", "/logs/workingattitude/management"})}},
	},
	{
		title: "frame.top.manage", label: "frame.side.label.manage",
		prefix: "/manage/", path: "/manage/use/install",
		groups: []menuGroup{
			{"frame.side.usage", []menuEntry{
				{"installation.title", "/manage/use/install"},
				{"client.title.pc", "/manage/use/agent/pc"},
				{"client.title.mobile", "/manage/use/agent/mobile"},
				{"bot.menu", "/manage/use/webhook"},
				{"webhook.title", "/manage/use/webhook/outgoing"},
				{"hiding.title", "/manage/use/hidden"},
				{"map.service.title", "/manage/use/map"},
				{"holiday.title", "/manage/use/holidays"},
			}},
			{"frame.side.notices", []menuEntry{{"notice.title", "/manage/notice"}}},
			{"frame.side.links", []menuEntry{
				{"link.title", "/manage/link/common"},
				{"service.title", "/manage/link/convenience"},
			}},
			{"frame.side.security", []menuEntry{{"access.title", "/manage/security/access"}, {"lock.title", "/manage/security/locks"}, {"token.title", "/manage/security/tokens"}, {"change.title", ChangesPath}, {"read.title", "/manage/security/reads"}, {"provider.title", "/manage/security/providers"}, {"factor.rule.title", "/manage/security/factors"}, {"retention.title", "/manage/security/retention"}}},
		},
	},
}

var attendanceLogs = menuGroup{"frame.side.attendance", []menuEntry{
	{"frame.side.day", "/logs/workingattitude/day"},
	{"period.week", "/logs/workingattitude/week"},
	{"period.month", "/logs/workingattitude/month"},
}}

// account and ownNotices are the sections of an administrator's own pages, which
// have no link in the header, but one in the menu of the profile.
var (
	account    = section{label: "frame.side.label.account", prefix: "/profile", groups: ownGroups}
	ownNotices = section{label: "frame.side.label.account", prefix: "/notice", groups: ownGroups}
	ownGroups  = []menuGroup{{"frame.side.administrator", []menuEntry{{"reader.title", "/notice"}, {"frame.profile", "/profile"}}}}
)

// employee is the whole menu of people who are not administrators (spec §6).
var employee = section{
	label: "frame.side.label.employee", prefix: "/",
	groups: []menuGroup{
		attendanceLogs,
		{"frame.side.me", []menuEntry{{"reader.title", "/notice"}, {"frame.profile", "/profile"}}},
	},
}

// A menu is what the side menu depends on besides the language.
type menu struct {
	isAdmin         bool
	isOperator      bool
	organizationURL string
	path            string // of the page, without its query
}

func (f Frame) menu() menu {
	return menu{f.Person.IsAdmin, f.IsOperator, f.Person.OrganizationURL, f.pathOnly()}
}

// topLinks are the sections with a link in the header. Only administrators
// have any (spec §6).
func topLinks(isAdmin bool) []section {
	if !isAdmin {
		return nil
	}
	return sections
}

// section is the one that the page belongs to; the first one if it belongs to
// none, as for a page that does not exist.
func (m menu) section() section {
	if !m.isAdmin {
		return employee
	}
	for _, s := range append(administrator(m.isOperator), account, ownNotices) {
		if s.holds(m.path) {
			return s
		}
	}
	return sections[0]
}

// administrator returns the sections of an administrator, who may be an operator.
func administrator(isOperator bool) []section {
	all := slices.Clone(sections)
	if isOperator {
		manage := &all[len(all)-1]
		manage.groups = append(slices.Clone(manage.groups), operation)
	}
	return all
}

func (s section) holds(path string) bool { return strings.HasPrefix(path, s.prefix) }

// hasEntry reports whether the side menu has an entry for a path itself, so that
// an entry for a path above it is not the current one, too.
func (s section) hasEntry(path string) bool {
	return slices.ContainsFunc(s.groups, func(g menuGroup) bool {
		return slices.ContainsFunc(g.entries, func(e menuEntry) bool { return e.path == path })
	})
}

// A MenuPage is a page that a menu leads to. Title and Group are message ids, Path
// has no language prefix.
type MenuPage struct{ Title, Group, Path string }

// MenuPages returns the pages of all menus of an administrator, who may be an operator,
// or of other people.
func MenuPages(isAdmin, isOperator bool) []MenuPage {
	all := []section{employee}
	if isAdmin {
		all = append(administrator(isOperator), account)
	}
	var pages []MenuPage
	for _, s := range all {
		for _, g := range s.groups {
			for _, e := range g.entries {
				pages = append(pages, MenuPage{e.title, g.title, e.path})
			}
		}
	}
	return pages
}
