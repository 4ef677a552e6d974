package exports

import (
	"context"
	"regexp"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// ChangesList is ChangeRequest.List.
const ChangesList = "changes"

// ChangeRequest is the change log with its filter, as the page shows it.
type ChangeRequest struct {
	audit.ChangeFilter
	List   string         `json:"list"` // ChangesList
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// FileName returns the name of the file: "changes-20261101-20261120.xlsx".
func (r ChangeRequest) FileName() string { return "changes" + dateName(r.From, r.To) + "." + r.Format }

func (r ChangeRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.changes")} }

func (r ChangeRequest) read() audit.Read {
	return audit.Read{Kind: audit.ReadChanges, Query: r.Values()}
}

func (r ChangeRequest) open(_ context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	zone, err := zoneOfAdministrator(reader)
	if err != nil {
		return nil, err
	}
	if r.Search, err = lists.ParseSearch(r.Query); err != nil {
		return nil, err
	}
	f := r.ChangeFilter
	f.CompanyID, f.Limit = reader.CompanyID, pageSize
	return table{
		heads: heads(r.Locale, "change.at", "change.actor", "change.address", "change.object", "change.name", "change.what", "change.old", "change.new"),
		page: func(ctx context.Context, from *lists.Cursor) ([][]any, *lists.Cursor, error) {
			if f.Cursor = from; from != nil {
				from.Trail = nil // the pages before are not read again
			}
			page, err := db.Audit.Changes(ctx, f)
			if err != nil {
				return nil, nil, err
			}
			return cellsOf(page, func(c audit.Change) []any { return r.row(c, zone) })
		},
	}.write, nil
}

func (r ChangeRequest) total(context.Context, *areas.Areas, directory.Person) (int64, error) {
	return 0, nil
}

// mostCellText is the maximum number of bytes of a cell: what spreadsheets accept of
// characters.
const mostCellText = 32_000

// row returns the cells of a change. Old and new are as the log stores them, in JSON, but
// for the zone of their times.
func (r ChangeRequest) row(c audit.Change, zone *time.Location) []any {
	var address any
	if c.Address != nil {
		address = c.Address.String()
	}
	actor, object, action := c.ActorName, c.ObjectType, c.Action
	if actor == "" {
		actor = r.Locale.T("change.actor.console")
	}
	if audit.ActionsOf(c.ObjectType) != nil {
		object, action = r.Locale.T("change.object."+c.ObjectType), r.Locale.T("change.action."+c.Action)
	}
	return []any{Seconds(c.At.In(zone)), actor, address, object, c.ObjectName, action, cellText(inZone(c.Old, zone)), cellText(inZone(c.New, zone))}
}

var storedTime = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)"`)

// inZone returns what the log stores with the times in a zone; they are stored in that of
// the server.
func inZone(content []byte, zone *time.Location) []byte {
	const layout = `"` + time.RFC3339Nano + `"`
	return storedTime.ReplaceAllFunc(content, func(text []byte) []byte {
		at, err := time.Parse(layout, string(text))
		if err != nil {
			return text
		}
		return at.In(zone).AppendFormat(nil, layout)
	})
}

// cellText returns a text that fits into a cell; what is longer ends with an ellipsis.
func cellText(content []byte) any {
	if content == nil {
		return nil
	}
	text := string(content)
	if len(text) <= mostCellText {
		return text
	}
	end := mostCellText
	for end > 0 && text[end]&0xC0 == 0x80 { // not inside a character
		end--
	}
	return text[:end] + "…"
}
