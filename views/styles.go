package views

import "strings"

// ownStyles are the pages that do not need all of pages.css, with the stylesheet that has
// what they need beside console.css, "" for none.
var ownStyles = map[string]string{
	"/login":                      "",
	"/logs/workingattitude/day":   "records.css",
	"/logs/workingattitude/week":  "records.css",
	"/logs/workingattitude/month": "records.css",
	"/notice":                     "notices.css",
	"/manage/notice":              "notices.css",
	"/profile":                    "",
	"/profile/factors":            "",
}

// styles is the logical name of the stylesheet that the page has beside console.css, ""
// for none. Administrators have more on the pages of records than others.
func (f Frame) styles() string {
	path := f.pathOnly()
	if strings.HasPrefix(path, "/notice/") {
		path = "/notice"
	}
	styles, isOwn := ownStyles[path]
	if !isOwn || styles == "records.css" && (f.Person == nil || f.Person.IsAdmin) {
		return "pages.css"
	}
	return styles
}
