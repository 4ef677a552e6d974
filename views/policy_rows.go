package views

import (
	"html"
	"strconv"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries/policy"
)

// policyRows are the policies of a list.
func policyRows(l PolicyList) templ.Component {
	return written(func(m *markup) {
		c := policyCells{
			list:  html.EscapeString(m.locale.Path(policyURL(l.Kind, 0) + "/")),
			back:  html.EscapeString(l.back()),
			after: html.EscapeString(deleteURL(l.Kind, 0, l.back())[len(policyURL(l.Kind, 0)):]),
		}
		for i := range l.Page.Rows {
			m.policyRow(l, c, &l.Page.Rows[i])
		}
	})
}

// policyCells are what the rows of a list have in common, escaped: the address
// of a policy up to its id, the address of the list, and that of the question
// before deleting from the id on.
type policyCells struct{ list, back, after string }

func (m *markup) policyRow(l PolicyList, c policyCells, p *policy.Summary) {
	zone, now := l.Frame.Now.Location(), l.Frame.Now
	m.raw(`<tr><td class="pick" data-col="pick">`)
	if !p.IsDefault {
		m.raw(`<input type="checkbox" class="check" form="bulk" name="id" value="`)
		m.int(p.ID)
		m.texts(`" data-pick aria-label="`, m.t("policy.pick", "Policy", p.Name), `">`)
	}
	m.raw(`</td><th scope="row" data-col="name"><span class="name"><span class="row"><a class="truncate" href="`, c.list)
	m.int(p.ID)
	m.texts(`" title="`, p.Name, `"><bdi>`)
	m.texts("", p.Name, `</bdi></a> `)
	if p.IsDefault {
		m.texts(`<span class="badge">`, m.t("policy.default"), `</span>`)
	}
	said := subtitle(m.ctx, p)
	m.texts(`</span> <small title="`, said, `">`)
	m.texts("", said, `</small></span></th><td class="nowrap" data-col="state">`)
	m.policySwitch(c, p)
	m.raw(`</td><td data-col="targets">`)
	m.policyTargets(p)
	m.raw(`</td><td class="nowrap" data-col="planned">`)
	if p.PlannedAt.IsZero() {
		m.nothing()
	} else {
		planned := p.PlannedAt.In(zone)
		m.raw(`<span class="badge" data-tone="warning">`)
		m.icon("clock")
		m.moment(planned, func() { m.text(m.locale.ShortestDateTime(planned)) })
		m.raw(`</span>`)
	}
	m.raw(`</td><td class="nowrap" data-col="configured" data-low>`)
	if p.InForce {
		configured := p.ConfiguredAt.In(zone)
		m.moment(configured, func() { m.text(m.locale.ShortDate(configured, now)) })
	} else {
		m.nothing()
	}
	m.raw(`</td><td class="nowrap" data-col="modified" data-low>`)
	modified := p.LastModified.In(zone)
	m.moment(modified, func() { m.text(m.locale.ShortDate(modified, now)) })
	m.raw(`</td><td data-col="owner" data-low><span class="truncate">`)
	if p.OwnerName == "" {
		m.text(m.t("policy.owner.everybody"))
	} else {
		m.texts(`<bdi>`, p.OwnerName, `</bdi>`)
	}
	m.raw(`</span></td><td class="end" data-col="more">`)
	m.policyRowMenu(c, p)
	m.raw(`</td></tr>`)
}

// enabling opens the form that switches a policy on or off.
func (m *markup) enabling(class string, c policyCells, p *policy.Summary) {
	m.raw(`<form`, class, ` method="post" action="`, c.list)
	m.int(p.ID)
	m.raw(`/enabling"><input type="hidden" name="back" value="`, c.back, `"> `)
}

// policySwitch is a form of its own, so it also works without scripts.
func (m *markup) policySwitch(c policyCells, p *policy.Summary) {
	m.enabling(` class="row"`, c, p)
	m.raw(`<button class="switch" role="switch" name="enabled" value="`, strconv.FormatBool(!p.Enabled), `" aria-checked="`, strconv.FormatBool(p.Enabled))
	m.texts(`" aria-label="`, m.t("policy.switch", "Policy", p.Name), `"`)
	if p.IsDefault {
		m.raw(` disabled`)
	}
	m.raw(`></button></form>`)
}

func (m *markup) policyRowMenu(c policyCells, p *policy.Summary) {
	m.raw(`<button type="button" class="btn btn-quiet btn-small btn-icon" popovertarget="more-`)
	m.int(p.ID)
	m.texts(`" aria-label="`, m.t("policy.more", "Policy", p.Name), `">`)
	m.icon("more")
	m.raw(`</button><div class="menu menu-row" id="more-`)
	m.int(p.ID)
	m.raw(`" popover><a href="`, c.list)
	m.int(p.ID)
	m.raw(`">`)
	m.icon("edit")
	m.texts("", m.t("policy.open"), `</a><form method="post" action="`)
	m.raw(c.list)
	m.int(p.ID)
	m.raw(`/duplicate"><button>`)
	m.icon("copy")
	m.texts("", m.t("policy.duplicate"), `</button></form>`)
	if !p.IsDefault {
		m.enabling("", c, p)
		m.raw(`<button name="enabled" value="`, strconv.FormatBool(!p.Enabled), `">`)
		if p.Enabled {
			m.icon("minus")
			m.texts(" ", m.t("policy.disable"), "")
		} else {
			m.icon("check")
			m.texts(" ", m.t("policy.enable"), "")
		}
		m.raw(`</button></form><hr><a class="danger" href="`, c.list)
		m.int(p.ID)
		m.raw(c.after, `">`)
		m.icon("trash")
		m.texts("", m.t("policy.delete"), `</a>`)
	}
	m.raw(`</div>`)
}

// policyTargets names two targets, one on a narrow page, and lists the rest
// behind a count.
func (m *markup) policyTargets(p *policy.Summary) {
	switch {
	case p.IsDefault:
		m.texts(`<span class="sub">`, m.t("policy.targets.rest"), `</span>`)
		return
	case p.TargetCount == 0:
		m.texts(`<span class="sub">`, m.t("policy.targets.none"), `</span>`)
		return
	}
	m.raw(`<div class="chips chips-line">`)
	for i, t := range p.Targets[:min(2, len(p.Targets))] {
		if i > 0 {
			m.raw(`<span class="chip" data-low>`)
		} else {
			m.raw(`<span class="chip">`)
		}
		if t.UserID != 0 {
			m.texts(`<span class="avatar" aria-hidden="true">`, initial(t.Name), `</span> `)
		} else {
			m.icon("building")
		}
		m.texts(`<span><bdi>`, t.Name, `</bdi></span></span> `)
	}
	if p.TargetCount > 2 {
		m.moreTargets(p, p.TargetCount-2, `chip chip-more " data-low`)
	}
	if p.TargetCount > 1 {
		m.moreTargets(p, p.TargetCount-1, `chip chip-more only-narrow"`)
	}
	m.raw(`</div>`)
	if p.TargetCount > 1 {
		m.targetList(p)
	}
}

func (m *markup) moreTargets(p *policy.Summary, count int, class string) {
	number := m.locale.Number(int64(count))
	m.raw(`<button type="button" class="`, class, ` popovertarget="targets-`)
	m.int(p.ID)
	m.texts(`" aria-label="+`, number+" "+m.locale.N("policy.targets.more", count, "Policy", p.Name), `">+`)
	m.texts("", number, `</button>`)
}

func (m *markup) targetList(p *policy.Summary) {
	m.raw(`<div class="menu menu-targets" popover id="targets-`)
	m.int(p.ID)
	m.raw(`"><ul>`)
	for _, t := range p.Targets {
		m.texts(`<li><bdi>`, t.Name, `</bdi></li>`)
	}
	if p.TargetCount > len(p.Targets) {
		m.texts(`<li class="sub">`, locales.N(m.ctx, "policy.targets.others", p.TargetCount-len(p.Targets)), `</li>`)
	}
	m.raw(`</ul></div>`)
}
