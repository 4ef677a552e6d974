package scim

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/scim2/filter-parser/v2"

	"officeconsole/queries/provisioning"
)

func refuseValue(attribute string) error {
	return provisioning.Refusal{Kind: provisioning.InvalidValue, Attribute: attribute, Why: "scim.value.type"}
}

func refusePath(path string) error {
	return provisioning.Refusal{Kind: provisioning.InvalidPath, Attribute: path, Why: "scim.path.unknown"}
}

// textOf reads a text; "" for null. Entra ID wraps some in a list of one value.
func textOf(attribute string, value any) (string, error) {
	if all, ok := value.([]any); ok && len(all) == 1 {
		if one, ok := all[0].(object); ok {
			value = one["value"]
		}
	}
	switch value := value.(type) {
	case nil:
		return "", nil
	case string:
		return value, nil
	}
	return "", refuseValue(attribute)
}

// truthOf reads a boolean, which Entra ID writes as "True" or "False".
func truthOf(attribute string, value any) (bool, error) {
	switch value := value.(type) {
	case bool:
		return value, nil
	case string:
		switch strings.ToLower(value) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	}
	return false, refuseValue(attribute)
}

// listOf reads the objects of an attribute with several values; one object counts as
// a list.
func listOf(attribute string, value any) (all []object, err error) {
	switch value := value.(type) {
	case nil:
		return nil, nil
	case object:
		return []object{value}, nil
	case []any:
		for _, one := range value {
			o, ok := one.(object)
			if !ok {
				return nil, refuseValue(attribute)
			}
			all = append(all, o)
		}
		return all, nil
	}
	return nil, refuseValue(attribute)
}

// idOf reads the id of another resource, as a text or number.
func idOf(attribute string, value any) (int64, error) {
	switch value := value.(type) {
	case string, json.Number:
		if id, err := strconv.ParseInt(fmt.Sprint(value), 10, 64); err == nil && id > 0 {
			return id, nil
		}
	}
	return 0, refuseValue(attribute)
}

// matches reports whether one value of an attribute fulfils the filter of a path.
func matches(e filter.Expression, value map[string]string) bool {
	switch e := e.(type) {
	case *filter.LogicalExpression:
		if e.Operator == filter.AND {
			return matches(e.Left, value) && matches(e.Right, value)
		}
		return matches(e.Left, value) || matches(e.Right, value)
	case *filter.NotExpression:
		return !matches(e.Expression, value)
	case *filter.AttributeExpression:
		own := strings.ToLower(value[strings.ToLower(e.AttributePath.AttributeName)])
		other := strings.ToLower(fmt.Sprint(e.CompareValue))
		switch filter.CompareOperator(strings.ToLower(string(e.Operator))) {
		case filter.PR:
			return own != ""
		case filter.EQ:
			return own == other
		case filter.NE:
			return own != other
		case filter.CO:
			return strings.Contains(own, other)
		case filter.SW:
			return strings.HasPrefix(own, other)
		case filter.EW:
			return strings.HasSuffix(own, other)
		}
	}
	return false
}
