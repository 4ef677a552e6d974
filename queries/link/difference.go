package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"officeconsole/queries"
)

// Differences are what has changed in a link: the names of fields in the API, and
// banner, in their order on the page. Before and After are only set with Fields.
type Differences struct {
	Fields        []string
	Before, After Draft
}

// Compare returns how a link has changed from one draft to another.
func Compare(before, after Draft) Differences {
	var d Differences
	for _, f := range []struct {
		name string
		same bool
	}{
		{"banner", before.Banner == after.Banner},
		{"name", before.Name == after.Name},
		{"description", before.Description == after.Description},
		{"url", before.URL == after.URL},
		{"visible", before.Visible == after.Visible},
		{"icon_visible", before.IconVisible == after.IconVisible},
	} {
		if !f.same {
			d.Fields = append(d.Fields, f.name)
		}
	}
	if len(d.Fields) > 0 {
		d.Before, d.After = before, after
	}
	return d
}

// DifferencesSince returns how a link differs from an earlier version of it. There are
// none from a version that never existed.
func (q *Queries) DifferencesSince(ctx context.Context, l Link, versionNo int32) (Differences, error) {
	text, err := q.earlierRecord(ctx, earlierRecordParams{CompanyID: l.CompanyID, LinkID: l.ID, VersionNo: versionNo})
	if errors.Is(err, queries.NotFound) {
		return Differences{}, nil
	}
	if err != nil {
		return Differences{}, err
	}
	var before Record
	if err := json.Unmarshal(text, &before); err != nil {
		return Differences{}, fmt.Errorf("version %d of link %d: %w", versionNo, l.ID, err)
	}
	return Compare(before.Draft, l.Draft()), nil
}
