package policy

import (
	"context"

	"officeconsole/locales"
	"officeconsole/queries/identity"
	"officeconsole/views"
)

// treeProps are the properties of the island department-tree.
type treeProps struct {
	URL     string    `json:"url"`
	Current int64     `json:"current,omitempty"`
	Href    string    `json:"href"`
	Texts   treeTexts `json:"texts"`
}

type treeTexts struct {
	Label  string `json:"label"`
	Filter string `json:"filter"`
	None   string `json:"none"`
	Found  string `json:"found"` // with the placeholder {n}
}

// departmentTree are the properties of the tree in which the reader chooses
// the department of a list. Current is the id of the chosen department, 0
// for none. The id of a department is appended to href.
func departmentTree(ctx context.Context, person *identity.SignedIn, current int64, href string) treeProps {
	return treeProps{
		URL:     views.OrganizationURL(person, "departments"),
		Current: current,
		Href:    href,
		Texts: treeTexts{
			Label:  locales.T(ctx, "department.tree"),
			Filter: locales.T(ctx, "department.filter"),
			None:   locales.T(ctx, "department.none"),
			Found:  locales.T(ctx, "department.found"),
		},
	}
}
