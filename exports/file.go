package exports

import (
	"context"
	"fmt"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/usage"
)

// FilesList is FileRequest.List.
const FilesList = "files"

// FileRequest is the list of saved files with its filter, as the page shows it.
type FileRequest struct {
	usage.FileFilter
	List   string         `json:"list"` // FilesList
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// FileName returns the name of the file: "saved-files-20261101-20261120.xlsx".
func (r FileRequest) FileName() string {
	return "saved-files" + dateName(r.From, r.To) + "." + r.Format
}

func (r FileRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.files")} }

func (r FileRequest) read() audit.Read {
	return audit.Read{Kind: audit.ReadFiles, Query: r.Values()}
}

func (r FileRequest) open(_ context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	zone, err := zoneOfAdministrator(reader)
	if err != nil {
		return nil, err
	}
	if r.Search, err = lists.ParseSearch(r.Query); err != nil {
		return nil, err
	}
	f := r.FileFilter
	f.Limit = pageSize
	return table{
		heads: heads(r.Locale, "file.saved_at", "file.sender", "export.employee_id", "export.department", "file.receivers", "file.room", "file.folder", "file.name", "file.size", "file.platform", "file.ip", "file.sha256"),
		page: func(ctx context.Context, from *lists.Cursor) ([][]any, *lists.Cursor, error) {
			f.Cursor = from
			page, err := db.Usage.Files(ctx, reader.CompanyID, zone, f)
			if err != nil {
				return nil, nil, err
			}
			return cellsOf(page.Page, func(row usage.FileRow) []any { return r.row(row, zone) })
		},
	}.write, nil
}

func (r FileRequest) total(ctx context.Context, db *areas.Areas, reader directory.Person) (int64, error) {
	zone, err := time.LoadLocation(reader.TimeZone)
	if err != nil {
		return 0, err
	}
	if r.Search, err = lists.ParseSearch(r.Query); err != nil {
		return 0, err
	}
	sums, err := db.Usage.FileSums(ctx, reader.CompanyID, zone, r.FileFilter)
	if sums.More || sums.Unknown {
		return 0, err
	}
	return sums.Files, err
}

// row returns the cells of a file. The size is in bytes, so that a spreadsheet can
// add them up; characters that would change how the cell is read are written as
// their numbers.
func (r FileRequest) row(row usage.FileRow, zone *time.Location) []any {
	receivers := make([]string, len(row.Receivers))
	for i, u := range row.Receivers {
		receivers[i] = receiver(r.Locale, u)
	}
	var ip any
	if row.Ip != nil {
		ip = row.Ip.String()
	}
	return []any{
		Seconds(row.SavedAt.In(zone)), userName(r.Locale, row.Sender), row.Sender.EmployeeID, row.Sender.Department, strings.Join(receivers, ", "), usage.PlainName(row.Room), usage.PlainName(row.Folder),
		usage.PlainName(row.Name), int(row.Size), r.Locale.T("file.platform." + row.Platform), ip, row.Sha256,
	}
}

// userName returns the name of a person, with the word for who is hidden; the id of one
// who no longer exists.
func userName(l locales.Locale, u usage.FileUser) string {
	switch {
	case u.Name == "":
		return fmt.Sprintf("#%d", u.ID)
	case u.HiddenAt != nil:
		return fmt.Sprintf("%s (%s)", u.Name, l.T("file.hidden"))
	}
	return u.Name
}

// receiver returns what tells a person from others in a cell of several: the name, the
// employee id and the department.
func receiver(l locales.Locale, u usage.FileUser) string {
	text := userName(l, u)
	for _, more := range []string{u.EmployeeID, u.Department} {
		if more != "" {
			text += " / " + more
		}
	}
	return text
}
