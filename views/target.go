package views

import (
	"context"

	"officeconsole/locales"
)

// targetProps are those of the island target-dialog.
type targetProps struct {
	Name           string            `json:"name"`
	IDs            bool              `json:"ids,omitempty"` // the field holds ids only
	Targets        []targetProp      `json:"targets"`
	Types          []string          `json:"types,omitempty"` // both when left out
	DepartmentsURL string            `json:"departmentsURL,omitempty"`
	UsersURL       string            `json:"usersURL,omitempty"`
	TakenURL       string            `json:"takenURL,omitempty"`
	Max            int               `json:"max,omitempty"`
	Texts          map[string]string `json:"texts"`
}

type targetProp struct {
	Type            string       `json:"type"`
	ID              int64        `json:"id"`
	Name            string       `json:"name"`
	IncludeChildren bool         `json:"include_children"`
	Taken           *takenPolicy `json:"taken,omitempty"`
}

type takenPolicy struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// targetTexts are the words of the island where a policy's targets are chosen.
func targetTexts(ctx context.Context) map[string]string {
	texts := pickerTexts(ctx, "target.title", "target.text", "target.empty")
	texts["label"] = locales.T(ctx, "policy.targets")
	texts["choose"] = locales.T(ctx, "target.choose")
	texts["taken"] = locales.T(ctx, "target.taken")
	texts["moved"] = locales.T(ctx, "target.moved")
	texts["moves"] = locales.T(ctx, "target.moves")
	texts["skip"] = locales.T(ctx, "target.skip")
	return texts
}
