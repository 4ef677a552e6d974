package notice

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/markdown"
	"officeconsole/queries/lists"
)

// Row is a notice as the list shows it.
type Row struct {
	ID         int64
	Title      string
	Beginning  string // of the body, without its marks
	Everyone   bool
	PublishAt  time.Time
	DeletedAt  *time.Time
	Missed     bool // a deleted reservation whose time has passed, which cannot be restored
	VersionNo  int32
	Author     string
	Files      int
	Readers    int // of the recipients
	Recipients int
	Targets    []NamedTarget // the first shownTargets
	More       int           // how many targets there are beyond Targets
}

// Status returns the status of the row's notice at a time.
func (r Row) Status(now time.Time) Status {
	if r.DeletedAt != nil {
		return Deleted
	}
	return Notice{PublishAt: r.PublishAt}.StatusAt(now)
}

// shownTargets is how many targets of a notice the list names.
const shownTargets = 2

// beginning is how many characters of a body the list reads.
const beginning = 300

// List lists notices by their publication, or deleted ones by their deletion, the
// latest first. zone is that of the filter's dates.
func (s *Store) List(ctx context.Context, companyID int64, zone *time.Location, f Filter) (lists.Page[Row], error) {
	var page lists.Page[Row]
	if err := f.Cursor.Check(f.list()); err != nil {
		return page, err
	}
	l := listStatement{filter: f, companyID: companyID, now: s.db.Now(), zone: zone}
	text, err := l.text()
	if err != nil {
		return page, err
	}
	found, err := s.readRows(ctx, text, l.args)
	if err != nil {
		return page, fmt.Errorf("notices: %w", err)
	}
	page = lists.NewPage(found, f.Cursor, f.Limit, func(r Row) lists.Cursor {
		return lists.TimeCursor(f.list(), l.sortedBy(r), r.ID)
	})
	return page, s.addReach(ctx, companyID, page.Rows)
}

func (s *Store) readRows(ctx context.Context, text string, args []any) ([]Row, error) {
	rows, err := s.db.CustomPlan().Query(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	now := s.db.Now()
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r Row, err error) {
		var n Notice
		err = row.Scan(&r.ID, &r.Title, &r.Beginning, &r.Everyone, &r.PublishAt, &n.AnnouncedAt, &r.DeletedAt, &r.VersionNo, &r.Author, &r.Files, &r.Readers)
		n.PublishAt, n.DeletedAt = r.PublishAt, r.DeletedAt
		r.Missed, r.Beginning = n.isMissed(now), markdown.Text(r.Beginning)
		return r, err
	})
}

// addReach adds the targets and the number of recipients to rows, and leaves of their
// readers those who are recipients now.
func (s *Store) addReach(ctx context.Context, companyID int64, rows []Row) error {
	var ids []int64
	for _, r := range rows {
		if !r.Everyone {
			ids = append(ids, r.ID)
		}
	}
	targets, err := s.targetsByNotice(ctx, companyID, ids)
	if err != nil {
		return err
	}
	people, err := s.headcount(ctx, companyID)
	if err != nil {
		return err
	}
	former, err := s.formerReadersOf(ctx, companyID, people.version, rows)
	if err != nil {
		return err
	}
	for i := range rows {
		r, of := &rows[i], targets[rows[i].ID]
		r.Recipients = people.of(r.Everyone, of)
		// The recipients may be counted a moment earlier than the readers.
		r.Readers = min(r.Readers-former[r.ID], r.Recipients)
		r.More = max(0, len(of)-shownTargets)
		r.Targets = namedTargets(of[:min(len(of), shownTargets)])
	}
	return nil
}

// listStatement writes the statement of a list. Its conditions are those of the
// filter alone, so that PostgreSQL can read the index in its order.
type listStatement struct {
	filter    Filter
	companyID int64
	now       time.Time
	zone      *time.Location
	args      []any
}

// arg adds an argument and returns its placeholder.
func (l *listStatement) arg(value any) string {
	l.args = append(l.args, value)
	return fmt.Sprintf("$%d", len(l.args))
}

// sortedBy is the time by which a row is sorted.
func (l *listStatement) sortedBy(r Row) time.Time {
	if l.filter.Status == Deleted {
		return *r.DeletedAt
	}
	return r.PublishAt
}

func (l *listStatement) text() (string, error) {
	where, err := l.conditions()
	if err != nil {
		return "", err
	}
	column, direction := l.column(), "desc"
	if l.filter.Ascending != l.filter.Cursor.IsBackward() {
		direction = "asc"
	}
	return fmt.Sprintf(`select n.id, n.title, left(n.body, %[1]d), n.everyone, n.publish_at, n.announced_at, n.deleted_at, n.version_no,
  (select u.name from users u where u.company_id = n.company_id and u.id = n.author_id),
  (select count(*) from notice_attachments a where a.company_id = n.company_id and a.notice_id = n.id),
  coalesce((select sum(c.readers) from notice_read_counts c where c.company_id = n.company_id and c.notice_id = n.id), 0)
from (select * from notices n where %[2]s order by n.%[3]s %[4]s, n.id %[4]s limit %[5]d) n
order by n.%[3]s %[4]s, n.id %[4]s`, beginning, strings.Join(where, " and "), column, direction, l.filter.Limit+1), nil
}

func (l *listStatement) column() string {
	if l.filter.Status == Deleted {
		return "deleted_at"
	}
	return "publish_at"
}

func (l *listStatement) conditions() ([]string, error) {
	f := l.filter
	where := []string{"n.company_id = " + l.arg(l.companyID)}
	if f.Status == Deleted {
		where = append(where, "n.deleted_at > "+l.arg(l.now.Add(-RestoreTime)))
	} else {
		where = append(where, "n.deleted_at is null")
	}
	from, before := f.published(l.now, l.zone)
	if !from.IsZero() {
		where = append(where, "n.publish_at >= "+l.arg(from))
	}
	if !before.IsZero() {
		where = append(where, "n.publish_at < "+l.arg(before))
	}
	for _, pattern := range f.Search.Patterns() {
		where = append(where, "n.search_text like "+l.arg(pattern))
	}
	if f.Everyone {
		where = append(where, "n.everyone")
	}
	if f.DepartmentID != 0 {
		where = append(where, fmt.Sprintf(`exists (select from notice_targets t join departments d on d.company_id = t.company_id and d.id = t.department_id
  where t.company_id = n.company_id and t.notice_id = n.id and %s = any (d.ancestors))`, l.arg(f.DepartmentID)))
	}
	if f.AuthorID != 0 {
		where = append(where, "n.author_id = "+l.arg(f.AuthorID))
	}
	if f.Cursor.IsStart() {
		return where, nil
	}
	at, err := f.Cursor.Time()
	if err != nil {
		return nil, err
	}
	comparison := "<"
	if f.Ascending != f.Cursor.IsBackward() {
		comparison = ">"
	}
	return append(where, fmt.Sprintf("(n.%s, n.id) %s (%s, %s)", l.column(), comparison, l.arg(at), l.arg(f.Cursor.ID))), nil
}
