package policy

import (
	"context"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/lists"
)

// DeletedPolicy is a deleted policy, as it was.
type DeletedPolicy struct {
	Policy
	By    string // who deleted it; "" if nobody is known
	At    time.Time
	Until time.Time // when it can no longer be restored, which may be in the past
}

// DeletedPolicy returns a policy of a kind that was deleted, or NotFound if it
// was not or can no longer be restored.
func (s *Store) DeletedPolicy(ctx context.Context, companyID int64, kind string, id int64) (DeletedPolicy, error) {
	h, err := s.readHistory(ctx, companyID, id)
	if err != nil {
		return DeletedPolicy{}, err
	}
	if h.DeletedAt == nil || s.db.Now().Sub(*h.DeletedAt) > RestoreTime || h.kind != kind {
		return DeletedPolicy{}, queries.NotFound
	}
	return s.deletedPolicy(ctx, companyID, h)
}

// Deleted returns a page of the deleted policies of a kind that can be restored
// and whose own texts the filter's search finds, the latest deletion first.
func (s *Store) Deleted(ctx context.Context, companyID int64, kind string, f Filter) (lists.Page[lists.Deleted], error) {
	rows, err := s.deletedPolicies(ctx, deletedPoliciesParams{CompanyID: companyID, Kind: kind, Since: s.db.Now().Add(-RestoreTime)})
	if err != nil {
		return lists.Page[lists.Deleted]{}, err
	}
	var found []lists.Deleted
	for _, p := range rows {
		if f.Search.Match(p.SearchText) {
			found = append(found, lists.Deleted{ID: p.ID, Name: p.Name, Description: p.Description, DeletedAt: p.DeletedAt})
		}
	}
	return lists.CutDeleted(found, deletedList, f.Cursor, f.Limit)
}
