package views

import (
	"strings"

	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/identity"
)

// PickerProps are the properties of the island target-dialog, a field for
// departments and people. Without one of the addresses that type cannot be
// searched. Max is how many can be chosen, 0 for any number.
type PickerProps struct {
	Name           string            `json:"name"`
	IDs            bool              `json:"ids,omitempty"` // whether the field holds ids without types
	Targets        []PickerTarget    `json:"targets"`
	Types          []string          `json:"types,omitempty"` // "department" or "user"; both if empty
	DepartmentsURL string            `json:"departmentsURL,omitempty"`
	UsersURL       string            `json:"usersURL,omitempty"`
	TakenURL       string            `json:"takenURL,omitempty"` // tells which targets other policies hold
	Max            int               `json:"max,omitempty"`
	Texts          map[string]string `json:"texts"`
}

// A PickerTarget is a chosen department or person. Path says where it
// belongs; Taken is nil unless another policy holds it.
type PickerTarget struct {
	Type            string       `json:"type"`
	ID              int64        `json:"id"`
	Name            string       `json:"name"`
	Path            string       `json:"path,omitempty"`
	IncludeChildren bool         `json:"include_children"`
	Taken           *TakenPolicy `json:"taken,omitempty"`
}

// TakenPolicy is the policy that holds a target, or will by its planned version.
type TakenPolicy struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	From    string `json:"from,omitempty"`     // the date from which it holds the target; "" if it does already
	HasPlan bool   `json:"has_plan,omitempty"` // whether the target cannot move because of a planned version
}

// OrganizationURL is the address in the JSON API of a list of the company,
// such as "departments" or "users", as far as the person may see it.
func OrganizationURL(p *identity.SignedIn, list string) string {
	return UserURL(p) + "/organizations/" + list
}

// UserURL is the address of the person's own resources in the JSON API.
func UserURL(p *identity.SignedIn) string {
	return "/api/v1/companies/" + strconv.FormatInt(p.CompanyID, 10) + "/users/" + strconv.FormatInt(p.ID, 10)
}

// pickerWords are the texts that every picker has. Each is a key of the
// property texts and ends a message id: picker.KEY.
var pickerWords = []string{
	"more", "remove", "removed", "close", "departments", "people", "loading", "failed", "retry", "filter", "filter_none", "filter_found",
	"children", "covered", "search", "search_hint", "search_short", "search_ignored", "searching", "search_none", "search_found", "search_more",
	"search_further", "chosen", "chosen_count", "chosen_empty", "include", "include_of", "clear", "limit", "cancel", "apply",
}

// PickerTexts returns the translated texts of a picker. Title, text and
// empty are message ids: of its title, of its explanation and of the text
// that is shown while nothing is chosen.
func PickerTexts(ctx context.Context, title, text, empty string) map[string]string {
	texts := map[string]string{
		"label": locales.T(ctx, title), "title": locales.T(ctx, title), "choose": locales.T(ctx, title),
		"text": locales.T(ctx, text), "empty": locales.T(ctx, empty),
		"taken": "", "taken_from": "", "moved": "", "fixed": "", "moves": "", "moves_one": "", "fixed_count": "", "fixed_one": "", "skip": "", "leave_out": "",
	}
	for _, word := range pickerWords {
		texts[word] = locales.T(ctx, "picker."+word)
	}
	return texts
}

// PeopleTexts returns PickerTexts of a picker of people only.
func PeopleTexts(ctx context.Context, title, text, empty string) map[string]string {
	texts := PickerTexts(ctx, title, text, empty)
	for _, word := range []string{"more", "chosen_count", "limit", "apply"} { // that count people
		texts[word] = locales.T(ctx, "picker.people."+word)
	}
	return texts
}

// takenText says which policy a chosen target leaves, or why it cannot.
func (p PickerProps) takenText(policy TakenPolicy) string {
	text := p.Texts["moved"]
	switch {
	case policy.From != "":
		text = fill(p.Texts["taken_from"], "{date}", policy.From)
	case policy.HasPlan:
		text = p.Texts["fixed"]
	}
	return fill(text, "{policy}", policy.Name)
}

// icon is the icon of takenText.
func (policy TakenPolicy) icon() string {
	if policy.HasPlan {
		return "clock"
	}
	return "move"
}

// fill replaces a placeholder of a text for scripts.
func fill(text, placeholder, value string) string {
	return strings.Replace(text, placeholder, value, 1)
}
