package exports

import (
	"context"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/usage"
)

// ClientsList is ClientRequest.List.
const ClientsList = "clients"

// ClientRequest is the list of people with their clients on a platform, with its
// filter, as the page shows it.
type ClientRequest struct {
	usage.ClientFilter
	List   string         `json:"list"` // ClientsList
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// FileName returns the name of the file: "installations-pc-outdated.xlsx".
func (r ClientRequest) FileName() string {
	name := "installations-" + r.Platform
	if r.State != "" {
		name += "-" + string(r.State)
	}
	return name + "." + r.Format
}

func (r ClientRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.clients")} }

func (r ClientRequest) read() audit.Read {
	return audit.ReadOfClients(r.ClientFilter, 0)
}

func (r ClientRequest) open(ctx context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	zone, err := zoneOfAdministrator(reader)
	if err != nil {
		return nil, err
	}
	if r.Search, err = lists.ParseSearch(r.Query); err != nil {
		return nil, err
	}
	rules, err := db.Usage.InstallationRules(ctx, reader.CompanyID)
	if err != nil {
		return nil, err
	}
	f := r.ClientFilter
	f.Limit = pageSize
	return table{
		heads: heads(r.Locale, "client.name", "client.department", "client.state", "client.version", "client.device", "client.devices", "client.os", "client.first_login", "client.last_login"),
		page: func(ctx context.Context, from *lists.Cursor) ([][]any, *lists.Cursor, error) {
			f.Cursor = from
			page, err := db.Usage.Clients(ctx, reader.CompanyID, rules.Rules, f)
			if err != nil {
				return nil, nil, err
			}
			return cellsOf(page, func(row usage.ClientPersonRow) []any {
				return r.row(row, row.State(rules.Rules, db.Now(), r.IdleFor()), zone)
			})
		},
	}.write, nil
}

// total is known only by reading the list.
func (r ClientRequest) total(context.Context, *areas.Areas, directory.Person) (int64, error) {
	return 0, nil
}

// row returns the cells of a person. Characters that would change how a cell is read
// are written as their numbers.
func (r ClientRequest) row(row usage.ClientPersonRow, state usage.ClientState, zone *time.Location) []any {
	return []any{
		row.Name, row.DepartmentPath, r.stateText(row, state), row.Version, usage.PlainName(row.DeviceName), int(row.Devices), usage.PlainName(row.OS), secondCell(row.FirstLoginAt, zone), secondCell(row.LastLoginAt, zone),
	}
}

// stateText names the state of a person's client as the page does, but for the days of
// one that is not used: they are those of the filter, so that equal cells can be counted.
func (r ClientRequest) stateText(row usage.ClientPersonRow, state usage.ClientState) string {
	switch {
	case state == usage.NeverInstalled && row.Known:
		return r.Locale.T("client.state.removed")
	case row.HasNoLogin() && (state == usage.IdleClient || state == usage.InstalledClient):
		return r.Locale.T("client.state.unused")
	case state == usage.IdleClient:
		return r.Locale.T("client.figure.idle", "Days", strconv.Itoa(r.IdleFor()))
	}
	return r.Locale.T("client.state." + string(state))
}
