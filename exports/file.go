package exports

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/usage"
)

// FilesList is FileRequest.List.
const FilesList = "files"

// errNotAdministrator is the error of a log that its reader may no longer see.
var errNotAdministrator = errors.New("only administrators may export saved files")

// FileRequest is the list of saved files with its filter, as the page shows it.
type FileRequest struct {
	usage.FileFilter
	List   string         `json:"list"` // FilesList
	Format string         `json:"format"`
	Locale locales.Locale `json:"locale"`
}

// FileName returns the name of the file: "saved-files-20261101-20261120.xlsx".
func (r FileRequest) FileName() string {
	name := "saved-files"
	if r.From != 0 {
		name += r.From.Time().Format("-20060102")
	}
	if r.To != 0 && r.To != r.From {
		name += r.To.Time().Format("-20060102")
	}
	return name + "." + r.Format
}

func (r FileRequest) form() form { return form{r.Format, r.Locale.T("export.sheet.files")} }

func (r FileRequest) open(_ context.Context, db *areas.Areas, reader directory.Person) (writer, error) {
	if !reader.IsAdmin {
		return nil, errNotAdministrator
	}
	zone, err := time.LoadLocation(reader.TimeZone)
	if err != nil {
		return nil, err
	}
	if r.Search, err = lists.ParseSearch(r.Query); err != nil {
		return nil, err
	}
	return func(ctx context.Context, take func(...any) (bool, error)) error {
		return r.write(ctx, db, reader.CompanyID, zone, take)
	}, nil
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

func (r FileRequest) write(ctx context.Context, db *areas.Areas, companyID int64, zone *time.Location, take func(...any) (bool, error)) error {
	var heads []any
	for _, id := range []string{"saved_at", "sender", "receivers", "room", "folder", "name", "size", "platform", "ip", "sha256"} {
		heads = append(heads, r.Locale.T("file."+id))
	}
	if more, err := take(heads...); err != nil || !more {
		return err
	}
	f := r.FileFilter
	f.Limit = pageSize
	for {
		page, err := db.Usage.Files(ctx, companyID, zone, f)
		if err != nil {
			return err
		}
		for _, row := range page.Rows {
			if more, err := take(r.row(row, zone)...); err != nil || !more {
				return err
			}
		}
		if page.Next == nil {
			return nil
		}
		f.Cursor = page.Next
	}
}

// row returns the cells of a file. The size is in bytes, so that a spreadsheet can
// add them up; characters that would change how the cell is read are written as
// their numbers.
func (r FileRequest) row(row usage.FileRow, zone *time.Location) []any {
	receivers := make([]string, len(row.Receivers))
	for i, u := range row.Receivers {
		receivers[i] = r.user(u)
	}
	var ip any
	if row.Ip != nil {
		ip = row.Ip.String()
	}
	return []any{
		row.SavedAt.In(zone).Format("2006-01-02 15:04:05"), r.user(row.Sender), strings.Join(receivers, ", "), usage.PlainName(row.Room), usage.PlainName(row.Folder),
		usage.PlainName(row.Name), int(row.Size), r.Locale.T("file.platform." + row.Platform), ip, row.Sha256,
	}
}

// user returns the name of a sender or receiver; the id of one who no longer exists.
func (r FileRequest) user(u usage.FileUser) string {
	if u.Name == "" {
		return fmt.Sprintf("#%d", u.ID)
	}
	return u.Name
}
