package policy

import (
	"context"

	"officeconsole/queries/lists"
)

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
