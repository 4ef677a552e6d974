package policy

import (
	"context"
	"net/url"

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

// departmentTree are the properties of the tree in which the reader chooses the department
// of a list at a path with some choices. Current is the id of the chosen department, 0 for
// none. The id of a department is appended to Href.
func departmentTree(ctx context.Context, person *identity.SignedIn, current int64, path string, chosen url.Values) treeProps {
	chosen.Del("department_id")
	without := chosen.Encode()
	if without != "" {
		without += "&"
	}
	return treeProps{
		URL:     views.OrganizationURL(person, "departments"),
		Current: current,
		Href:    locales.FromContext(ctx).Path(path + "?" + without + "department_id="),
		Texts: treeTexts{
			Label:  locales.T(ctx, "department.tree"),
			Filter: locales.T(ctx, "department.filter"),
			None:   locales.T(ctx, "department.none"),
			Found:  locales.T(ctx, "department.found"),
		},
	}
}
