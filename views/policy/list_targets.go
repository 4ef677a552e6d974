package policy

import (
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/views"
)

// targetRooms are the widths of the column of targets on narrow, usual and wide screens, in
// pixels, and how many targets it names at most.
var targetRooms = [...]struct{ width, most int }{{164, 2}, {224, 3}, {424, 4}}

// Widths in pixels of a target around its name, of the button that counts the others, and
// of the gap between them.
const (
	chipFrame  = 33
	moreFrame  = 14
	targetsGap = 4
)

// writeListTargets names as many targets as the column has room for and counts the others
// on a button that lists all.
func writeListTargets(m *views.Markup, p *policy.Summary) {
	switch {
	case p.IsDefault:
		m.Wrap(`<span class="sub">`, m.T("policy.targets.rest"), `</span>`)
		return
	case p.TargetCount == 0:
		m.Wrap(`<span class="sub">`, m.T("policy.targets.none"), `</span>`)
		return
	}
	var named [len(targetRooms)]int
	for i := range targetRooms {
		named[i] = namedTargets(p, i)
	}
	m.Raw(`<div class="chips chips-line">`)
	for i, t := range p.Targets[:named[len(named)-1]] {
		switch {
		case i >= named[1]:
			m.Raw(`<span class="chip" data-high`)
		case i >= named[0]:
			m.Raw(`<span class="chip" data-low`)
		default:
			m.Raw(`<span class="chip"`)
		}
		writeTarget(m, t)
	}
	writeMoreTargets(m, p, named)
	m.Raw(`</div>`)
	if p.TargetCount > named[0] {
		writeTargetList(m, p)
	}
}

// writeTarget writes a target behind the attributes of its chip. Only a name that is alone
// in the column can be cut off.
func writeTarget(m *views.Markup, t policy.ListedTarget) {
	if chipFrame+textWidth(t.Name) > targetRooms[0].width-targetsGap-moreFrame-textWidth("+9") {
		m.Wrap(` title="`, t.Name, `"`)
	}
	m.Raw(`>`)
	if t.UserID != 0 {
		m.Wrap(`<span class="avatar" aria-hidden="true">`, views.Initial(t.Name), `</span> `)
	} else {
		m.Icon("building")
	}
	m.Wrap(`<span><bdi>`, t.Name, `</bdi></span></span> `)
}

// namedTargets returns how many targets fit into a room: at least one, and more if their
// names are whole.
func namedTargets(p *policy.Summary, room int) int {
	width := 0
	for i, t := range p.Targets {
		width += chipFrame + textWidth(t.Name)
		needed := width
		if others := p.TargetCount - i - 1; others > 0 {
			needed += targetsGap + moreFrame + textWidth("+"+strconv.Itoa(others))
		}
		if i > 0 && (i == targetRooms[room].most || needed > targetRooms[room].width) {
			return i
		}
		width += targetsGap
	}
	return len(p.Targets)
}

// textWidth estimates the width of a text of 12 pixels: East Asian characters have that
// width in every font, the widest Latin fonts have about 8.
func textWidth(text string) int {
	width := 0
	for _, r := range text {
		if r < 0x1100 {
			width += 8
		} else {
			width += 12
		}
	}
	return width
}

// writeMoreTargets writes the buttons that count the targets that are not named, each for
// the screens on which it is right.
func writeMoreTargets(m *views.Markup, p *policy.Summary, named [len(targetRooms)]int) {
	narrow, usual, wide := p.TargetCount-named[0], p.TargetCount-named[1], p.TargetCount-named[2]
	switch {
	case narrow == wide:
		writeMoreButton(m, p, wide, `"`)
	case narrow == usual:
		writeMoreButton(m, p, usual, ` not-wide"`)
		writeMoreButton(m, p, wide, `" data-high`)
	case usual == wide:
		writeMoreButton(m, p, narrow, ` only-narrow"`)
		writeMoreButton(m, p, wide, `" data-low`)
	default:
		writeMoreButton(m, p, narrow, ` only-narrow"`)
		writeMoreButton(m, p, usual, ` not-wide" data-low`)
		writeMoreButton(m, p, wide, `" data-high`)
	}
}

// writeMoreButton writes a button that counts other targets, if there are any. Class
// completes the attribute.
func writeMoreButton(m *views.Markup, p *policy.Summary, count int, class string) {
	if count == 0 {
		return
	}
	number := m.Locale.Number(int64(count))
	m.Raw(`<button type="button" class="chip chip-more`, class, ` popovertarget="targets-`)
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
