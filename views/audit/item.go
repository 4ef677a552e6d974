package audit

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/views"
)

// targetsSuffix ends the fields with who may install the client of a system.
const targetsSuffix = "_targets"

// item is a value of a list. Items with the same key are the same value. Each of its
// texts tells it from more items than the one before.
type item struct {
	key   string
	texts []string
}

// changedValues are the values that a list lost and gained.
func (d Detail) changedValues(ctx context.Context, of audit.Difference) (removed, added []string) {
	before, after := d.items(ctx, of.Field, of.Old), d.items(ctx, of.Field, of.New)
	all := slices.Concat(before, after)
	missing := func(list, other []item) (texts []string) {
		for _, i := range list {
			if !slices.ContainsFunc(other, func(o item) bool { return o.key == i.key }) {
				texts = append(texts, i.distinctText(all))
			}
		}
		return texts
	}
	return missing(before, after), missing(after, before)
}

// distinctText is the shortest text that none of the other items has.
func (i item) distinctText(all []item) string {
	for level, text := range i.texts {
		isTaken := func(o item) bool { return o.key != i.key && o.texts[min(level, len(o.texts)-1)] == text }
		if !slices.ContainsFunc(all, isTaken) {
			return text
		}
	}
	return i.texts[len(i.texts)-1]
}

// items are the values of a list.
func (d Detail) items(ctx context.Context, field string, value json.RawMessage) []item {
	if hasReceivers(field) {
		return d.receivers(ctx, audit.ReadReceivers(value))
	}
	if field == "maps" {
		return licenses(value)
	}
	var words []string
	if json.Unmarshal(value, &words) == nil {
		items := make([]item, len(words))
		for i, word := range words {
			items[i] = item{word, []string{wordText(ctx, field, word)}}
		}
		return items
	}
	var items []item
	for _, n := range audit.ReadNamed(value) {
		items = append(items, d.named(ctx, field, n))
	}
	return items
}

// licenses are the services of maps without their whole keys. Two that differ in nothing but
// the beginning of the key have the same texts, of which the shortest is enough.
func licenses(value json.RawMessage) []item {
	var records []json.RawMessage
	if json.Unmarshal(value, &records) != nil {
		return nil
	}
	var items []item
	for _, record := range records {
		var l directory.MapLicense
		if json.Unmarshal(record, &l) != nil {
			return nil
		}
		attributed := l.String() + " · " + l.Attribution
		items = append(items, item{string(record), []string{l.String(), attributed, attributed + " · " + l.TileURL, l.String()}})
	}
	return items
}

// hasReceivers reports whether the values of a field are departments and users.
func hasReceivers(field string) bool {
	return field == "targets" || field == "hook_receivers" || strings.HasSuffix(field, targetsSuffix)
}

// named is an object by the name with which it was recorded.
func (d Detail) named(ctx context.Context, field string, n audit.Named) item {
	name, known := audit.Name{Text: n.Name}, audit.Name{}
	switch {
	case field == "attachment_ids" && n.Name == "":
		name.Text = locales.T(ctx, "notice.attachments.deleted")
	case field == "people":
		known = d.Names.Users[n.ID]
	case n.IncludeChildren != nil:
		known = d.Names.Departments[n.ID]
	}
	name.Path, name.Department, name.EmployeeID = known.Path, known.Department, known.EmployeeID
	i := item{itemKey("", n.ID) + n.Name, nameTexts(ctx, name)}
	if n.IncludeChildren != nil && !*n.IncludeChildren {
		i = i.withoutChildren(ctx)
	}
	return i
}

// receivers are departments and users by the names that they have now.
func (d Detail) receivers(ctx context.Context, r audit.Receivers) []item {
	var items []item
	if r.Everyone {
		items = append(items, item{"everyone", []string{locales.T(ctx, "notice.everyone")}})
	}
	for _, department := range r.Departments {
		name, found := d.Names.Departments[department.ID]
		if !found {
			name.Text = locales.T(ctx, "change.department.unknown")
		}
		i := item{itemKey("department", department.ID), nameTexts(ctx, name)}
		if !department.IncludeChildren {
			i = i.withoutChildren(ctx)
		}
		items = append(items, i)
	}
	for _, id := range r.Users {
		name, found := d.Names.Users[id]
		if !found {
			name.Text = locales.T(ctx, "field.person.unknown")
		}
		items = append(items, item{itemKey("user", id), nameTexts(ctx, name)})
	}
	return items
}

func itemKey(kind string, id int64) string { return kind + strconv.FormatInt(id, 10) + " " }

// withoutChildren is a department without those below it, which is another value than
// the department with them.
func (i item) withoutChildren(ctx context.Context) item {
	texts := make([]string, len(i.texts))
	for n, text := range i.texts {
		texts[n] = locales.T(ctx, "target.without_children", "Target", text)
	}
	return item{i.key + "alone", texts}
}

// nameTexts are the texts of a name from the shortest to the one that tells it from
// others of the same name: a department by its path, a user by the department and the
// employee id.
func nameTexts(ctx context.Context, n audit.Name) []string {
	texts := []string{n.Text}
	if n.Path != "" {
		texts = append(texts, views.SpacedPath(n.Path))
	}
	within := func(details ...string) {
		if details = slices.DeleteFunc(details, func(detail string) bool { return detail == "" }); len(details) > 0 {
			texts = append(texts, locales.T(ctx, "change.namesake", "Name", n.Text, "Detail", strings.Join(details, ", ")))
		}
	}
	within(n.Department)
	within(n.Department, n.EmployeeID)
	return texts
}

// shownMoves is the number of moved objects that are named.
const shownMoves = 5

// movesText says which objects of an order moved, and from which place to which:
// "Wiki 3 → 1, Mail 1 → 2".
func (d Detail) movesText(ctx context.Context, of audit.Difference) string {
	before, after := d.ordered(ctx, of.Old), d.ordered(ctx, of.New)
	moved := movedItems(keysOf(before), keysOf(after), d.ObjectName)
	texts := make([]string, 0, shownMoves)
	for _, key := range moved[:min(shownMoves, len(moved))] {
		from, to := slices.Index(keysOf(before), key), slices.Index(keysOf(after), key)
		texts = append(texts, after[to].distinctText(after)+" "+strconv.Itoa(from+1)+" → "+strconv.Itoa(to+1))
	}
	text := views.Enumeration(ctx, texts)
	if more := len(moved) - len(texts); more > 0 {
		text = locales.T(ctx, "change.fields", "Field", text, "Count", strconv.Itoa(more))
	}
	return text
}

// ordered are the objects of an order: links by their ids, or services, which have
// names of the program for ids.
func (d Detail) ordered(ctx context.Context, value json.RawMessage) []item {
	var services []string
	if json.Unmarshal(value, &services) == nil {
		items := make([]item, len(services))
		for i, id := range services {
			items[i] = item{id, []string{locales.T(ctx, "service."+id)}}
		}
		return items
	}
	var ids []int64
	if json.Unmarshal(value, &ids) != nil {
		return nil
	}
	items := make([]item, len(ids))
	for i, id := range ids {
		items[i] = item{itemKey("link", id), []string{nameOr(d.Names.Links, id)}}
	}
	return items
}

func keysOf(items []item) []string {
	keys := make([]string, len(items))
	for i, item := range items {
		keys[i] = item.key
	}
	return keys
}

// movedItems are the fewest keys that moved to make one order of another, in the later
// order. If it is enough that one of them moved, it is preferred.
func movedItems(before, after []string, preferred string) []string {
	without := func(list []string, unwanted ...string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(key string) bool { return slices.Contains(unwanted, key) })
	}
	if slices.Contains(after, preferred) && slices.Equal(without(before, preferred), without(after, preferred)) {
		return []string{preferred}
	}
	common := without(after, without(after, before...)...) // what is in both orders
	return without(common, longestRun(common, before)...)
}

// longestRun returns the most keys of a list that follow each other in another one in
// the same order.
func longestRun(list, other []string) []string {
	var best []string
	runs := make([][]string, len(list)) // the longest one that ends with each key
	for i, key := range list {
		for j := range i {
			if slices.Index(other, list[j]) < slices.Index(other, key) && len(runs[j]) > len(runs[i]) {
				runs[i] = runs[j]
			}
		}
		runs[i] = append(slices.Clone(runs[i]), key)
		if len(runs[i]) > len(best) {
			best = runs[i]
		}
	}
	return best
}
