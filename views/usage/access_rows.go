package usage

import (
	"context"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"officeconsole/queries/usage"
	"officeconsole/views"
)

// accessRows are the rows of the access history, each day with a heading.
func accessRows(l Access) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		cells := newAccessCells(m, l)
		for i := range l.List.Rows {
			if l.beginsDay(i) {
				m.Wrap(`<tr class="access-day"><th colspan="5" scope="rowgroup">`, m.Locale.LongDate(l.at(l.List.Rows[i].At)), `</th></tr>`)
			}
			writeAccessRow(m, l, cells, &l.List.Rows[i])
		}
	})
}

// accessCells are what the rows of a page share: the escaped address that opens a row,
// before and after its key, and the names of the clients.
type accessCells struct {
	open    [2]string
	clients map[accessClient]string
}

// accessClient is everything that the name of a client depends on.
type accessClient struct{ source, platform, userAgent string }

func newAccessCells(m *views.Markup, l Access) accessCells {
	const key = math.MaxInt64
	before, after, _ := strings.Cut(html.EscapeString(m.Locale.Path(l.openURL(strconv.Itoa(key)))), strconv.Itoa(key))
	return accessCells{[2]string{before, after}, map[accessClient]string{}}
}

// client is the escaped name of a row's client.
func (c accessCells) client(ctx context.Context, a *usage.AccessRow) string {
	of := accessClient{a.Source, a.Platform, a.UserAgent}
	text, known := c.clients[of]
	if !known {
		text = html.EscapeString(clientText(ctx, *a))
		c.clients[of] = text
	}
	return text
}

func writeAccessRow(m *views.Markup, l Access, cells accessCells, a *usage.AccessRow) {
	at, isOpen := l.at(a.At), l.isOpen(*a)
	m.Raw(`<tr`)
	if isOpen {
		m.Raw(` data-open`)
	}
	m.Raw(`><td class="nowrap">`)
	m.Moment(at, func() { m.Clock(at) })
	m.Raw(`</td><th scope="row"><a href="`, cells.open[0], a.Key().String(), cells.open[1], `"`)
	if isOpen {
		m.Raw(` aria-current="true"`)
	}
	m.Raw(`>`)
	writeAccessWho(m, a)
	m.Raw(`</a></th><td>`)
	writeAccessWhat(m, a)
	m.Raw(`</td><td><span class="access-from">`)
	if a.Ip != nil {
		m.Raw(`<span class="mono">`, a.Ip.String(), `</span>`)
	}
	client := cells.client(m.Context, a)
	m.Raw(`<span class="sub truncate" title="`, client, `">`, client, `</span></span></td><td>`)
	writeAccessMarks(m, a)
	m.Raw(`</td></tr>`)
}

// writeAccessWho writes whose access it is: a person, an unknown account, a service
// token, or nobody's where single sign-on was refused or an administrator unlocked an
// address.
func writeAccessWho(m *views.Markup, a *usage.AccessRow) {
	switch {
	case a.UserID != nil:
		m.Wrap(`<bdi>`, userText(m.Context, a.User), `</bdi>`)
	case a.Account != "":
		m.Wrap(`<span class="sub">`, m.T("access.account.unknown"), ` </span>`)
		writeName(m, a.Account)
	case a.Reason == usage.UnknownToken:
		m.Wrap(`<span class="sub">`, m.T("access.reason.unknown_token"), `</span>`)
	case a.IsOfNobody():
		m.Wrap(`<span class="sub">`, m.T("access.nobody"), `</span>`)
	case !a.IsOfService():
		m.Wrap(`<span class="sub">`, m.T("access.address"), `</span>`)
	default:
		m.Text(m.T("access.service_token"))
	}
}

// writeAccessWhat writes what happened, and why.
func writeAccessWhat(m *views.Markup, a *usage.AccessRow) {
	tone, icon := accessBadge(a)
	m.Badge(tone, icon, accessText(m.Context, a))
	m.Raw(`<span class="sub">`)
	if text := reasonText(m.Context, a.Reason); text != "" {
		m.Text(text)
	} else if a.Reason != "" {
		writeName(m, a.Reason)
	}
	m.Raw(`</span>`)
}

// writeAccessMarks writes what is remarkable, each with a link to its rule.
func writeAccessMarks(m *views.Markup, a *usage.AccessRow) {
	mark := func(tone, icon, text string) {
		m.Raw(`<a class="access-mark" href="#rules" data-hx-boost="false">`)
		m.Badge(tone, icon, text)
		m.Raw(`</a>`)
	}
	m.Raw(`<span class="row access-marks">`)
	if a.Failures > 0 {
		mark("danger", "error", m.T("access.mark.failures", "Count", m.Locale.Number(int64(a.Failures))))
	}
	if a.AddressFailures > 0 {
		mark("danger", "error", m.T("access.mark.address_failures", "Count", m.Locale.Number(int64(a.AddressFailures))))
	}
	if a.NewDevice {
		mark("warning", "phone-device", m.T("access.mark.device"))
	}
	if a.NewAddress {
		mark("warning", "globe", m.T("access.mark.address"))
	}
	m.Raw(`</span>`)
}

func accessWho(a usage.AccessRow) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeAccessWho(m, &a) })
}

func accessWhat(a usage.AccessRow) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeAccessWhat(m, &a) })
}

func accessMarks(a usage.AccessRow) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeAccessMarks(m, &a) })
}
