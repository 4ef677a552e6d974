package policy

import (
	"context"
	"net/url"
	"slices"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
	settingviews "officeconsole/views/setting"
)

// MostCompared is how many people are compared at most (domain §9.15).
const MostCompared = 3

// Comparison is the page that explains side by side which policies of a kind apply to
// people, and which settings differ.
type Comparison struct {
	Frame   views.Frame
	Kind    string
	People  []StatusReason // at most MostCompared
	At      string         // the time as in the address; "" for now
	Query   string         // the search text as typed
	Refused string         // message id of why the search was refused; "" for none
	Found   []directory.ListedUser
}

// IsFull reports whether nobody can be added.
func (c Comparison) IsFull() bool { return len(c.People) >= MostCompared }

// url is the address of the comparison of some people.
func (c Comparison) url(ids []int64) string {
	query := url.Values{}
	for _, id := range ids {
		query.Add("user_id", views.IDText(id))
	}
	if c.At != "" {
		query.Set("at", c.At)
	}
	return views.WithQuery(StatusPath(c.Kind)+"/comparison", query)
}

// comparisonURL is the address of the comparison of one person with others.
func comparisonURL(kind string, userID int64) string {
	return Comparison{Kind: kind}.url([]int64{userID})
}

func (c Comparison) ids() []int64 {
	ids := make([]int64, len(c.People))
	for i := range c.People {
		ids[i] = c.People[i].Person.ID
	}
	return ids
}

// with is the address with another person.
func (c Comparison) with(id int64) string { return c.url(append(c.ids(), id)) }

// without is the address without a person; that of the list if nobody is left.
func (c Comparison) without(id int64) string {
	rest := slices.DeleteFunc(c.ids(), func(other int64) bool { return other == id })
	if len(rest) == 0 {
		return StatusPath(c.Kind)
	}
	return c.url(rest)
}

// reason is the address of the explanation for one person.
func (c Comparison) reason(id int64) string {
	if c.At == "" {
		return statusReasonPath(c.Kind, id)
	}
	return views.WithQuery(statusReasonPath(c.Kind, id), url.Values{"at": {c.At}})
}

// comparedSetting is a setting, or a part of one, with its value for each person.
type comparedSetting struct {
	label  string
	values []string
	exact  []string // the values with what tells them apart
}

func (s comparedSetting) differs() bool {
	return slices.ContainsFunc(s.exact, func(value string) bool { return value != s.exact[0] })
}

// shown are the values of the row: the exact ones if different values would
// read the same.
func (s comparedSetting) shown() []string {
	exact := map[string]string{}
	for i, value := range s.values {
		if other, has := exact[value]; has && other != s.exact[i] {
			return s.exact
		}
		exact[value] = s.exact[i]
	}
	return s.values
}

// settings are the settings that are not the default for somebody: those that differ, and
// those that are the same for everybody.
func (c Comparison) settings(ctx context.Context) (different, same []comparedSetting) {
	names := settingviews.People{}
	for _, p := range c.People {
		names[p.Person.ID] = p.Person.Name
	}
	type part struct{ key, part string }
	rows := map[part]*comparedSetting{}
	var order []part
	for i, p := range c.People {
		if !p.Applies {
			continue
		}
		for _, change := range settings.Diff(settings.Defaults(settings.Kind(c.Kind)), p.Effective.Settings) {
			id := part{change.Key, change.Part}
			row := rows[id]
			if row == nil {
				row = &comparedSetting{label: settingviews.ChangeLabel(ctx, change), values: make([]string, len(c.People)), exact: make([]string, len(c.People))}
				for j := range row.values {
					row.values[j], row.exact[j] = settingviews.ValueText(ctx, change.Old, names), settingviews.ExactText(ctx, change.Old, names)
				}
				rows[id], order = row, append(order, id)
			}
			row.values[i], row.exact[i] = settingviews.ValueText(ctx, change.New, names), settingviews.ExactText(ctx, change.New, names)
		}
	}
	for _, id := range order {
		if rows[id].differs() {
			different = append(different, *rows[id])
		} else {
			same = append(same, *rows[id])
		}
	}
	return different, same
}

// deciding is the step from which a policy comes.
func (v StatusReason) deciding(ctx context.Context) string {
	for _, s := range v.Effective.Chain {
		if s.Reason == policy.ReasonApplied {
			return v.nodeName(ctx, s) + " · " + v.why(ctx, s)
		}
	}
	return locales.T(ctx, "frame.none")
}
