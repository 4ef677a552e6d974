package usage

import (
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// accessSelection is a filter with the ids that it stands for.
type accessSelection struct {
	companyID int64
	users     []int64 // nil for all; nobody did anything if it is empty
	account   string  // whose rows without a user are selected besides those of users; "" for none
	address   netip.Addr
	facets    []accessFacet // nil for all
	pattern   AccessPattern

	from, before time.Time
	edge         *AccessKey // the rows before it in time or, backward, after it
	backward     bool
}

// accessFacet is a kind with one of its results.
type accessFacet struct {
	kind   AccessKind
	result AccessResult
}

// facetsOf returns the facets of a kind and a result, of which "" stands for all.
func facetsOf(kind AccessKind, result AccessResult) []accessFacet {
	facets := []accessFacet{}
	for _, k := range AccessKinds {
		for _, r := range k.results() {
			if (kind == "" || k == kind) && (result == "" || r == result) {
				facets = append(facets, accessFacet{k, r})
			}
		}
	}
	return facets
}

// latestSpan is the time that limitToLatest leaves.
const latestSpan = 31 * 24 * time.Hour

// limitToLatest limits a selection of everything to the time before its edge, or now.
// It returns false for other selections.
func (s *accessSelection) limitToLatest(now time.Time) bool {
	if s.backward || s.users != nil || s.facets != nil || s.address.IsValid() || s.pattern != "" {
		return false
	}
	end := now
	if s.edge != nil {
		end = s.edge.At
		s.before = earliest(s.before, end.Add(time.Microsecond)) // the edge may share its time with other rows
	}
	s.from = latest(s.from, earliest(s.before, end).Add(-latestSpan))
	return s.from.Before(s.before)
}

// isEmpty reports whether nothing can be selected.
func (s accessSelection) isEmpty() bool {
	return s.users != nil && len(s.users) == 0 && s.account == "" || s.facets != nil && len(s.facets) == 0 || !s.from.Before(s.before)
}

// accessStatement writes a statement that reads rows of a selection in order. There
// is one way to read for each index: the conditions that it does not cover are
// checked row by row, of which there are few. OrderedPlan reads them by the index.
type accessStatement struct {
	accessSelection
	unmerged bool // whether rows of any users and facets will do, so that reading ends with the last of them
	args     []any
}

func (s *accessStatement) arg(value any, sqlType string) string {
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d::%s", len(s.args), sqlType)
}

// order sorts rows with the columns at and id.
func (s *accessStatement) order(of string) string {
	direction := "desc"
	if s.backward {
		direction = "asc"
	}
	return fmt.Sprintf(" order by %[1]s.at %[2]s, %[1]s.id %[2]s", of, direction)
}

// keys reads the columns at and id of at most limit rows, the first in the order of
// the list.
func (s *accessStatement) keys(limit int) string { return s.columns("f.at, f.id", limit) }

// rows reads all columns, as keys. Those of rows that are merged are read only when
// it is known which of them are needed.
func (s *accessStatement) rows(limit int) string {
	parts := max(1, len(s.users)) * max(1, len(s.facets))
	if parts == 1 && !s.address.IsValid() && s.account == "" {
		return s.columns("f.*", limit)
	}
	return fmt.Sprintf("select f.* from (%s) k join access_events f on f.company_id = %s and f.at = k.at and f.id = k.id%s",
		s.keys(limit), s.arg(s.companyID, "bigint"), s.order("k"))
}

// columns reads some columns, as keys. Those of users and of an account are merged.
func (s *accessStatement) columns(some string, limit int) string {
	switch {
	case s.account == "":
		return s.columnsOfUsers(some, limit)
	case len(s.users) == 0:
		return s.columnsOfAccount(some, limit)
	}
	order := s.order("k")
	if s.unmerged {
		order = ""
	}
	return fmt.Sprintf("select k.* from ((%s) union all (%s)) k%s limit %d", s.columnsOfUsers(some, limit), s.columnsOfAccount(some, limit), order, limit)
}

// columnsOfAccount reads some columns of the rows of an unknown account, of which there
// are few, so that the other conditions are checked.
func (s *accessStatement) columnsOfAccount(some string, limit int) string {
	where := s.times() + fmt.Sprintf(" and f.user_id is null and f.account <> '' and lower(f.account) = lower(%s)", s.arg(s.account, "text"))
	if s.facets != nil {
		where += s.facetCondition()
	}
	return fmt.Sprintf("select %s from access_events f where %s%s%s limit %d", some, where, patternCondition(s.pattern), s.order("f"), limit)
}

// columnsOfUsers reads some columns, as keys. Rows of several users or facets are read for
// each by its index, and merged. Those of a pattern that have also a user or an address
// are few, and their facets are checked.
func (s *accessStatement) columnsOfUsers(some string, limit int) string {
	where := s.times()
	var lists []string
	if s.users != nil {
		lists, where = append(lists, s.userList()), where+" and f.user_id = person.id"
	}
	facets := s.facets
	if s.address.IsValid() {
		where += " and f.ip = " + s.arg(s.address, "inet")
		if facets == nil && s.users == nil && s.pattern == "" {
			facets = facetsOf("", "")
		}
	}
	switch {
	case facets == nil:
	case s.pattern != "" && (s.users != nil || s.address.IsValid()):
		where += s.facetCondition()
	default:
		lists, where = append(lists, s.facetList(facets)), where+" and f.kind = facet.kind and f.result = facet.result"
	}
	each := fmt.Sprintf("select %s from access_events f where %s%s%s limit %d", some, where, patternCondition(s.pattern), s.order("f"), limit)
	if lists == nil {
		return each
	}
	order := s.order("k")
	if s.unmerged {
		order = ""
	}
	return fmt.Sprintf("select k.* from %s cross join lateral (%s) k%s limit %d", strings.Join(lists, " cross join "), each, order, limit)
}

func (s *accessStatement) userList() string {
	return fmt.Sprintf("unnest(%s) as person (id)", s.arg(s.users, "bigint[]"))
}

func (s *accessStatement) facetList(facets []accessFacet) string {
	kinds, results := splitFacets(facets)
	return fmt.Sprintf("unnest(%s, %s) as facet (kind, result)", s.arg(kinds, "text[]"), s.arg(results, "text[]"))
}

// facetCondition is the condition for the facets where their index is not used.
func (s *accessStatement) facetCondition() string {
	kinds, results := splitFacets(s.facets)
	return fmt.Sprintf(" and (f.kind, f.result) in (select * from unnest(%s, %s))", s.arg(kinds, "text[]"), s.arg(results, "text[]"))
}

func splitFacets(facets []accessFacet) (kinds, results []string) {
	for _, f := range facets {
		kinds, results = append(kinds, string(f.kind)), append(results, string(f.result))
	}
	return kinds, results
}

// patternCondition is the condition for a pattern, as its index has it.
func patternCondition(pattern AccessPattern) string {
	switch pattern {
	case PatternFailures:
		return " and (f.failures > 0 or f.address_failures > 0)"
	case PatternNewAddress:
		return " and f.new_address"
	case PatternNewDevice:
		return " and f.new_device"
	}
	return ""
}

// times is the condition for the period and for the rows beyond the edge. The
// bounds on the time alone exclude partitions.
func (s *accessStatement) times() string {
	where := fmt.Sprintf("f.company_id = %s and f.at >= %s and f.at < %s", s.arg(s.companyID, "bigint"), s.arg(s.from, "timestamptz"), s.arg(s.before, "timestamptz"))
	if s.edge != nil {
		side := "<"
		if s.backward {
			side = ">"
		}
		at := s.arg(s.edge.At, "timestamptz")
		where += fmt.Sprintf(" and f.at %[1]s= %[2]s and (f.at, f.id) %[1]s (%[2]s, %[3]s)", side, at, s.arg(s.edge.ID, "bigint"))
	}
	return where
}
