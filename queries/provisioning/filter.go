package provisioning

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/scim2/filter-parser/v2"
)

// The limits of a filter: its length in bytes, the depth of its brackets and the
// number of its comparisons. An identity provider looks for one value of one
// attribute. A request has many paths, and reading one takes time that grows with the
// square of its length.
const (
	maxFilter      = 8 << 10
	maxPath        = 1 << 10
	maxDepth       = 20
	maxComparisons = 100
)

var (
	errFilter     = Refusal{InvalidFilter, "", "scim.filter.invalid"}
	errFilterLong = Refusal{InvalidFilter, "", "scim.filter.long"}
)

// elementPath is a comparison of a part of one element, as Microsoft Entra ID sends it:
// emails[type eq "work"].value eq "a@b.example". RFC 7644 has such a path for PATCH alone;
// in a filter it is emails[type eq "work" and value eq "a@b.example"].
var elementPath = regexp.MustCompile(`(?i)\[(\w+ eq "[^"\\]*")\]\.(\w+ (?:pr|[a-z]{2} "(?:[^"\\]|\\.)*"))`)

// Filter is a filter of a list (RFC 7644 §3.4.2.2). The zero Filter chooses
// everything.
type Filter struct{ expression filter.Expression }

// ParseFilter reads a filter; "" is the zero Filter. It refuses with a Refusal.
func ParseFilter(text string) (Filter, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Filter{}, nil
	}
	if len(text) > maxFilter || depth(text) > maxDepth {
		return Filter{}, errFilterLong
	}
	expression, err := filter.ParseFilter([]byte(text))
	if err != nil {
		expression, err = filter.ParseFilter([]byte(elementPath.ReplaceAllString(text, "[$1 and $2]")))
	}
	if err != nil || !unescape(expression) {
		return Filter{}, errFilter
	}
	if comparisons(expression) > maxComparisons {
		return Filter{}, errFilterLong
	}
	return Filter{expression}, nil
}

// ParsePath reads the path of a PATCH, within the limits of a filter but shorter. It refuses with
// a Refusal.
func ParsePath(text string) (filter.Path, error) {
	refused := Refusal{InvalidPath, "", "scim.path.invalid"}
	if len(text) > maxPath || depth(text) > maxDepth {
		return filter.Path{}, refused
	}
	path, err := filter.ParsePath([]byte(text))
	if err != nil || path.ValueExpression != nil && (comparisons(path.ValueExpression) > maxComparisons || !unescape(path.ValueExpression)) {
		return filter.Path{}, refused
	}
	return path, nil
}

// unescape turns the texts of an expression, which the parser leaves as they are in
// JSON, into what they mean. It reports whether all of them are texts of JSON.
func unescape(e filter.Expression) bool {
	switch e := e.(type) {
	case *filter.LogicalExpression:
		return unescape(e.Left) && unescape(e.Right)
	case *filter.NotExpression:
		return unescape(e.Expression)
	case *filter.ValuePath:
		return unescape(e.ValueFilter)
	case *filter.AttributeExpression:
		if text, ok := e.CompareValue.(string); ok {
			var value string
			if json.Unmarshal([]byte(`"`+text+`"`), &value) != nil {
				return false
			}
			e.CompareValue = value
		}
	}
	return true
}

// depth is how deep the brackets outside of the texts of a filter are.
func depth(text string) (deepest int) {
	open, quoted, escaped := 0, false, false
	for _, c := range []byte(text) {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '(' || c == '[':
			open++
			deepest = max(deepest, open)
		case c == ')' || c == ']':
			open--
		}
	}
	return deepest
}

func comparisons(e filter.Expression) int {
	switch e := e.(type) {
	case *filter.LogicalExpression:
		return comparisons(e.Left) + comparisons(e.Right)
	case *filter.NotExpression:
		return comparisons(e.Expression)
	case *filter.ValuePath:
		return comparisons(e.ValueFilter)
	}
	return 1
}

// attributeName is the name of an attribute as the tables of attributes have it: in
// lower case, without the URI of its schema; "" for an unknown schema.
func attributeName(p filter.AttributePath) string {
	if uri := p.URI(); uri != "" && !slices.ContainsFunc(allSchemas, func(known string) bool { return strings.EqualFold(known, uri) }) {
		return ""
	}
	name := p.AttributeName
	if sub := p.SubAttributeName(); sub != "" {
		name += "." + sub
	}
	return strings.ToLower(name)
}
