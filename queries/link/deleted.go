package link

import (
	"context"

	"officeconsole/queries/lists"
	"officeconsole/search"
)

// Deleted returns a page of the deleted links that can be restored and that the
// filter's search finds, the latest deletion first. Their descriptions are URLs.
func (s *Store) Deleted(ctx context.Context, companyID int64, f Filter, limit int) (lists.Page[lists.Deleted], error) {
	rows, err := s.deletedLinks(ctx, deletedLinksParams{CompanyID: companyID, Since: s.db.Now().Add(-RestoreTime)})
	if err != nil {
		return lists.Page[lists.Deleted]{}, err
	}
	var found []lists.Deleted
	for _, l := range rows {
		if f.Search.Empty() || f.Search.Match(search.Text(l.Name, l.Description, l.URL)) {
			found = append(found, lists.Deleted{ID: l.ID, Name: l.Name, Description: l.URL, DeletedAt: l.DeletedAt})
		}
	}
	return lists.CutDeleted(found, deletedList, f.Cursor, limit)
}
