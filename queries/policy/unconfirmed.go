package policy

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries"
)

// RevertUnconfirmed saves what applies again as a version of its own wherever a
// provisional version has ended without a confirmation. It has applied since that end,
// which is part of the timeline: this adds it to the history and the change log, and
// tells the messenger. It can run at any time and in several processes.
func (store *Store) RevertUnconfirmed(ctx context.Context) error {
	companies, err := store.companiesUnconfirmed(ctx, store.db.Now())
	if err != nil {
		return err
	}
	for _, companyID := range companies {
		err := store.inTx(ctx, func(ctx context.Context, q *Queries) error {
			s, err := q.beginSave(ctx, queries.Actor{CompanyID: companyID}, "communication", store.db.Now())
			if err != nil {
				return err
			}
			s.isAutomatic = true
			if err := s.revertUnconfirmed(ctx); err != nil {
				return err
			}
			return s.finish(ctx)
		})
		if err != nil {
			return fmt.Errorf("revert unconfirmed policies of company %d: %w", companyID, err)
		}
	}
	return nil
}

func (s *saveTx) revertUnconfirmed(ctx context.Context) error {
	ended, err := s.unconfirmedVersions(ctx, unconfirmedVersionsParams{CompanyID: s.by.CompanyID, Kind: s.kind, Now: s.now})
	if err != nil {
		return err
	}
	for _, row := range ended {
		if err := s.settleVersion(ctx, settleVersionParams{CompanyID: s.by.CompanyID, PolicyID: row.PolicyID, No: row.No, Now: s.now}); err != nil {
			return err
		}
		h, err := s.load(ctx, row.PolicyID)
		if err != nil {
			return err
		}
		if v := h.version(row.No); row.Reverts && h.appliesAt(v.ConfirmBy.Add(-time.Microsecond), row.No) {
			if err := s.revertEnded(ctx, h, *v); err != nil {
				return err
			}
		}
	}
	return nil
}

// appliesAt reports whether a version is the one that is in force at a time.
func (h *history) appliesAt(at time.Time, no int32) bool {
	v := h.inForceWithout(0, at)
	return v != nil && v.No == no
}

// revertEnded saves what applies again after a provisional version, from its end on. If
// somebody has saved the policy since, only the change log has what applied meanwhile.
func (s *saveTx) revertEnded(ctx context.Context, h *history, ended Version) error {
	again := ended.withoutEffect()
	if earlier := h.inForceWithout(ended.No, *ended.ConfirmBy); earlier != nil {
		again = *earlier
	}
	if h.versions[0].CreatedAt.Before(*ended.ConfirmBy) {
		again = Version{
			No: h.lastNo() + 1, EffectiveFrom: *ended.ConfirmBy, Enabled: again.Enabled, Name: again.Name, Description: again.Description,
			Settings: again.Settings, Targets: again.Targets, CreatedAt: s.now, RevertsNo: ended.No,
		}
		if err := s.storeVersion(ctx, h, &again); err != nil {
			return err
		}
	} else {
		s.messages = append(s.messages, policyChanged{s.kind, h.id, again.No, *ended.ConfirmBy})
	}
	before, after := newVersionRecord(s.kind, &ended), newVersionRecord(s.kind, &again)
	before.SavedBy = ended.CreatedByName
	return queries.New(s.db).RecordChange(ctx, s.by, s.now, queries.Change{
		Action: "policy.reverted", ObjectType: "policy", ObjectID: h.id, ObjectName: again.Name, Old: before, New: after,
	})
}
