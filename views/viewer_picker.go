package views

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/identity"
)

// pickerProps are those of the island target-dialog, as the form of a
// registration uses it: either departments or people.
type pickerProps struct {
	Name           string            `json:"name"`
	Targets        []pickerTarget    `json:"targets"`
	Types          []string          `json:"types"`
	DepartmentsURL string            `json:"departmentsURL,omitempty"`
	UsersURL       string            `json:"usersURL,omitempty"`
	Max            int               `json:"max,omitempty"`
	Texts          map[string]string `json:"texts"`
}

type pickerTarget struct {
	Type            string `json:"type"`
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	Path            string `json:"path,omitempty"`
	IncludeChildren bool   `json:"include_children"`
}

func (f ViewerForm) peopleProps(ctx context.Context) pickerProps {
	props := pickerProps{
		Name: "users", Types: []string{"user"}, UsersURL: organizationURL(f.Frame.Person, "users"), Max: attendance.MaxViewerPeople,
		Targets: []pickerTarget{},
		Texts:   pickerTexts(ctx, "viewer.people.choose", "viewer.people.choose.text", "viewer.people.none"),
	}
	for _, p := range f.Chosen {
		props.Targets = append(props.Targets, pickerTarget{"user", p.ID, p.Name, personPlace(p.Department, p.Position), true})
	}
	return props
}

func (f ViewerForm) departmentProps(ctx context.Context, p viewerPicker) pickerProps {
	props := pickerProps{
		Name: p.Name, Types: []string{"department"}, DepartmentsURL: organizationURL(f.Frame.Person, "departments"),
		Targets: []pickerTarget{},
		Texts:   pickerTexts(ctx, p.Title, p.Text, p.Empty),
	}
	for _, d := range p.Chosen {
		props.Targets = append(props.Targets, pickerTarget{"department", d.ID, d.Name, spacedPath(d.Path), d.IncludeChildren})
	}
	return props
}

func organizationURL(p *identity.SignedIn, list string) string {
	return userURL(p) + "/organizations/" + list
}

// userURL is where the JSON API answers somebody.
func userURL(p *identity.SignedIn) string {
	return "/api/v1/companies/" + strconv.FormatInt(p.CompanyID, 10) + "/users/" + strconv.FormatInt(p.ID, 10)
}

// personPlace is the department and the position of somebody, as far as known.
func personPlace(department, position string) string {
	switch {
	case department == "":
		return position
	case position == "":
		return department
	}
	return department + " · " + position
}

// pickerWords are the texts that every picker has, by the key of the prop.
var pickerWords = []string{
	"more", "remove", "removed", "close", "departments", "people", "loading", "failed", "retry", "filter", "filter_none", "filter_found",
	"children", "covered", "search", "search_hint", "search_short", "search_many", "searching", "search_none", "search_found", "search_more",
	"search_further", "chosen", "chosen_count", "chosen_empty", "include", "include_of", "clear", "limit", "cancel", "apply",
}

func pickerTexts(ctx context.Context, title, text, empty string) map[string]string {
	texts := map[string]string{
		"label": locales.T(ctx, title), "title": locales.T(ctx, title), "choose": locales.T(ctx, title),
		"text": locales.T(ctx, text), "empty": locales.T(ctx, empty),
		"taken": "", "moved": "", "moves": "", "skip": "",
	}
	for _, word := range pickerWords {
		texts[word] = locales.T(ctx, "picker."+word)
	}
	return texts
}
