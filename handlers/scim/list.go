package scim

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"officeconsole/queries/provisioning"
)

// defaultCount is how many resources a page has unless the client says it.
const defaultCount = 100

// readPage reads what a request for a list chooses. The order is that of the ids;
// sortBy is ignored, as ServiceProviderConfig says.
func readPage(r *http.Request) (page provisioning.Page, err error) {
	query := r.URL.Query()
	if page.Filter, err = provisioning.ParseFilter(query.Get("filter")); err != nil {
		return page, err
	}
	if page.Start, err = number(query, "startIndex", 1); err != nil {
		return page, err
	}
	page.Count, err = number(query, "count", defaultCount)
	page.Start, page.Count = max(page.Start, 1), min(max(page.Count, 0), provisioning.MaxCount)
	return page, err
}

func number(query url.Values, name string, otherwise int) (int, error) {
	text := query.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, refuseValue(name)
	}
	return int(n), nil
}

func answerList(w http.ResponseWriter, page provisioning.Page, total int64, resources []any) error {
	return answer(w, http.StatusOK, object{
		"schemas": []string{"urn:ietf:params:scim:api:messages:2.0:ListResponse"}, "totalResults": total, "startIndex": page.Start, "itemsPerPage": len(resources),
		"Resources": resources,
	})
}

// project leaves of a resource the attributes that a request asks for: attributes, or
// all but excludedAttributes. The id and the schemas are always there.
func project(resource object, query url.Values) object {
	if names := query.Get("attributes"); names != "" {
		chosen := object{"schemas": resource["schemas"], "id": resource["id"]}
		for _, name := range strings.Split(names, ",") {
			choose(chosen, resource, steps(resource, name))
		}
		return chosen
	}
	for _, name := range strings.Split(query.Get("excludedAttributes"), ",") {
		exclude(resource, steps(resource, name))
	}
	return resource
}

// steps are the names that lead to an attribute of a resource.
func steps(resource object, name string) []string {
	name = strings.ToLower(strings.TrimSpace(name))
	for uri := range resource {
		lower := strings.ToLower(uri)
		if strings.HasPrefix(lower, "urn:") && (name == lower || strings.HasPrefix(name, lower+":")) {
			below := strings.TrimPrefix(strings.TrimPrefix(name, lower), ":")
			if below == "" {
				return []string{lower}
			}
			return append([]string{lower}, strings.Split(below, ".")...)
		}
	}
	for _, uri := range []string{userSchema, groupSchema} {
		name = strings.TrimPrefix(name, uri+":")
	}
	return strings.Split(name, ".")
}

// find returns the name of an attribute as it is written.
func find(o object, lower string) (string, bool) {
	for name := range o {
		if strings.ToLower(name) == lower {
			return name, true
		}
	}
	return "", false
}

// choose copies an attribute.
func choose(to, from object, steps []string) {
	name, ok := find(from, steps[0])
	if !ok {
		return
	}
	if len(steps) == 1 {
		to[name] = from[name]
		return
	}
	switch value := from[name].(type) {
	case object:
		below, ok := to[name].(object)
		if !ok {
			below = object{}
			to[name] = below
		}
		choose(below, value, steps[1:])
	case []any:
		all, ok := to[name].([]any)
		if !ok {
			all = make([]any, len(value))
			for i := range all {
				all[i] = object{}
			}
			to[name] = all
		}
		for i := range value {
			chosen, _ := all[i].(object)
			if one, ok := value[i].(object); ok && chosen != nil { // neither is of the schemas, which are texts
				choose(chosen, one, steps[1:])
			}
		}
	}
}

// exclude removes an attribute.
func exclude(from object, steps []string) {
	name, ok := find(from, steps[0])
	if !ok || steps[0] == "id" || steps[0] == "schemas" {
		return
	}
	if len(steps) == 1 {
		delete(from, name)
		return
	}
	switch value := from[name].(type) {
	case object:
		exclude(value, steps[1:])
	case []any:
		for _, one := range value {
			if o, ok := one.(object); ok {
				exclude(o, steps[1:])
			}
		}
	}
}
