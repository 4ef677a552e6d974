package policy

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
	settingviews "officeconsole/views/setting"
)

// ListAt is the page with the policies of a kind at a date, compared with now.
type ListAt struct {
	policy.PoliciesAt
	Frame   views.Frame
	Kind    settings.Kind
	Date    time.Time // midnight in the time zone of the company
	Query   string    // the search text as typed
	Refused string    // message id of why the search was refused; "" for none
	All     bool      // whether policies that do not differ are shown, too
}

// DetailAt is the page of a policy at a date, compared with now.
type DetailAt struct {
	policy.PolicyAt
	Frame   views.Frame
	Kind    settings.Kind
	Date    time.Time // midnight in the time zone of the company
	People  settingviews.People
	Outside bool // whether it was in force neither at the date nor now
}

// shown are the rows that are listed. If nothing differs, it is all of them.
func (l ListAt) shown() []policy.PolicyAt { return l.Shown(l.All || l.Query != "") }

func (l ListAt) showsAll() bool { return l.All || l.Query != "" || l.Differing == 0 }

// url is the address of the list, of all policies or of those that differ.
func (l ListAt) url(all bool) string {
	query := dateQuery(l.Date)
	if all {
		query.Set("view", "all")
	}
	return views.WithQuery(policiesURL(l.Kind), query)
}

// exportURL is the address of the export of the list, without its format.
func (l ListAt) exportURL() string {
	u, _ := url.Parse(l.url(l.showsAll()))
	query := u.Query()
	if l.Query != "" {
		query.Set("q", l.Query)
	}
	return views.WithQuery(u.Path, query)
}

// savingLabel names the people who can save files now and cannot at the date.
func (l ListAt) savingLabel(ctx context.Context) string {
	if l.Date.After(l.Frame.Now) {
		return locales.T(ctx, "policy_at.saving.future")
	}
	return locales.T(ctx, "policy_at.saving.past")
}

// asOfText says that the page is about a date, and in which direction it is.
func asOfText(ctx context.Context, date, now time.Time) string {
	if date.After(now) {
		return locales.T(ctx, "policy_at.text.future", "Date", locales.Date(ctx, date))
	}
	return locales.T(ctx, "policy_at.text.past", "Date", locales.Date(ctx, date))
}

func dateQuery(date time.Time) url.Values { return url.Values{"at": {date.Format(time.DateOnly)}} }

// atURL is the address of a page at a date.
func atURL(path string, date time.Time) string { return views.WithQuery(path, dateQuery(date)) }

// share is the share of the people for whom something differs: "66%".
func (l ListAt) share(ctx context.Context) string {
	if l.Total == 0 {
		return ""
	}
	return locales.Number(ctx, int64((100*l.PoliciesAt.People+l.Total/2)/l.Total)) + "%"
}

// badgeAt says how a policy differs as a whole: "" if it is in force at both times with the
// same version.
func badgeAt(ctx context.Context, p policy.PolicyAt, date, now time.Time, zone *time.Location) (tone, icon, text string) {
	isFuture := date.After(now)
	switch {
	case p.Then == nil && isFuture:
		return "danger", "trash", locales.T(ctx, "policy_at.ends")
	case p.Then == nil:
		return "", "minus", locales.T(ctx, "policy_at.absent")
	case p.Now == nil && isFuture:
		return "success", "plus", locales.T(ctx, "policy_at.new")
	case p.Now == nil:
		return "danger", "trash", locales.T(ctx, "policy_at.gone")
	case p.Then.No != p.Now.No && isFuture:
		return "warning", "clock", locales.T(ctx, "policy_at.version.from", "Number", locales.Number(ctx, int64(p.Then.No)), "Time", locales.ShortestDateTime(ctx, p.Then.EffectiveFrom.In(zone)))
	}
	return "", "", ""
}

// targetsText names the targets of a version: "개발팀 외 2".
func targetsText(ctx context.Context, v *policy.Version, isDefault bool) string {
	switch {
	case isDefault:
		return locales.T(ctx, "policy.targets.rest")
	case len(v.Targets) == 0:
		return locales.T(ctx, "policy.targets.none")
	case len(v.Targets) <= firstTargets:
		return TargetNames(ctx, v.Targets)
	}
	return TargetNames(ctx, v.Targets[:firstTargets]) + " +" + strconv.Itoa(len(v.Targets)-firstTargets)
}

// firstTargets is how many targets a row names.
const firstTargets = 2

// shownDifferences is how many differences a row shows before it counts the others.
const shownDifferences = 3

// deltas are the differences of a row: those of its content, then where its people go.
func deltas(p policy.PolicyAt) (fields []policy.FieldDifference, changes []settings.Change, moves []policy.PolicyMove, others int) {
	left := shownDifferences
	fields = p.Differences.Fields[:min(left, len(p.Differences.Fields))]
	left -= len(fields)
	changes = p.Differences.Settings[:min(left, len(p.Differences.Settings))]
	left -= len(changes)
	moves = p.Moves[:min(left, len(p.Moves))]
	return fields, changes, moves, len(p.Differences.Fields) + len(p.Differences.Settings) + len(p.Moves) - len(fields) - len(changes) - len(moves)
}

// savedBy says who saved the version, and when: "김서연 · 11월 18일".
func savedBy(ctx context.Context, v *policy.Version, now time.Time) string {
	at := locales.ShortDate(ctx, v.CreatedAt.In(now.Location()), now)
	if v.CreatedByName == "" {
		return at
	}
	return v.CreatedByName + " · " + at
}

// values are the settings of the version that the page shows.
func (d DetailAt) values() settings.Values { return d.Version().Values(string(d.Kind)) }
