package scim

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"officeconsole/queries/provisioning"
)

// userEdit applies what another directory sends to a profile.
type userEdit struct {
	*provisioning.Profile
	display, formatted string // as sent
	hasParts           bool   // whether a part of the name was sent
	hadParts           bool   // whether the name already had a part
}

// ignored are attributes of SCIM that the console does not store. It accepts them,
// because identity providers send them unasked. The email is the userName.
var ignored = map[string]bool{
	"nickname": true, "profileurl": true, "usertype": true, "preferredlanguage": true, "locale": true, "timezone": true, "password": true, "emails": true,
	"ims": true, "photos": true, "addresses": true, "entitlements": true, "roles": true, "x509certificates": true, "schemas": true,
	"name.middlename": true, "name.honorificprefix": true, "name.honorificsuffix": true,
	enterpriseSchema + ":costcenter": true, enterpriseSchema + ":organization": true, enterpriseSchema + ":division": true, enterpriseSchema + ":manager": true,
}

// readOnly are attributes that only the console sets. In an object they are ignored,
// because clients send back what they have read.
var readOnly = map[string]bool{"id": true, "meta": true, "groups": true}

// apply applies operations in their order, those of one object in any.
func (e *userEdit) apply(all []operation) error {
	e.hadParts = e.FamilyName != "" || e.GivenName != ""
	for _, o := range all {
		if err := e.applyOne(o); err != nil {
			return err
		}
	}
	e.nameUser()
	return nil
}

func (e *userEdit) applyOne(o operation) error {
	name := o.attribute
	if o.sub != "" && name != "phonenumbers" {
		name += "." + o.sub
	}
	if o.removes() {
		o.value = nil
	}
	if text := e.text(name); text != nil {
		if o.filter != nil { // it has one value
			return refusePath(o.path)
		}
		value, err := textOf(cmp.Or(o.path, name), o.value)
		if err != nil {
			return err
		}
		*text = value
		e.hasParts = e.hasParts || name == "name.givenname" || name == "name.familyname"
		return nil
	}
	switch {
	case name == "active" && o.path == "" && o.value == nil: // says nothing
		return nil
	case name == "active":
		active, err := truthOf("active", o.value)
		if err == nil {
			e.Active = active
		}
		return err
	case name == "name":
		return e.applyName(o)
	case name == "phonenumbers":
		return e.applyPhones(o)
	case ignored[name] || ignored[o.attribute] || o.path == "" && readOnly[o.attribute]:
		return nil
	case readOnly[o.attribute]:
		return provisioning.Refusal{Kind: provisioning.Mutability, Attribute: o.path, Why: "scim.read_only"}
	case o.path == "":
		return nil
	}
	return refusePath(o.path)
}

// text is the attribute with a name, nil if it is no text.
func (e *userEdit) text(name string) *string {
	switch name {
	case "username":
		return &e.UserName
	case "externalid":
		return &e.ExternalID
	case "displayname":
		return &e.display
	case "name.formatted":
		return &e.formatted
	case "name.givenname":
		return &e.GivenName
	case "name.familyname":
		return &e.FamilyName
	case "title":
		return &e.Title
	case enterpriseSchema + ":employeenumber":
		return &e.EmployeeID
	case enterpriseSchema + ":department":
		return &e.Department
	}
	return nil
}

func (e *userEdit) applyName(o operation) error {
	if o.value == nil { // a person has a name
		return nil
	}
	parts, ok := o.value.(object)
	if !ok {
		return refuseValue("name")
	}
	for sub, value := range parts {
		if err := e.applyOne(operation{op: o.op, attribute: "name", sub: sub, value: value}); err != nil {
			return err
		}
	}
	return nil
}

// phone is the number of a type, nil for a type that the console does not store.
func (e *userEdit) phone(kind string) *string {
	switch strings.ToLower(kind) {
	case "work", "":
		return &e.CompanyPhone
	case "mobile":
		return &e.PersonalPhone
	}
	return nil
}

func (e *userEdit) applyPhones(o operation) error {
	if o.filter != nil {
		return e.applyPhonesWhere(o)
	}
	if o.sub != "" {
		return refusePath(o.path)
	}
	numbers, err := listOf("phoneNumbers", o.value)
	if err != nil {
		return err
	}
	if o.op != "add" {
		e.CompanyPhone, e.PersonalPhone = "", ""
	}
	// A number without a type is the one of work, unless another one says that it is.
	rank := func(number object) int {
		if number["type"] == nil {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(numbers, func(a, b object) int { return cmp.Compare(rank(a), rank(b)) })
	for _, n := range numbers {
		kind, err := textOf("phoneNumbers.type", n["type"])
		if err != nil {
			return err
		}
		value, err := textOf("phoneNumbers.value", n["value"])
		if err != nil {
			return err
		}
		if phone := e.phone(kind); phone != nil {
			*phone = value
		}
	}
	return nil
}

// applyPhonesWhere sets or removes the numbers that a filter chooses. One that does
// not exist is created.
func (e *userEdit) applyPhonesWhere(o operation) error {
	value := o.value
	if n, ok := value.(object); ok && o.sub == "" {
		value = n["value"]
	}
	number, err := textOf("phoneNumbers", value)
	if err != nil {
		return err
	}
	if o.sub != "" && o.sub != "value" {
		return nil // the type of a number, or whether it is the primary one
	}
	for _, kind := range []string{"work", "mobile"} {
		phone := e.phone(kind)
		if matches(o.filter, map[string]string{"type": kind, "value": *phone}) {
			*phone = number
		}
	}
	return nil
}

// nameUser sets the name that is shown: the one that was sent whole, or its parts in
// the order of their script. One part does not replace a name whose parts nobody knows.
func (e *userEdit) nameUser() {
	composed := compose(e.FamilyName, e.GivenName)
	switch {
	case e.display != "":
		e.Name = e.display
	case e.formatted != "":
		e.Name = e.formatted
	case e.hasParts && composed != "" && (e.hadParts || e.Name == "" || e.FamilyName != "" && e.GivenName != ""):
		e.Name = composed
	}
}

// compose is a name of its parts. In Korean, Chinese and Japanese the family name
// goes first, without a space.
func compose(family, given string) string {
	if strings.ContainsFunc(family+given, func(r rune) bool {
		return unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}) {
		return family + given
	}
	return strings.TrimSpace(given + " " + family)
}
