package exports

import (
	"context"
	"net/url"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
)

// StatusList is StatusRequest.List.
const StatusList = "status"

// StatusRequest is the list of the people or departments to whom the policies of a kind
// apply, with its filter, as the page shows it.
type StatusRequest struct {
	List   string         `json:"list"` // StatusList
	Kind   string         `json:"kind"`
	Filter url.Values     `json:"filter"` // policy.StatusFilter.Values
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// NewStatusRequest returns the request of a list.
func NewStatusRequest(kind string, f policy.StatusFilter, format string, locale locales.Locale) StatusRequest {
	return StatusRequest{List: StatusList, Kind: kind, Filter: f.Values(), Format: format, Locale: locale}
}

// FileName returns the name of the file: "status-communication.xlsx", with a date
// "status-communication-20261201.xlsx".
func (r StatusRequest) FileName() string {
	f, _ := policy.ReadStatusFilter(r.Filter) // open refuses an invalid one
	return "status-" + r.Kind + dateName(f.Date, 0) + "." + r.Format
}

func (r StatusRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.status")} }

func (r StatusRequest) read() audit.Read {
	return audit.Read{Kind: audit.ReadStatus, Query: r.Filter}
}

func (r StatusRequest) open(_ context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	if !reader.IsAdmin {
		return nil, errNotAdministrator
	}
	f, err := policy.ReadStatusFilter(r.Filter)
	if err != nil {
		return nil, err
	}
	f.Limit = pageSize
	ids := []string{"status.column.department", "status.export.path", "status.column.policy", "status.column.source", "status.export.source_department"}
	if !f.OfDepartments {
		ids = append([]string{"status.column.name", "status.export.employee_id"}, ids...)
	}
	if f.Date != 0 {
		ids = append(ids, "policy_at.column.differences")
	}
	return table{
		heads: heads(r.Locale, ids...),
		page: func(ctx context.Context, from *lists.Cursor) ([][]any, *lists.Cursor, error) {
			f.Cursor = from
			if f.OfDepartments {
				page, err := db.Policies.DepartmentStatuses(ctx, reader, r.Kind, f)
				if err != nil {
					return nil, nil, err
				}
				return cellsOf(page, func(d policy.DepartmentStatus) []any {
					return append([]any{d.Name, d.Path, d.PolicyName, r.sourceText(d.Source), d.SourceDepartmentName}, r.nowCells(f, d.PolicyID, d.Now)...)
				})
			}
			page, err := db.Policies.PersonStatuses(ctx, reader, r.Kind, f)
			if err != nil {
				return nil, nil, err
			}
			return cellsOf(page, func(p policy.PersonStatus) []any {
				return append([]any{p.Name, p.EmployeeID, p.DepartmentName, p.DepartmentPath, p.PolicyName, r.sourceText(p.Source), p.SourceDepartmentName}, r.nowCells(f, p.PolicyID, p.Now)...)
			})
		},
	}.write, nil
}

// total is known only by reading the list.
func (r StatusRequest) total(context.Context, *areas.Areas, directory.Person) (int64, error) {
	return 0, nil
}

func (r StatusRequest) sourceText(source policy.Source) string {
	return r.Locale.T("status.source." + string(source))
}

// nowCells returns the cell of what applies now instead of a policy, in a list of a date.
func (r StatusRequest) nowCells(f policy.StatusFilter, policyID int64, now *policy.AppliedPolicy) []any {
	switch {
	case f.Date == 0:
		return nil
	case now == nil:
		return []any{nil}
	case now.PolicyID == policyID:
		return []any{r.Locale.T("policy_at.now.version", "Number", r.Locale.Number(int64(now.VersionNo)))}
	}
	return []any{r.Locale.T("policy_at.now.policy", "Policy", now.Name)}
}
