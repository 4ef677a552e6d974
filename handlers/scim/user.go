package scim

import (
	"net/http"
	"strconv"
	"time"

	"officeconsole/queries/provisioning"
)

func (s *server) users(w http.ResponseWriter, r *http.Request) error {
	page, err := readPage(r)
	if err != nil {
		return err
	}
	found, total, err := s.db.Provisioning.ListUsers(r.Context(), actor(r).CompanyID, page)
	if err != nil {
		return err
	}
	resources := make([]any, len(found))
	for i, u := range found {
		resources[i] = project(s.newUser(r, u), r.URL.Query())
	}
	return answerList(w, page, total, resources)
}

func (s *server) user(w http.ResponseWriter, r *http.Request) error {
	id, err := resourceID(r)
	if err != nil {
		return err
	}
	u, err := s.db.Provisioning.User(r.Context(), actor(r).CompanyID, id)
	if err != nil {
		return err
	}
	return answerResource(w, r, http.StatusOK, s.newUser(r, u))
}

func (s *server) createUser(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	profile := provisioning.Profile{Active: true}
	edit := userEdit{Profile: &profile}
	if err := edit.apply(assignments("replace", body)); err != nil {
		return err
	}
	if profile.Name == "" {
		profile.Name = profile.UserName
	}
	created, err := s.db.Provisioning.CreateUser(r.Context(), actor(r), profile)
	if err != nil {
		return err
	}
	return answerResource(w, r, http.StatusCreated, s.newUser(r, created))
}

// replaceUser changes what a body has. What it lacks remains: RFC 7644 §3.5.1 leaves
// it open, and an identity provider often knows only a part.
func (s *server) replaceUser(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	return s.updateUser(w, r, assignments("replace", body))
}

func (s *server) patchUser(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	operations, err := readPatch(body)
	if err != nil {
		return err
	}
	return s.updateUser(w, r, operations)
}

func (s *server) updateUser(w http.ResponseWriter, r *http.Request, operations []operation) error {
	id, err := resourceID(r)
	if err != nil {
		return err
	}
	updated, err := s.db.Provisioning.UpdateUser(r.Context(), actor(r), id, expected(r), func(p *provisioning.Profile) error {
		edit := userEdit{Profile: p}
		return edit.apply(operations)
	})
	if err != nil {
		return err
	}
	return answerResource(w, r, http.StatusOK, s.newUser(r, updated))
}

func (s *server) deleteUser(w http.ResponseWriter, r *http.Request) error {
	id, err := resourceID(r)
	if err != nil {
		return err
	}
	if err := s.db.Provisioning.DeleteUser(r.Context(), actor(r), id, expected(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// newUser is a user as SCIM writes it. Attributes without a value are left out.
func (s *server) newUser(r *http.Request, u provisioning.User) object {
	id := strconv.FormatInt(u.ID, 10)
	name := object{"formatted": u.Name}
	setText(name, "familyName", u.FamilyName)
	setText(name, "givenName", u.GivenName)
	user := object{
		"schemas": []any{provisioning.UserSchema, provisioning.EnterpriseSchema}, "id": id, "userName": u.UserName, "name": name, "displayName": u.Name, "active": u.Active,
		"emails": []any{object{"value": u.UserName, "type": "work", "primary": true}},
		"meta": object{
			"resourceType": "User", "created": u.CreatedAt.UTC().Format(time.RFC3339Nano), "lastModified": u.UpdatedAt.UTC().Format(time.RFC3339Nano),
			"location": s.location(r, "/Users/"+id), "version": `W/"` + u.Version() + `"`,
		},
	}
	setText(user, "externalId", u.ExternalID)
	setText(user, "title", u.Title)
	var phones, groups []any
	if u.CompanyPhone != "" {
		phones = append(phones, object{"value": u.CompanyPhone, "type": "work"})
	}
	if u.PersonalPhone != "" {
		phones = append(phones, object{"value": u.PersonalPhone, "type": "mobile"})
	}
	if phones != nil {
		user["phoneNumbers"] = phones
	}
	for _, g := range u.Groups {
		group := strconv.FormatInt(g.ID, 10)
		groups = append(groups, object{"value": group, "display": g.Name, "$ref": s.location(r, "/Groups/"+group), "type": "direct"})
	}
	user["groups"] = groups
	enterprise := object{}
	setText(enterprise, "employeeNumber", u.EmployeeID)
	setText(enterprise, "department", u.Department)
	user[provisioning.EnterpriseSchema] = enterprise
	return user
}

func setText(o object, name, text string) {
	if text != "" {
		o[name] = text
	}
}
