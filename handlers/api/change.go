package api

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
)

// registerChanges registers the operations of the change log.
func (c *calls) registerChanges(middlewares huma.Middlewares) {
	huma.Register(c.api, call{id: "audit", path: u + "/audit", tag: "Change log", summary: "Who changed what, the latest first",
		description: "For administrators. old and new hold what the object was and became; something made has no old, something deleted no new.",
	}.operation(append(middlewares, c.fromReplica)), c.changes)
	huma.Register(c.api, call{id: "revert-change", method: http.MethodPost, path: u + "/audit/{change_id}/revert", tag: "Change log", summary: "Take a change back",
		description: "A saved version gets the content before it again, as a new version, and targets it took return; what was deleted comes back, what was made is deleted; a plan is cancelled, or planned again. " +
			"Reverting is a change itself, which the answer tells and which can be reverted. " +
			"Changes of providers of single sign-on and of the rule about second factors need a proof, as making them does. " +
			"A change that edited a policy, a link, a reserved notice or the bot sets back what it edited and leaves what was edited since. " +
			"422 change.revert.never: changes of this kind stay. 409: something has changed since, or what was free then is taken; changed_by and errors name the fields that have changed again, and who changed them last.",
		errors: []int{http.StatusConflict, http.StatusUnprocessableEntity},
	}.operation(middlewares), c.revertChange)
}

type changesInput struct {
	OwnPath
	ChangeFilterInput
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

// ChangeFilterInput is the filter of the change log.
type ChangeFilterInput struct {
	ObjectType string    `query:"object_type" json:"object_type,omitempty" maxLength:"50" doc:"Such as policy or viewer."`
	ObjectID   int64     `query:"object_id" json:"object_id,omitempty" minimum:"1" doc:"Of one object of object_type."`
	ActorID    int64     `query:"actor_id" json:"actor_id,omitempty" minimum:"1" doc:"What this person changed."`
	Q          string    `query:"q" json:"q,omitempty" doc:"At most three keywords of at least two characters, all of which must occur in the names of the object and the person, and in what was changed."`
	Since      time.Time `query:"since" json:"since,omitzero" doc:"From then on."`
	Until      time.Time `query:"until" json:"until,omitzero" doc:"Before then."`
}

func (in ChangeFilterInput) filter() (audit.ChangeFilter, error) {
	if in.ObjectID != 0 && in.ObjectType == "" {
		return audit.ChangeFilter{}, queries.FieldErrors{"object_type": "api.field.required"}
	}
	if !in.Since.IsZero() && !in.Until.IsZero() && in.Until.Before(in.Since) {
		return audit.ChangeFilter{}, queries.FieldErrors{"until": lists.ReversedPeriod}
	}
	search, err := lists.ParseSearch(in.Q)
	if err != nil {
		return audit.ChangeFilter{}, inField("q", err)
	}
	return audit.ChangeFilter{ObjectType: in.ObjectType, ObjectID: in.ObjectID, ActorID: in.ActorID, Query: in.Q, Search: search, Since: in.Since, Until: in.Until}, nil
}

type change struct {
	ID         int64        `json:"id"`
	At         time.Time    `json:"at"`
	Actor      changeActor  `json:"actor"`
	Address    *netip.Addr  `json:"address" doc:"Where it was done from."`
	Action     string       `json:"action" doc:"Such as policy.updated."`
	Object     changeObject `json:"object"`
	Old        changeRecord `json:"old" nullable:"true"`
	New        changeRecord `json:"new" nullable:"true"`
	Revertible bool         `json:"revertible" doc:"Whether changes of this kind can be taken back. What has happened since may still prevent it."`
}

type changeActor struct {
	ID   *int64 `json:"id" doc:"Null of an operator or a program."`
	Name string `json:"name"`
}

type changeObject struct {
	Type string `json:"type"`
	ID   int64  `json:"id"`
	Name string `json:"name" doc:"As it was called then."`
}

// changeRecord is the state of an object before or after a change, as the log
// stores it.
type changeRecord []byte

// MarshalJSON returns the stored JSON.
func (r changeRecord) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return r, nil
}

// UnmarshalJSON stores the JSON without decoding it.
func (r *changeRecord) UnmarshalJSON(text []byte) error {
	*r = append((*r)[:0], text...)
	return nil
}

// Schema describes any object: each type of object has fields of its own.
func (changeRecord) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Nullable: true}
}

func newChange(row audit.Change) change {
	return change{
		ID: row.ID, At: row.At.UTC(), Actor: changeActor{row.ActorUserID, row.ActorName}, Address: row.Address, Action: row.Action,
		Object: changeObject{row.ObjectType, row.ObjectID, row.ObjectName}, Old: changeRecord(row.Old), New: changeRecord(row.New), Revertible: row.Revertible(),
	}
}

type changesOutput struct{ Body list[change] }

func (c *calls) changes(ctx context.Context, in *changesInput) (*changesOutput, error) {
	filter, err := in.filter()
	if err != nil {
		return nil, err
	}
	filter.CompanyID, filter.Cursor, filter.Limit = in.CompanyID, in.Cursor.Cursor, in.Limit
	page, err := c.db.Audit.Changes(ctx, filter)
	if err != nil {
		return nil, err
	}
	return &changesOutput{listed(page, newChange).searched(ctx, in.Q)}, nil
}

type revertInput struct {
	OwnPath
	ChangeID  int64 `path:"change_id"`
	Confirmed bool  `query:"confirmed" doc:"Do it although it may lock somebody out, takes the console away from people at once or deletes rows of logs for good."`
}

type revertOutput struct {
	Body struct {
		Change change         `json:"change" doc:"What reverting did."`
		Lost   []policyTarget `json:"lost" nullable:"false" doc:"Of a policy that came back: targets that other policies hold by now."`
		Checks []brokenCheck  `json:"checks,omitempty" nullable:"false" doc:"The policy checks that this breaks, which only warn. Those that stop it refuse the request."`
	}
}

func (c *calls) revertChange(ctx context.Context, in *revertInput) (*revertOutput, error) {
	row, err := c.db.Audit.Change(ctx, audit.ChangeParams{CompanyID: in.CompanyID, ID: in.ChangeID})
	if err == nil && row.NeedsProof() {
		err = c.requireProof(ctx)
	}
	if err != nil {
		return nil, err
	}
	reverted, err := c.db.Audit.Revert(ctx, actor(ctx), in.ChangeID, in.Confirmed)
	var overlap *audit.Overlap
	if errors.As(err, &overlap) {
		return nil, overlapProblem(ctx, overlap)
	}
	if err != nil {
		return nil, policyProblem(ctx, err)
	}
	out := &revertOutput{}
	out.Body.Change, out.Body.Lost, out.Body.Checks = newChange(reverted.Change), newTargets(reverted.Lost), newBroken(ctx, reverted.Broken)
	return out, nil
}

// overlapProblem names the fields because of which a change cannot be reverted, and the
// latest change of them.
func overlapProblem(ctx context.Context, overlap *audit.Overlap) *problem {
	p := &problem{status: http.StatusConflict, Code: "change.revert.changed", Message: locales.T(ctx, "change.revert.overlap")}
	if overlap.PolicyName != "" {
		p.Message = locales.T(ctx, "change.revert.overlap.policy", "Policy", overlap.PolicyName)
	}
	var latest *audit.Change
	var fields []string
	for _, f := range overlap.Fields {
		name := f.Name
		if f.Setting.Key != "" {
			name = "settings." + f.Setting.Key
		}
		if !slices.Contains(fields, name) { // of a setting, parts may have changed
			fields = append(fields, name)
			p.Errors = append(p.Errors, fieldProblem{name, p.Code, p.Message})
		}
		if f.By != nil && (latest == nil || f.By.At.After(latest.At)) {
			latest = f.By
		}
	}
	if latest != nil {
		p.ChangedBy = &changedBy{User: changeActor{latest.ActorUserID, latest.ActorName}, At: latest.At.UTC(), Fields: fields}
	}
	return p
}
