package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/attendance"
	"officeconsole/queries/policy"
)

// Reverted is the result of reverting a change.
type Reverted struct {
	Change Change               // the reverted change
	Lost   []policy.Target      // the targets of a restored policy that other policies hold by now
	Broken []policy.BrokenCheck // the checks that it breaks, which only warn
}

// Unconfirmed is the Conflict of a reversal that deletes rows for good, or takes the console
// away from people at once, until it is confirmed.
type Unconfirmed struct{ queries.Conflict }

// Unwrap returns the Conflict.
func (u Unconfirmed) Unwrap() error { return u.Conflict }

// Revertible reports whether changes of this kind can be reverted.
func (c Change) Revertible() bool { return revertible[c.Action] != nil }

// Revert reverts a change: an edited object gets its earlier content again, a
// deleted one is restored, and a new one is deleted. The revert is itself a
// change, which can be reverted. NotFound: there is no such change; Invalid:
// changes of this kind cannot be reverted; Overlap: a field of the change has changed
// since; any other Conflict: something else has, or what was free then is taken;
// Lockout as for any save, and Unconfirmed, unless it is confirmed.
func (s *Store) Revert(ctx context.Context, by queries.Actor, id int64, confirmed bool) (Reverted, error) {
	c, err := s.Change(ctx, ChangeParams{by.CompanyID, id})
	if err != nil {
		return Reverted{}, err
	}
	revert := revertible[c.Action]
	if revert == nil {
		return Reverted{}, queries.Invalid("change.revert.never")
	}
	r := reversal{Store: s, by: by, change: c, confirmed: confirmed}
	if err := r.read(); err != nil {
		return Reverted{}, err
	}
	if slices.Contains(lastDeletions, c.Action) {
		if err := r.checkLatest(ctx); err != nil {
			return Reverted{}, err
		}
	}
	if err := revert(&r, ctx); err != nil {
		return Reverted{}, s.explain(ctx, c, err)
	}
	latest, err := s.latest(ctx, ChangeFilter{CompanyID: by.CompanyID, ObjectType: c.ObjectType, ObjectID: c.ObjectID, ActorID: by.UserID})
	if err != nil {
		return Reverted{}, err
	}
	return Reverted{latest, r.lost, r.broken}, nil
}

// revertible are the functions that revert changes, by action.
var revertible = map[string]func(*reversal, context.Context) error{
	"policy.created":            (*reversal).policyVersion,
	"policy.duplicated":         (*reversal).policyVersion,
	"policy.updated":            (*reversal).policyVersion,
	"policy.version_restored":   (*reversal).policyVersion,
	"policy.enabled":            (*reversal).policyVersion,
	"policy.disabled":           (*reversal).policyVersion,
	"policy.targets_moved":      (*reversal).policyVersion,
	"policy.plan_restored":      (*reversal).policyVersion,
	"policy.plan_moved":         (*reversal).plannedStart,
	"policy.plan_cancelled":     (*reversal).plannedCancellation,
	"policy.past_withdrawn":     (*reversal).policyWithdrawal,
	"policy.past_restored":      (*reversal).policyVersion,
	"policy.deleted":            (*reversal).policyDeletion,
	"policy.restored":           (*reversal).policyVersion,
	"viewer.registered":         (*reversal).viewerCreation,
	"viewer.restored":           (*reversal).viewerCreation,
	"viewer.updated":            (*reversal).viewerUpdate,
	"viewer.deleted":            (*reversal).viewerDeletion,
	"attendance.imported":       (*reversal).attendanceImport,
	"attendance_review.decided": (*reversal).attendanceReview,
	"link.created":              (*reversal).linkCreation,
	"link.restored":             (*reversal).linkCreation,
	"link.updated":              (*reversal).linkUpdate,
	"link.deleted":              (*reversal).linkDeletion,
	"link.moved":                (*reversal).linkMove,
	"link.ordered":              (*reversal).linkOrder,
	"service.updated":           (*reversal).serviceUpdate,
	"service.moved":             (*reversal).serviceOrder,
	"service.ordered":           (*reversal).serviceOrder,
	"notice.created":            (*reversal).noticeCreation,
	"notice.restored":           (*reversal).noticeCreation,
	"notice.updated":            (*reversal).noticeUpdate,
	"notice.deleted":            (*reversal).noticeDeletion,
	"bot.updated":               (*reversal).botUpdate,
	"webhook.updated":           (*reversal).webhookUpdate,
	"webhook.gone":              (*reversal).webhookUpdate,
	"installation.updated":      (*reversal).installationUpdate,
	"retention.updated":         (*reversal).retentionUpdate,
	"disclosure.updated":        (*reversal).disclosureUpdate,
	"map.updated":               (*reversal).mapUpdate,
	"holiday.created":           (*reversal).holidayCreation,
	"holiday.restored":          (*reversal).holidayCreation,
	"holiday.updated":           (*reversal).holidayUpdate,
	"holiday.deleted":           (*reversal).holidayDeletion,
	"check.created":             (*reversal).checkCreation,
	"check.restored":            (*reversal).checkCreation,
	"check.updated":             (*reversal).checkUpdate,
	"check.deleted":             (*reversal).checkDeletion,
	"provider.created":          (*reversal).providerCreation,
	"provider.restored":         (*reversal).providerCreation,
	"provider.updated":          (*reversal).providerUpdate,
	"provider.deleted":          (*reversal).providerDeletion,
	"factor_rule.updated":       (*reversal).factorRuleUpdate,
	"user.hidden":               (*reversal).userHiding,
	"user.shown":                (*reversal).userShowing,
	"user.deactivated":          (*reversal).userDeactivation,
	"user.reactivated":          (*reversal).userReactivation,
}

// lastDeletions are the deletions of which nothing but the change log remains: it restores
// what the latest one has deleted, and nothing earlier.
var lastDeletions = []string{"holiday.deleted", "check.deleted", "provider.deleted"}

// checkLatest refuses a change after which the object was changed.
func (r *reversal) checkLatest(ctx context.Context) error {
	latest, err := r.latest(ctx, ChangeFilter{CompanyID: r.by.CompanyID, ObjectType: r.change.ObjectType, ObjectID: r.change.ObjectID})
	if err == nil && latest.ID != r.change.ID {
		err = queries.Conflict("change.revert.changed")
	}
	return err
}

// latest returns the latest change that a filter chooses, or NotFound.
func (s *Store) latest(ctx context.Context, f ChangeFilter) (Change, error) {
	f.Limit = 1
	page, err := s.Changes(ctx, f)
	if err == nil && len(page.Rows) == 0 {
		err = queries.NotFound
	}
	if err != nil {
		return Change{}, err
	}
	return page.Rows[0], nil
}

// outdated turns refusals of fields into a Conflict with later changes, because
// there is no form in which to correct the fields. So are conflicts, whose messages
// speak of what was typed into a form; that of a policy says who changed what.
func outdated(err error) error {
	var fields queries.FieldErrors
	var conflict queries.Conflict
	var edited *policy.EditConflict
	switch {
	case errors.Is(err, queries.NotFound):
		return queries.Conflict("change.revert.changed")
	case errors.As(err, &fields):
		return queries.Conflict(fields.First())
	case errors.As(err, &conflict) && !errors.As(err, &edited) && (strings.HasSuffix(string(conflict), ".changed") || conflict == "notice.edited"):
		return queries.Conflict("change.revert.changed")
	}
	return err
}

// reversal reverts one change.
type reversal struct {
	*Store
	by        queries.Actor
	change    Change
	confirmed bool
	old, new  struct { // the fields that the change log stores of any kind of object
		VersionNo     int32     `json:"version_no"`
		EffectiveFrom time.Time `json:"effective_from"`
	}
	lost   []policy.Target
	broken []policy.BrokenCheck
}

func (r *reversal) read() error {
	if r.change.Old != nil {
		if err := json.Unmarshal(r.change.Old, &r.old); err != nil {
			return fmt.Errorf("change %d: %w", r.change.ID, err)
		}
	}
	if r.change.New != nil {
		if err := json.Unmarshal(r.change.New, &r.new); err != nil {
			return fmt.Errorf("change %d: %w", r.change.ID, err)
		}
	}
	return nil
}

// readBoth reads what the change log holds of the object before and after the change.
func (r *reversal) readBoth(before, after any) error {
	if err := r.readOld(before); err != nil {
		return err
	}
	return r.readNew(after)
}

// readOld reads what the change log holds of the object before the change.
func (r *reversal) readOld(into any) error {
	if err := json.Unmarshal(r.change.Old, into); err != nil {
		return fmt.Errorf("change %d: %w", r.change.ID, err)
	}
	return nil
}

// readNew reads what the change saved.
func (r *reversal) readNew(into any) error {
	if err := json.Unmarshal(r.change.New, into); err != nil {
		return fmt.Errorf("change %d: %w", r.change.ID, err)
	}
	return nil
}

// policyVersion reverts a version of a policy with its change set.
func (r *reversal) policyVersion(ctx context.Context) error {
	v, err := r.version()
	if err != nil {
		return err
	}
	r.broken, err = r.policy.RevertVersion(ctx, r.by, v)
	return err
}

// version returns the version that a change of a policy saved, as it is reverted.
func (r *reversal) version() (policy.VersionReversal, error) {
	_, before, err := policy.ReadRecord(r.change.Old)
	_, after, errAfter := policy.ReadRecord(r.change.New)
	if err = errors.Join(err, errAfter); err != nil {
		return policy.VersionReversal{}, fmt.Errorf("change %d: %w", r.change.ID, err)
	}
	v := policy.VersionReversal{PolicyID: r.change.ObjectID, No: r.new.VersionNo, Confirmed: r.confirmed, Before: before}
	if after != nil {
		v.Owner = after.Owner
	}
	return v, nil
}

// PreviewReversal returns whom reverting a change of a policy affects; nil for a
// change of any other kind. It is a Conflict where later changes prevent it.
func (s *Store) PreviewReversal(ctx context.Context, by queries.Actor, c Change) (_ *policy.Preview, err error) {
	r := reversal{Store: s, by: by, change: c}
	if err := r.read(); err != nil {
		return nil, err
	}
	var found policy.Preview
	switch {
	case slices.Contains(versionActions, c.Action):
		var v policy.VersionReversal
		if v, err = r.version(); err != nil {
			return nil, err
		}
		found, err = s.policy.PreviewReversal(ctx, by, v)
	case c.Action == "policy.deleted":
		found, err = s.policy.PreviewDeletionReversal(ctx, by, policy.DeletionReversal{PolicyID: c.ObjectID, DeletedAt: c.At})
	case c.Action == "policy.plan_moved":
		found, err = s.policy.PreviewPlannedStart(ctx, by, policy.VersionKey{PolicyID: c.ObjectID, No: r.new.VersionNo}, r.old.EffectiveFrom)
	case c.Action == "policy.plan_cancelled":
		found, err = s.policy.PreviewCancellationReversal(ctx, by, policy.VersionKey{PolicyID: c.ObjectID, No: r.old.VersionNo})
	default:
		return nil, nil
	}
	return &found, err
}

// versionActions are the actions that saved a version of a policy.
var versionActions = []string{
	"policy.created", "policy.duplicated", "policy.updated", "policy.version_restored", "policy.enabled", "policy.disabled", "policy.targets_moved", "policy.plan_restored", "policy.past_restored", "policy.restored",
}

// plannedStart changes the start of a planned version back.
func (r *reversal) plannedStart(ctx context.Context) error {
	moved, err := r.policy.MovePlannedVersion(ctx, r.by, r.change.ObjectID, r.new.VersionNo, policy.Start{When: policy.StartAt, At: r.old.EffectiveFrom})
	r.broken = moved.Broken
	return err
}

func (r *reversal) plannedCancellation(ctx context.Context) (err error) {
	r.broken, err = r.policy.RevertCancellation(ctx, r.by, policy.VersionReversal{PolicyID: r.change.ObjectID, No: r.old.VersionNo, Confirmed: r.confirmed})
	return err
}

// policyWithdrawal saves a version of the past again that was withdrawn.
func (r *reversal) policyWithdrawal(ctx context.Context) (err error) {
	r.broken, err = r.policy.RestorePast(ctx, r.by, policy.VersionKey{PolicyID: r.change.ObjectID, No: r.old.VersionNo})
	return err
}

func (r *reversal) policyDeletion(ctx context.Context) (err error) {
	r.lost, r.broken, err = r.policy.RevertDeletion(ctx, r.by, policy.DeletionReversal{PolicyID: r.change.ObjectID, DeletedAt: r.change.At, Confirmed: r.confirmed})
	return err
}

func (r *reversal) viewerCreation(ctx context.Context) error {
	return r.attendance.DeleteViewer(ctx, r.by, r.change.ObjectID, r.new.VersionNo)
}

func (r *reversal) viewerUpdate(ctx context.Context) error {
	var old attendance.ViewerRecord
	if err := json.Unmarshal(r.change.Old, &old); err != nil {
		return fmt.Errorf("change %d: %w", r.change.ID, err)
	}
	_, err := r.attendance.UpdateViewer(ctx, r.by, r.change.ObjectID, r.new.VersionNo, old.Viewer().Draft())
	return err
}

func (r *reversal) viewerDeletion(ctx context.Context) error {
	if r.db.Now().Sub(r.change.At) > policy.RestoreTime {
		return queries.Invalid("change.revert.late")
	}
	_, err := r.attendance.RestoreViewer(ctx, r.by, r.change.ObjectID, r.old.VersionNo+1)
	return err
}
