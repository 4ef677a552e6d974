package api

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/export"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// registerExports registers the operations of exported lists.
func (c *calls) registerExports(own huma.Middlewares) {
	const all, one = u + "/exports", u + "/exports/{export_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Exports"
		return d.operation(own)
	}
	huma.Register(c.api, describe(call{id: "request-export", method: http.MethodPost, path: all, status: http.StatusAccepted, errors: []int{http.StatusUnprocessableEntity},
		summary: "Have a list written as a file", description: "In the background, in the language of Accept-Language, with what the caller may see. Ask for its state until it is done. A field that the list does not take is refused like an unknown one: access, changes, clients, files, readers and reads take format and the field of their name. Of attendance and payroll: " + provedText}), c.requestExport)
	huma.Register(c.api, describe(call{id: "export", path: one, summary: "How far an export is", description: "One's own, until it expires."}), c.export)
	huma.Register(c.api, describe(call{id: "cancel-export", method: http.MethodDelete, path: one, status: http.StatusNoContent,
		summary: "Cancel an export", description: "Stops writing it. 404 for one that is complete or has expired."}), c.cancelExport)
	file := describe(call{id: "export-file", path: one + "/file", summary: "The file of an export", description: "404 api.export.unfinished while there is none."})
	file.Responses = map[string]*huma.Response{"200": {Description: "The file.", Content: map[string]*huma.MediaType{
		exports.ContentType(exports.XLSX): {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
		exports.ContentType(exports.CSV):  {Schema: &huma.Schema{Type: huma.TypeString}},
	}}}
	huma.Register(c.api, file, c.exportFile)
}

type exportRequest struct {
	List          string  `json:"list" enum:"access,attendance,changes,clients,files,payroll,readers,reads" doc:"For administrators, except for attendance and payroll, the days and hours of months with a row for each person and month: access, the access history, changes, the change log, clients, the people with their clients, files, the log of saved files, readers, the people of a notice, and reads, the log of reads."`
	Unit          string  `json:"unit,omitempty" enum:"day,week,month,management" doc:"Of attendance, needed there. management is for administrators: the whole log with its edits."`
	Format        string  `json:"format" enum:"xlsx,csv"`
	Date          string  `json:"date,omitempty" format:"date" doc:"Of the units day, week and month: any day of it; today where it is left out."`
	First         string  `json:"first,omitempty" format:"date" doc:"Of management, and of payroll any day of the first month; needed there."`
	Last          string  `json:"last,omitempty" format:"date" doc:"Of management, at most 91 days later; of payroll any day of the last month, at most the twelfth; needed there."`
	DepartmentID  int64   `json:"department_id,omitempty" minimum:"1" doc:"Of attendance and payroll, with those below it."`
	DepartmentIDs []int64 `json:"department_ids,omitempty" nullable:"false" maxItems:"3" doc:"Of attendance: up to three in place of department_id."`
	Status        string  `json:"status,omitempty" enum:"leave,missing_departure,missing_arrival,holiday_work,holiday,day_off,absent,late_and_early,late,early_leave,working,before,on_time,not_due" doc:"Of attendance, as in the list."`
	Device        string  `json:"device,omitempty" enum:"pc,web,mobile,mobile_web" doc:"Of day and management: the platform of the arrival."`
	Edited        bool    `json:"edited,omitempty" doc:"Of attendance: only what somebody edited."`
	Uncounted     bool    `json:"uncounted,omitempty" doc:"Of management only: records with events that have no part in their figures."`
	Q             string  `json:"q,omitempty" doc:"Of attendance, as in the list."`

	Clients *ClientFilterInput `json:"clients,omitempty" doc:"Of clients, needed there: the filter, as that of the list."`

	Files *FileFilterInput `json:"files,omitempty" doc:"Of files: the filter, as that of the list."`

	Readers *ReaderExport `json:"readers,omitempty" doc:"Of readers, needed there."`

	Access AccessFilterInput `json:"access,omitzero" doc:"Of access: the filter, as that of the list."`

	Changes ChangeFilterInput `json:"changes,omitzero" doc:"Of changes: the filter, as that of the list."`

	Reads ReadFilterInput `json:"reads,omitzero" doc:"Of reads: the filter, as that of the list."`

	given map[string]json.RawMessage // the fields as they were sent
}

// UnmarshalJSON reads a request, and which fields it has.
func (r *exportRequest) UnmarshalJSON(text []byte) error {
	type plain exportRequest
	if err := json.Unmarshal(text, (*plain)(r)); err != nil {
		return err
	}
	return json.Unmarshal(text, &r.given)
}

// exportFields are the fields that each list takes besides list and format; those of
// attendance depend on the unit.
var exportFields = map[string][]string{
	exports.AccessList:  {"access"},
	exports.ChangesList: {"changes"},
	exports.ClientsList: {"clients"},
	exports.FilesList:   {"files"},
	exports.PayrollList: {"first", "last", "department_id"},
	exports.ReadersList: {"readers"},
	exports.ReadsList:   {"reads"},
}

var exportFieldsOfUnits = map[attendance.Unit][]string{
	attendance.DayUnit:   {"unit", "date", "department_id", "department_ids", "status", "device", "edited", "q"},
	attendance.WeekUnit:  {"unit", "date", "department_id", "department_ids", "status", "edited", "q"},
	attendance.MonthUnit: {"unit", "date", "department_id", "department_ids", "status", "edited", "q"},
	attendance.LogUnit:   {"unit", "first", "last", "department_id", "department_ids", "status", "device", "edited", "uncounted", "q"},
}

// checkFields refuses fields that the list does not take: ignoring a filter would write
// what the caller did not ask for.
func (r exportRequest) checkFields() error {
	taken, known := exportFields[r.List]
	switch {
	case known:
	case r.Unit == "":
		return queries.FieldErrors{"unit": "api.field.required"}
	default:
		taken = exportFieldsOfUnits[attendance.Unit(r.Unit)]
	}
	refused := queries.FieldErrors{}
	for name := range r.given {
		field := strings.ToLower(name) // JSON ignores the case of names
		if field != "list" && field != "format" && !slices.Contains(taken, field) {
			refused[field] = "api.field.unknown"
		}
	}
	if len(refused) > 0 {
		return refused
	}
	return nil
}

type requestExportInput struct {
	OwnPath
	Body exportRequest
}

// Export is the response for an export: its state, and where its file is.
type Export struct {
	ID        int64     `json:"id"`
	State     string    `json:"state" enum:"waiting,running,done,failed"`
	Rows      int64     `json:"rows" doc:"Written so far."`
	Total     *int64    `json:"total" doc:"How many there will be; null where that is not known."`
	FileName  string    `json:"file_name"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
	URL       *string   `json:"url" doc:"Where the file is, once it is done."`
}

type exportOutput struct{ Body Export }

func (c *calls) requestExport(ctx context.Context, in *requestExportInput) (*exportOutput, error) {
	if err := in.Body.checkFields(); err != nil {
		return nil, err
	}
	if in.Body.List == "attendance" || in.Body.List == exports.PayrollList {
		if err := c.requireProof(ctx); err != nil {
			return nil, err
		}
	}
	request, err := c.exportRequestOf(ctx, in.Body)
	if err != nil {
		return nil, err
	}
	id, err := c.db.Exports.Request(ctx, actor(ctx), request.FileName(), request)
	if err != nil {
		return nil, err
	}
	return c.export(ctx, &ExportPath{in.OwnPath, id})
}

func (c *calls) exportRequestOf(ctx context.Context, asked exportRequest) (exports.List, error) {
	switch asked.List {
	case exports.ClientsList:
		return c.exportOfClients(ctx, asked)
	case exports.FilesList:
		return c.exportOfFiles(ctx, asked)
	case exports.PayrollList:
		return c.exportOfPayroll(ctx, asked)
	case exports.ReadersList:
		return c.exportOfReaders(ctx, asked)
	case exports.AccessList, exports.ChangesList, exports.ReadsList:
		return c.exportOfSecurity(ctx, asked)
	}
	return c.exportOf(ctx, asked)
}

// exportOf validates the request of an export like the list does.
func (c *calls) exportOf(ctx context.Context, asked exportRequest) (exports.Request, error) {
	r := exports.Request{Format: asked.Format, Locale: locales.FromContext(ctx)}
	unit := attendance.Unit(asked.Unit)
	if unit == attendance.LogUnit && !callerOf(ctx).IsAdmin {
		return r, refusal{http.StatusForbidden, "api.administrators_only"}
	}
	query := url.Values{
		"department_id": idWords(append(lists.OneDepartment(asked.DepartmentID), asked.DepartmentIDs...)...), "status": {asked.Status}, "device": {asked.Device}, "edited": {flagWord(asked.Edited)}, "uncounted": {flagWord(asked.Uncounted)}, "q": {asked.Q},
	}
	if unit == attendance.LogUnit {
		first, last, err := logDates(asked)
		if err != nil {
			return r, err
		}
		query.Set("from", first.String())
		query.Set("to", last.String())
	}
	var err error
	if r.Filter, err = c.attendanceFilter(ctx, unit, asked.Date, query); err != nil {
		return r, err
	}
	scope, err := c.db.Attendance.RecordScope(ctx, callerOf(ctx).Person)
	if err != nil {
		return r, err
	}
	return r, c.checkDepartments(ctx, scope, r.DepartmentIDs)
}

// exportOfSecurity validates the request of an export of the access history, the
// change log or the log of reads like the list does.
func (c *calls) exportOfSecurity(ctx context.Context, asked exportRequest) (exports.List, error) {
	if !callerOf(ctx).IsAdmin {
		return nil, refusal{http.StatusForbidden, "api.administrators_only"}
	}
	locale := locales.FromContext(ctx)
	switch asked.List {
	case exports.ChangesList:
		filter, err := asked.Changes.filter()
		return exports.ChangeRequest{ChangeFilter: filter, List: asked.List, Format: asked.Format, Locale: locale}, err
	case exports.ReadsList:
		filter, err := asked.Reads.filter("")
		return exports.ReadRequest{ReadsFilter: filter, List: asked.List, Format: asked.Format, Locale: locale}, err
	}
	filter, err := c.accessFilter(ctx, asked.Access, "")
	return exports.AccessRequest{AccessFilter: filter, List: asked.List, Format: asked.Format, Locale: locale}, err
}

// logDates returns the first and last date of a log, both of which are
// required.
func logDates(asked exportRequest) (first, last workday.Date, err error) {
	if first, last, err = givenDates(asked); err != nil {
		return 0, 0, err
	}
	if last < first || last-first >= attendance.LogDays {
		return 0, 0, queries.FieldErrors{"last": "api.export.period"}
	}
	return first, last, nil
}

// givenDates reads first and last, which have to be there.
func givenDates(asked exportRequest) (first, last workday.Date, err error) {
	missing := queries.FieldErrors{}
	for field, text := range map[string]string{"first": asked.First, "last": asked.Last} {
		if text == "" {
			missing[field] = "api.field.required"
		}
	}
	if len(missing) > 0 {
		return 0, 0, missing
	}
	if first, err = dateIn("first", asked.First, 0); err != nil {
		return 0, 0, err
	}
	last, err = dateIn("last", asked.Last, 0)
	return first, last, err
}

// ExportPath is the path of an export.
type ExportPath struct {
	OwnPath
	ExportID int64 `path:"export_id"`
}

func (c *calls) export(ctx context.Context, in *ExportPath) (*exportOutput, error) {
	e, err := c.ownExport(ctx, in)
	if err != nil {
		return nil, err
	}
	out := &exportOutput{Export{ID: e.ID, State: e.State, Rows: e.Rows, FileName: e.FileName, CreatedAt: e.CreatedAt.UTC(), ExpiresAt: e.ExpiresAt.UTC()}}
	if total := exports.TotalOf(e); total > 0 {
		out.Body.Total = &total
	}
	if e.State == exportDone {
		url := fmt.Sprintf("%s/companies/%d/users/%d/exports/%d/file", base, in.CompanyID, in.ID, e.ID)
		out.Body.URL = &url
	}
	return out, nil
}

const exportDone = "done"

func (c *calls) ownExport(ctx context.Context, in *ExportPath) (export.Export, error) {
	return c.db.Exports.ByID(ctx, export.ByIDParams{CompanyID: in.CompanyID, UserID: in.ID, ID: in.ExportID, Now: c.db.Now()})
}

// cancelExport stops an export whose file is not complete.
func (c *calls) cancelExport(ctx context.Context, in *ExportPath) (*struct{}, error) {
	return nil, c.db.Exports.Cancel(ctx, actor(ctx), in.ExportID)
}

func (c *calls) exportFile(ctx context.Context, in *ExportPath) (*huma.StreamResponse, error) {
	e, err := c.ownExport(ctx, in)
	if err != nil {
		return nil, err
	}
	if e.State != exportDone {
		return nil, refusal{http.StatusNotFound, "api.export.unfinished"}
	}
	if err := exports.CheckReader(ctx, c.db, callerOf(ctx).Person, e); err != nil {
		return nil, err
	}
	if err := c.db.Exports.NoteDownload(ctx, actor(ctx), e.FileName, e.Request); err != nil {
		return nil, err
	}
	read, err := exports.ReadOfExport(e)
	if err != nil {
		return nil, err
	}
	c.noteRead(ctx, read)
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		allowLongAnswer(ctx)
		ctx.SetHeader("Content-Type", exports.ContentType(exports.FormatOf(e.FileName)))
		ctx.SetHeader("Content-Disposition", `attachment; filename="`+e.FileName+`"`)
		ctx.SetHeader("Content-Length", strconv.FormatInt(e.Bytes, 10))
		ctx.SetStatus(http.StatusOK)
		if err := c.db.Exports.Send(ctx.Context(), e, ctx.BodyWriter()); err != nil {
			slog.WarnContext(ctx.Context(), "export interrupted, closing the connection", "path", ctx.URL().Path, "err", err)
			panic(http.ErrAbortHandler) // so that the client does not take a part for the whole file
		}
	}}, nil
}
