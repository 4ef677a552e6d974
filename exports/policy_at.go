package exports

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// PoliciesAtList is PolicyAtRequest.List.
const PoliciesAtList = "policies_at"

// PolicyAtRequest is the list of the policies of a kind at a date, compared with now, as
// the page shows it.
type PolicyAtRequest struct {
	List   string         `json:"list"` // PoliciesAtList
	Kind   string         `json:"kind"`
	Date   workday.Date   `json:"date"` // its midnight
	Query  string         `json:"q,omitempty"`
	All    bool           `json:"all,omitempty"` // whether policies that do not differ are included
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// FileName returns the name of the file: "policies-communication-20261201.xlsx".
func (r PolicyAtRequest) FileName() string {
	return "policies-" + r.Kind + dateName(r.Date, 0) + "." + r.Format
}

func (r PolicyAtRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.policies_at")} }

func (r PolicyAtRequest) read() audit.Read {
	query := url.Values{"at": {r.Date.String()}}
	lists.SetText(query, "q", r.Query)
	return audit.Read{Kind: audit.ReadStatus, Query: query}
}

func (r PolicyAtRequest) open(ctx context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	zone, err := zoneOfAdministrator(reader)
	if err != nil {
		return nil, err
	}
	chosen, err := lists.ParseSearch(r.Query)
	if err != nil {
		return nil, err
	}
	return table{
		heads: heads(r.Locale, "policy.column.name", "policy.column.state", "policy_at.column.version", "policy.column.targets",
			"policy_at.export.people_then", "policy_at.export.people_now", "policy_at.column.differences", "policy_at.column.saved", "policy_at.export.saved_at"),
		page: func(ctx context.Context, _ *lists.Cursor) ([][]any, *lists.Cursor, error) {
			found, err := db.Policies.PoliciesAt(ctx, reader, r.Kind, r.Date.At(0, zone), chosen)
			if err != nil {
				return nil, nil, err
			}
			rows := found.Shown(r.All || r.Query != "")
			return cellsOf(lists.Page[policy.PolicyAt]{Rows: rows}, func(p policy.PolicyAt) []any { return r.row(p, found.Now.Before(found.At), zone) })
		},
	}.write, nil
}

func (r PolicyAtRequest) total(context.Context, *areas.Areas, directory.Person) (int64, error) {
	return 0, nil
}

// row returns the cells of a policy. Settings that differ are named without their values.
func (r PolicyAtRequest) row(p policy.PolicyAt, isFuture bool, zone *time.Location) []any {
	v := p.Version()
	var state any
	if p.Then != nil {
		state = r.Locale.T("policy.state.disabled")
		if v.Enabled {
			state = r.Locale.T("policy.state.enabled")
		}
	}
	targets := r.Locale.T("policy.targets.rest")
	if !p.IsDefault {
		names := make([]string, len(v.Targets))
		for i, target := range v.Targets {
			names[i] = target.Name
		}
		targets = strings.Join(names, ", ")
	}
	return []any{
		v.Name, state, int(v.No), targets, p.PeopleThen, p.PeopleNow, strings.Join(r.differences(p, isFuture), "\n"),
		v.CreatedByName, v.CreatedAt.In(zone),
	}
}

// differences says in what a policy differs from now, as the page does.
func (r PolicyAtRequest) differences(p policy.PolicyAt, isFuture bool) []string {
	var texts []string
	switch {
	case p.Then == nil && isFuture:
		texts = append(texts, r.Locale.T("policy_at.ends"))
	case p.Then == nil:
		texts = append(texts, r.Locale.T("policy_at.absent"))
	case p.Now == nil && isFuture:
		texts = append(texts, r.Locale.T("policy_at.new"))
	case p.Now == nil:
		texts = append(texts, r.Locale.T("policy_at.gone"))
	}
	for _, f := range p.Differences.Fields {
		texts = append(texts, r.Locale.T("policy.field."+f.Field))
	}
	for _, c := range p.Differences.Settings {
		parts := slices.DeleteFunc([]string{c.Label, c.Part}, func(id string) bool { return id == "" })
		for i, id := range parts {
			parts[i] = r.Locale.T(id)
		}
		texts = append(texts, strings.Join(parts, " · "))
	}
	for _, m := range p.Moves {
		texts = append(texts, r.Locale.N("policy_at.move", m.People, "Policy", m.Name))
	}
	return texts
}
