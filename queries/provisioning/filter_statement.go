package provisioning

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/scim2/filter-parser/v2"
)

// columnKind is how values of a column are compared.
type columnKind int

const (
	ignoringCase columnKind = iota
	exact
	identifier
	truth
	moment
)

// column is an attribute in SQL. also is a condition that every match fulfils, which
// lets PostgreSQL use a partial index.
type column struct {
	kind columnKind
	sql  string
	also string
}

// element is one kind of value of an attribute with several values: wrap is the
// condition around that of its sub-attributes.
type element struct {
	wrap string
	sub  map[string]column
}

// attributes are what a filter can name, in lower case.
type attributes struct {
	columns  map[string]column
	elements map[string][]element
}

var userAttributes = attributes{
	columns: map[string]column{
		"id":                {identifier, "u.id", ""},
		"username":          {ignoringCase, "u.email", "u.email <> ''"},
		"externalid":        {exact, "p.external_id", "p.external_id <> ''"},
		"displayname":       {ignoringCase, "u.name", ""},
		"name.formatted":    {ignoringCase, "u.name", ""},
		"name.givenname":    {ignoringCase, "case when p.name = u.name then p.given_name end", ""},
		"name.familyname":   {ignoringCase, "case when p.name = u.name then p.family_name end", ""},
		"title":             {ignoringCase, "r.name", ""},
		"active":            {truth, "(u.deactivated_at is null)", ""},
		"employeenumber":    {exact, "u.employee_id", "u.employee_id <> ''"},
		"department":        {ignoringCase, "substr(d.path, case when d.parent_id is null then 1 else strpos(d.path, '/') + 1 end)", ""},
		"meta.created":      {moment, "u.created_at", ""},
		"meta.lastmodified": {moment, "u.updated_at", ""},
		"meta.resourcetype": {ignoringCase, "'User'", ""},
	},
	elements: map[string][]element{
		"schemas": schemas(UserSchema, EnterpriseSchema),
		"emails":  {{"(%s)", map[string]column{"value": {ignoringCase, "u.email", "u.email <> ''"}, "type": {ignoringCase, "'work'", ""}, "primary": {truth, "true", ""}}}},
		"phonenumbers": {
			{"u.company_phone <> '' and (%s)", map[string]column{"value": {ignoringCase, "u.company_phone", ""}, "type": {ignoringCase, "'work'", ""}}},
			{"u.personal_phone <> '' and (%s)", map[string]column{"value": {ignoringCase, "u.personal_phone", ""}, "type": {ignoringCase, "'mobile'", ""}}},
		},
		"groups": {
			{"(%s)", map[string]column{"value": {identifier, "u.department_id", ""}, "display": {ignoringCase, "d.name", ""}}},
			{"exists (select from user_departments x join departments y on y.company_id = x.company_id and y.id = x.department_id where x.company_id = u.company_id and x.user_id = u.id and (%s))",
				map[string]column{"value": {identifier, "x.department_id", ""}, "display": {ignoringCase, "y.name", ""}}},
		},
	},
}

var departmentAttributes = attributes{
	columns: map[string]column{
		"id":                {identifier, "d.id", ""},
		"externalid":        {exact, "p.external_id", "p.external_id <> ''"},
		"displayname":       {ignoringCase, "d.name", ""},
		"parent":            {identifier, "d.parent_id", ""},
		"parent.value":      {identifier, "d.parent_id", ""},
		"meta.resourcetype": {ignoringCase, "'Group'", ""},
	},
	elements: map[string][]element{
		"schemas": schemas(GroupSchema, DepartmentSchema),
		"members": {
			{"exists (select from users m where m.company_id = d.company_id and m.department_id = d.id and not m.bot and (%s))",
				map[string]column{"value": {identifier, "m.id", ""}, "display": {ignoringCase, "m.name", ""}}},
			{"exists (select from user_departments x join users m on m.company_id = x.company_id and m.id = x.user_id where x.company_id = d.company_id and x.department_id = d.id and (%s))",
				map[string]column{"value": {identifier, "m.id", ""}, "display": {ignoringCase, "m.name", ""}}},
		},
	},
}

func schemas(uris ...string) (all []element) {
	for _, uri := range uris {
		all = append(all, element{"(%s)", map[string]column{"value": {ignoringCase, "'" + uri + "'", ""}}})
	}
	return all
}

// statement builds the condition of a filter.
type statement struct {
	attributes
	args []any
}

// condition is the SQL of an expression. Nothing in it is unknown to SQL under a
// negation, where it would be neither true nor false.
func (s *statement) condition(e filter.Expression, negated bool) (string, error) {
	switch e := e.(type) {
	case *filter.LogicalExpression:
		left, err := s.condition(e.Left, negated)
		if err != nil {
			return "", err
		}
		right, err := s.condition(e.Right, negated)
		if err != nil {
			return "", err
		}
		return "(" + left + " " + string(e.Operator) + " " + right + ")", nil
	case *filter.NotExpression:
		inner, err := s.condition(e.Expression, true)
		return "not (" + inner + ")", err
	case *filter.ValuePath:
		elements, ok := s.elements[attributeName(e.AttributePath)]
		if !ok {
			return "", Refusal{InvalidFilter, e.AttributePath.String(), "scim.filter.attribute"}
		}
		return s.anyOf(elements, e.ValueFilter, negated)
	case *filter.AttributeExpression:
		return s.comparison(e, negated)
	}
	return "", errFilter
}

// anyOf is true if one value of an attribute fulfils an expression.
func (s *statement) anyOf(elements []element, e filter.Expression, negated bool) (string, error) {
	var all []string
	for _, one := range elements {
		inner := statement{attributes{columns: one.sub}, s.args}
		condition, err := inner.condition(e, negated)
		if err != nil {
			return "", err
		}
		s.args = inner.args
		all = append(all, fmt.Sprintf(one.wrap, condition))
	}
	return "(" + strings.Join(all, " or ") + ")", nil
}

func (s *statement) comparison(e *filter.AttributeExpression, negated bool) (string, error) {
	name := attributeName(e.AttributePath)
	if c, ok := s.columns[name]; ok {
		condition, err := s.compare(c, e)
		if negated {
			condition = "coalesce(" + condition + ", false)"
		}
		return condition, err
	}
	attribute, sub, dotted := strings.Cut(name, ".")
	elements, ok := s.elements[attribute]
	if !ok {
		return "", Refusal{InvalidFilter, e.AttributePath.String(), "scim.filter.attribute"}
	}
	if !dotted {
		sub = "value"
	}
	return s.anyOf(elements, &filter.AttributeExpression{AttributePath: filter.AttributePath{AttributeName: sub}, Operator: e.Operator, CompareValue: e.CompareValue}, negated)
}

// operators are the comparisons of SCIM in SQL.
var operators = map[filter.CompareOperator]string{filter.EQ: "=", filter.NE: "<>", filter.GT: ">", filter.GE: ">=", filter.LT: "<", filter.LE: "<="}

func (s *statement) compare(c column, e *filter.AttributeExpression) (string, error) {
	operator := filter.CompareOperator(strings.ToLower(string(e.Operator)))
	present := c.sql + " is not null"
	if c.kind == ignoringCase || c.kind == exact {
		present = "coalesce(" + c.sql + ", '') <> ''"
	}
	if operator == filter.PR {
		return present, nil
	}
	if e.CompareValue == nil { // null
		switch operator {
		case filter.EQ:
			return "not (" + present + ")", nil
		case filter.NE:
			return present, nil
		}
		return "", errFilter
	}
	refused := Refusal{InvalidFilter, e.AttributePath.String(), "scim.filter.value"}
	value, ok := filterValue(c.kind, e.CompareValue)
	isText := c.kind == ignoringCase || c.kind == exact
	symbol := operators[operator]
	if !ok || !isText && symbol == "" || !isText && c.kind != moment && operator != filter.EQ && operator != filter.NE {
		return "", refused
	}
	if value == nil { // an id that nothing can have
		return strconv.FormatBool(operator == filter.NE), nil
	}
	s.args = append(s.args, value)
	arg := "$" + strconv.Itoa(len(s.args))
	if isText {
		return compareText(c, operator, arg+"::text"), nil
	}
	if operator == filter.NE {
		return c.sql + " is distinct from " + arg, nil
	}
	return c.sql + " " + symbol + " " + arg, nil
}

func compareText(c column, operator filter.CompareOperator, arg string) string {
	text := c.sql
	if c.kind == ignoringCase {
		text, arg = "lower("+text+")", "lower("+arg+")"
	}
	switch operator {
	case filter.EQ:
		if c.also != "" {
			return "(" + text + " = " + arg + " and " + c.also + ")"
		}
		return text + " = " + arg
	case filter.NE:
		return "coalesce(" + text + ", '') <> " + arg
	case filter.CO:
		return "position(" + arg + " in " + text + ") > 0"
	case filter.SW:
		return "starts_with(" + text + ", " + arg + ")"
	case filter.EW:
		return "right(" + text + ", length(" + arg + ")) = " + arg
	}
	return text + " " + operators[operator] + " " + arg
}

// filterValue is a value of a filter as an argument; nil for an id that nothing has.
// Some clients write every value as a text.
func filterValue(kind columnKind, value any) (any, bool) {
	text, isText := value.(string)
	switch kind {
	case truth:
		if is, ok := value.(bool); ok {
			return is, true
		}
		is, err := strconv.ParseBool(strings.ToLower(text))
		return is, isText && err == nil
	case identifier:
		if id, err := strconv.ParseInt(fmt.Sprint(value), 10, 64); err == nil {
			return id, true
		}
		return nil, isText
	case moment:
		at, err := time.Parse(time.RFC3339Nano, text)
		return at, isText && err == nil
	}
	return text, isText && !strings.ContainsRune(text, 0)
}
