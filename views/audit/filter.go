package audit

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/audit"
)

// filterNames are the filters that are named, in this order.
var filterNames = []string{
	"at", "date", "month", "from", "to", "department_id", "sender_id", "receiver_id", "user_id", "actor", "reader", "subject", "q", "status", "state", "device", "platform", "release",
	"object", "action", "kind", "result", "pattern", "via", "over", "read", "edited", "uncounted", "deleted", "deceptive", "positions",
}

// filterText names the filters of a list; now tells which dates need no year.
func filterText(ctx context.Context, query url.Values, names audit.Names, now time.Time) string {
	var words []string
	for _, name := range filterNames {
		if query.Get(name) != "" {
			words = append(words, filterWord(ctx, name, query, names, now))
		}
	}
	if len(words) == 0 {
		return locales.T(ctx, "read.all")
	}
	return strings.Join(words, " · ")
}

// filterWord writes one filter of a list.
func filterWord(ctx context.Context, name string, query url.Values, names audit.Names, now time.Time) string {
	value := query.Get(name)
	id, _ := strconv.ParseInt(value, 10, 64)
	switch name {
	case "at":
		return value
	case "user_id", "actor", "reader", "subject":
		return nameOr(names.Users, id)
	case "state":
		return stateWord(ctx, value, query.Get("days"))
	case "release":
		return locales.T(ctx, "client.release.chosen", "Release", value)
	case "object":
		return objectText(ctx, value)
	case "action":
		return actionText(ctx, value)
	case "kind":
		if kind := audit.ReadKind(value); slices.Contains(audit.ReadKinds, kind) {
			return kindText(ctx, kind)
		}
		return locales.T(ctx, "access.kind."+value)
	case "result":
		return locales.T(ctx, "access.result."+value)
	case "pattern":
		return locales.T(ctx, "access.pattern."+value)
	case "via":
		return viaText(ctx, audit.ReadVia(value))
	case "read":
		return locales.T(ctx, "reader.read")
	case "uncounted":
		return locales.T(ctx, "record.event.uncounted")
	case "positions":
		return locales.T(ctx, "read.only.positions")
	case "date", "from", "to":
		if at, err := time.Parse(time.DateOnly, value); err == nil {
			value = locales.ShortDate(ctx, at, now)
		}
	case "month":
		if at, err := time.Parse("2006-01", value); err == nil {
			value = locales.Month(ctx, at)
		}
	case "department_id":
		value = departmentNames(query[name], names)
	case "sender_id", "receiver_id":
		value = nameOr(names.Users, id)
	case "status":
		value = locales.T(ctx, "record.status."+value)
	case "device", "platform":
		value = locales.T(ctx, "file.platform."+value)
	}
	return locales.T(ctx, "read.filter."+name, "Value", value)
}

// stateWord names a state of clients; days is the number of days without use of the
// filter, "" for the usual one.
func stateWord(ctx context.Context, state, days string) string {
	if state == "idle" {
		return locales.T(ctx, "client.figure.idle", "Days", cmp.Or(days, strconv.Itoa(audit.UsualIdleDays)))
	}
	return locales.T(ctx, "client.state."+state)
}

// departmentNames names the departments of a filter.
func departmentNames(ids []string, names audit.Names) string {
	texts := make([]string, len(ids))
	for i, text := range ids {
		id, _ := strconv.ParseInt(text, 10, 64)
		texts[i] = nameOr(names.Departments, id)
	}
	return strings.Join(texts, " · ")
}

func nameOr(names map[int64]audit.Name, id int64) string {
	if name := names[id]; name.Text != "" {
		return name.Text
	}
	return "#" + strconv.FormatInt(id, 10)
}
