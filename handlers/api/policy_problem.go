package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/policy"
)

// policyProblem adds to an error what a client needs to continue: the targets
// that are taken, or who saved in the meantime.
func policyProblem(ctx context.Context, err error) error {
	var taken *policy.TargetConflict
	var edited *policy.EditConflict
	var lockOut *policy.Lockout
	var draft *policy.DraftErrors
	var locked *policy.LockedMonth
	switch {
	case errors.As(err, &locked):
		p := refusedFields(ctx, queries.FieldErrors{"effective_from": "policy.effective_from.locked"})
		p.Message = locales.T(ctx, "policy.effective_from.locked.month", "Month", locales.Month(ctx, locked.Month.Time()), "Date", locales.Date(ctx, locked.Earliest().Time()))
		p.Errors[0].Message = p.Message
		return p
	case errors.As(err, &taken):
		return &problem{status: http.StatusConflict, Code: "policy.targets.taken", Message: locales.T(ctx, "policy.targets.taken"), Taken: newTaken(taken.Taken)}
	case errors.As(err, &lockOut):
		return &problem{status: http.StatusUnprocessableEntity, Code: "policy.lock_out", Message: locales.T(ctx, "policy.lock_out"), Warnings: newWarnings(lockOut.Warnings)}
	case errors.As(err, &edited):
		by := &changedBy{User: changeActor{orNull(edited.ByUserID), edited.ByName}, At: edited.At.UTC(), VersionNo: edited.LastNo, Fields: changedFields(edited.Changes)}
		return &problem{status: http.StatusConflict, Code: "policy.changed", Message: locales.T(ctx, "policy.changed"), ChangedBy: by}
	case errors.As(err, &draft):
		return draftProblem(ctx, draft)
	}
	return err
}

func changedFields(d policy.Differences) []string {
	fields := []string{}
	for _, f := range d.Fields {
		fields = append(fields, f.Field)
	}
	for _, s := range d.Settings {
		fields = append(fields, "settings."+s.Key)
	}
	return slices.Compact(fields) // the parts of a setting are beside each other
}

func draftProblem(ctx context.Context, draft *policy.DraftErrors) *problem {
	p := &problem{status: http.StatusUnprocessableEntity}
	if len(draft.Fields) > 0 {
		p = refusedFields(ctx, draft.Fields)
	}
	for _, e := range draft.Settings {
		field := strings.TrimSuffix("settings."+e.Key, ".")
		p.Errors = append(p.Errors, fieldProblem{field, e.Code, locales.T(ctx, e.Code, e.Args...)})
	}
	p.Code, p.Message = p.Errors[0].Code, p.Errors[0].Message
	return p
}

// brokenCheck is a check that a change breaks.
type brokenCheck struct {
	ID       int64          `json:"id"`
	Name     string         `json:"name"`
	Sentence string         `json:"sentence" doc:"What the check expects, in the language of Accept-Language."`
	Severity string         `json:"severity" enum:"stop,warn"`
	At       time.Time      `json:"at" doc:"When it is broken first."`
	People   int            `json:"people" doc:"For whom it is no longer true; 0 if nobody would meet the condition any longer."`
	Users    []brokenPerson `json:"users" nullable:"false" doc:"Some of them by name."`
}

type brokenPerson struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func newBroken(ctx context.Context, broken []policy.BrokenCheck) []brokenCheck {
	all := make([]brokenCheck, len(broken))
	for i, b := range broken {
		all[i] = brokenCheck{b.ID, b.Name, b.Sentence(b.Kind, locales.FromContext(ctx)), string(b.Severity), b.At.UTC(), b.People, []brokenPerson{}}
		for _, p := range b.Names {
			all[i].Users = append(all[i].Users, brokenPerson{p.ID, p.Name})
		}
	}
	return all
}

// checkProblem names the check that stops a change.
func checkProblem(ctx context.Context, refused *policy.CheckRefusal) *problem {
	broken := newBroken(ctx, refused.Broken)
	return &problem{
		status: http.StatusUnprocessableEntity, Code: "check.broken", Message: locales.T(ctx, "check.broken.sentence", "Sentence", broken[0].Sentence), Checks: broken,
	}
}
