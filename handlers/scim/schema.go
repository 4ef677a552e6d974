package scim

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/provisioning"
)

const schemaOfSchemas = "urn:ietf:params:scim:schemas:core:2.0:Schema"

// configuration says what of SCIM the console supports (RFC 7643 §5).
func (s *server) configuration(w http.ResponseWriter, r *http.Request) error {
	not := object{"supported": false}
	return answer(w, http.StatusOK, object{
		"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"},
		"patch":   object{"supported": true}, "filter": object{"supported": true, "maxResults": provisioning.MaxCount}, "etag": object{"supported": true},
		"bulk": object{"supported": false, "maxOperations": 0, "maxPayloadSize": 0}, "changePassword": not, "sort": not,
		"authenticationSchemes": []any{object{
			"type": "oauthbearertoken", "name": "Service token", "description": "A service token of the scope scim in the header Authorization.", "primary": true,
		}},
		"meta": object{"resourceType": "ServiceProviderConfig", "location": s.location(r, "/ServiceProviderConfig")},
	})
}

func (s *server) types(r *http.Request) []any {
	kind := func(name, path, schema, extension string) object {
		return object{
			"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:ResourceType"}, "id": name, "name": name, "endpoint": path, "schema": schema,
			"schemaExtensions": []any{object{"schema": extension, "required": false}},
			"meta":             object{"resourceType": "ResourceType", "location": s.location(r, "/ResourceTypes/"+name)},
		}
	}
	return []any{
		kind("User", "/Users", provisioning.UserSchema, provisioning.EnterpriseSchema),
		kind("Group", "/Groups", provisioning.GroupSchema, provisioning.DepartmentSchema),
	}
}

func (s *server) resourceTypes(w http.ResponseWriter, r *http.Request) error {
	all := s.types(r)
	return answerList(w, provisioning.Page{Start: 1}, int64(len(all)), all)
}

func (s *server) resourceType(w http.ResponseWriter, r *http.Request) error {
	return answerOne(w, s.types(r), chi.URLParam(r, "name"))
}

func (s *server) schemas(w http.ResponseWriter, r *http.Request) error {
	all := s.everySchema(r)
	return answerList(w, provisioning.Page{Start: 1}, int64(len(all)), all)
}

func (s *server) schema(w http.ResponseWriter, r *http.Request) error {
	return answerOne(w, s.everySchema(r), chi.URLParam(r, "uri"))
}

func answerOne(w http.ResponseWriter, all []any, id string) error {
	for _, one := range all {
		if strings.EqualFold(one.(object)["id"].(string), id) {
			return answer(w, http.StatusOK, one)
		}
	}
	return queries.NotFound
}

// attribute is an attribute of a schema (RFC 7643 §7).
type attribute struct {
	Name        string      `json:"name"`
	Type        string      `json:"type"`
	MultiValued bool        `json:"multiValued"`
	Description string      `json:"description"`
	Required    bool        `json:"required"`
	CaseExact   bool        `json:"caseExact"`
	Mutability  string      `json:"mutability"`
	Returned    string      `json:"returned"`
	Uniqueness  string      `json:"uniqueness"`
	Types       []string    `json:"canonicalValues,omitempty"`
	Below       []attribute `json:"subAttributes,omitempty"`
}

func text(name, description string) attribute {
	return attribute{Name: name, Type: "string", Description: description, Mutability: "readWrite", Returned: "default", Uniqueness: "none"}
}

func (a attribute) of(kind string, below ...attribute) attribute {
	a.Type, a.Below = kind, below
	return a
}

func (a attribute) unique() attribute {
	a.Uniqueness = "server"
	return a
}

func (a attribute) required() attribute {
	a.Required = true
	return a
}

func (a attribute) exact() attribute {
	a.CaseExact = true
	return a
}

func (a attribute) several() attribute {
	a.MultiValued = true
	return a
}

func (a attribute) readOnly() attribute {
	a.Mutability = "readOnly"
	return a
}

func (s *server) everySchema(r *http.Request) []any {
	schema := func(uri, name, description string, attributes ...attribute) object {
		return object{
			"schemas": []string{schemaOfSchemas}, "id": uri, "name": name, "description": description, "attributes": attributes,
			"meta": object{"resourceType": "Schema", "location": s.location(r, "/Schemas/"+uri)},
		}
	}
	return []any{
		schema(provisioning.UserSchema, "User", "A person of the company",
			text("userName", "The email address, with which the person signs in.").required().unique(),
			text("name", "The name and its parts.").of("complex",
				text("formatted", "The whole name."), text("familyName", "The family name."), text("givenName", "The given name.")),
			text("displayName", "The name that the console shows. Without it, the parts of the name make it."),
			text("title", "The rank. One that does not exist is created."),
			text("active", "false for somebody who was deactivated.").of("boolean"),
			text("emails", "The userName.").of("complex", text("value", "The address."), text("type", "work."), text("primary", "true.").of("boolean")).several().readOnly(),
			text("phoneNumbers", "One of the company and one of the person.").of("complex", text("value", "The number."), text("type", "work or mobile.").canonical("work", "mobile")).several(),
			text("groups", "The departments.").of("complex", text("value", "The id.").readOnly(), text("display", "The name.").readOnly(), text("$ref", "The URL.").of("reference").readOnly()).several().readOnly()),
		schema(provisioning.EnterpriseSchema, "EnterpriseUser", "What the company says of a person",
			text("employeeNumber", "The employee number.").unique().exact(),
			text("department", "The default department: its path below the root, or its name if no other department has it.")),
		schema(provisioning.GroupSchema, "Group", "A department",
			text("displayName", "The name, unique among the departments of a parent.").required(),
			text("members", "The people of the department.").of("complex", text("value", "The id of a person."), text("display", "The name.").readOnly(), text("$ref", "The URL.").of("reference").readOnly(), text("type", "User.").readOnly()).several()),
		schema(provisioning.DepartmentSchema, "Department", "Where a department is",
			text("parent", "The department above; without it, the root department.").of("complex", text("value", "The id of a group."), text("$ref", "The URL.").of("reference").readOnly())),
	}
}

func (a attribute) canonical(values ...string) attribute {
	a.Types = values
	return a
}
