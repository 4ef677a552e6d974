package policy

import (
	"html"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"officeconsole/queries/policy"
	"officeconsole/views"
)

// listRows are the rows of the list of policies.
func listRows(l List) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		c := listCells{
			list: html.EscapeString(m.Locale.Path(policyURL(l.Kind, 0) + "/")),
			back: html.EscapeString(l.back()),
		}
		for i := range l.Page.Rows {
			writeListRow(m, l, c, &l.Page.Rows[i])
		}
	})
}

// listCells are the escaped addresses that all rows share: that of a policy
// up to its id, and that of the list.
type listCells struct{ list, back string }

func writeListRow(m *views.Markup, l List, c listCells, p *policy.Summary) {
	zone, now := l.Frame.Now.Location(), l.Frame.Now
	m.Raw(`<tr><td class="pick" data-col="pick">`)
	if !p.IsDefault {
		m.Raw(`<input type="checkbox" class="check" form="bulk" name="id" value="`)
		m.Int(p.ID)
		m.Raw(`" data-people="`)
		m.Int(int64(p.People))
		m.Wrap(`" data-pick aria-label="`, m.T("policy.pick", "Policy", p.Name), `"`)
		if l.isPicked(p) {
			m.Raw(` checked`)
		}
		m.Raw(`>`)
	}
	m.Raw(`</td><th scope="row" data-col="name"><span class="name"><span class="row"><a class="truncate" href="`, c.list)
	m.Int(p.ID)
	m.Wrap(`" title="`, p.Name, `"><bdi`)
	m.Lang(p.Name)
	m.Wrap(`>`, p.Name, `</bdi></a> `)
	if !p.PlannedAt.IsZero() {
		writePlannedBadge(m, p.PlannedAt.In(zone), ` only-narrow"`)
	}
	if p.IsDefault {
		m.Wrap(`<span class="badge">`, m.T("policy.default"), `</span>`)
	}
	text := subtitle(m.Context, p)
	m.Wrap(`</span> <small title="`, text, `"`)
	m.Lang(text)
	m.Wrap(`>`, text, `</small></span></th><td class="nowrap" data-col="state">`)
	writeListSwitch(m, c, p)
	m.Raw(`</td><td data-col="targets">`)
	writeListTargets(m, p)
	m.Raw(`</td><td class="nowrap" data-col="planned" data-low>`)
	if p.PlannedAt.IsZero() {
		m.Dash()
	} else {
		writePlannedBadge(m, p.PlannedAt.In(zone), `"`)
	}
	m.Raw(`</td><td class="nowrap" data-col="configured" data-off>`)
	if p.InForce {
		configured := p.ConfiguredAt.In(zone)
		m.Moment(configured, func() { m.Text(m.Locale.ShortDate(configured, now)) })
	} else {
		m.Dash()
	}
	m.Raw(`</td><td class="nowrap" data-col="modified" data-low>`)
	modified := p.LastModified.In(zone)
	m.Moment(modified, func() { m.Text(m.Locale.ShortDate(modified, now)) })
	m.Raw(`</td><td data-col="changed_by" data-high><span class="truncate">`)
	if p.ChangedByName == "" {
		m.Dash()
	} else {
		m.Wrap(`<bdi>`, p.ChangedByName, `</bdi>`)
		m.Wrap(` <span class="sub">`, m.Locale.ShortDate(modified, now), `</span>`)
	}
	m.Raw(`</span></td><td data-col="owner" data-high><span class="truncate">`)
	if p.OwnerName == "" {
		m.Text(m.T("policy.owner.everybody"))
	} else {
		m.Wrap(`<bdi>`, p.OwnerName, `</bdi>`)
	}
	m.Raw(`</span></td><td class="end" data-col="more">`)
	writeListMenu(m, p)
	m.Raw(`</td></tr>`)
}

// writePlannedBadge writes the time of a planned change. Class completes the attribute.
func writePlannedBadge(m *views.Markup, at time.Time, class string) {
	m.Raw(`<span class="badge`, class, ` data-tone="warning">`)
	m.Icon("clock")
	m.Moment(at, func() { m.Text(m.Locale.ShortestDateTime(at)) })
	m.Raw(`</span>`)
}

// writeListSwitch writes the switch of a policy as a form, so that it works
// without scripts.
func writeListSwitch(m *views.Markup, c listCells, p *policy.Summary) {
	m.Raw(`<form class="row" method="post" action="`, c.list)
	m.Int(p.ID)
	m.Raw(`/enabling"><input type="hidden" name="back" value="`, c.back, `"> <button class="switch" name="enabled" value="`, strconv.FormatBool(!p.Enabled), `" aria-pressed="`, strconv.FormatBool(p.Enabled))
	m.Wrap(`" aria-label="`, m.T("policy.switch", "Policy", p.Name), `"`)
	if p.IsDefault {
		m.Raw(` disabled`)
	}
	m.Raw(`></button></form>`)
}

// writeListMenu writes the button that opens listMenu for a policy.
func writeListMenu(m *views.Markup, p *policy.Summary) {
	m.Raw(`<button type="button" class="btn btn-quiet btn-small btn-icon scripted" popovertarget="row-menu" data-row="`)
	m.Int(p.ID)
	m.Raw(`" data-state="`, listState(p))
	m.Wrap(`" aria-label="`, m.T("policy.more", "Policy", p.Name), `">`)
	m.Icon("more")
	m.Raw(`</button>`)
}

// listState says which actions of listMenu a policy has.
func listState(p *policy.Summary) string {
	switch {
	case p.IsDefault:
		return "default"
	case p.Enabled:
		return "on"
	}
	return "off"
}
