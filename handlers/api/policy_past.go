package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
)

// pastPreview is what a version that starts in the past changes of records.
type pastPreview struct {
	FirstDate     string     `json:"first_date" format:"date" doc:"The first date that changes."`
	Until         *time.Time `json:"until" doc:"When an existing version of the policy begins, which still applies then; null: there is none."`
	Exact         bool       `json:"exact" doc:"False: at least this many; not everybody was counted."`
	PeopleChanged int        `json:"people_changed"`
	RecordMinutes
}

// RecordMinutes are differences in minutes, new less old ones. It is exported because
// huma ignores unexported embedded structs.
type RecordMinutes struct {
	OvertimeMin    int64 `json:"overtime_min" doc:"New minutes less old ones, as in the other sums."`
	HolidayMin     int64 `json:"holiday_min" doc:"Work on holidays, up to eight hours a date."`
	HolidayOverMin int64 `json:"holiday_over_min" doc:"Work on holidays beyond."`
	NightMin       int64 `json:"night_min"`
	LateMin        int64 `json:"late_min"`
	EarlyMin       int64 `json:"early_min"`
}

// newPreview returns a preview with what it changes of records of the past.
func (c *calls) newPreview(ctx context.Context, p policy.Preview) (preview, error) {
	answer := preview{
		People: previewPeople{p.Gain, p.Lose, p.Change}, Settings: make([]settingPeople, len(p.Settings)),
		CannotSave: p.Saving, Disconnected: p.Cut, Exact: p.IsExact,
		Warnings: newWarnings(p.Warnings), Checks: newBroken(ctx, p.Broken), Taken: newTaken(p.Taken),
	}
	for i, s := range p.Settings {
		answer.Settings[i] = settingPeople(s)
	}
	return answer, c.addPast(ctx, &answer, p.Past)
}

func (c *calls) addPast(ctx context.Context, answer *preview, change *policy.PastChange) error {
	if change == nil {
		return nil
	}
	past, err := c.db.Attendance.PreviewPast(ctx, actor(ctx).CompanyID, *change)
	if err != nil {
		return err
	}
	date := change.First.String()
	answer.WorkDate = &date
	answer.RecordsChanged, answer.MinutesChanged = &past.Records, &past.WorkedMin
	answer.Past = &pastPreview{
		FirstDate: change.First.String(), Until: inUTC(change.Until), Exact: past.IsExact, PeopleChanged: past.People,
		RecordMinutes: RecordMinutes{past.OvertimeMin, past.HolidayMin, past.HolidayOverMin, past.NightMin, past.LateMin, past.EarlyMin},
	}
	return nil
}

// saveProblem is policyProblem, with the preview of a change of the past that nobody
// has confirmed.
func (c *calls) saveProblem(ctx context.Context, err error, read func() (preview, error)) error {
	if !errors.Is(err, policy.ErrPastUnconfirmed) {
		return policyProblem(ctx, err)
	}
	found, readErr := read()
	if readErr != nil {
		return policyProblem(ctx, readErr)
	}
	id := string(policy.ErrPastUnconfirmed)
	return &problem{status: http.StatusUnprocessableEntity, Code: id, Message: locales.T(ctx, id), Preview: &found}
}

// previewSave reads the preview of a draft that was refused; policyID is 0 for a new
// policy.
func (c *calls) previewSave(ctx context.Context, draft policy.Draft, policyID int64) (preview, error) {
	p, err := c.db.Policies.PreviewDraft(ctx, actor(ctx), draft, policyID)
	if err != nil {
		return preview{}, err
	}
	return c.newPreview(ctx, p)
}

// recomputation is the response for a recomputation of records.
type recomputation struct {
	ID             int64      `json:"id"`
	VersionNo      int32      `json:"version_no" doc:"The version of the policy because of which records are computed again."`
	FirstDate      string     `json:"first_date" format:"date"`
	LastDate       string     `json:"last_date" format:"date"`
	State          string     `json:"state" enum:"waiting,running,retrying,finished" doc:"retrying: it stopped with an error and continues in a minute."`
	People         int32      `json:"people" doc:"How many people there are; 0 while it waits."`
	Done           int32      `json:"done" doc:"How many of them are done."`
	RecordsChanged int64      `json:"records_changed"`
	PeopleChanged  int32      `json:"people_changed"`
	MinutesChanged int64      `json:"minutes_changed" doc:"The difference of worked time."`
	RequestedAt    time.Time  `json:"requested_at"`
	RequestedBy    string     `json:"requested_by"`
	StartedAt      *time.Time `json:"started_at"`
	FinishedAt     *time.Time `json:"finished_at"`
	RecordMinutes
}

type recomputationsOutput struct{ Body list[recomputation] }

// recomputations returns the latest recomputations because of a policy.
func (c *calls) recomputations(ctx context.Context, in *OnePolicyPath) (*recomputationsOutput, error) {
	if _, err := c.ofKind(ctx, in); err != nil {
		return nil, err
	}
	rows, err := c.db.Attendance.Recomputations(ctx, in.CompanyID, in.PolicyID)
	out := &recomputationsOutput{list[recomputation]{Data: make([]recomputation, len(rows))}}
	for i, r := range rows {
		out.Body.Data[i] = newRecomputation(r)
	}
	return out, err
}

func newRecomputation(r attendance.Recomputation) recomputation {
	return recomputation{
		ID: r.ID, VersionNo: r.VersionNo, FirstDate: r.FirstDate.Format(time.DateOnly), LastDate: r.LastDate.Format(time.DateOnly),
		State: string(r.State()), People: r.People, Done: r.Done, RecordsChanged: r.RecordsChanged, PeopleChanged: r.PeopleChanged, MinutesChanged: r.WorkedMin,
		RequestedAt: r.CreatedAt.UTC(), RequestedBy: r.CreatedByName, StartedAt: inUTC(r.StartedAt), FinishedAt: inUTC(r.FinishedAt),
		RecordMinutes: RecordMinutes{r.OvertimeMin, r.HolidayMin, r.HolidayOverMin, r.NightMin, r.LateMin, r.EarlyMin},
	}
}

// registerRecomputations registers the operation that shows recomputations.
func (c *calls) registerRecomputations(middlewares huma.Middlewares, one string) {
	huma.Register(c.api, call{id: "list-recomputations", method: http.MethodGet, path: one + "/recomputations", tag: "Policies", summary: "Recomputations of attendance records because of a policy",
		description: "A version of a working attitude policy that starts in the past has records computed again, some people at a time, while everything else goes on. The newest first; other kinds of policies have none.",
	}.operation(middlewares), c.recomputations)
}
