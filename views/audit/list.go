// Package audit renders the pages of the change log.
package audit

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/views"
	policyviews "officeconsole/views/policy"
	settingviews "officeconsole/views/setting"
	"officeconsole/workday"
)

// Path is the address of the change log, without language prefix.
const Path = views.ChangesPath

// List is the page of the change log.
type List struct {
	Frame    views.Frame
	Filter   audit.ChangeFilter
	Refused  string // the message id of a refused filter
	Page     lists.Page[audit.Change]
	Actors   []audit.Actor
	Verified *audit.Verification // the last one; nil if there was none
	Open     *Detail             // the change that is shown with its differences; nil for none
}

// Detail is a change with what it changed and what has happened since.
type Detail struct {
	audit.Change
	Policy      policy.Differences // of a policy
	People      settingviews.People
	Export      *Export            // of an export; nil for any other object
	Differences []audit.Difference // of any other object
	Names       audit.Names
	Effect      *policy.Preview         // whom reverting a change of a policy affects; nil for any other change
	Past        *attendance.PastPreview // what reverting it does to records of the past; nil if nothing
	Elsewhere   string                  // the address of the page of the attendance on which it is undone; "" for none
	Later       []audit.Change          // later changes of the same object, the latest first
	LaterFields []audit.LaterField      // the fields that these have changed too, of a change whose fields are set back
	Refused     string                  // message in the reader's language why it could not be reverted; "" for none
	Overlap     *audit.Overlap          // the fields because of which it could not; nil for none
	MayConfirm  bool                    // whether it can be reverted all the same

	Reversal  []audit.Difference // what reverting it does to a whole object that nothing has replaced since; nil for anything else
	Prevented string             // the id of the message why it can no longer be reverted; "" where that is not known
}

// Export is the list that was exported: the id of the message that names it, and its
// filter as in its URL.
type Export struct {
	List   string
	Filter url.Values
}

// shownLater is how many later changes are named.
const shownLater = 3

// MostLater is how many later changes a Detail needs.
const MostLater = shownLater + 1

func (l List) isFiltered() bool { return len(l.Filter.Values()) > 0 }

func (l List) isOpen(c audit.Change) bool { return l.Open != nil && l.Open.ID == c.ID }

// position is the cursor of the page as text.
func (l List) position() string { return l.Filter.Cursor.String() }

// rowURL is the address of the list with a row open, or closed if it is open.
func (l List) rowURL(c audit.Change) string {
	query := l.Filter.Values()
	lists.SetText(query, "cursor", l.position())
	if !l.isOpen(c) {
		lists.SetID(query, "open", c.ID)
	}
	return views.WithQuery(Path, query) + "#" + rowID(c)
}

func rowID(c audit.Change) string { return "change-" + strconv.FormatInt(c.ID, 10) }

// filteredBy is the address of the list with one more filter.
func (l List) filteredBy(name string, id int64) string {
	return views.ListURL(Path, l.Filter.Values(), name, views.IDText(id))
}

// ObjectURL is the address of the changes of one object.
func ObjectURL(objectType string, id int64) string {
	return views.WithQuery(Path, audit.ChangeFilter{ObjectType: objectType, ObjectID: id}.Values())
}

// RevertURL is the address of the form that reverts a change.
func RevertURL(id int64) string { return Path + "/" + strconv.FormatInt(id, 10) + "/reversal" }

func (l List) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, l.Page, "change.range", func(cursor string) string {
		return views.ListURL(Path, l.Filter.Values(), "cursor", cursor)
	}).Exported()
}

func (l List) objects(ctx context.Context) []views.Option {
	options := []views.Option{{Text: locales.T(ctx, "change.object.any")}}
	for _, object := range audit.Objects {
		options = append(options, views.Option{Value: object.Type, Text: objectText(ctx, object.Type)})
	}
	return options
}

func (l List) actions(ctx context.Context) []views.Option {
	options := []views.Option{{Text: locales.T(ctx, "change.action.any")}}
	for _, action := range audit.ActionsOf(l.Filter.ObjectType) {
		options = append(options, views.Option{Value: action, Text: actionText(ctx, action)})
	}
	return options
}

func (l List) actors(ctx context.Context) []views.Option {
	options := []views.Option{{Text: locales.T(ctx, "change.actor.any")}}
	for _, a := range l.Actors {
		options = append(options, views.Option{Value: views.IDText(a.ID), Text: a.Name})
	}
	return options
}

func dateValue(date workday.Date) string {
	if date == 0 {
		return ""
	}
	return date.String()
}

// momentText is the time of a row: of another year only the date, with its year.
func momentText(ctx context.Context, at, now time.Time) string {
	if at.Year() != now.In(at.Location()).Year() {
		return at.Format(time.DateOnly)
	}
	return locales.ShortestDateTime(ctx, at)
}

func objectText(ctx context.Context, objectType string) string {
	if audit.ActionsOf(objectType) == nil {
		return objectType
	}
	return locales.T(ctx, "change.object."+objectType)
}

func actionText(ctx context.Context, action string) string {
	return locales.T(ctx, "change.action."+action)
}

// objectName is the name of the object of a change; "" if it has none.
func objectName(ctx context.Context, c audit.Change) string {
	if c.ObjectType == "service" && c.ObjectName != "" {
		return locales.T(ctx, "service."+c.ObjectName)
	}
	return c.ObjectName
}

// actorName is who made a change: a person, or the console itself.
func actorName(ctx context.Context, c audit.Change) string {
	if c.ActorName == "" {
		return locales.T(ctx, "change.actor.console")
	}
	return c.ActorName
}

// summary says in a few words what a change did: the value that it changed, the
// members of a department, or the first field and how many others.
func (l List) summary(ctx context.Context, c audit.Change) string {
	if c.IsRestorable(l.Frame.Now) {
		return locales.T(ctx, "change.restorable")
	}
	if c.Old == nil || c.New == nil {
		return ""
	}
	if text := onlyValue(ctx, c, l.Frame.Zone()); text != "" {
		return text
	}
	if text := membersText(ctx, c); text != "" {
		return text
	}
	labels := changedLabels(ctx, c)
	switch len(labels) {
	case 0:
		return ""
	case 1:
		return labels[0]
	}
	return locales.T(ctx, "change.fields", "Field", labels[0], "Count", strconv.Itoa(len(labels)-1))
}

// onlyValue says how the only value that a change changed did so: "퇴근 18:02 →
// 19:20". It is "" for more values, for lists and for policies.
func onlyValue(ctx context.Context, c audit.Change, zone *time.Location) string {
	all, err := c.Differences()
	all = withoutReason(all)
	if err != nil || len(all) != 1 || isList(all[0]) || all[0].Field == "body" {
		return ""
	}
	d := all[0]
	before, after := valueText(ctx, d.Field, d.Old, zone), valueText(ctx, d.Field, d.New, zone)
	if d.Field == "arrival" || d.Field == "departure" {
		before, after = timeText(ctx, d.Old, zone), timeText(ctx, d.New, zone)
	}
	return fieldLabel(ctx, d.Field) + " " + before + " → " + after
}

// membersText names the members whom a change added to a department and removed from it:
// "추가한 구성원 김철수 외 2명". It is "" if the change did anything else.
func membersText(ctx context.Context, c audit.Change) string {
	all, err := c.Differences()
	if err != nil {
		return ""
	}
	var parts []string
	for _, d := range all {
		var names []string
		if d.Field != "members_added" && d.Field != "members_removed" || json.Unmarshal(d.New, &names) != nil || len(names) == 0 {
			return ""
		}
		text := names[0]
		if more := len(names) - 1; more > 0 {
			text = locales.N(ctx, "change.members.more", more, "Name", text)
		}
		parts = append(parts, fieldLabel(ctx, d.Field)+" "+text)
	}
	return strings.Join(parts, " · ")
}

// withoutReason leaves out the reason, which says why and not what.
func withoutReason(all []audit.Difference) []audit.Difference {
	return slices.DeleteFunc(slices.Clone(all), func(d audit.Difference) bool { return d.Field == "reason" })
}

// changedLabels names the fields that a change changed.
func changedLabels(ctx context.Context, c audit.Change) []string {
	var labels []string
	if c.ObjectType == "policy" {
		_, d, err := c.PolicyDifferences()
		if err != nil {
			return nil
		}
		for _, f := range d.Fields {
			labels = append(labels, locales.T(ctx, "policy.field."+f.Field))
		}
		for _, s := range d.Settings {
			labels = append(labels, settingviews.ChangeLabel(ctx, s))
		}
		return labels
	}
	all, err := c.Differences()
	if err != nil {
		return nil
	}
	for _, d := range withoutReason(all) {
		labels = append(labels, fieldLabel(ctx, d.Field))
	}
	return labels
}

// reason is the reason that a change was given; "" for none.
func (d Detail) reason(ctx context.Context) string {
	if d.ObjectType != "policy" {
		return "" // it is one of the fields
	}
	if d.Action == "policy.reverted" {
		return unconfirmedReason(ctx, d.Change)
	}
	_, after, err := policy.ReadRecord(d.New)
	if err != nil || after == nil {
		return ""
	}
	return after.Reason
}

// unconfirmedReason says why a policy reverted by itself, and who had saved it.
func unconfirmedReason(ctx context.Context, c audit.Change) string {
	_, before, err := policy.ReadRecord(c.Old)
	if err != nil || before == nil || before.CreatedByName == "" {
		return locales.T(ctx, "change.reason.unconfirmed.nobody")
	}
	return locales.T(ctx, "change.reason.unconfirmed", "Name", before.CreatedByName)
}

// byline says when, by whom and from where.
func (l List) byline(ctx context.Context, d Detail) string {
	parts := []string{locales.DateTime(ctx, d.At.In(l.Frame.Zone())) + d.At.In(l.Frame.Zone()).Format(":05"), actorName(ctx, d.Change)}
	if d.Address != nil {
		parts = append(parts, d.Address.String())
	}
	if reason := d.reason(ctx); reason != "" {
		parts = append(parts, locales.T(ctx, "change.reason", "Reason", reason))
	}
	return strings.Join(parts, " · ")
}

// effectText says how many people reverting a change of a policy affects, and how;
// also when, if that is not at once.
func (l List) effectText(ctx context.Context, p policy.Preview) string {
	total := p.People()
	if total == 0 {
		return locales.T(ctx, "policy.effect.nobody")
	}
	text := locales.N(ctx, "policy.effect", total) + " " + policyviews.EffectText(ctx, p)
	if p.At.After(l.Frame.Now) {
		text = locales.T(ctx, "change.effect.from", "Time", locales.ShortDateTime(ctx, p.At.In(l.Frame.Zone()), l.Frame.Now), "Effect", text)
	}
	return text
}

// damageText says what is wrong with the change log; "" if nothing is.
func damageText(ctx context.Context, v audit.Verification) string {
	if v.Damage == "" {
		return ""
	}
	return locales.T(ctx, "change.damage."+string(v.Damage), "ID", strconv.FormatInt(v.ChangeID, 10))
}

// shortHash is the beginning and the end of a hash.
func shortHash(hash string) string {
	if len(hash) < 8 {
		return hash
	}
	return hash[:4] + "…" + hash[len(hash)-4:]
}

// openQuery opens a change in the list that has no other filter.
func openQuery(id int64) url.Values {
	query := url.Values{}
	lists.SetID(query, "open", id)
	return query
}
