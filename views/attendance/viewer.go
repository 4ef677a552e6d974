package attendance

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/views"

	"github.com/a-h/templ"
)

// ViewersPath is the page of the viewing-authority persons.
const ViewersPath = "/policies/workingattitude/manager"

// ViewerList is the page of registrations: what was chosen, as it stands in the
// address, and what there is.
type ViewerList struct {
	attendance.ViewerFilter
	Frame   views.Frame
	Refused string // id of the message why the search cannot be; "" for none
	Page    queries.Page[attendance.Viewer]
}

func (l ViewerList) isFiltered() bool { return l.Query != "" || l.MayEdit != nil }

func (l ViewerList) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, l.Page, "viewer.range", func(cursor string) string {
		return views.ListURL(ViewersPath, l.Values(), "cursor", cursor)
	})
}

// viewerName is who a registration is of: "부장 이상", or the people's names.
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

func orAbove(ctx context.Context, rank string) string {
	return locales.T(ctx, "viewer.or_above", "Rank", rank)
}

func viewerAction(v attendance.Viewer, action string) string {
	return ViewersPath + "/" + strconv.FormatInt(v.ID, 10) + "/" + action
}

func viewerEditPath(id int64) string { return ViewersPath + "?edit=" + strconv.FormatInt(id, 10) }

func deleteDialogID(v attendance.Viewer) string { return "delete-" + strconv.FormatInt(v.ID, 10) }

// ViewerForm is a registration that somebody enters or changes. Departments of
// the draft have their names.
type ViewerForm struct {
	Frame   views.Frame
	ID      int64 // 0: a new one
	Draft   attendance.ViewerDraft
	Ranks   []directory.RanksRow         // the highest first
	Chosen  []attendance.ChosenPeopleRow // the people of the draft
	Refused queries.FieldErrors
	Typed   bool // the draft is not what is stored

	// what the searches of the pickers offer without scripts
	People          ViewerSearch[directory.ListedUser]
	Scopes, Managed ViewerSearch[attendance.ViewerDepartment]
}

// ViewerSearch is a search within a form and what it found.
type ViewerSearch[T any] struct {
	Query   string // as typed
	Refused string // id of the message why it cannot be; "" for none
	Found   []T
}

// Path is the page of the form.
func (f ViewerForm) Path() string {
	if f.ID == 0 {
		return ViewersPath + "?new=1"
	}
	return viewerEditPath(f.ID)
}

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

// viewerPicker is one field of departments in the form.
type viewerPicker struct {
	Name, IDs, Children, Search string // of the picker, its fallback's fields and their search
	Title, Text, Empty          string // ids of messages
	Chosen                      []attendance.ViewerDepartment
	Found                       ViewerSearch[attendance.ViewerDepartment]
}

func (f ViewerForm) scopePicker() viewerPicker {
	return viewerPicker{"scope", "scope_ids", "scope_children", "scope_q",
		"viewer.within.choose", "viewer.within.choose.text", "viewer.within.none", f.Draft.Within, f.Scopes}
}

func (f ViewerForm) departmentsPicker() viewerPicker {
	return viewerPicker{"departments", "department_ids", "department_children", "departments_q",
		"viewer.departments.choose", "viewer.departments.choose.text", "viewer.departments.none", f.Draft.Departments, f.Managed}
}

// opens and closes are what a button of a dialog needs to work without scripts.
func opens(id string) templ.Attributes {
	return templ.Attributes{"data-dialog": id, "command": "show-modal", "commandfor": id, "aria-haspopup": "dialog"}
}

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
