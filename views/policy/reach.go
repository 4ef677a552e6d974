package policy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries/policy"
)

// reachURL is where the form asks whom saving it would affect.
func (p Edit) reachURL(ctx context.Context) string {
	return locales.FromContext(ctx).Path(p.url() + "/reach")
}

// reachTexts are the counts in the button: whose policy changes, who can no longer save
// files, and whose connection ends.
func reachTexts(ctx context.Context, r policy.Preview) []string {
	if r.People() == 0 && r.Cut == 0 {
		return []string{locales.T(ctx, "policy.reach.nobody")}
	}
	texts := []string{locales.N(ctx, "policy.effect.people", r.People())}
	return append(texts, lossTexts(ctx, r)...)
}

// lossTexts say how many people can no longer save files, and how many connections end.
func lossTexts(ctx context.Context, r policy.Preview) (texts []string) {
	if r.Saving > 0 {
		texts = append(texts, locales.N(ctx, "policy.reach.saving", r.Saving))
	}
	if r.Cut > 0 {
		texts = append(texts, about(ctx, r, locales.N(ctx, "policy.reach.cut", r.Cut)))
	}
	return texts
}

// about says of a count of connections whether it is exact.
func about(ctx context.Context, r policy.Preview, text string) string {
	if r.IsExact {
		return text
	}
	return locales.T(ctx, "policy.reach.about", "Text", text)
}

// reachFigure is a sum above the map.
type reachFigure struct {
	label, value string
	warns        bool
}

func reachFigures(ctx context.Context, r policy.Preview) []reachFigure {
	figure := func(id string, people int, warns bool) reachFigure {
		return reachFigure{locales.T(ctx, id), locales.N(ctx, "policy.effect.people", people), warns && people > 0}
	}
	figures := []reachFigure{
		figure("policy.reach.affected", r.People(), false), figure("policy.reach.gain", r.Gain, false), figure("policy.reach.lose", r.Lose, false),
		figure("policy.reach.cannot_save", r.Saving, true), figure("policy.reach.cut_off", r.Cut, true),
	}
	last := &figures[len(figures)-1]
	last.value = about(ctx, r, last.value)
	return figures
}

// partName is the name of a department on the map.
func partName(ctx context.Context, p policy.ReachPart) string {
	return cmp.Or(p.Name, locales.T(ctx, "policy.reach.others"))
}

// reachView is what the map of a reach shows of each department.
type reachView struct {
	key   string
	count func(policy.ReachPart) int
}

// reachViews are the choices of the map, the first one at first.
var reachViews = []reachView{
	{"covered", func(p policy.ReachPart) int { return p.Covered }},
	{"saving", func(p policy.ReachPart) int { return p.Saving }},
	{"moving", func(p policy.ReachPart) int { return p.Gain + p.Lose }},
}

// isCovered reports whether the map shows to whom the policy applies. Only then it hatches
// the share of people who lose something.
func (v reachView) isCovered() bool { return v.key == "covered" }

// tone is for how many people of a department it is so.
func (v reachView) tone(p policy.ReachPart) string {
	switch v.count(p) {
	case 0:
		return "none"
	case p.People:
		return "all"
	}
	return "some"
}

// tones are those of the legend.
func (v reachView) tones() []string {
	if v.isCovered() {
		return []string{"all", "some", "none", "lose"}
	}
	return []string{"all", "some", "none"}
}

// of is for how many of the people of a department it is so: "168 / 168".
func (v reachView) of(ctx context.Context, p policy.ReachPart) string {
	return locales.Number(ctx, int64(v.count(p))) + " / " + locales.Number(ctx, int64(p.People))
}

// partCause says what changes for the people of a department.
func partCause(ctx context.Context, p policy.ReachPart) string {
	var causes []string
	if p.Gain > 0 {
		causes = append(causes, locales.N(ctx, "policy.effect.gain", p.Gain))
	}
	if p.Lose > 0 {
		causes = append(causes, locales.N(ctx, "policy.effect.lose", p.Lose))
	}
	keys := make([]string, 0, len(p.Settings))
	for key, people := range p.Settings {
		if people > 0 {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(p.Settings[b], p.Settings[a]), cmp.Compare(a, b))
	})
	const named = 2
	for _, key := range keys[:min(named, len(keys))] {
		causes = append(causes, locales.T(ctx, "setting."+key))
	}
	if rest := len(keys) - named; rest > 0 {
		causes = append(causes, locales.N(ctx, "policy.reach.settings", rest))
	}
	return strings.Join(causes, " · ")
}

// The map in the units of its view box.
const (
	mapWidth, mapHeight = 868.0, 177.0
	mapHead, mapGap     = 26.0, 12.0
	cellPadding         = 14.0 // of a cell's texts, left and right
)

// mapGroup is a department on the map with what is below it, and mapCell one of these.
type mapGroup struct {
	x, width float64
	part     policy.ReachPart
	cells    []mapCell
}

type mapCell struct {
	x, y, width, height float64
	part                policy.ReachPart
}

// reachMap arranges departments so that areas are proportional to people.
func reachMap(groups []policy.ReachGroup) []mapGroup {
	people := 0
	for _, g := range groups {
		people += g.People
	}
	if people == 0 {
		return nil
	}
	room, x := mapWidth-mapGap*float64(len(groups)-1), 0.0
	var all []mapGroup
	for _, g := range groups {
		width := room * float64(g.People) / float64(people)
		box := mapCell{x: x, y: mapHead, width: width, height: mapHeight - mapHead - 1}
		all = append(all, mapGroup{x, width, g.ReachPart, fillCell(box, g.Parts)})
		x += width + mapGap
	}
	return all
}

// fillCell divides a box among departments. Each step fills a row along the shorter side
// with as many of them as makes its cells the most square.
func fillCell(box mapCell, parts []policy.ReachPart) (cells []mapCell) {
	parts = slices.SortedStableFunc(slices.Values(parts), func(a, b policy.ReachPart) int { return cmp.Compare(b.People, a.People) })
	for len(parts) > 0 && parts[0].People > 0 {
		rest := 0
		for _, p := range parts {
			rest += p.People
		}
		scale, side := box.width*box.height/float64(rest), min(box.width, box.height)
		size, worst := 1, worstRatio(parts[:1], scale, side)
		for size < len(parts) && parts[size].People > 0 && worstRatio(parts[:size+1], scale, side) <= worst {
			size++
			worst = worstRatio(parts[:size], scale, side)
		}
		cells = append(cells, cutRow(&box, parts[:size], scale)...)
		parts = parts[size:]
	}
	return cells
}

// worstRatio is the largest ratio of the sides of cells in a row along a side.
func worstRatio(row []policy.ReachPart, scale, side float64) float64 {
	people, worst := 0, 0.0
	for _, p := range row {
		people += p.People
	}
	depth := float64(people) * scale / side
	for _, p := range row {
		length := float64(p.People) * scale / depth
		worst = max(worst, depth/length, length/depth)
	}
	return worst
}

// cutRow cuts a row of cells from the shorter side of a box.
func cutRow(box *mapCell, row []policy.ReachPart, scale float64) (cells []mapCell) {
	people := 0
	for _, p := range row {
		people += p.People
	}
	area := float64(people) * scale
	if box.width >= box.height {
		width, y := area/box.height, box.y
		for _, p := range row {
			height := box.height * float64(p.People) / float64(people)
			cells = append(cells, mapCell{box.x, y, width, height, p})
			y += height
		}
		box.x, box.width = box.x+width, box.width-width
		return cells
	}
	height, x := area/box.width, box.x
	for _, p := range row {
		width := box.width * float64(p.People) / float64(people)
		cells = append(cells, mapCell{x, box.y, width, height, p})
		x += width
	}
	box.y, box.height = box.y+height, box.height-height
	return cells
}

// lossWidth is the width of the hatching: the share of people who lose something.
func (c mapCell) lossWidth() float64 {
	return max(4, (c.width-2)*float64(c.part.Saving)/float64(c.part.People))
}

// px writes a length as SVG has it.
func px(length float64) string { return fmt.Sprintf("%.1f", length) }

// labelWidth estimates the width of a text. Letters of Korean and Japanese are about
// twice as wide as others.
func labelWidth(text string) float64 {
	width := 0.0
	for _, r := range text {
		if r > 0x2e80 {
			width += 12
		} else {
			width += 6.6
		}
	}
	return width
}

// fitText cuts a text that is wider than a width.
func fitText(text string, width float64) string {
	if labelWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && labelWidth(string(runes))+6.6 > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// mapText is the map in words; the table has the numbers.
func mapText(ctx context.Context, r policy.Reach, v reachView) string {
	count, people := 0, 0
	for _, g := range r.Groups {
		count, people = count+v.count(g.ReachPart), people+g.People
	}
	return locales.T(ctx, "policy.reach.map."+v.key, "Count", locales.Number(ctx, int64(count)), "People", locales.Number(ctx, int64(people)), "Saving", locales.Number(ctx, int64(r.Saving)))
}

// countOrDash writes a count, and nothing as a dash.
func countOrDash(ctx context.Context, n int) string {
	if n == 0 {
		return "–"
	}
	return locales.Number(ctx, int64(n))
}
