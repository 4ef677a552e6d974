package api

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/importfile"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
)

// maxImport is the maximum size in bytes of the form of an import.
const maxImport = 2*attendance.MaxImportBytes + 1<<20

var (
	// importBody describes the form of an import, which is read as it arrives.
	importBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: importForm}}}
	importForm = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{
		"file":          {Type: huma.TypeString, Format: "binary", Description: "A row for each person and day. Fields of the form come before its files or behind them."},
		"arrivals":      {Type: huma.TypeString, Format: "binary", Description: "Instead of file: a row for each person and a column for each day."},
		"departures":    {Type: huma.TypeString, Format: "binary", Description: "The departures that belong to them."},
		"encoding":      {Type: huma.TypeString, Description: "Where it is not clear: utf-8, utf-16le, utf-16be, cp949, shift_jis, gbk or windows-1252."},
		"sheet":         {Type: huma.TypeString, Description: "Of a workbook; the first one where it is left out."},
		"date_format":   {Type: huma.TypeString, Description: "A Go or strftime layout; needed where the order of day and month is not clear."},
		"time_format":   {Type: huma.TypeString, Description: "A Go or strftime layout."},
		"dry_run":       {Type: huma.TypeBoolean, Description: "Ends as checked and writes nothing."},
		"skip_bad":      {Type: huma.TypeBoolean, Description: "Imports the good rows even if others are refused."},
		"overnight":     {Type: huma.TypeBoolean, Description: "Takes departures that are earlier than their arrivals as those of the next day, whatever the hours of the policy."},
		"fill_days":     {Type: huma.TypeBoolean, Description: "Counts days without a row, between the first and the last date of each person, as days without clocking."},
		"allow_missing": {Type: huma.TypeBoolean, Description: "Accepts people and dates that only one of two files has."},
		"replace":       {Type: huma.TypeInteger, Description: "The id of an import that is reverted in the same step."},
	}}
)

// registerImports registers the operations of imports of attendance.
func (c *calls) registerImports(administrators huma.Middlewares) {
	const all, one = u + "/imports", u + "/imports/{import_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Attendance"
		return d.operation(administrators)
	}
	create := describe(call{id: "create-import", method: http.MethodPost, path: all, status: http.StatusCreated, errors: []int{http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity},
		summary: "Import attendance", description: "For administrators. The files, of up to 64 MB each, are imported in the background: read the import until its status is no longer checking or importing. Everything is refused if one row is, unless skip_bad is set."})
	huma.Register(c.api, create, c.createImport)
	c.api.OpenAPI().Paths[create.Path].Post.RequestBody = importBody // after the registration, so that huma does not read it
	huma.Register(c.api, describe(call{id: "imports", path: all, summary: "Imports of attendance, the latest first",
		description: "For administrators. What each has imported; why it refused rows is in the import itself."}), c.attendanceImports)
	huma.Register(c.api, describe(call{id: "import", path: one, summary: "An import of attendance",
		description: "For administrators. Its status is checking or importing while it is worked on, checked after a dry run and if it was refused, done, failed, reverting or reverted."}), c.attendanceImport)
	huma.Register(c.api, describe(call{id: "revert-import", method: http.MethodPost, path: one + "/reversal", errors: []int{http.StatusUnprocessableEntity},
		summary: "Revert an import of attendance", description: "For administrators. Its events no longer count, and the records of its days are computed again; those that were edited since remain edited. A large import is reverted in the background: its status is reverting until then."}), c.revertImport)
}

// ImportInput is the form of an import.
type ImportInput struct {
	OwnPath
	form *multipart.Reader // nil for a body of another type
}

// Resolve opens the form, and gives a slow client time to send it.
func (in *ImportInput) Resolve(ctx huma.Context) []error {
	kind, parameters, err := mime.ParseMediaType(ctx.Header("Content-Type"))
	if err != nil || kind != "multipart/form-data" || parameters["boundary"] == "" {
		return nil
	}
	in.form = multipart.NewReader(io.LimitReader(ctx.BodyReader(), maxImport), parameters["boundary"])
	deadline := time.Now().Add(receiveTime)
	setDeadlines(ctx, deadline, deadline)
	return nil
}

// ImportStatus is an import that was accepted. It is exported because huma leaves out
// embedded types that are not.
type ImportStatus struct {
	ID     int64  `json:"id"`
	Status string `json:"status" enum:"draft,checking,checked,importing,done,failed,reverting,reverted"`
}

type importStatusOutput struct{ Body ImportStatus }

func (c *calls) createImport(ctx context.Context, in *ImportInput) (*importStatusOutput, error) {
	if in.form == nil {
		return nil, refusal{http.StatusUnsupportedMediaType, "api.media_type.form"}
	}
	files, fields, err := c.readImport(ctx, in.form)
	if err != nil {
		return nil, err
	}
	options, begin, err := importOptions(fields)
	if err != nil {
		return nil, err
	}
	var stored []attendance.StoredFile
	one, isOne := files["file"]
	arrivals, hasArrivals := files["arrivals"]
	departures, hasDepartures := files["departures"]
	switch {
	case isOne && !hasArrivals && !hasDepartures:
		stored = append(stored, one)
	case !isOne && hasArrivals && hasDepartures:
		stored = append(stored, arrivals, departures)
	default:
		return nil, queries.FieldErrors{"file": "import.files"}
	}
	id, err := c.db.Attendance.CreateImport(ctx, actor(ctx), stored, options, begin)
	if err != nil {
		return nil, err
	}
	return &importStatusOutput{ImportStatus{id, begin}}, nil
}

// maxField is the maximum size of a field of the form in bytes.
const maxField = 1000

// readImport stores the files of a form, and returns its other fields.
func (c *calls) readImport(ctx context.Context, form *multipart.Reader) (map[string]attendance.StoredFile, map[string]string, error) {
	files, fields := map[string]attendance.StoredFile{}, map[string]string{}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return files, fields, nil
		}
		if err != nil {
			return nil, nil, queries.Invalid("error.unreadable")
		}
		name := part.FormName()
		switch name {
		case "file", "arrivals", "departures":
			if _, twice := files[name]; twice {
				return nil, nil, queries.Invalid("error.unreadable")
			}
			stored, err := c.db.Attendance.UploadImportFile(ctx, actor(ctx), c.blobs, attendance.ImportFile{Name: part.FileName(), Content: part})
			var refused queries.Invalid
			if errors.As(err, &refused) {
				_, _ = io.Copy(io.Discard, part) // so that the client reads the refusal instead of a broken connection
				return nil, nil, queries.FieldErrors{name: refused}
			}
			if err != nil {
				return nil, nil, err
			}
			files[name] = stored
		default:
			text, err := io.ReadAll(io.LimitReader(part, maxField))
			if err != nil {
				return nil, nil, queries.Invalid("error.unreadable")
			}
			fields[name] = strings.TrimSpace(string(text))
		}
	}
}

// importOptions reads the fields of a form. It refuses with FieldErrors what they cannot
// be, and fields that are none: a misspelt dry_run would import.
func importOptions(fields map[string]string) (attendance.ImportOptions, string, error) {
	refused := queries.FieldErrors{}
	for name := range fields {
		if importForm.Properties[name] == nil {
			refused[name] = "api.field.unknown"
		}
	}
	is := func(name string) bool {
		value, err := strconv.ParseBool(fields[name])
		if err != nil && fields[name] != "" {
			refused[name] = "import.value.truth"
		}
		return value
	}
	o := attendance.ImportOptions{
		Encoding: fields["encoding"], Sheet: fields["sheet"], DateFormat: fields["date_format"], TimeFormat: fields["time_format"],
		SkipBad: is("skip_bad"), AllowMissing: is("allow_missing"), Overnight: is("overnight"), FillDays: is("fill_days"),
	}
	begin := attendance.ImportImporting
	if is("dry_run") {
		begin = attendance.ImportChecking
	}
	if o.Encoding != "" && importfile.EncodingName(o.Encoding) == "" {
		refused["encoding"] = "import.encoding.unknown"
	}
	if fields["replace"] != "" {
		var err error
		if o.ReplacesID, err = strconv.ParseInt(fields["replace"], 10, 64); err != nil || o.ReplacesID <= 0 {
			refused["replace"] = "error.unreadable"
		}
	}
	if len(refused) > 0 {
		return o, "", refused
	}
	return o, begin, nil
}

// ImportPath is the path of an import.
type ImportPath struct {
	OwnPath
	ImportID int64 `path:"import_id"`
}

// importRefusal is a value of a file that was refused.
type importRefusal struct {
	File    string `json:"file"`
	Line    int    `json:"line" doc:"0 for the whole file."`
	Column  string `json:"column"`
	Value   string `json:"value"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

type importReason struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Count   int    `json:"count"`
}

// ImportRow is an import of a list. It is exported because huma leaves out embedded types
// that are not.
type ImportRow struct {
	ImportStatus
	Files      []string   `json:"files" nullable:"false" doc:"Their names."`
	CreatedAt  time.Time  `json:"created_at"`
	CreatedBy  string     `json:"created_by"`
	ImportedAt *time.Time `json:"imported_at"`
	RevertedAt *time.Time `json:"reverted_at"`
	ReplacesID *int64     `json:"replaces_id"`
	Days       int        `json:"days" doc:"Days of people that it imported, or after a dry run would import."`
	People     int        `json:"people"`
	FirstDate  *string    `json:"first_date" format:"date" doc:"Null where it has no days; so is last_date."`
	LastDate   *string    `json:"last_date" format:"date"`
	Rows       int        `json:"rows"`
	Created    int        `json:"created"`
	Filled     int        `json:"filled" doc:"Of the created days, those without a row."`
	Unchanged  int        `json:"unchanged"`
	Leave      int        `json:"leave" doc:"Days with leave that was granted."`
	Refused    int        `json:"refused"`
}

// importDetail is an import with its report.
type importDetail struct {
	ImportRow
	Reasons  []importReason  `json:"reasons" nullable:"false" doc:"Why rows were refused, with the number of each."`
	Refusals []importRefusal `json:"refusals" nullable:"false" doc:"In the order of the files, at most 10,000."`
}

func newImportRow(i attendance.Import) ImportRow {
	report := i.ImportReport()
	row := ImportRow{
		ImportStatus: ImportStatus{i.ID, i.State}, Files: []string{}, CreatedAt: i.CreatedAt.UTC(), CreatedBy: i.CreatedByName,
		ImportedAt: inUTC(i.ImportedAt), RevertedAt: inUTC(i.RevertedAt), ReplacesID: i.ReplacesID, Days: int(i.Days), People: int(i.People),
		Rows: report.Rows, Created: report.Created, Filled: report.Filled, Unchanged: report.Unchanged, Leave: report.Leave, Refused: report.RefusedRows,
	}
	for _, file := range i.StoredFiles() {
		row.Files = append(row.Files, file.Name)
	}
	if first, last, known := i.Dates(); known {
		from, to := first.String(), last.String()
		row.FirstDate, row.LastDate = &from, &to
	}
	return row
}

type importsInput struct {
	OwnPath
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

type importsOutput struct{ Body list[ImportRow] }

func (c *calls) attendanceImports(ctx context.Context, in *importsInput) (*importsOutput, error) {
	page, err := c.db.Attendance.Imports(ctx, in.CompanyID, attendance.ImportFilter{Cursor: in.Cursor.Cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	return &importsOutput{listed(page, newImportRow)}, nil
}

type importOutput struct{ Body importDetail }

func (c *calls) attendanceImport(ctx context.Context, in *ImportPath) (*importOutput, error) {
	row, err := c.db.Attendance.Imported(ctx, attendance.ImportedParams{CompanyID: in.CompanyID, ID: in.ImportID})
	if err != nil {
		return nil, err
	}
	report, words := row.ImportReport(), locales.FromContext(ctx)
	d := importDetail{ImportRow: newImportRow(row), Reasons: []importReason{}, Refusals: []importRefusal{}}
	for _, reason := range report.Reasons {
		d.Reasons = append(d.Reasons, importReason{reason.ID, words.T(reason.ID), reason.Count})
	}
	for _, r := range report.Refused {
		d.Refusals = append(d.Refusals, importRefusal{r.File, r.Line, r.Column, r.Value, r.Reason, words.T(r.Reason)})
	}
	return &importOutput{d}, nil
}

func (c *calls) revertImport(ctx context.Context, in *ImportPath) (*importStatusOutput, error) {
	_, isDone, err := c.db.Attendance.RequestReversal(ctx, actor(ctx), in.ImportID)
	if err != nil {
		return nil, err
	}
	status := attendance.ImportReverting
	if isDone {
		status = attendance.ImportReverted
	}
	return &importStatusOutput{ImportStatus{in.ImportID, status}}, nil
}
