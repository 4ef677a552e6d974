// Package usage renders the pages of what the messenger reports about the use of
// its clients.
package usage

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/queries/usage"
	"officeconsole/views"
	"officeconsole/workday"
)

// FilesPath is the address of the list of saved files, without language prefix.
const FilesPath = "/logs/communication/file"

// Files is the page with the list of saved files.
type Files struct {
	Frame views.Frame
	usage.FileFilter
	Refused     string // id of the message why a filter is refused; "" if it is not
	List        usage.FileList
	Sums        usage.FileSums
	Departments []policy.UpperDepartment
	People      map[int64]string // the names of those in the filter
}

// FilesBy is the address of the files that a user sent.
func FilesBy(userID int64) string {
	return views.WithQuery(FilesPath, usage.FileFilter{SenderID: userID}.Values())
}

func (l Files) pager(ctx context.Context) views.Pager {
	if !l.Sums.Unknown && !l.Sums.More {
		l.List.Total = int(l.Sums.Files)
	}
	return views.NewPager(ctx, l.List.Page, "file.range", func(cursor string) string {
		return views.ListURL(FilesPath, l.Values(), "cursor", cursor)
	}).Exported()
}

// without is the address of the list without one of its filters.
func (l Files) without(name string) string { return views.ListURL(FilesPath, l.Values(), name, "") }

// search is the name of the search field, and what the text is compared with.
func (l Files) searchText(ctx context.Context) string { return locales.T(ctx, "file.search") }

func (l Files) searchFields(ctx context.Context) []views.Option {
	return []views.Option{
		{Value: string(usage.SearchName), Text: locales.T(ctx, "file.in.name")},
		{Value: string(usage.SearchSender), Text: locales.T(ctx, "file.in.sender")},
		{Value: string(usage.SearchReceiver), Text: locales.T(ctx, "file.in.receiver")},
	}
}

// departmentFilter is the field of departments.
func (l Files) departmentFilter(ctx context.Context) views.DepartmentFilter {
	f := views.DepartmentFilter{
		Label: locales.T(ctx, "file.department"), Chosen: l.DepartmentIDs,
		Options: departmentChoices(ctx, l.Departments, l.DepartmentIDs.Last()),
		Without: func(ids lists.DepartmentIDs) string {
			l.DepartmentIDs = ids
			return views.WithQuery(FilesPath, l.Values())
		},
	}
	for _, id := range l.DepartmentIDs.Earlier() {
		options := departmentChoices(ctx, l.Departments, id)
		chosen := slices.IndexFunc(options, func(o views.Option) bool { return o.Value == views.IDText(id) })
		if chosen < 0 { // the root
			f.Earlier = append(f.Earlier, views.Option{Value: views.IDText(id), Text: locales.T(ctx, "file.department.any")})
			continue
		}
		f.Earlier = append(f.Earlier, options[chosen])
	}
	for _, d := range l.Departments {
		if len(l.DepartmentIDs) > 0 && !d.Root && !slices.Contains(l.DepartmentIDs, d.ID) {
			f.Further = append(f.Further, views.Option{Value: views.IDText(d.ID), Text: d.Name})
		}
	}
	return f
}

// departmentChoices are the choices of a filter by department: all that the directory
// has below the root, and the one of the address.
func departmentChoices(ctx context.Context, departments []policy.UpperDepartment, chosen int64) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "file.department.any")}}
	known := chosen == 0
	for _, d := range departments {
		known = known || d.ID == chosen
		if !d.Root {
			options = append(options, views.Option{Value: views.IDText(d.ID), Text: d.Name})
		}
	}
	if !known {
		options = append(options, views.Option{Value: views.IDText(chosen), Text: locales.T(ctx, "file.department.chosen")})
	}
	return options
}

func (l Files) platforms(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "file.platform.any")}}
	for _, platform := range usage.Platforms {
		options = append(options, views.Option{Value: platform, Text: platformText(ctx, platform)})
	}
	return options
}

func (l Files) names(ctx context.Context) []views.Option {
	return []views.Option{{Value: "", Text: locales.T(ctx, "file.names.any")}, {Value: "1", Text: locales.T(ctx, "file.names.deceptive")}}
}

func (l Files) deceptive() string {
	if l.Deceptive {
		return "1"
	}
	return ""
}

func platformText(ctx context.Context, platform string) string {
	return locales.T(ctx, "file.platform."+platform)
}

func dateValue(date workday.Date) string {
	if date == 0 {
		return ""
	}
	return date.String()
}

// count writes a number of files, with a plus where counting ended.
func (l Files) count(ctx context.Context) string {
	text := locales.Number(ctx, l.Sums.Files)
	if l.Sums.More {
		text += "+"
	}
	return text
}

func (l Files) bytes(ctx context.Context) string {
	text := locales.Bytes(ctx, l.Sums.Bytes)
	if l.Sums.More {
		text += "+"
	}
	return text
}

// webShare is how many percent of the files were saved in a browser.
func (l Files) webShare() string {
	if l.Sums.Files == 0 {
		return "0"
	}
	return strconv.FormatInt(l.Sums.Web*100/l.Sums.Files, 10)
}

// deceptiveURL is the list of the deceptive names in the selection.
func (l Files) deceptiveURL() string {
	f := l.FileFilter
	f.Deceptive = true
	return views.WithQuery(FilesPath, f.Values())
}

// at is the time of a row by the company's clocks.
func (l Files) at(f *usage.FileRow) time.Time { return f.SavedAt.In(l.Frame.Zone()) }

// place is where a file was saved: its folder, or else its room.
func place(f *usage.FileRow) string {
	if f.Folder != "" {
		return f.Folder
	}
	return f.Room
}

// userText is the name of somebody, or the id of one who no longer exists.
func userText(ctx context.Context, u usage.FileUser) string {
	if u.Name == "" {
		return locales.T(ctx, "file.user.gone", "ID", strconv.FormatInt(u.ID, 10))
	}
	return u.Name
}

// receiversText writes the first receiver and how many others there are.
func receiversText(ctx context.Context, f *usage.FileRow) string {
	switch len(f.Receivers) {
	case 0:
		return "–"
	case 1:
		return userText(ctx, f.Receivers[0])
	}
	return locales.T(ctx, "file.receivers.more", "Name", userText(ctx, f.Receivers[0]), "Count", locales.Number(ctx, int64(len(f.Receivers)-1)))
}

// receiversTitle lists the receivers.
func receiversTitle(ctx context.Context, f *usage.FileRow) string {
	const most = 20
	if len(f.Receivers) == 1 {
		return userText(ctx, f.Receivers[0])
	}
	var names []string
	for _, u := range f.Receivers[:min(len(f.Receivers), most)] {
		names = append(names, userText(ctx, u))
	}
	text := strings.Join(names, ", ")
	if len(f.Receivers) > most {
		text += " …"
	}
	return text
}

// pictures are the extensions of images and films.
var pictures = []string{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".heic", ".psd", ".mp4", ".mov"}

func isPicture(name string) bool { return slices.Contains(pictures, strings.ToLower(path.Ext(name))) }

// File is the page of a saved file.
type File struct {
	Frame views.Frame
	usage.FileUse
}

func (f File) at(t time.Time) time.Time { return t.In(f.Frame.Zone()) }

// whyPath is the page that explains which policy applied to the sender then: at the very
// instant, because a version may begin in the same second.
func (f File) whyPath() string {
	return "/policies/communication/status/" + views.IDText(f.UserID) + "?at=" + f.SavedAt.UTC().Format(time.RFC3339Nano)
}

func (f File) policyPath() string {
	return "/policies/communication/" + views.IDText(f.Policy.PolicyID)
}

// saving is what the policy said about saving files on the platform.
func (f File) saving(ctx context.Context) string {
	word := f.Policy.Settings.FileSaving(f.Platform)
	if word == "" {
		return "–"
	}
	return locales.T(ctx, "setting.file_save."+word)
}

// isForbidden reports whether the policy did not allow to save the file.
func (f File) isForbidden() bool {
	return slices.Contains([]string{"block", "view_only"}, f.Policy.Settings.FileSaving(f.Platform))
}
