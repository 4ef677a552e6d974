package exports

import (
	"context"
	"fmt"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
)

// ReadsList is ReadRequest.List.
const ReadsList = "reads"

// ReadRequest is the log of reads with its filter, as the page shows it.
type ReadRequest struct {
	audit.ReadsFilter
	List   string         `json:"list"` // ReadsList
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// FileName returns the name of the file: "reads-20261101-20261120.xlsx".
func (r ReadRequest) FileName() string { return "reads" + dateName(r.From, r.To) + "." + r.Format }

func (r ReadRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.reads")} }

func (r ReadRequest) read() audit.Read { return audit.Read{Kind: audit.ReadReads, Query: r.Values()} }

func (r ReadRequest) open(_ context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	zone, err := zoneOfAdministrator(reader)
	if err != nil {
		return nil, err
	}
	f := r.ReadsFilter
	f.Limit = pageSize
	return table{
		heads: heads(r.Locale, "read.at", "read.reader", "read.kind", "read.subject", "read.object", "read.filter", "read.rows", "read.positions", "read.via", "read.address"),
		page: func(ctx context.Context, from *lists.Cursor) ([][]any, *lists.Cursor, error) {
			f.Cursor = from
			page, err := db.Audit.Reads(ctx, reader.CompanyID, zone, f)
			if err != nil {
				return nil, nil, err
			}
			return cellsOf(page, func(row audit.ReadRow) []any { return r.row(row, zone) })
		},
	}.write, nil
}

func (r ReadRequest) total(context.Context, *areas.Areas, directory.Person) (int64, error) {
	return 0, nil
}

// row returns the cells of a read. The filter is as in the URL of its list.
func (r ReadRequest) row(row audit.ReadRow, zone *time.Location) []any {
	var address, subject, positions any
	if row.Address != nil {
		address = row.Address.String()
	}
	if row.SubjectID != nil {
		subject = row.SubjectName
		if row.SubjectName == "" {
			subject = fmt.Sprintf("#%d", *row.SubjectID)
		}
	}
	if row.Positions {
		positions = r.Locale.T("read.positions.shown")
	}
	object := row.ObjectName
	if object == "" {
		object = row.Object
	}
	return []any{
		Seconds(row.At.In(zone)), row.ReaderName, r.Locale.T("read.kind." + string(row.Kind)), subject, object, row.Query,
		int(row.Rows), positions, r.Locale.T("read.via." + string(row.Via)), address,
	}
}
