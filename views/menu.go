package views

import (
	"strings"

	"officeconsole/queries/identity"
)

// A section is a top link and the side menu of its pages. An entry is added
// here when its page comes to exist: nothing leads nowhere. Titles are ids of
// messages, paths have no prefix.
type section struct {
	title, label string
	prefix       string // of the paths of the section
	path         string // where the top link leads
	groups       []menuGroup
}

type menuGroup struct {
	title   string
	entries []menuEntry
}

type menuEntry struct{ title, path string }

// The top links of an administrator (spec §2).
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
		prefix: "/logs/", path: "/logs/workingattitude/day",
		groups: []menuGroup{{attendanceLogs.title, append(attendanceLogs.entries[:len(attendanceLogs.entries):len(attendanceLogs.entries)], menuEntry{"attendance.log", "/logs/workingattitude/management"})}},
	},
}

var attendanceLogs = menuGroup{"frame.side.attendance", []menuEntry{
	{"frame.side.day", "/logs/workingattitude/day"},
	{"period.week", "/logs/workingattitude/week"},
	{"period.month", "/logs/workingattitude/month"},
}}

// account is the section of the profile page, which no top link leads to.
var account = section{
	label: "frame.side.label.account", prefix: "/profile",
	groups: []menuGroup{{"frame.side.administrator", []menuEntry{{"frame.profile", "/profile"}}}},
}

// employee is the whole menu of everybody else (spec §6).
var employee = section{
	label: "frame.side.label.employee", prefix: "/",
	groups: []menuGroup{
		attendanceLogs,
		{"frame.side.me", []menuEntry{{"frame.profile", "/profile"}}},
	},
}

// topLinks are hidden from people who are not administrators (spec §6).
func topLinks(p *identity.SignedIn) []section {
	if !p.IsAdmin {
		return nil
	}
	return sections
}

// sideMenu is the section of a path; the first one for a path of none, such as
// that of a page which could not be found.
func sideMenu(p *identity.SignedIn, path string) section {
	if !p.IsAdmin {
		return employee
	}
	for _, s := range append(sections[:len(sections):len(sections)], account) {
		if s.holds(path) {
			return s
		}
	}
	return sections[0]
}

func (s section) holds(path string) bool { return strings.HasPrefix(path, s.prefix) }
