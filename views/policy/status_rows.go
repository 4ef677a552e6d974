package policy

import (
	"html"
	"strconv"

	"github.com/a-h/templ"

	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
)

// statusRows are the rows of people.
func statusRows(l StatusList) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		reasons := html.EscapeString(m.Locale.Path(StatusPath(l.Kind) + "/"))
		date := ""
		if l.Date != 0 {
			date = "?" + dateQuery(l.at()).Encode()
		}
		for i := range l.People.Rows {
			writeStatusRow(m, &l.People.Rows[i], reasons, date, l)
		}
	})
}

// writeStatusRow writes the row of a person. The address of the explanation is reasons,
// the id and date.
func writeStatusRow(m *views.Markup, p *policy.PersonStatus, reasons, date string, l StatusList) {
	m.Raw(`<tr><th scope="row" data-col="name"><span class="row"><a class="truncate" href="`, reasons)
	m.Int(p.UserID)
	m.Raw(date)
	m.Wrap(`" title="`, p.Name, `"><bdi>`)
	m.Wrap("", p.Name, `</bdi></a> `)
	m.Wrap(`<span class="sub">`, p.EmployeeID, `</span>`)
	m.Wrap(`</span></th><td data-col="department"><span class="truncate" title="`, p.DepartmentPath, `"><bdi>`)
	m.Wrap("", p.DepartmentName, `</bdi></span></td><td data-col="policy"><span class="truncate" title="`)
	m.Wrap("", p.PolicyName, `">`)
	writePolicyName(m, l.Kind, p.PolicyID, p.PolicyName)
	writeNow(m, p.Now, p.PolicyID)
	m.Raw(`</span></td><td data-col="source">`)
	writeSource(m, p.Source, p.SourceDepartmentName)
	l.writeInherit(m, p.Source, policy.Target{Type: policy.UserTarget, ID: p.UserID, Name: p.Name})
	m.Raw(`</td><td class="nowrap" data-col="why" data-low><a class="link" href="`, reasons)
	m.Int(p.UserID)
	m.Raw(date)
	m.Wrap(`" aria-label="`, m.T("status.why.open.of", "Name", p.Name), `">`)
	m.Wrap("", m.T("status.why.open"), `</a></td></tr>`)
}

// statusDepartmentRows are the rows of departments.
func statusDepartmentRows(l StatusList) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		for i := range l.DepartmentRows.Rows {
			writeStatusDepartmentRow(m, &l.DepartmentRows.Rows[i], l)
		}
	})
}

func writeStatusDepartmentRow(m *views.Markup, d *policy.DepartmentStatus, l StatusList) {
	m.Raw(`<tr><th scope="row" data-col="name"><span class="row level" data-depth="`, strconv.Itoa(min(d.Depth, maxIndent)), `"><a class="truncate"`)
	m.Href(l.people().url("department_id", views.IDText(d.ID)))
	m.Wrap(` title="`, d.Path, `"><bdi>`)
	m.Wrap("", d.Name, `</bdi></a></span></th><td data-col="policy"><span class="truncate" title="`)
	m.Wrap("", d.PolicyName, `">`)
	writePolicyName(m, l.Kind, d.PolicyID, d.PolicyName)
	writeNow(m, d.Now, d.PolicyID)
	m.Raw(`</span></td><td data-col="source">`)
	writeSource(m, d.Source, d.SourceDepartmentName)
	l.writeInherit(m, d.Source, policy.Target{Type: policy.DepartmentTarget, ID: d.ID, Name: d.Name})
	m.Raw(`</td></tr>`)
}

// writeInherit writes a link that makes a target with a policy of its own inherit again.
func (l StatusList) writeInherit(m *views.Markup, source policy.Source, target policy.Target) {
	if source != policy.Own || l.Date != 0 {
		return
	}
	m.Raw(` <a class="btn btn-quiet btn-small btn-icon"`)
	m.Href(inheritURL(l.Kind, target, l.Frame.Path))
	m.Wrap(` title="`, m.T("status.inherit"), `" aria-label="`)
	m.Wrap("", m.T("status.inherit.of", "Name", target.Name), `">`)
	m.Icon("undo")
	m.Raw(`</a>`)
}

// writeNow writes which policy, or which version of the same one, applies now instead.
func writeNow(m *views.Markup, now *policy.AppliedPolicy, policyID int64) {
	switch {
	case now == nil:
	case now.PolicyID == policyID:
		m.Wrap(` <small class="sub">`, m.T("policy_at.now.version", "Number", m.Locale.Number(int64(now.VersionNo))), `</small>`)
	default:
		m.Wrap(` <small class="sub">`, m.T("policy_at.now.policy", "Policy", now.Name), `</small>`)
	}
}

// writePolicyName writes the name of a policy as a link to it.
func writePolicyName(m *views.Markup, kind string, id int64, name string) {
	m.Raw(`<a`)
	m.Href(policyURL(settings.Kind(kind), id))
	m.Wrap(`><bdi>`, name, `</bdi></a>`)
}

// writeSource writes why a policy applies (domain §1).
func writeSource(m *views.Markup, source policy.Source, department string) {
	switch source {
	case policy.Own:
		m.Badge("accent", "check", m.T("status.source.own"))
	case policy.Inherited:
		text := m.T("status.source.inherited.from", "Department", department)
		m.Wrap(`<span class="badge source" data-tone="info" title="`, text, `">`)
		m.Icon("building")
		m.Wrap(`<span class="truncate">`, text, `</span></span>`)
	default:
		m.Badge("", "minus", m.T("status.source.default"))
	}
}

func policyName(kind string, id int64, name string) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writePolicyName(m, kind, id, name) })
}

func sourceBadge(source policy.Source, department string) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeSource(m, source, department) })
}
