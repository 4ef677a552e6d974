package notice

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/search"

	"github.com/jackc/pgx/v5"
)

// ReaderFilter is what an administrator chose for the list of the people of a
// notice: those who have read it, or those who have not.
type ReaderFilter struct {
	Read         bool
	DepartmentID int64 // with its subtree; 0 for every department
	Query        string
	Search       search.Search
	Cursor       *lists.Cursor
	Limit        int
}

const readerList, nonReaderList = "notice:readers", "notice:nonreaders"

// Name returns the name of the list that the filter selects, for its cursors.
func (f ReaderFilter) Name() string {
	if f.Read {
		return readerList
	}
	return nonReaderList
}

// ReadReaderFilter reads the address of the list: read, department_id, q and
// cursor. What cannot have been chosen is refused by FieldErrors.
func ReadReaderFilter(query url.Values) (ReaderFilter, error) {
	r := lists.AddressReader{Query: query}
	f := ReaderFilter{Read: lists.OneOf(&r, "read", []string{"true", "false"}) == "true", DepartmentID: r.Id("department_id")}
	f.Query, f.Search = r.Search("q")
	f.Cursor = r.Cursor(f.Name())
	return f, r.Err()
}

// Values returns the filter as the query of an address, without the cursor.
func (f ReaderFilter) Values() url.Values {
	query := url.Values{}
	if f.Read {
		query.Set("read", "true")
	}
	lists.SetID(query, "department_id", f.DepartmentID)
	lists.SetText(query, "q", f.Query)
	return query
}

// Recipient is somebody who may read a notice.
type Recipient struct {
	UserID         int64
	Name           string
	ImageHash      *string
	DepartmentID   int64
	DepartmentName string
	EmployeeID     string     // "" for none
	RankName       string     // "" for none
	ReadAt         *time.Time // nil for who has not read it
	DownloadedAt   *time.Time // of files, for the first time; nil for never
	RemindedAt     *time.Time // the last time; nil for never
}

// UserIDs returns the ids of recipients.
func UserIDs(recipients []Recipient) []int64 {
	ids := make([]int64, len(recipients))
	for i, r := range recipients {
		ids[i] = r.UserID
	}
	return ids
}

// People returns a page of those who have read a notice, or of those who have not,
// by name.
func (s *Store) People(ctx context.Context, companyID, noticeID int64, f ReaderFilter) (lists.Page[Recipient], error) {
	if err := f.Cursor.Check(f.Name()); err != nil {
		return lists.Page[Recipient]{}, err
	}
	statement, args := f.statement(companyID, noticeID)
	rows, err := s.db.CustomPlan().Query(ctx, statement, args...)
	if err != nil {
		return lists.Page[Recipient]{}, err
	}
	people, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Recipient])
	if err != nil {
		return lists.Page[Recipient]{}, err
	}
	return lists.NewPage(people, f.Cursor, f.Limit, func(p Recipient) lists.Cursor {
		return lists.Cursor{List: f.Name(), Value: p.Name, ID: p.UserID}
	}), nil
}

// statement returns the statement of the list. What is shown beside a name is read
// for the rows of the page only.
func (f ReaderFilter) statement(companyID, noticeID int64) (string, []any) {
	args := []any{companyID, noticeID}
	arg := func(value any) string {
		args = append(args, value)
		return fmt.Sprint("$", len(args))
	}
	is, order, compare := "not exists", "v.user_name, v.user_id", ">"
	if f.Read {
		is = "exists"
	}
	if f.Cursor.IsBackward() {
		order, compare = "v.user_name desc, v.user_id desc", "<"
	}
	where := ""
	if !f.Cursor.IsStart() {
		where += fmt.Sprintf(" and (v.user_name, v.user_id) %s (%s::text, %s::bigint)", compare, arg(f.Cursor.Value), arg(f.Cursor.ID))
	}
	if f.DepartmentID != 0 {
		where += fmt.Sprintf(" and v.department_id in (select id from departments where company_id = $1 and ancestors @> array[%s::bigint])", arg(f.DepartmentID))
	}
	for _, pattern := range f.Search.Patterns() {
		where += fmt.Sprintf(" and v.user_search_text like %s::text", arg(pattern))
	}
	return fmt.Sprintf(`with page as materialized (
			select v.* from readable_notices v
			where v.company_id = $1 and v.id = $2
				and %[1]s (select from notice_reads r where r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id)%[2]s
			order by %[3]s limit %[4]s
		)
		select v.user_id, v.user_name, u.image_hash, v.department_id, v.department_name, u.employee_id, coalesce(k.name, ''), r.read_at, f.downloaded_at,
			(select max(p.sent_at) from notice_reminders m join notice_reminder_people p on p.company_id = m.company_id and p.reminder_id = m.id
				where m.company_id = v.company_id and m.notice_id = v.id and p.user_id = v.user_id)
		from page v
		join users u on u.company_id = v.company_id and u.id = v.user_id
		left join ranks k on k.company_id = v.company_id and k.id = v.rank_id
		left join notice_reads r on r.company_id = v.company_id and r.notice_id = v.id and r.user_id = v.user_id
		left join notice_downloads f on f.company_id = v.company_id and f.notice_id = v.id and f.user_id = v.user_id
		order by %[3]s`, is, where, order, arg(f.Limit+1)), args
}
