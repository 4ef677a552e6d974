package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// registerHolidays registers the operations of the holidays of a company.
func (c *calls) registerHolidays(administrators, reads huma.Middlewares) {
	const all, one = u + "/holidays", u + "/holidays/{holiday_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Attendance"
		return d.operation(administrators)
	}
	const recordsText = " Where dates have attendance records, 422 holiday.unconfirmed says in records what would change; confirmed saves it and has them computed again. Dates of locked months are refused."
	changes := []int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity}
	huma.Register(c.api, describe(call{id: "list-holidays", path: all, summary: "The holidays of a year by date",
		description: "For administrators. Those of the company, and the public ones of the calendars of its attendance policies."}), c.holidays)
	huma.Register(c.api, call{id: "holidays-of", path: "/companies/{company_id}/holidays", tag: "Messenger", summary: "The holidays of a year by date",
		description: "Those of the company, and the public ones of the calendars of its attendance policies. Read them again after policy.changed."}.operation(reads), c.holidaysOf)
	huma.Register(c.api, describe(call{id: "create-holiday", method: http.MethodPost, path: all, status: http.StatusCreated, errors: changes,
		summary: "Add a holiday of the company", description: "For administrators. It applies by every attendance policy, in addition to their calendars and own dates." + recordsText}), c.createHoliday)
	huma.Register(c.api, describe(call{id: "update-holiday", method: http.MethodPatch, path: one, errors: changes,
		summary: "Change a holiday of the company", description: "For administrators. Fields that are left out stay as they are. With If-Match, 409 when somebody else has saved in between." + recordsText}), c.updateHoliday)
	huma.Register(c.api, describe(call{id: "delete-holiday", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: changes,
		summary: "Delete a holiday of the company", description: "For administrators. The change log can restore it." + recordsText}), c.deleteHoliday)
}

// holidayRow is a holiday of the company or a public one.
type holidayRow struct {
	ID         *int64 `json:"id" doc:"Of a holiday of the company; null of a public one."`
	FirstDate  string `json:"first_date" format:"date"`
	LastDate   string `json:"last_date" format:"date"`
	Name       string `json:"name" doc:"Of a public holiday in the language of Accept-Language."`
	Source     string `json:"source" enum:"company,kr,jp" doc:"company, or the calendar of a public holiday."`
	Key        string `json:"key,omitempty" doc:"Of a public holiday, such as kr.seollal."`
	Substitute bool   `json:"substitute" doc:"Whether it replaces a public holiday on another day off."`
	VersionNo  *int32 `json:"version_no" doc:"Of a holiday of the company, for If-Match."`
}

func newHolidayRow(ctx context.Context, e attendance.HolidayEntry) holidayRow {
	row := holidayRow{FirstDate: e.First.String(), LastDate: e.Last.String(), Source: "company"}
	if h := e.Company; h != nil {
		row.ID, row.Name, row.VersionNo = &h.ID, h.Name, &h.VersionNo
		return row
	}
	row.Source, row.Key, row.Substitute = strings.ToLower(string(e.Calendar)), e.Public.ID, e.Public.Substitute
	row.Name = locales.T(ctx, "record.holiday."+e.Public.ID)
	return row
}

type holidaysInput struct {
	OwnPath
	Year int `query:"year" minimum:"2010" maximum:"2050" doc:"The current one where it is left out."`
}

type holidaysOutput struct{ Body list[holidayRow] }

func (c *calls) holidays(ctx context.Context, in *holidaysInput) (*holidaysOutput, error) {
	return c.holidaysIn(ctx, callerOf(ctx).Person, in.Year)
}

type holidaysOfInput struct {
	CompanyPath
	Year int `query:"year" minimum:"2010" maximum:"2050" doc:"The current one where it is left out."`
}

// holidaysOf returns the holidays for the messenger.
func (c *calls) holidaysOf(ctx context.Context, in *holidaysOfInput) (*holidaysOutput, error) {
	company, err := c.db.Directory.Company(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	return c.holidaysIn(ctx, directory.Person{CompanyID: company.ID, TimeZone: company.TimeZone, PolicyVersion: company.PolicyVersion}, in.Year)
}

// holidaysIn returns the holidays of a year, or of the current one for 0, in the company
// of a person.
func (c *calls) holidaysIn(ctx context.Context, p directory.Person, year int) (*holidaysOutput, error) {
	if year == 0 {
		zone, err := time.LoadLocation(p.TimeZone)
		if err != nil {
			return nil, err
		}
		year = c.db.Now().In(zone).Year()
	}
	entries, err := c.db.Attendance.HolidayCalendar(ctx, p, year)
	out := &holidaysOutput{list[holidayRow]{Data: make([]holidayRow, len(entries))}}
	for i, e := range entries {
		out.Body.Data[i] = newHolidayRow(ctx, e)
	}
	return out, err
}

// HolidayBody is what a client says about a holiday. It is exported because huma ignores
// unexported embedded structs.
type HolidayBody struct {
	FirstDate *string `json:"first_date,omitempty" format:"date" doc:"Needed for a new one."`
	LastDate  *string `json:"last_date,omitempty" format:"date" doc:"first_date where it is left out of a new one; at most 31 days."`
	Name      *string `json:"name,omitempty" doc:"Needed for a new one; at most 50 characters."`
	Confirmed bool    `json:"confirmed,omitempty" doc:"Change records as well."`
}

// into returns a draft with the fields that the client says.
func (b HolidayBody) into(d policy.HolidayDraft) (policy.HolidayDraft, error) {
	refused := queries.FieldErrors{}
	for _, field := range []struct {
		name string
		text *string
		date *workday.Date
	}{{"first_date", b.FirstDate, &d.First}, {"last_date", b.LastDate, &d.Last}} {
		if field.text == nil {
			continue
		}
		var err error
		if *field.date, err = workday.ParseDate(*field.text); err != nil {
			refused[field.name] = "holiday.date.invalid"
		}
	}
	if b.Name != nil {
		d.Name = *b.Name
	}
	if len(refused) > 0 {
		return d, refused
	}
	return d, nil
}

type holidayOutput struct {
	ETag string `header:"ETag"`
	Body holidayRow
}

// NewHoliday is a new holiday to save.
type NewHoliday struct {
	HolidayBody `needs:"first_date,name"`
}

type createHolidayInput struct {
	OwnPath
	Body NewHoliday
}

func (c *calls) createHoliday(ctx context.Context, in *createHolidayInput) (*holidayOutput, error) {
	draft, err := in.Body.into(policy.HolidayDraft{})
	if err != nil {
		return nil, err
	}
	return c.saveHoliday(ctx, policy.HolidayChange{Draft: &draft, Confirmed: in.Body.Confirmed})
}

// HolidayPath is the path of a holiday of the company.
type HolidayPath struct {
	OwnPath
	HolidayID int64 `path:"holiday_id" minimum:"1"`
}

type updateHolidayInput struct {
	HolidayPath
	IfMatch string `header:"If-Match" doc:"The ETag of the holiday as the client has seen it; without it whatever there is is changed."`
	Body    HolidayBody
}

func (c *calls) updateHoliday(ctx context.Context, in *updateHolidayInput) (*holidayOutput, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	all, err := c.db.Policies.Holidays(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(h policy.Holiday) bool { return h.ID == in.HolidayID })
	if at < 0 {
		return nil, queries.NotFound
	}
	draft, err := in.Body.into(all[at].HolidayDraft)
	if err != nil {
		return nil, err
	}
	return c.saveHoliday(ctx, policy.HolidayChange{ID: in.HolidayID, VersionNo: cmp.Or(seen, all[at].VersionNo), Draft: &draft, Confirmed: in.Body.Confirmed})
}

type deleteHolidayInput struct {
	HolidayPath
	IfMatch   string `header:"If-Match" doc:"The ETag of the holiday as the client has seen it; without it whatever there is is deleted."`
	Confirmed bool   `query:"confirmed" doc:"Change records as well."`
}

func (c *calls) deleteHoliday(ctx context.Context, in *deleteHolidayInput) (*struct{}, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	_, err = c.saveHoliday(ctx, policy.HolidayChange{ID: in.HolidayID, VersionNo: seen, Confirmed: in.Confirmed})
	return nil, err
}

// saveHoliday makes a change. One of records that nobody has confirmed is refused with
// what it changes.
func (c *calls) saveHoliday(ctx context.Context, change policy.HolidayChange) (*holidayOutput, error) {
	saved, err := c.db.Policies.SaveHoliday(ctx, actor(ctx), change)
	if errors.Is(err, policy.ErrHolidayUnconfirmed) {
		return nil, c.holidayProblem(ctx, change)
	}
	if err != nil {
		return nil, err
	}
	row := newHolidayRow(ctx, attendance.HolidayEntry{First: saved.First, Last: saved.Last, Company: &saved})
	return &holidayOutput{versionTag(saved.VersionNo), row}, nil
}

// changedRecords is what a change of a holiday changes of records.
type changedRecords struct {
	RecordsChanged int   `json:"records_changed"`
	PeopleChanged  int   `json:"people_changed"`
	Exact          bool  `json:"exact" doc:"False: at least this many; not everybody was counted."`
	MinutesChanged int64 `json:"minutes_changed" doc:"The difference of worked time."`
	RecordMinutes
}

func (c *calls) holidayProblem(ctx context.Context, change policy.HolidayChange) error {
	companyID := actor(ctx).CompanyID
	plan, err := c.db.Policies.PlanHoliday(ctx, companyID, change)
	if err != nil {
		return err
	}
	p, err := c.db.Attendance.PreviewHoliday(ctx, companyID, plan)
	if err != nil {
		return err
	}
	id := string(policy.ErrHolidayUnconfirmed)
	return &problem{status: http.StatusUnprocessableEntity, Code: id, Message: locales.T(ctx, id), Records: &changedRecords{
		RecordsChanged: p.Records, PeopleChanged: p.People, Exact: p.IsExact, MinutesChanged: p.WorkedMin,
		RecordMinutes: RecordMinutes{p.OvertimeMin, p.HolidayMin, p.HolidayOverMin, p.NightMin, p.LateMin, p.EarlyMin},
	}}
}
