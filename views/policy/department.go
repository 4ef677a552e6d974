package policy

import (
	"context"

	"officeconsole/locales"
	"officeconsole/queries/identity"
	"officeconsole/views"
)

// treeProps are those of the island department-tree.
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
	Found  string `json:"found"` // with {n} in it
}

// departmentTree are the properties of the tree in which a person chooses
// whose list is shown: current is the department that is chosen, 0 for none,
// and href the address of a list to which the id of a department is appended.
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
