package exports

import (
	"context"
	"slices"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/usage"
)

// AccessList is AccessRequest.List.
const AccessList = "access"

// AccessRequest is the access history with its filter, as the page shows it.
type AccessRequest struct {
	usage.AccessFilter
	List   string         `json:"list"` // AccessList
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// FileName returns the name of the file: "access-20261101-20261120.xlsx".
func (r AccessRequest) FileName() string {
	return "access" + dateName(r.From, r.To) + "." + r.Format
}

func (r AccessRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.access")} }

func (r AccessRequest) read() audit.Read {
	return audit.Read{Kind: audit.ReadAccess, Query: r.Values()}
}

func (r AccessRequest) open(_ context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	zone, err := zoneOfAdministrator(reader)
	if err != nil {
		return nil, err
	}
	if err := r.ParseQuery(); err != nil {
		return nil, err
	}
	f := r.AccessFilter
	f.Limit = pageSize
	return table{
		heads: heads(r.Locale, "access.at", "access.person", "export.employee_id", "export.department", "access.kind", "access.result", "access.reason", "access.source", "access.address", "access.device", "access.actor", "access.remarkable"),
		page: func(ctx context.Context, from *lists.Cursor) ([][]any, *lists.Cursor, error) {
			f.Cursor = from
			page, err := db.Usage.AccessEvents(ctx, reader.CompanyID, zone, f)
			if err != nil {
				return nil, nil, err
			}
			return cellsOf(page.Page, func(row usage.AccessRow) []any { return r.row(row, zone) })
		},
	}.write, nil
}

func (r AccessRequest) total(ctx context.Context, db *areas.Areas, reader directory.Person) (int64, error) {
	zone, err := time.LoadLocation(reader.TimeZone)
	if err != nil {
		return 0, err
	}
	if err := r.ParseQuery(); err != nil {
		return 0, err
	}
	counts, err := db.Usage.CountAccess(ctx, reader.CompanyID, zone, r.AccessFilter, usage.AccessList{})
	if counts.All > usage.MostCounted {
		return 0, err
	}
	return counts.All, err
}

// row returns the cells of a row. Characters that would change how a cell is read
// are written as their numbers.
func (r AccessRequest) row(a usage.AccessRow, zone *time.Location) []any {
	var ip any
	if a.Ip != nil {
		ip = a.Ip.String()
	}
	reason := usage.PlainName(a.Reason)
	if slices.Contains(usage.AccessReasons, a.Reason) {
		reason = r.Locale.T("access.reason." + a.Reason)
	}
	source := r.Locale.T("access.source." + a.Source)
	if a.Source == string(usage.AccessMessenger) && a.Platform != "" {
		source = r.Locale.T("access.messenger", "Platform", r.Locale.T("file.platform."+a.Platform))
	}
	return []any{
		Seconds(a.At.In(zone)), r.who(a), a.User.EmployeeID, a.User.Department, r.Locale.T("access.kind." + a.Kind), r.Locale.T("access.result." + a.Result), reason, source, ip,
		usage.PlainName(a.UserAgent), a.ActorName, strings.Join(r.marks(a), ", "),
	}
}

// who returns the name of the person, the account that was typed, or the words for a
// service token or an address.
func (r AccessRequest) who(a usage.AccessRow) string {
	switch {
	case a.UserID != nil:
		return userName(r.Locale, a.User)
	case a.Account != "":
		return usage.PlainName(a.Account)
	case a.Reason == usage.UnknownToken:
		return r.Locale.T("access.reason.unknown_token")
	case a.IsOfNobody():
		return r.Locale.T("access.nobody")
	case !a.IsOfService():
		return r.Locale.T("access.address")
	}
	return r.Locale.T("access.service_token")
}

// marks are the words for what is remarkable.
func (r AccessRequest) marks(a usage.AccessRow) (marks []string) {
	if a.Failures > 0 {
		marks = append(marks, r.Locale.T("access.mark.failures", "Count", r.Locale.Number(int64(a.Failures))))
	}
	if a.AddressFailures > 0 {
		marks = append(marks, r.Locale.T("access.mark.address_failures", "Count", r.Locale.Number(int64(a.AddressFailures))))
	}
	if a.NewDevice {
		marks = append(marks, r.Locale.T("access.mark.device"))
	}
	if a.NewAddress {
		marks = append(marks, r.Locale.T("access.mark.address"))
	}
	return marks
}
