package attendance

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/views"

	"github.com/a-h/templ"
)

// ViewersPath is the page of the viewing-authority persons.
const ViewersPath = "/policies/workingattitude/manager"

// ViewerList is the page of the registrations to view attendance: its
// filters and the registrations found.
type ViewerList struct {
	attendance.ViewerFilter
	Frame   views.Frame
	Refused string // message id of why the search was refused; "" for none
	Page    lists.Page[attendance.Viewer]
}

// isFiltered reports whether a filter may have excluded registrations.
func (l ViewerList) isFiltered() bool { return l.Query != "" || l.MayEdit != nil }

func (l ViewerList) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, l.Page, "viewer.range", func(cursor string) string {
		return views.ListURL(ViewersPath, l.Values(), "cursor", cursor)
	})
}

// viewerName names who is registered: a rank, as in "부장 이상", or people.
func viewerName(ctx context.Context, v attendance.Viewer) string {
	if v.RankID != 0 {
		return orAbove(ctx, v.RankName)
	}
	names := make([]string, len(v.People))
	for i, p := range v.People {
		names[i] = p.Name
	}
	return views.Enumeration(ctx, names)
}

// viewerScope names the departments in which a rank counts.
func viewerScope(ctx context.Context, v attendance.Viewer) string {
	names := make([]string, len(v.Within))
	for i, d := range v.Within {
		names[i] = d.Name
		if d.IncludeChildren {
			names[i] = locales.T(ctx, "viewer.with_children", "Department", d.Name)
		}
	}
	return views.Enumeration(ctx, names)
}

// orAbove names a rank and those above it.
func orAbove(ctx context.Context, rank string) string {
	return locales.T(ctx, "viewer.or_above", "Rank", rank)
}

// viewerAction is where a form of a registration is sent.
func viewerAction(v attendance.Viewer, action string) string {
	return ViewersPath + "/" + strconv.FormatInt(v.ID, 10) + "/" + action
}

func viewerEditPath(id int64) string { return ViewersPath + "?edit=" + strconv.FormatInt(id, 10) }

func deleteDialogID(v attendance.Viewer) string { return "delete-" + strconv.FormatInt(v.ID, 10) }

// ViewerForm is the form of a registration. The departments of the draft
// have their names.
type ViewerForm struct {
	Frame   views.Frame
	ID      int64 // 0 for a new registration
	Version int32 // VersionNo that the form was filled with; 0 saves whatever there is
	Draft   attendance.ViewerDraft
	Ranks   []directory.RanksRow         // highest first
	Chosen  []attendance.ChosenPeopleRow // people of the draft
	Refused queries.FieldErrors
	Earlier *views.SavedFirst // who saved while the form was open; nil for nobody
	Typed   bool              // whether the draft differs from the stored registration

	// The searches of the pickers without scripts.
	People          ViewerSearch[directory.ListedUser]
	Scopes, Managed ViewerSearch[attendance.ViewerDepartment]
}

// ViewerSearch is a search within a form and its results.
type ViewerSearch[T any] struct {
	Query   string // as typed
	Refused string // message id of why it was refused; "" for none
	Found   []T
}

// Path is the address of the page of the form.
func (f ViewerForm) Path() string {
	if f.ID == 0 {
		return ViewersPath + "?new=1"
	}
	return viewerEditPath(f.ID)
}

// action is where the form is sent.
func (f ViewerForm) action() string {
	if f.ID == 0 {
		return ViewersPath
	}
	return ViewersPath + "/" + strconv.FormatInt(f.ID, 10)
}

func (f ViewerForm) title(ctx context.Context) string {
	if f.ID == 0 {
		return locales.T(ctx, "viewer.new")
	}
	return locales.T(ctx, "viewer.edit")
}

// errors are the refused fields in their order on the page.
func (f ViewerForm) errors(ctx context.Context) []views.Input {
	var inputs []views.Input
	for _, name := range []string{"by", "rank_id", "within", "user_ids", "departments"} {
		inputs = append(inputs, views.Input{Name: name, Error: views.Refusal(ctx, f.Refused, name)})
	}
	return inputs
}

func (f ViewerForm) hasPerson(id int64) bool {
	for _, p := range f.Chosen {
		if p.ID == id {
			return true
		}
	}
	return false
}

func hasDepartment(chosen []attendance.ViewerDepartment, id int64) bool {
	for _, d := range chosen {
		if d.ID == id {
			return true
		}
	}
	return false
}

// A viewerPicker is a field of the form in which departments are chosen.
type viewerPicker struct {
	Name, IDs, Children, Search string // names of the fields: of the island, and of the check boxes and the search without scripts
	Title, Text, Empty          string // message ids
	Chosen                      []attendance.ViewerDepartment
	Found                       ViewerSearch[attendance.ViewerDepartment]
	Max                         int // 0 for no limit that is said before it is reached
}

func (f ViewerForm) scopePicker() viewerPicker {
	return viewerPicker{"scope", "scope_ids", "scope_children", "scope_q",
		"viewer.within.choose", "viewer.within.choose.text", "viewer.within.none", f.Draft.Within, f.Scopes, 0}
}

func (f ViewerForm) departmentsPicker() viewerPicker {
	return viewerPicker{"departments", "department_ids", "department_children", "departments_q",
		"viewer.departments.choose", "viewer.departments.choose.text", "viewer.departments.none", f.Draft.Departments, f.Managed, attendance.MaxViewerDepartments}
}

// opens are the attributes of a button that opens a dialog, with or without
// scripts.
func opens(id string) templ.Attributes {
	return templ.Attributes{"data-dialog": id, "command": "show-modal", "commandfor": id, "aria-haspopup": "dialog"}
}

// closes are the attributes of a button that closes a dialog without
// scripts.
func closes(id string) templ.Attributes {
	return templ.Attributes{"command": "close", "commandfor": id}
}

func withinChoice(d attendance.ViewerDraft) string {
	if d.WholeCompany {
		return "company"
	}
	return "departments"
}

func editingChoice(d attendance.ViewerDraft) string {
	if d.MayEdit {
		return "yes"
	}
	return "no"
}

// describedBy lists the ids of the texts below a choice; "" for none.
func describedBy(f ViewerForm, name, help string) string {
	i := views.Input{Name: name, Help: help, Error: string(f.Refused[name])}
	return i.DescribedBy()
}
