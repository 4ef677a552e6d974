package scim

import (
	"strings"

	"github.com/scim2/filter-parser/v2"

	"officeconsole/queries/provisioning"
)

// maxOperations is how many operations a PATCH has at most.
const maxOperations = 1000

// operation is one operation of a PATCH. attribute is in lower case; below a schema
// of an extension the URI goes before it.
type operation struct {
	op        string // add, replace or remove
	path      string // as sent, "" for none
	attribute string
	sub       string
	filter    filter.Expression
	value     any
}

// removes reports whether the operation takes values away.
func (o operation) removes() bool { return o.op == "remove" }

// readPatch reads the operations of a PATCH. One without a path becomes one for each
// attribute of its value.
func readPatch(body object) ([]operation, error) {
	list, ok := body["operations"].([]any)
	if !ok || len(list) == 0 {
		return nil, errSyntax
	}
	if len(list) > maxOperations {
		return nil, provisioning.Refusal{Kind: provisioning.TooMany, Attribute: "Operations", Why: "scim.patch.many"}
	}
	var all []operation
	for _, one := range list {
		sent, ok := one.(object)
		if !ok {
			return nil, errSyntax
		}
		some, err := readOperation(sent)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func readOperation(sent object) ([]operation, error) {
	op, _ := sent["op"].(string)
	o := operation{op: strings.ToLower(op), value: sent["value"]}
	if o.op != "add" && o.op != "replace" && o.op != "remove" {
		return nil, errSyntax
	}
	switch path := sent["path"].(type) {
	case nil:
	case string:
		o.path = strings.TrimSpace(path)
	default:
		return nil, errSyntax
	}
	if o.path == "" {
		if o.removes() {
			return nil, provisioning.Refusal{Kind: provisioning.NoTarget, Why: "scim.path.required"}
		}
		value, ok := o.value.(object)
		if !ok {
			return nil, provisioning.Refusal{Kind: provisioning.InvalidValue, Why: "scim.patch.object"}
		}
		return assignments(o.op, value), nil
	}
	if uri := strings.ToLower(o.path); isSchema(uri) {
		value, ok := o.value.(object)
		if !ok && !o.removes() {
			return nil, refuseValue(o.path)
		}
		return assignments(o.op, object{uri: value}), nil
	}
	if err := o.readPath(); err != nil {
		return nil, err
	}
	return []operation{o}, nil
}

func (o *operation) readPath() error {
	path, err := provisioning.ParsePath(o.path)
	if err != nil {
		return err
	}
	o.attribute, o.sub, o.filter = strings.ToLower(path.AttributePath.AttributeName), strings.ToLower(path.AttributePath.SubAttributeName()), path.ValueExpression
	if path.SubAttribute != nil {
		o.sub = strings.ToLower(*path.SubAttribute)
	}
	if uri := strings.ToLower(path.AttributePath.URI()); uri != "" && !isCore(uri) {
		o.attribute = uri + ":" + o.attribute
	}
	return nil
}

// assignments are the operations for the attributes of an object. They have no path:
// what this console does not know among them is ignored.
func assignments(op string, value object) (all []operation) {
	for name, one := range value {
		if uri := strings.ToLower(name); isNull(one) && extensionAttributes[uri] != nil {
			for _, sub := range extensionAttributes[uri] {
				all = append(all, operation{op: op, attribute: extensionPrefix(uri) + sub})
			}
			continue
		}
		if extension, ok := one.(object); ok && isSchema(name) {
			for sub, value := range extension {
				all = append(all, operation{op: op, attribute: extensionPrefix(name) + sub, value: value})
			}
			continue
		}
		o := operation{op: op, path: name, value: one}
		if o.readPath() == nil { // a name such as name.familyName is a path
			o.path = ""
			all = append(all, o)
		}
	}
	return all
}

// The schemas in lower case.
var (
	userSchema       = strings.ToLower(provisioning.UserSchema)
	groupSchema      = strings.ToLower(provisioning.GroupSchema)
	enterpriseSchema = strings.ToLower(provisioning.EnterpriseSchema)
	departmentSchema = strings.ToLower(provisioning.DepartmentSchema)
)

// extensionAttributes are what an extension as a whole has removed, by its schema.
var extensionAttributes = map[string][]string{
	enterpriseSchema: {"employeenumber", "department"},
	departmentSchema: {"parent"},
}

func isNull(value any) bool {
	o, isObject := value.(object)
	return value == nil || isObject && o == nil
}

func isCore(uri string) bool { return uri == userSchema || uri == groupSchema }

func isSchema(uri string) bool {
	return isCore(uri) || uri == enterpriseSchema || uri == departmentSchema
}

// extensionPrefix goes before the attributes of a schema in an operation.
func extensionPrefix(uri string) string {
	if isCore(uri) {
		return ""
	}
	return uri + ":"
}

// member returns the ids that the filter of a path names: value eq "1", or several
// with or.
func memberIDs(e filter.Expression) ([]int64, error) {
	refused := provisioning.Refusal{Kind: provisioning.InvalidFilter, Attribute: "members", Why: "scim.member.filter"}
	switch e := e.(type) {
	case *filter.LogicalExpression:
		if e.Operator != filter.OR {
			return nil, refused
		}
		left, err := memberIDs(e.Left)
		if err != nil {
			return nil, err
		}
		right, err := memberIDs(e.Right)
		return append(left, right...), err
	case *filter.AttributeExpression:
		if !strings.EqualFold(e.AttributePath.AttributeName, "value") || !strings.EqualFold(string(e.Operator), string(filter.EQ)) {
			return nil, refused
		}
		id, err := idOf("members", e.CompareValue)
		return []int64{id}, err
	}
	return nil, refused
}
