package policy

import (
	"html"
	"strconv"

	"github.com/a-h/templ"

	"officeconsole/locales"
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
		m.Wrap(`" data-pick aria-label="`, m.T("policy.pick", "Policy", p.Name), `">`)
	}
	m.Raw(`</td><th scope="row" data-col="name"><span class="name"><span class="row"><a class="truncate" href="`, c.list)
	m.Int(p.ID)
	m.Wrap(`" title="`, p.Name, `"><bdi>`)
	m.Wrap("", p.Name, `</bdi></a> `)
	if p.IsDefault {
		m.Wrap(`<span class="badge">`, m.T("policy.default"), `</span>`)
	}
	text := subtitle(m.Context, p)
	m.Wrap(`</span> <small title="`, text, `">`)
	m.Wrap("", text, `</small></span></th><td class="nowrap" data-col="state">`)
	writeListSwitch(m, c, p)
	m.Raw(`</td><td data-col="targets">`)
	writeListTargets(m, p)
	m.Raw(`</td><td class="nowrap" data-col="planned">`)
	if p.PlannedAt.IsZero() {
		m.Dash()
	} else {
		planned := p.PlannedAt.In(zone)
		m.Raw(`<span class="badge" data-tone="warning">`)
		m.Icon("clock")
		m.Moment(planned, func() { m.Text(m.Locale.ShortestDateTime(planned)) })
		m.Raw(`</span>`)
	}
	m.Raw(`</td><td class="nowrap" data-col="configured" data-low>`)
	if p.InForce {
		configured := p.ConfiguredAt.In(zone)
		m.Moment(configured, func() { m.Text(m.Locale.ShortDate(configured, now)) })
	} else {
		m.Dash()
	}
	m.Raw(`</td><td class="nowrap" data-col="modified" data-low>`)
	modified := p.LastModified.In(zone)
	m.Moment(modified, func() { m.Text(m.Locale.ShortDate(modified, now)) })
	m.Raw(`</td><td data-col="owner" data-low><span class="truncate">`)
	if p.OwnerName == "" {
		m.Text(m.T("policy.owner.everybody"))
	} else {
		m.Wrap(`<bdi>`, p.OwnerName, `</bdi>`)
	}
	m.Raw(`</span></td><td class="end" data-col="more">`)
	writeListMenu(m, p)
	m.Raw(`</td></tr>`)
}

// writeListSwitch writes the switch of a policy as a form, so that it works
// without scripts.
func writeListSwitch(m *views.Markup, c listCells, p *policy.Summary) {
	m.Raw(`<form class="row" method="post" action="`, c.list)
	m.Int(p.ID)
	m.Raw(`/enabling"><input type="hidden" name="back" value="`, c.back, `"> <button class="switch" role="switch" name="enabled" value="`, strconv.FormatBool(!p.Enabled), `" aria-checked="`, strconv.FormatBool(p.Enabled))
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

// writeListTargets names the first targets, two on wide and one on narrow
// screens, and counts the others on a button that lists all.
func writeListTargets(m *views.Markup, p *policy.Summary) {
	switch {
	case p.IsDefault:
		m.Wrap(`<span class="sub">`, m.T("policy.targets.rest"), `</span>`)
		return
	case p.TargetCount == 0:
		m.Wrap(`<span class="sub">`, m.T("policy.targets.none"), `</span>`)
		return
	}
	m.Raw(`<div class="chips chips-line">`)
	for i, t := range p.Targets[:min(2, len(p.Targets))] {
		if i > 0 {
			m.Raw(`<span class="chip" data-low>`)
		} else {
			m.Raw(`<span class="chip">`)
		}
		if t.UserID != 0 {
			m.Wrap(`<span class="avatar" aria-hidden="true">`, views.Initial(t.Name), `</span> `)
		} else {
			m.Icon("building")
		}
		m.Wrap(`<span><bdi>`, t.Name, `</bdi></span></span> `)
	}
	if p.TargetCount > 2 {
		writeMoreTargets(m, p, p.TargetCount-2, `chip chip-more " data-low`)
	}
	if p.TargetCount > 1 {
		writeMoreTargets(m, p, p.TargetCount-1, `chip chip-more only-narrow"`)
	}
	m.Raw(`</div>`)
	if p.TargetCount > 1 {
		writeTargetList(m, p)
	}
}

// writeMoreTargets writes the button that counts the targets that are not
// named. Class includes the closing quote of the attribute.
func writeMoreTargets(m *views.Markup, p *policy.Summary, count int, class string) {
	number := m.Locale.Number(int64(count))
	m.Raw(`<button type="button" class="`, class, ` popovertarget="targets-`)
	m.Int(p.ID)
	m.Wrap(`" aria-label="+`, number+" "+m.Locale.N("policy.targets.more", count, "Policy", p.Name), `">+`)
	m.Wrap("", number, `</button>`)
}

// writeTargetList writes the list of targets that the button opens.
func writeTargetList(m *views.Markup, p *policy.Summary) {
	m.Raw(`<div class="menu menu-targets" popover id="targets-`)
	m.Int(p.ID)
	m.Raw(`"><ul>`)
	for _, t := range p.Targets {
		m.Wrap(`<li><bdi>`, t.Name, `</bdi></li>`)
	}
	if p.TargetCount > len(p.Targets) {
		m.Wrap(`<li class="sub">`, locales.N(m.Context, "policy.targets.others", p.TargetCount-len(p.Targets)), `</li>`)
	}
	m.Raw(`</ul></div>`)
}
