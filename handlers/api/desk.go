package api

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// registerDesk registers the operations of what needs a person.
func (c *calls) registerDesk(describe func(call) huma.Operation, all string) {
	refused := []int{http.StatusUnprocessableEntity}
	huma.Register(c.api, describe(call{id: "desk", path: all, errors: refused, summary: "What of the attendance needs a person, by kind, the latest date first",
		description: "What the caller may decide: missing times, requests, unproven clock-ins, refused attempts and uncounted events. Of a kind at most 300 items. weeks are the people whose current week is expected to pass its limit, with whom nothing is to be decided."}), c.desk)
	huma.Register(c.api, describe(call{id: "review-desk", method: http.MethodPost, path: all + "/reviews", errors: refused, summary: "Decide items",
		description: "Each item by itself: the result says of each whether it was done. Approving sets the given time, or else the suggested one."}), c.reviewDesk)
	huma.Register(c.api, describe(call{id: "undo-reviews", method: http.MethodPost, path: all + "/reviews/{set}/reversal", status: http.StatusNoContent, errors: []int{http.StatusConflict},
		summary: "Undo what was decided by one call", description: "All of it or nothing: 409 where a record was edited since."}), c.undoReviews)
}

type deskInput struct {
	OwnPath
	Kind         string `query:"kind" enum:"missing_departure,missing_arrival,correction,unproven,refused,uncounted"`
	DepartmentID int64  `query:"department_id" minimum:"1" doc:"With those below it; where people were on the date."`
	Q            string `query:"q" doc:"As of the list of attendance."`
	From         string `query:"from" format:"date" doc:"The first work date, at most 30 days ago; without it 6 days ago. Requests are listed whatever their date."`
}

// deskWeeks is the number of people whose week the desk has.
const deskWeeks = 20

// deskItem is something that needs a person.
type deskItem struct {
	Item         string          `json:"item" doc:"Names the item in reviews."`
	Kind         string          `json:"kind" enum:"missing_departure,missing_arrival,correction,unproven,refused,uncounted"`
	RecordID     string          `json:"record_id"`
	User         userName        `json:"user"`
	Department   departmentName  `json:"department" doc:"Of that date."`
	WorkDate     string          `json:"work_date" format:"date"`
	Status       string          `json:"status" doc:"Of the record; empty without one."`
	ArrivalAt    *time.Time      `json:"arrival_at"`
	DepartureAt  *time.Time      `json:"departure_at"`
	Device       string          `json:"device" doc:"Of the arrival, or of the last refused attempt."`
	CorrectionID *int64          `json:"correction_id" doc:"Of a request."`
	LastEditID   int64           `json:"last_edit_id" doc:"Of the record of a request; 0 for none."`
	Reason       string          `json:"reason" doc:"Of a request."`
	Code         string          `json:"code" doc:"Why the last attempt was refused."`
	Attempts     int32           `json:"attempts"`
	Uncounted    int32           `json:"uncounted_events"`
	Suggestion   *deskSuggestion `json:"suggestion" doc:"Null without a basis, and where approving sets no time."`

	AskedArrivalAt   *time.Time `json:"asked_arrival_at" doc:"Of a request: the arrival as it should be, which approving sets; null leaves it as it is."`
	AskedDepartureAt *time.Time `json:"asked_departure_at" doc:"Of a request, in the same way."`
}

type deskSuggestion struct {
	At    time.Time `json:"at"`
	Basis string    `json:"basis" enum:"request,activity,team,schedule" doc:"What the person asks for, the use of the messenger, the median departure of the department, or the planned hours."`
}

type deskOutput struct {
	Body struct {
		Data       []deskItem    `json:"data" nullable:"false"`
		Meta       meta          `json:"meta"`
		Weeks      []forecastRow `json:"weeks" nullable:"false" doc:"At most 20, the most urgent first, whatever from is; all are in the forecast. Empty with kind or q."`
		WeeksTotal int           `json:"weeks_total" doc:"How many people there are; 0 with kind or q."`
	}
}

func (c *calls) desk(ctx context.Context, in *deskInput) (*deskOutput, error) {
	who := callerOf(ctx)
	scope, err := c.db.Attendance.RecordScope(ctx, who.Person)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(who.TimeZone)
	if err != nil {
		return nil, err
	}
	query := url.Values{}
	for name, value := range map[string]string{"kind": in.Kind, "q": in.Q, "from": in.From} {
		if value != "" {
			query.Set(name, value)
		}
	}
	filter, err := attendance.ReadDeskFilter(query, workday.DateOf(c.db.Now().In(zone)))
	if err != nil {
		return nil, err
	}
	if filter.DepartmentID = in.DepartmentID; in.DepartmentID != 0 {
		if _, err := c.db.Attendance.Departments(ctx, who.Person, scope, in.DepartmentID); err != nil {
			return nil, err
		}
	}
	filter.UnfoldsAll = true
	desk, err := c.db.Attendance.Desk(ctx, who.Person, scope, filter)
	if err != nil {
		return nil, err
	}
	c.noteRead(ctx, audit.Read{Kind: audit.ReadDesk, Query: filter.Values(), Rows: desk.Total})
	out := &deskOutput{}
	out.Body.Data, out.Body.Weeks, out.Body.Meta.Notes = []deskItem{}, []forecastRow{}, searchNotes(ctx, in.Q)
	for _, group := range desk.Groups {
		for _, item := range group.Items {
			out.Body.Data = append(out.Body.Data, newDeskItem(item))
		}
	}
	if filter.Kind == "" && filter.Query == "" && scope.EditsAnybody() {
		err = c.addWeeks(ctx, scope, filter.DepartmentID, out)
	}
	return out, err
}

// addWeeks adds whose current week is expected to pass its limit.
func (c *calls) addWeeks(ctx context.Context, scope attendance.RecordScope, departmentID int64, out *deskOutput) error {
	first, err := c.weekOf(ctx, "")
	if err != nil {
		return err
	}
	f := attendance.ForecastFilter{First: first, DepartmentID: departmentID, Level: workday.ForecastExpected, Limit: deskWeeks}
	week, err := c.db.Attendance.WeekForecast(ctx, callerOf(ctx).Person, scope, f)
	if err != nil {
		return err
	}
	c.noteRead(ctx, audit.Read{Kind: audit.ReadWeek, Query: attendance.Filter{Unit: attendance.WeekUnit, First: first, DepartmentIDs: lists.OneDepartment(departmentID)}.Values(), Rows: len(week.Page.Rows)})
	out.Body.WeeksTotal = week.Expected
	for _, row := range week.Page.Rows {
		out.Body.Weeks = append(out.Body.Weeks, newForecastRow(row))
	}
	return nil
}

func newDeskItem(i attendance.DeskItem) deskItem {
	out := deskItem{
		Item: i.DeskKey.String(), Kind: string(i.Kind), RecordID: i.RecordKey.String(), User: userName{i.UserID, i.Name}, Department: departmentName{i.DepartmentID, i.Department},
		WorkDate: i.Date.String(), Status: i.Status, ArrivalAt: inUTC(i.ArrivalAt), DepartureAt: inUTC(i.DepartureAt), Device: i.Device,
		Reason: i.Reason, Code: i.Code, Attempts: i.Attempts, Uncounted: i.Uncounted,
		AskedArrivalAt: inUTC(i.AskedArrivalAt), AskedDepartureAt: inUTC(i.AskedDepartureAt),
	}
	if i.CorrectionID != 0 {
		out.CorrectionID, out.LastEditID = &i.CorrectionID, i.LastEditID
	}
	if s := i.Suggestion; !s.At.IsZero() {
		out.Suggestion = &deskSuggestion{s.At.UTC(), string(s.Basis)}
	}
	return out
}

type reviewDeskInput struct {
	OwnPath
	Body struct {
		Items    []string   `json:"items" nullable:"false" minItems:"1" maxItems:"300"`
		Decision string     `json:"decision" enum:"approved,as_is,rejected" doc:"as_is leaves the record unchanged, for unproven, refused and uncounted items."`
		Comment  string     `json:"comment,omitempty" doc:"At most 200 characters; needed to reject."`
		Time     *time.Time `json:"time,omitempty" doc:"To set in place of the suggestion, for one item."`
		Seen     []seenItem `json:"seen,omitempty" nullable:"false" maxItems:"300" doc:"What the caller has seen of the requests among items: one that is another now, or whose record was edited since, is refused with desk.changed. Requests that are not named are decided in any case."`
	}
}

// seenItem is what a caller has seen of a request.
type seenItem struct {
	Item         string `json:"item"`
	CorrectionID int64  `json:"correction_id"`
	LastEditID   int64  `json:"last_edit_id,omitempty"`
}

// reviewedItem is what became of one item.
type reviewedItem struct {
	Item    string  `json:"item"`
	Status  string  `json:"status" enum:"done,refused"`
	Code    *string `json:"code" doc:"Why it was refused."`
	Message string  `json:"message"`
}

type reviewDeskOutput struct {
	Body struct {
		Set  *int64         `json:"set" doc:"Names what was done for the reversal; null for nothing."`
		Data []reviewedItem `json:"data" nullable:"false"`
	}
}

func (c *calls) reviewDesk(ctx context.Context, in *reviewDeskInput) (*reviewDeskOutput, error) {
	scope, err := c.db.Attendance.RecordScope(ctx, callerOf(ctx).Person)
	if err != nil {
		return nil, err
	}
	draft := attendance.ReviewDraft{Decision: attendance.Decision(in.Body.Decision), Comment: in.Body.Comment}
	draft.Reason = func(item attendance.DeskItem) string {
		if item.Suggestion.Basis == "" {
			return locales.T(ctx, "desk.reason.typed")
		}
		return locales.T(ctx, "desk.reason."+string(item.Suggestion.Basis))
	}
	seen := make(map[string]*attendance.SeenRequest, len(in.Body.Seen))
	for _, one := range in.Body.Seen {
		seen[one.Item] = &attendance.SeenRequest{CorrectionID: one.CorrectionID, LastEditID: one.LastEditID}
	}
	for _, text := range in.Body.Items {
		key, err := attendance.ParseDeskKey(text)
		if err != nil {
			return nil, err
		}
		item := attendance.ReviewItem{DeskKey: key, Seen: seen[text]}
		if len(in.Body.Items) == 1 {
			item.At = in.Body.Time
		}
		draft.Items = append(draft.Items, item)
	}
	if in.Body.Time != nil && len(in.Body.Items) > 1 {
		return nil, queries.FieldErrors{"time": "desk.time.one"}
	}
	result, err := c.db.Attendance.Review(ctx, actor(ctx), scope, draft)
	if err != nil {
		return nil, err
	}
	out := &reviewDeskOutput{}
	if result.Set != 0 {
		out.Body.Set = &result.Set
	}
	for _, item := range draft.Items {
		one := reviewedItem{Item: item.DeskKey.String(), Status: "done"}
		if fields := result.Refused[item.DeskKey]; fields != nil {
			code := string(fields.First())
			one.Status, one.Code, one.Message = "refused", &code, locales.T(ctx, code)
		}
		out.Body.Data = append(out.Body.Data, one)
	}
	return out, nil
}

// ReviewSetPath is the path of what was decided by one call.
type ReviewSetPath struct {
	OwnPath
	Set int64 `path:"set"`
}

func (c *calls) undoReviews(ctx context.Context, in *ReviewSetPath) (*struct{}, error) {
	scope, err := c.db.Attendance.RecordScope(ctx, callerOf(ctx).Person)
	if err != nil {
		return nil, err
	}
	_, err = c.db.Attendance.UndoReviews(ctx, actor(ctx), scope, in.Set, locales.T(ctx, "desk.undo.reason"))
	return nil, c.recordProblem(ctx, err, nil)
}
