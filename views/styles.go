package views

import "strings"

// sectionStyles are the stylesheets that pages have beside console.css, by what their
// paths begin with. The first one that fits counts; other pages have none.
var sectionStyles = []struct{ prefix, styles string }{
	{"/policies/", "policies.css"},
	{"/logs/workingattitude/", "records.css"},
	{"/logs/communication/", "security.css"},
	{"/manage/security/", "security.css"},
	{"/manage/notice", "notices.css"},
	{"/notice", "notices.css"},
	{"/manage/link/", "links.css"},
	{"/manage/use/", "usage.css"},
	{"/organization/", "usage.css"},
}

// styles is the logical name of the stylesheet that the page has beside console.css, ""
// for none.
func (f Frame) styles() string {
	path := f.pathOnly()
	for _, s := range sectionStyles {
		if strings.HasPrefix(path, s.prefix) {
			return s.styles
		}
	}
	return ""
}
