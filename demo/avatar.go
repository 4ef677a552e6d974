package demo

import (
	"fmt"
	"html"
	"unicode/utf8"
)

// avatar returns an image as SVG, of at most 600 bytes: the first letter of a
// name on a soft colour.
func avatar(name string, chance int) []byte {
	letter, _ := utf8.DecodeRuneInString(name)
	tone := tones[chance%len(tones)]
	x, y := 14+chance/7%68, 8+chance/11%24
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">`+
		`<rect width="96" height="96" fill="%s"/>`+
		`<circle cx="%d" cy="%d" r="40" fill="#fff" opacity=".28"/>`+
		`<text x="48" y="63" font-family="system-ui,sans-serif" font-size="42" font-weight="600" text-anchor="middle" fill="%s">%s</text></svg>`,
		tone[0], x, y, tone[1], html.EscapeString(string(letter)))
}

// tones are background colours, each with a colour for the letter that is easy
// to read on it.
var tones = [][2]string{
	{"#dbe7fb", "#1f4b99"}, {"#d8efe3", "#1d6244"}, {"#fbe5d6", "#8f4312"}, {"#ece2f8", "#5b3a94"},
	{"#f9dfe6", "#93294b"}, {"#d7eef2", "#165f6d"}, {"#f6ecc9", "#6f5300"}, {"#e3e8ee", "#3d4b5c"},
	{"#e4f0d3", "#45611a"}, {"#f3dff0", "#7d2f73"},
}
