package scim

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"officeconsole/queries/provisioning"
)

func (s *server) groups(w http.ResponseWriter, r *http.Request) error {
	page, err := readPage(r)
	if err != nil {
		return err
	}
	found, total, err := s.db.Provisioning.ListDepartments(r.Context(), actor(r).CompanyID, page, wantsMembers(r))
	if err != nil {
		return err
	}
	resources := make([]any, len(found))
	for i, d := range found {
		resources[i] = project(s.newGroup(r, d), r.URL.Query())
	}
	return answerList(w, page, total, resources)
}

// wantsMembers reports whether an answer has the members, which may be many.
func wantsMembers(r *http.Request) bool {
	query := r.URL.Query()
	named := func(list string) bool {
		return slices.ContainsFunc(strings.Split(list, ","), func(name string) bool {
			name, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), ".")
			return strings.TrimPrefix(name, groupSchema+":") == "members"
		})
	}
	if query.Get("attributes") != "" {
		return named(query.Get("attributes"))
	}
	return !named(query.Get("excludedAttributes"))
}

func (s *server) group(w http.ResponseWriter, r *http.Request) error {
	id, err := resourceID(r)
	if err != nil {
		return err
	}
	d, err := s.db.Provisioning.Department(r.Context(), actor(r).CompanyID, id, wantsMembers(r))
	if err != nil {
		return err
	}
	return answerResource(w, r, http.StatusOK, s.newGroup(r, d))
}

func (s *server) createGroup(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	var draft provisioning.DepartmentDraft
	if err := applyGroup(&draft, assignments("replace", body)); err != nil {
		return err
	}
	created, err := s.db.Provisioning.CreateDepartment(r.Context(), actor(r), draft)
	if err != nil {
		return err
	}
	return answerResource(w, r, http.StatusCreated, s.newGroup(r, created))
}

func (s *server) replaceGroup(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	return s.updateGroup(w, r, assignments("replace", body))
}

func (s *server) patchGroup(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	operations, err := readPatch(body)
	if err != nil {
		return err
	}
	return s.updateGroup(w, r, operations)
}

func (s *server) updateGroup(w http.ResponseWriter, r *http.Request, operations []operation) error {
	id, err := resourceID(r)
	if err != nil {
		return err
	}
	updated, err := s.db.Provisioning.UpdateDepartment(r.Context(), actor(r), id, expected(r), func(d *provisioning.DepartmentDraft) error {
		return applyGroup(d, operations)
	})
	if err != nil {
		return err
	}
	return answerResource(w, r, http.StatusOK, s.newGroup(r, updated))
}

func (s *server) deleteGroup(w http.ResponseWriter, r *http.Request) error {
	id, err := resourceID(r)
	if err != nil {
		return err
	}
	if err := s.db.Provisioning.DeleteDepartment(r.Context(), actor(r), id, expected(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// applyGroup applies what another directory sends to a department.
func applyGroup(d *provisioning.DepartmentDraft, all []operation) (err error) {
	for _, o := range all {
		if o.removes() && o.attribute != "members" {
			o.value = nil
		}
		switch o.attribute {
		case "displayname":
			d.Name, err = textOf("displayName", o.value)
		case "externalid":
			d.ExternalID, err = textOf("externalId", o.value)
		case "members":
			err = applyMembers(d, o)
		case departmentSchema + ":parent":
			err = applyParent(d, o)
		case "id", "meta":
			if o.path != "" {
				err = provisioning.Refusal{Kind: provisioning.Mutability, Attribute: o.path, Why: "scim.read_only"}
			}
		default:
			if o.path != "" && o.attribute != "schemas" {
				err = refusePath(o.path)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func applyParent(d *provisioning.DepartmentDraft, o operation) (err error) {
	value := o.value
	if parent, ok := value.(object); ok {
		value = parent["value"]
	}
	if d.ParentID = 0; value != nil {
		d.ParentID, err = idOf("parent", value)
	}
	return err
}

func applyMembers(d *provisioning.DepartmentDraft, o operation) error {
	if o.sub != "" {
		return refusePath(o.path)
	}
	change := provisioning.MemberChange{}
	switch {
	case o.filter != nil && !o.removes():
		return refusePath(o.path)
	case o.filter != nil:
		ids, err := memberIDs(o.filter)
		if err != nil {
			return err
		}
		d.Members = append(d.Members, provisioning.MemberChange{Op: provisioning.RemoveMembers, IDs: ids})
		return nil
	case o.removes() && o.value != nil:
		change.Op = provisioning.RemoveMembers
	case o.removes() || o.op == "replace":
		change.Op = provisioning.ReplaceMembers
	}
	members, err := listOf("members", o.value)
	if err != nil {
		return err
	}
	for _, m := range members {
		if !isUser(m) {
			return provisioning.Refusal{Kind: provisioning.InvalidValue, Attribute: "members", Why: "scim.member.group"}
		}
		id, err := idOf("members", m["value"])
		if err != nil {
			return err
		}
		change.IDs = append(change.IDs, id)
	}
	d.Members = append(d.Members, change)
	return nil
}

// isUser reports whether a member is a user, or does not say what it is. The ids of groups
// are numbers as well, so that a group must not be taken for a user.
func isUser(member object) bool {
	kind, _ := member["type"].(string)
	ref, _ := member["$ref"].(string)
	return (kind == "" || strings.EqualFold(kind, "User")) && !strings.Contains(strings.ToLower(ref), "/groups/")
}

// newGroup is a department as SCIM writes it.
func (s *server) newGroup(r *http.Request, d provisioning.Department) object {
	id := strconv.FormatInt(d.ID, 10)
	group := object{
		"schemas": []any{provisioning.GroupSchema, provisioning.DepartmentSchema}, "id": id, "displayName": d.Name,
		"meta": object{"resourceType": "Group", "location": s.location(r, "/Groups/"+id), "version": `W/"` + d.Version() + `"`},
	}
	setText(group, "externalId", d.ExternalID)
	extension := object{}
	if d.ParentID != 0 {
		parent := strconv.FormatInt(d.ParentID, 10)
		extension["parent"] = object{"value": parent, "$ref": s.location(r, "/Groups/"+parent)}
	}
	group[provisioning.DepartmentSchema] = extension
	if d.Members != nil {
		members := make([]any, len(d.Members))
		for i, m := range d.Members {
			user := strconv.FormatInt(m.ID, 10)
			members[i] = object{"value": user, "display": m.Name, "$ref": s.location(r, "/Users/"+user), "type": "User"}
		}
		group["members"] = members
	}
	return group
}
