package usage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
)

// maxPeople is how many people of a searched name are used, the first by name.
const maxPeople = 50

// FileRow is a file in a list, with the names of its sender and receivers as they
// are now.
type FileRow struct {
	File
	Sender    FileUser
	Receivers []FileUser // in the order of their ids
}

// FileUser is somebody who sent or received a file. The name of one who no longer
// exists is "".
type FileUser = fileUsersRow

// FileList is a page of saved files.
type FileList struct {
	lists.Page[FileRow]

	// MorePeople is whether more people have the searched name than are used.
	MorePeople bool
}

// Files lists saved files, the latest first. zone is that of the filter's dates.
func (s *Store) Files(ctx context.Context, companyID int64, zone *time.Location, f FileFilter) (list FileList, err error) {
	if err := f.Cursor.Check(fileList); err != nil {
		return list, err
	}
	selection, more, err := s.selection(ctx, companyID, zone, f)
	if err != nil {
		return list, err
	}
	list.MorePeople = more
	var files []File
	if !selection.isEmpty() {
		if files, err = s.readFiles(ctx, selection, f.Limit+1); err != nil {
			return list, fmt.Errorf("saved files: %w", err)
		}
	}
	page := lists.NewPage(files, f.Cursor, f.Limit, func(f File) lists.Cursor { return f.Key().cursor() })
	list.Page = lists.Page[FileRow]{First: page.First, Total: page.Total, Previous: page.Previous, Next: page.Next}
	list.Rows, err = s.nameFiles(ctx, companyID, f.DirectoryVersion, page.Rows)
	return list, err
}

// selection resolves a filter. more is whether more people have the searched name
// than are used.
func (s *Store) selection(ctx context.Context, companyID int64, zone *time.Location, f FileFilter) (selection fileSelection, more bool, err error) {
	selection = fileSelection{companyID: companyID, platform: f.Platform, deceptive: f.Deceptive, backward: f.Cursor.IsBackward()}
	selection.from, selection.before = f.times(zone)
	if !f.Cursor.IsStart() {
		at, err := f.Cursor.Time()
		if err != nil {
			return selection, false, err
		}
		selection.edge = &FileKey{at, f.Cursor.ID}
	}
	if f.SenderID != 0 {
		selection.senders = []int64{f.SenderID}
	}
	if f.ReceiverID != 0 {
		selection.receivers = []int64{f.ReceiverID}
	}
	if len(f.DepartmentIDs) > 0 {
		if selection.departments, err = s.departmentsOf(ctx, companyID, f.DepartmentIDs...); err != nil {
			return selection, false, err
		}
	}
	if f.Search.Empty() {
		return selection, false, nil
	}
	if f.In == SearchName {
		selection.patterns, selection.grams = f.Search.Patterns(), f.Search.GramNumbers()
		return selection, false, nil
	}
	people, err := s.directory.SearchUserIDs(ctx, directory.UserSearch{CompanyID: companyID, Hidden: true, Search: f.Search, Size: maxPeople + 1})
	if err != nil {
		return selection, false, err
	}
	if more = len(people) > maxPeople; more {
		people = people[:maxPeople]
	}
	if f.In == SearchSender {
		selection.senders = both(selection.senders, people)
	} else {
		selection.receivers = both(selection.receivers, people)
	}
	return selection, more, nil
}

// both returns the ids that are in both lists, of which the first is nil for all.
func both(one, two []int64) []int64 {
	common := []int64{}
	for _, id := range two {
		if one == nil || slices.Contains(one, id) {
			common = append(common, id)
		}
	}
	return common
}

// departmentsOf returns some departments with those below them; nil if the root, which
// has everybody, is one of them.
func (s *Store) departmentsOf(ctx context.Context, companyID int64, ids ...int64) ([]int64, error) {
	all := []int64{}
	for _, id := range ids {
		row, err := s.departmentSubtree(ctx, departmentSubtreeParams{companyID, id})
		if err != nil {
			return nil, err
		}
		if row.IsRoot {
			all = nil
		} else if all != nil {
			all = append(all, row.Ids...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil // one may be below another
}

// readFiles returns the next files of a selection in the order in which they are
// read. Except for many departments, each statement has one good plan, and a page without a
// filter is read of the latest weeks first, as in readAccess.
func (s *Store) readFiles(ctx context.Context, selection fileSelection, size int) ([]File, error) {
	if len(selection.patterns) > 0 {
		keys, err := s.searchFiles(ctx, selection, size)
		if err != nil || len(keys) == 0 {
			return nil, err
		}
		return s.filesByKeys(ctx, selection, keys)
	}
	if latest := selection; latest.limitToLatest(s.db.Now()) {
		files, err := s.readFilesOf(ctx, latest, size)
		if err != nil || len(files) == size {
			return files, err
		}
	}
	return s.readFilesOf(ctx, selection, size)
}

func (s *Store) readFilesOf(ctx context.Context, selection fileSelection, size int) ([]File, error) {
	statement := fileStatement{fileSelection: selection}
	text := statement.rows(size)
	q := s.db.OrderedPlan()
	if selection.departments != nil && !statement.isMerged() { // of many departments, which may have most of the files
		q = s.db.CustomPlan()
	}
	rows, err := q.Query(ctx, text, statement.args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, size, func(f *File) []any {
		return []any{&f.CompanyID, &f.ID, &f.SavedAt, &f.EventID, &f.UserID, &f.DepartmentID, &f.ReceiverIds, &f.Room, &f.Folder, &f.Name, &f.Deceptive, &f.Size, &f.Sha256, &f.Platform, &f.Ip, &f.ReceivedAt}
	})
}

// collect returns the rows of a statement, which are about size. fields returns
// pointers to the fields of a row in the order of its columns.
func collect[Row any](rows pgx.Rows, size int, fields func(*Row) []any) ([]Row, error) {
	all := make([]Row, 0, size)
	var row Row
	_, err := pgx.ForEachRow(rows, fields(&row), func() error {
		all = append(all, row)
		return nil
	})
	return all, err
}

// filesByKeys returns files in the order of their keys.
func (s *Store) filesByKeys(ctx context.Context, selection fileSelection, keys []FileKey) ([]File, error) {
	arg := filesAtParams{CompanyID: selection.companyID}
	for _, k := range keys {
		arg.SavedAt, arg.Ids = append(arg.SavedAt, k.SavedAt), append(arg.Ids, k.ID)
	}
	if len(keys) == 0 {
		return nil, nil
	}
	// Otherwise PostgreSQL plans for the partition of every month there is.
	arg.First, arg.Last = slices.MinFunc(arg.SavedAt, time.Time.Compare), slices.MaxFunc(arg.SavedAt, time.Time.Compare)
	files, err := s.filesAt(ctx, arg)
	slices.SortFunc(files, func(a, b File) int { return selection.compare(a.Key(), b.Key()) })
	return files, err
}

// compare compares keys in the order in which they are read.
func (s fileSelection) compare(a, b FileKey) int {
	order := cmp.Or(b.SavedAt.Compare(a.SavedAt), cmp.Compare(b.ID, a.ID))
	if s.backward {
		return -order
	}
	return order
}

// nameFiles adds the names of senders and receivers.
func (s *Store) nameFiles(ctx context.Context, companyID, directoryVersion int64, files []File) ([]FileRow, error) {
	ids := make([]int64, 0, 4*len(files))
	for i := range files {
		ids = append(append(ids, files[i].UserID), files[i].ReceiverIds...)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	users, err := s.nameUsers(ctx, companyID, directoryVersion, ids)
	if err != nil {
		return nil, fmt.Errorf("senders and receivers: %w", err)
	}
	rows := make([]FileRow, len(files))
	receivers := make([]FileUser, 0, len(ids)-len(files)) // of all rows
	for i := range files {
		rows[i].File, rows[i].Sender = files[i], users[files[i].UserID]
		from := len(receivers)
		for _, id := range files[i].ReceiverIds {
			receivers = append(receivers, users[id])
		}
		rows[i].Receivers = receivers[from:len(receivers):len(receivers)]
	}
	return rows, nil
}

// FileUse is a file with the policy that applied to its sender when it was saved.
type FileUse struct {
	FileRow
	HasPolicy bool // whether the company had a policy then
	Policy    policy.Effective
	Views     []FileView // the latest first
}

// FileView is when somebody looked at a file of the log.
type FileView = fileViewsRow

// shownViews is how many views of a file are shown.
const shownViews = 20

// OpenFile returns a file by its key, for somebody who reads the log: that is
// recorded in the change log.
func (s *Store) OpenFile(ctx context.Context, by queries.Actor, key FileKey) (use FileUse, err error) {
	if use.File, err = s.fileAt(ctx, fileAtParams{by.CompanyID, key.SavedAt, key.ID}); err != nil {
		return use, err
	}
	rows, err := s.nameFiles(ctx, by.CompanyID, 0, []File{use.File})
	if err != nil {
		return use, err
	}
	use.FileRow = rows[0]
	if use.Views, err = s.fileViews(ctx, fileViewsParams{CompanyID: by.CompanyID, FileID: use.ID, Since: use.SavedAt.Add(-maxEventLead), Size: shownViews}); err != nil {
		return use, err
	}
	err = s.db.RecordChange(ctx, by, s.db.Now(), queries.Change{Action: "file.viewed", ObjectType: "file", ObjectID: use.ID, ObjectName: PlainName(use.Name)})
	if err != nil {
		return use, err
	}
	use.Policy, err = s.policies.Effective(ctx, by.CompanyID, use.UserID, policyKind, use.SavedAt)
	if use.HasPolicy = err == nil; errors.Is(err, queries.NotFound) {
		err = nil // before the company's first policy, or of somebody who no longer exists
	}
	return use, err
}

// policyKind is the kind of policies that say who may save files.
const policyKind = "communication"
