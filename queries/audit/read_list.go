package audit

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// ReadsFilter chooses reads of a company. The zero value chooses all.
type ReadsFilter struct {
	ReaderID  int64        `json:"reader_id,omitempty"`
	SubjectID int64        `json:"subject_id,omitempty"` // what was read of this user; lists are of nobody
	Kind      ReadKind     `json:"kind,omitempty"`
	Via       ReadVia      `json:"via,omitempty"`
	Positions bool         `json:"positions,omitempty"` // only reads of coordinates
	From      workday.Date `json:"from,omitempty"`      // 0 for no limit
	To        workday.Date `json:"to,omitempty"`        // 0 for no limit

	Cursor *lists.Cursor `json:"-"`
	Limit  int           `json:"-"`
}

// readList is the list name of the cursors of reads.
const readList = "reads"

// ReadReadsFilter reads the filter from a URL: reader, subject, kind, via, positions,
// from, to and cursor. What cannot have been chosen is refused with FieldErrors.
func ReadReadsFilter(query url.Values) (ReadsFilter, error) {
	r := lists.AddressReader{Query: query}
	f := ReadsFilter{
		ReaderID: r.Id("reader"), SubjectID: r.Id("subject"), Kind: lists.OneOf(&r, "kind", ReadKinds), Via: lists.OneOf(&r, "via", ReadVias),
		Positions: r.Number("positions", []int{1}) == 1, Cursor: r.Cursor(readList),
	}
	f.From, f.To = r.Period()
	if !f.Cursor.IsStart() {
		if _, err := f.Cursor.Time(); err != nil {
			r.Refuse("cursor")
			f.Cursor = nil
		}
	}
	return f, r.Err()
}

// Values returns the parameters that ReadReadsFilter reads, without the cursor.
func (f ReadsFilter) Values() url.Values {
	v := url.Values{}
	lists.SetID(v, "reader", f.ReaderID)
	lists.SetID(v, "subject", f.SubjectID)
	lists.SetText(v, "kind", string(f.Kind))
	lists.SetText(v, "via", string(f.Via))
	if f.Positions {
		v.Set("positions", "1")
	}
	for name, date := range map[string]workday.Date{"from": f.From, "to": f.To} {
		if date != 0 {
			v.Set(name, date.String())
		}
	}
	return v
}

// IsEmpty reports whether the filter chooses every read.
func (f ReadsFilter) IsEmpty() bool { return len(f.Values()) == 0 }

// ReadRow is a read in the list.
type ReadRow struct {
	ID          int64
	At          time.Time
	ReaderID    int64
	ReaderName  string // of that time
	Address     *netip.Addr
	Kind        ReadKind
	Via         ReadVia
	Query       string // the filter of a list as in its URL
	Rows        int64
	SubjectID   *int64
	Object      string
	ObjectName  string
	Positions   bool
	SubjectName string // as it is now; "" for nobody
}

// Filter returns the filter of the list that was read.
func (r ReadRow) Filter() url.Values {
	v, err := url.ParseQuery(r.Query)
	if err != nil {
		return nil
	}
	return v
}

// Reads lists reads, the latest first. zone is that of the filter's dates.
func (s *Store) Reads(ctx context.Context, companyID int64, zone *time.Location, f ReadsFilter) (lists.Page[ReadRow], error) {
	if err := f.Cursor.Check(readList); err != nil {
		return lists.Page[ReadRow]{}, err
	}
	statement := readStatement{companyID: companyID}
	text, err := statement.write(f, zone)
	if err != nil {
		return lists.Page[ReadRow]{}, err
	}
	rows, err := s.db.CustomPlan().Query(ctx, text, statement.args...)
	if err != nil {
		return lists.Page[ReadRow]{}, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[ReadRow])
	if err != nil {
		return lists.Page[ReadRow]{}, fmt.Errorf("reads: %w", err)
	}
	return lists.NewPage(found, f.Cursor, f.Limit, func(r ReadRow) lists.Cursor { return lists.TimeCursor(readList, r.At, r.ID) }), nil
}

// ReadNames returns the names of the departments and users that the filters of reads
// refer to by their ids.
func (s *Store) ReadNames(ctx context.Context, companyID int64, rows []ReadRow) (Names, error) {
	filters := make([]url.Values, len(rows))
	for i, row := range rows {
		filters[i] = row.Filter()
	}
	return s.FilterNames(ctx, companyID, filters...)
}

// FilterNames returns the names of the departments and users that filters of lists
// refer to by their ids.
func (s *Store) FilterNames(ctx context.Context, companyID int64, filters ...url.Values) (Names, error) {
	arg := namesParams{CompanyID: companyID}
	ids := map[string]*[]int64{"department_id": &arg.Departments}
	for _, name := range []string{"sender_id", "receiver_id", "user_id", "actor", "reader", "subject"} {
		ids[name] = &arg.Users
	}
	for _, filter := range filters {
		for name, ids := range ids {
			for _, text := range filter[name] {
				if id, err := strconv.ParseInt(text, 10, 64); err == nil {
					*ids = append(*ids, id)
				}
			}
		}
	}
	return s.namesOf(ctx, arg)
}

// readStatement writes the statement of the list. The columns of each filter begin an
// index; the conditions of further filters are checked row by row.
type readStatement struct {
	companyID int64
	args      []any
}

func (s *readStatement) arg(value any, sqlType string) string {
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d::%s", len(s.args), sqlType)
}

func (s *readStatement) write(f ReadsFilter, zone *time.Location) (string, error) {
	where := "r.company_id = " + s.arg(s.companyID, "bigint")
	if f.ReaderID != 0 {
		where += " and r.reader_id = " + s.arg(f.ReaderID, "bigint")
	}
	if f.SubjectID != 0 {
		where += " and r.subject_id = " + s.arg(f.SubjectID, "bigint")
	}
	if f.Kind != "" {
		where += " and r.kind = " + s.arg(string(f.Kind), "text")
	}
	if f.Via != "" {
		where += " and r.via = " + s.arg(string(f.Via), "text")
	}
	if f.Positions {
		where += " and r.positions"
	}
	if f.From != 0 {
		where += " and r.at >= " + s.arg(f.From.At(0, zone), "timestamptz")
	}
	if f.To != 0 {
		where += " and r.at < " + s.arg((f.To+1).At(0, zone), "timestamptz")
	}
	side, direction := "<", "desc"
	if f.Cursor.IsBackward() {
		side, direction = ">", "asc"
	}
	if !f.Cursor.IsStart() {
		at, err := f.Cursor.Time()
		if err != nil {
			return "", err
		}
		edge := s.arg(at, "timestamptz")
		where += fmt.Sprintf(" and r.at %[1]s= %[2]s and (r.at, r.id) %[1]s (%[2]s, %[3]s)", side, edge, s.arg(f.Cursor.ID, "bigint"))
	}
	order := fmt.Sprintf(" order by r.at %[1]s, r.id %[1]s", direction)
	return fmt.Sprintf(`select r.id, r.at, r.reader_id, r.reader_name, r.address, r.kind, r.via, r.query, r.rows, r.subject_id, r.object, r.object_name, r.positions, coalesce(u.name, '')
from (select * from reads r where %s%s limit %d) r left join users u on u.company_id = %s and u.id = r.subject_id%s`,
		where, order, f.Limit+1, s.arg(s.companyID, "bigint"), order), nil
}

// mostReaders is how many people the page offers in its filter.
const mostReaders = 200

// Reader is somebody who has read something.
type Reader = readersRow

// Readers returns the users who have read something, by name.
func (s *Store) Readers(ctx context.Context, companyID int64) ([]Reader, error) {
	return s.readers(ctx, readersParams{CompanyID: companyID, Size: mostReaders})
}
