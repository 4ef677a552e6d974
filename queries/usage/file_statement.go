package usage

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"officeconsole/queries/directory"
)

// fileSelection is a filter with the ids that it stands for. Nil means no
// restriction; nobody can have sent or received anything if a list is empty.
type fileSelection struct {
	companyID                       int64
	platform                        string
	deceptive                       bool
	senders, receivers, departments []int64
	patterns                        []string // of LIKE, which the search text has
	grams                           []int32  // of the patterns

	from, before time.Time
	edge         *FileKey // the files before it in time or, backward, after it
	backward     bool
}

// limitToLatest is that of accessSelection.
func (s *fileSelection) limitToLatest(now time.Time) bool {
	if s.backward || s.platform != "" || s.deceptive || s.senders != nil || s.receivers != nil || s.departments != nil {
		return false
	}
	end := now
	if s.edge != nil {
		end = s.edge.SavedAt
		s.before = earliest(s.before, end.Add(time.Microsecond))
	}
	s.from = latest(s.from, earliest(s.before, end).Add(-latestSpan))
	return s.from.Before(s.before)
}

// isEmpty reports whether no file can be selected.
func (s fileSelection) isEmpty() bool {
	for _, ids := range [][]int64{s.senders, s.receivers, s.departments} {
		if ids != nil && len(ids) == 0 {
			return true
		}
	}
	return !s.from.Before(s.before)
}

// isOfDays reports whether the sums of days have those of the selection.
func (s fileSelection) isOfDays() bool {
	return s.senders == nil && s.receivers == nil && s.departments == nil && !s.deceptive && len(s.patterns) == 0
}

// fileStatement writes a statement that reads files of a selection in order. There
// is one way to read for each index: the conditions that it does not cover are
// checked row by row.
type fileStatement struct {
	fileSelection
	unordered bool // whether any rows will do, so that reading ends with the last of them
	args      []any
}

func (s *fileStatement) arg(value any, sqlType string) string {
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d::%s", len(s.args), sqlType)
}

// direction is that of the list, or the opposite for a page backward.
func (s *fileStatement) direction() string {
	if s.backward {
		return "asc"
	}
	return "desc"
}

// order sorts rows with the columns saved_at and id.
func (s *fileStatement) order(of string) string { return s.orderBy(of, "id") }

func (s *fileStatement) orderBy(of, id string) string {
	if s.unordered {
		return ""
	}
	return fmt.Sprintf(" order by %[1]s.saved_at %[2]s, %[1]s.%[3]s %[2]s", of, s.direction(), id)
}

// listedColumns are all columns but those of the search.
const listedColumns = "f.company_id, f.id, f.saved_at, f.event_id, f.user_id, f.department_id, f.receiver_ids, f.room, f.folder, f.name, f.deceptive, f.size, f.sha256, f.platform, f.ip, f.received_at"

// rows reads listedColumns, as keys. Those of files that are merged are read only when
// it is known which of them are needed.
func (s *fileStatement) rows(limit int) string {
	if !s.isMerged() {
		return s.walk(listedColumns, limit)
	}
	return fmt.Sprintf("select %s from (%s) k%s%s", listedColumns, s.keys(limit), s.file(""), s.order("k"))
}

// file joins the file of a key k. The limit has each one looked up by its key.
func (s *fileStatement) file(conditions string) string {
	return fmt.Sprintf(" cross join lateral (select * from saved_files f where f.company_id = %s and f.saved_at = k.saved_at and f.id = k.id%s limit 1) f",
		s.arg(s.companyID, "bigint"), conditions)
}

// isMerged reports whether files are read by the index of each person or department.
func (s *fileStatement) isMerged() bool {
	return !s.deceptive && (s.receivers != nil || s.senders != nil || s.departments != nil && len(s.departments) <= directory.FewDepartments)
}

// keys reads the columns saved_at, id and further columns of saved_files, at most
// limit rows, the first in the order of the list.
func (s *fileStatement) keys(limit int, further ...string) string {
	switch {
	case !s.isMerged():
		return s.walk(columns("f", "id", further), limit)
	case s.receivers != nil && s.senders != nil:
		return s.exchanged(limit, further)
	case s.receivers != nil:
		return s.received(limit, further)
	case s.senders != nil:
		return s.merged("user_id", s.senders, limit, further)
	}
	return s.merged("department_id", s.departments, limit, further)
}

// walk reads some columns of the files of a period, platform or of deceptive names.
func (s *fileStatement) walk(some string, limit int) string {
	where := s.times("f", "id") + s.conditions()
	if s.platform != "" {
		where += " and f.platform = " + s.arg(s.platform, "text")
	}
	return fmt.Sprintf("select %s from saved_files f where %s%s limit %d", some, where, s.order("f"), limit)
}

// merged reads the files of each id and platform by its index and merges them.
func (s *fileStatement) merged(column string, ids []int64, limit int, further []string) string {
	each := fmt.Sprintf("select %s from saved_files f where %s%s and f.%s = facet.id and f.platform = client.platform%s limit %d",
		columns("f", "id", further), s.times("f", "id"), s.conditions(column), column, s.order("f"), limit)
	return fmt.Sprintf("select k.* from %s cross join lateral (%s) k%s limit %d", s.facets(ids), each, s.order("k"), limit)
}

// received reads the files of each receiver and merges them, each file once.
func (s *fileStatement) received(limit int, further []string) string {
	conditions, from := s.conditions("receivers"), "saved_file_receivers r"
	of := "r"
	if conditions != "" || slices.ContainsFunc(further, func(column string) bool { return column != "size" }) {
		from += " join saved_files f on f.company_id = r.company_id and f.saved_at = r.saved_at and f.id = r.file_id"
		of = "f"
	}
	selected := "r.saved_at, r.file_id as id"
	for _, column := range further {
		selected += ", " + of + "." + column
	}
	each := fmt.Sprintf("select %s from %s where %s%s and r.user_id = facet.id and r.platform = client.platform%s limit %d",
		selected, from, s.times("r", "file_id"), conditions, s.orderBy("r", "file_id"), limit)
	unique := ""
	if len(s.receivers) > 1 {
		unique = "distinct "
	}
	return fmt.Sprintf("select %sk.* from %s cross join lateral (%s) k%s limit %d", unique, s.facets(s.receivers), each, s.order("k"), limit)
}

// exchanged reads the files that are in the indexes of senders and of receivers. Both are
// read to their end, which takes less than looking at each file of one of them.
func (s *fileStatement) exchanged(limit int, further []string) string {
	one := func(table, of, id string, people []int64) string {
		return fmt.Sprintf("select %[2]s.saved_at, %[2]s.%[3]s as id from %[1]s %[2]s where %[4]s and %[2]s.user_id = any (%[5]s) and %[2]s.platform = any (%[6]s)",
			table, of, id, s.times(of, id), s.arg(people, "bigint[]"), s.arg(s.platforms(), "text[]"))
	}
	first, second := one("saved_files", "f", "id", s.senders), one("saved_file_receivers", "r", "file_id", s.receivers)
	if len(s.receivers) < len(s.senders) { // the first is remembered
		first, second = second, first
	}
	of, file := "k", ""
	if conditions := s.conditions("user_id", "receivers"); conditions != "" || len(further) > 0 {
		of, file = "f", s.file(conditions)
	}
	return fmt.Sprintf("select %s from (%s intersect %s) k%s%s limit %d", columns(of, "id", further), first, second, file, s.order("k"), limit)
}

func columns(of, id string, further []string) string {
	all := of + ".saved_at, " + of + "." + id
	for _, column := range further {
		all += ", " + of + "." + column
	}
	return all
}

// facets are the ids and platforms that an index begins with.
func (s *fileStatement) facets(ids []int64) string {
	return fmt.Sprintf("unnest(%s) as facet (id) cross join unnest(%s) as client (platform)", s.arg(ids, "bigint[]"), s.arg(s.platforms(), "text[]"))
}

// platforms are those that are selected.
func (s *fileStatement) platforms() []string {
	if s.platform != "" {
		return []string{s.platform}
	}
	return Platforms
}

// times is the condition for the period and for the rows beyond the edge. The
// bounds on the time alone exclude partitions.
func (s *fileStatement) times(of, id string) string {
	where := fmt.Sprintf("%[1]s.company_id = %[2]s and %[1]s.saved_at >= %[3]s and %[1]s.saved_at < %[4]s",
		of, s.arg(s.companyID, "bigint"), s.arg(s.from, "timestamptz"), s.arg(s.before, "timestamptz"))
	if s.edge != nil {
		side := "<"
		if s.backward {
			side = ">"
		}
		at := s.arg(s.edge.SavedAt, "timestamptz")
		where += fmt.Sprintf(" and %[1]s.saved_at %[2]s= %[3]s and (%[1]s.saved_at, %[1]s.%[4]s) %[2]s (%[3]s, %[5]s)", of, side, at, id, s.arg(s.edge.ID, "bigint"))
	}
	return where
}

// conditions are those of the filters, except for the period, the platform and those
// that an index covers.
func (s *fileStatement) conditions(covered ...string) string {
	where := ""
	if s.senders != nil && !slices.Contains(covered, "user_id") {
		where += " and f.user_id = any (" + s.arg(s.senders, "bigint[]") + ")"
	}
	if s.receivers != nil && !slices.Contains(covered, "receivers") {
		where += " and f.receiver_ids && " + s.arg(s.receivers, "bigint[]")
	}
	if s.departments != nil && !slices.Contains(covered, "department_id") {
		where += " and f.department_id = any (" + s.arg(s.departments, "bigint[]") + ")"
	}
	if s.deceptive {
		where += " and f.deceptive"
	}
	return where + s.found("f")
}

// found is the condition for names that the search finds.
func (s *fileStatement) found(of string) string {
	var where strings.Builder
	for _, pattern := range s.patterns {
		where.WriteString(" and " + of + ".search_text like " + s.arg(pattern, "text"))
	}
	return where.String()
}
