package views

import (
	"context"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/identity"
)

// PickerProps are those of the island target-dialog.
type PickerProps struct {
	Name           string            `json:"name"`
	IDs            bool              `json:"ids,omitempty"` // the field holds ids only
	Targets        []PickerTarget    `json:"targets"`
	Types          []string          `json:"types,omitempty"` // both when left out
	DepartmentsURL string            `json:"departmentsURL,omitempty"`
	UsersURL       string            `json:"usersURL,omitempty"`
	TakenURL       string            `json:"takenURL,omitempty"`
	Max            int               `json:"max,omitempty"`
	Texts          map[string]string `json:"texts"`
}

type PickerTarget struct {
	Type            string       `json:"type"`
	ID              int64        `json:"id"`
	Name            string       `json:"name"`
	Path            string       `json:"path,omitempty"`
	IncludeChildren bool         `json:"include_children"`
	Taken           *TakenPolicy `json:"taken,omitempty"`
}

type TakenPolicy struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func OrganizationURL(p *identity.SignedIn, list string) string {
	return UserURL(p) + "/organizations/" + list
}

// UserURL is where the JSON API answers somebody.
func UserURL(p *identity.SignedIn) string {
	return "/api/v1/companies/" + strconv.FormatInt(p.CompanyID, 10) + "/users/" + strconv.FormatInt(p.ID, 10)
}

// pickerWords are the texts that every picker has, by the key of the prop.
var pickerWords = []string{
	"more", "remove", "removed", "close", "departments", "people", "loading", "failed", "retry", "filter", "filter_none", "filter_found",
	"children", "covered", "search", "search_hint", "search_short", "search_many", "searching", "search_none", "search_found", "search_more",
	"search_further", "chosen", "chosen_count", "chosen_empty", "include", "include_of", "clear", "limit", "cancel", "apply",
}

func PickerTexts(ctx context.Context, title, text, empty string) map[string]string {
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
