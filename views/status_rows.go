package views

import (
	"html"
	"strconv"

	"github.com/a-h/templ"

	"officeconsole/queries/policy"
	"officeconsole/settings"
)

// statusRows are the people of an application status.
func statusRows(l StatusList) templ.Component {
	return written(func(m *markup) {
		reasons := html.EscapeString(m.locale.Path(statusPath(l.Kind) + "/"))
		for i := range l.People.Rows {
			m.statusRow(&l.People.Rows[i], reasons, l)
		}
	})
}

func (m *markup) statusRow(p *policy.PersonStatus, reasons string, l StatusList) {
	m.raw(`<tr><th scope="row" data-col="name"><span class="row"><a class="truncate" href="`, reasons)
	m.int(p.UserID)
	m.texts(`" title="`, p.Name, `"><bdi>`)
	m.texts("", p.Name, `</bdi></a> `)
	if p.Hidden {
		m.texts(`<span class="badge" title="`, p.EmployeeID, `">`)
		m.texts("", m.t("status.hidden"), `</span>`)
	} else {
		m.texts(`<span class="sub">`, p.EmployeeID, `</span>`)
	}
	m.texts(`</span></th><td data-col="department"><span class="truncate" title="`, l.Paths[p.DepartmentID], `"><bdi>`)
	m.texts("", p.DepartmentName, `</bdi></span></td><td data-col="policy"><span class="truncate" title="`)
	m.texts("", p.PolicyName, `">`)
	m.policyName(l.Kind, p.PolicyID, p.PolicyName)
	m.raw(`</span></td><td data-col="source">`)
	m.source(p.Source, p.SourceDepartmentName)
	m.raw(`</td><td class="nowrap" data-col="why" data-low><a class="link" href="`, reasons)
	m.int(p.UserID)
	m.texts(`" aria-label="`, m.t("status.why.open.of", "Name", p.Name), `">`)
	m.texts("", m.t("status.why.open"), `</a></td></tr>`)
}

// statusDepartmentRows are the departments of an application status.
func statusDepartmentRows(l StatusList) templ.Component {
	return written(func(m *markup) {
		for i := range l.DepartmentRows.Rows {
			m.statusDepartmentRow(&l.DepartmentRows.Rows[i], l)
		}
	})
}

func (m *markup) statusDepartmentRow(d *policy.DepartmentStatus, l StatusList) {
	m.raw(`<tr><th scope="row" data-col="name"><span class="row level" data-depth="`, strconv.Itoa(min(d.Depth, deepest)), `"><a class="truncate"`)
	m.href(l.people().url("department_id", idText(d.ID)))
	m.texts(` title="`, d.Path, `"><bdi>`)
	m.texts("", d.Name, `</bdi></a></span></th><td data-col="policy"><span class="truncate" title="`)
	m.texts("", d.PolicyName, `">`)
	m.policyName(l.Kind, d.PolicyID, d.PolicyName)
	m.raw(`</span></td><td data-col="source">`)
	m.source(d.Source, d.SourceDepartmentName)
	m.raw(`</td></tr>`)
}

// policyName leads to the page of a policy.
func (m *markup) policyName(kind string, id int64, name string) {
	m.raw(`<a`)
	m.href(policyURL(settings.Kind(kind), id))
	m.texts(`><bdi>`, name, `</bdi></a>`)
}

// source says why a policy applies to somebody (domain §1).
func (m *markup) source(source policy.Source, department string) {
	switch source {
	case policy.Own:
		m.badge("accent", "check", m.t("status.source.own"))
	case policy.Inherited:
		text := m.t("status.source.inherited.from", "Department", department)
		m.texts(`<span class="badge source" data-tone="info" title="`, text, `">`)
		m.icon("building")
		m.texts(`<span class="truncate">`, text, `</span></span>`)
	default:
		m.badge("", "minus", m.t("status.source.default"))
	}
}

func policyName(kind string, id int64, name string) templ.Component {
	return written(func(m *markup) { m.policyName(kind, id, name) })
}

func sourceBadge(source policy.Source, department string) templ.Component {
	return written(func(m *markup) { m.source(source, department) })
}
