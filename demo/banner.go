package demo

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"officeconsole/picture"
)

// The size of a banner in pixels: twice that of the screen, for screens with a
// high resolution.
const (
	bannerWidth  = 252
	bannerHeight = 160
)

// poster is a drawing of a background and shapes, each above the ones before.
type poster struct {
	ground color.RGBA
	layers []layer
}

type layer struct {
	ink   color.RGBA
	shape shape
}

// drawBanner returns the poster with a name as PNG.
func drawBanner(name string) ([]byte, error) {
	p, ok := posters[name]
	if !ok {
		return nil, fmt.Errorf("there is no banner %s", name)
	}
	return p.encode(bannerWidth, bannerHeight)
}

// encode returns the poster as PNG.
func (p poster) encode(width, height int) ([]byte, error) {
	return picture.EncodePNG(p.draw(width, height))
}

func (p poster) draw(width, height int) *image.RGBA {
	bounds := image.Rect(0, 0, width, height)
	canvas, mask := image.NewRGBA(bounds), image.NewAlpha(bounds)
	draw.Draw(canvas, bounds, image.NewUniform(p.ground), image.Point{}, draw.Src)
	for _, l := range p.layers {
		l.shape.cover(mask)
		draw.DrawMask(canvas, bounds, image.NewUniform(l.ink), image.Point{}, mask, image.Point{}, draw.Over)
	}
	return canvas
}

// rgb returns an opaque colour: 0x1f3a5f is #1f3a5f.
func rgb(c uint32) color.RGBA {
	return color.RGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xff}
}

// The palette of the banners.
var (
	navy, ink, slate   = rgb(0x23395b), rgb(0x202a36), rgb(0x4a5a6e)
	green, teal, mint  = rgb(0x2f6b57), rgb(0x2b7f86), rgb(0xb9dccb)
	sky, paper, sand   = rgb(0xa9c8e6), rgb(0xf7f2e8), rgb(0xecdcc3)
	coral, brick, rose = rgb(0xe4785c), rgb(0xa5472f), rgb(0xf3cdbf)
	mustard, plum      = rgb(0xe5b24a), rgb(0x5b4270)
)

// posters are the banners by what they show. Coordinates are pixels from the top
// left corner.
var posters = map[string]poster{
	"windows": {navy, []layer{
		{sky, rounded(64, 22, 120, 74, 10)}, {coral, rounded(132, 22, 188, 74, 10)},
		{mustard, rounded(64, 86, 120, 138, 10)}, {paper, rounded(132, 86, 188, 138, 10)},
	}},
	"people": {sand, []layer{
		{teal, union(circle(70, 70, 22), circle(70, 160, 54))}, {plum, union(circle(182, 70, 22), circle(182, 160, 54))},
		{sand, circle(126, 170, 76)}, {coral, union(circle(126, 58, 28), circle(126, 170, 68))},
	}},
	"rooms": {slate, []layer{
		{rgb(0x66778c), each(24, func(i int) shape { return cell(i%6, i/6) })},
		{mustard, union(cell(1, 1), cell(4, 0), cell(3, 3))}, {mint, cell(2, 2)},
	}},
	"speech": {mint, []layer{
		{green, union(rounded(42, 30, 154, 98, 22), polygon(60, 90, 60, 122, 96, 94))},
		{mint, rounded(104, 62, 216, 130, 28)},
		{paper, union(rounded(110, 68, 210, 124, 20), polygon(196, 116, 196, 142, 164, 120))},
		{green, each(3, func(i int) shape { return circle(138+22*float64(i), 96, 6) })},
	}},
	"certificate": {brick, []layer{
		{paper, rounded(82, 18, 182, 150, 4)},
		{sand, union(rounded(98, 36, 166, 44, 4), rounded(98, 56, 166, 64, 4), rounded(98, 76, 140, 84, 4))},
		{mustard, union(circle(152, 116, 17), polygon(140, 124, 136, 156, 152, 144), polygon(164, 124, 168, 156, 152, 144))},
		{brick, circle(152, 116, 7)},
	}},
	"card": {mustard, []layer{
		{rgb(0xc9953a), rotated(rounded(64, 44, 200, 130, 12), -8)},
		{navy, rotated(rounded(58, 36, 194, 122, 12), -8)},
		{coral, rotated(box(58, 54, 194, 72), -8)},
		{sand, rotated(rounded(72, 92, 104, 108, 5), -8)},
	}},
	"route": {sky, []layer{
		{teal, circle(126, 196, 92)}, {mint, union(circle(100, 150, 18), circle(118, 160, 20), circle(172, 142, 13))},
		{paper, both(both(ring(126, 168, 100, 5), fan(126, 168, 10)), not(below(106)))},
		{navy, circle(40, 116, 13)}, {sky, circle(40, 116, 5)},
		{coral, union(circle(212, 74, 20), polygon(194.5, 84, 229.5, 84, 212, 116))}, {paper, circle(212, 74, 8)},
	}},
	"plate": {coral, []layer{
		{paper, circle(126, 80, 62)}, {sand, circle(126, 80, 44)},
		{green, both(circle(126, 80, 36), below(80))}, {mustard, both(circle(126, 80, 36), not(below(76)))},
		{paper, union(rounded(24, 34, 28, 70, 2), rounded(32, 34, 36, 126, 2), rounded(40, 34, 44, 70, 2), rounded(24, 64, 44, 72, 4), rounded(208, 34, 220, 84, 6), rounded(208, 70, 213, 126, 2))},
	}},
	"wheels": {green, []layer{
		{rgb(0x265847), below(128)}, {mustard, rounded(42, 38, 210, 122, 18)},
		{navy, each(4, func(i int) shape { return rounded(56+37*float64(i), 52, 86+37*float64(i), 82, 5) })},
		{paper, rounded(42, 96, 210, 102, 0)},
		{ink, union(circle(86, 122, 18), circle(168, 122, 18))}, {sand, union(circle(86, 122, 7), circle(168, 122, 7))},
	}},
	"parking": {ink, []layer{
		{paper, each(5, func(i int) shape { return line(4+66*float64(i), 160, 34+66*float64(i), 30, 6) })},
		{coral, rotatedAt(rounded(98, 50, 140, 134, 14), 119, 92, 13)},
		{rgb(0xf0a68f), union(rotatedAt(rounded(105, 66, 133, 82, 5), 119, 92, 13), rotatedAt(rounded(107, 114, 131, 124, 4), 119, 92, 13))},
	}},
	"parcel": {rgb(0xc99b6d), []layer{
		{rgb(0xa97d53), polygon(126, 146, 194, 112, 194, 48, 126, 82)}, {rgb(0xe0bb90), polygon(126, 146, 58, 112, 58, 48, 126, 82)},
		{sand, polygon(126, 14, 194, 48, 126, 82, 58, 48)}, {coral, polygon(84, 35, 100, 27, 168, 61, 152, 69)},
		{coral, polygon(152, 69, 168, 61, 168, 92, 152, 100)},
	}},
	"bags": {rose, []layer{
		{brick, ring(88, 62, 22, 6)}, {coral, rounded(48, 62, 128, 150, 6)},
		{navy, ring(172, 80, 18, 6)}, {teal, rounded(140, 80, 204, 150, 6)}, {mint, circle(172, 116, 12)},
		{rgb(0xe8b4a3), below(150)},
	}},
	"pulse": {teal, []layer{
		{rgb(0x349099), circle(126, 80, 66)},
		{paper, path(7, 0, 84, 82, 84, 98, 60, 116, 118, 136, 34, 152, 98, 164, 84, 252, 84)}, {coral, circle(136, 34, 11)},
	}},
	"books": {paper, []layer{
		{navy, box(51, 36, 73, 132)}, {coral, box(77, 52, 103, 132)}, {mustard, box(107, 28, 123, 132)}, {green, box(127, 46, 157, 132)},
		{plum, rotatedAt(box(181, 40, 203, 132), 181, 132, -14)}, {sand, below(132)},
		{paper, union(box(51, 50, 73, 56), box(77, 110, 103, 116), box(127, 60, 157, 66), box(127, 72, 157, 76))},
	}},
	"sunrise": {plum, []layer{
		{rgb(0x7a4f7d), circle(126, 160, 132)}, {rgb(0xb45f74), circle(126, 160, 102)},
		{coral, circle(126, 160, 74)}, {mustard, circle(126, 160, 46)},
	}},
	"lock": {ink, []layer{
		{rgb(0x2c3947), ring(126, 88, 104, 8)}, {rgb(0x2c3947), ring(126, 88, 78, 8)},
		{mint, union(both(ring(126, 66, 26, 11), not(below(68))), box(94.5, 66, 105.5, 80), box(146.5, 66, 157.5, 80))},
		{mustard, rounded(82, 76, 170, 138, 10)}, {ink, union(circle(126, 102, 8), rounded(122, 102, 130, 122, 3))},
	}},
	"branches": {rgb(0x2a3a4f), []layer{
		{sky, path(6, 112, 90, 142, 126, 206, 126)}, {coral, path(6, 44, 90, 76, 40, 164, 40, 196, 90)}, {mint, path(6, 20, 90, 232, 90)},
		{mint, union(circle(44, 90, 12), circle(112, 90, 12), circle(196, 90, 12))}, {coral, union(circle(94, 40, 12), circle(146, 40, 12))},
		{sky, circle(206, 126, 12)},
	}},
	"steps": {rgb(0xdfe8ea), []layer{
		{teal, each(9, func(i int) shape { return rounded(30+22*float64(i), 138-bars[i], 44+22*float64(i), 138, 4) })},
		{coral, rounded(30+22*5, 138-bars[5], 44+22*5, 138, 4)}, {slate, rounded(24, 142, 228, 145, 1)},
	}},
	"figures": {paper, []layer{
		{coral, circle(54, 80, 36)}, {mustard, box(90, 44, 162, 116)}, {navy, polygon(162, 116, 198, 44, 234, 116)},
		{ink, both(circle(54, 80, 36), box(54, 0, 252, 160))}, {teal, both(box(90, 44, 162, 116), circle(90, 116, 72))},
	}},
	"rise": {sky, []layer{
		{mustard, circle(72, 58, 30)},
		{rgb(0x7fa6cf), box(36, 130, 252, 160)}, {rgb(0x5c83b3), box(90, 102, 252, 160)}, {rgb(0x3f6494), box(144, 74, 252, 160)}, {navy, box(198, 46, 252, 160)},
	}},
	"news": {rgb(0xf1e9da), []layer{
		{brick, box(36, 24, 216, 44)}, {ink, box(36, 50, 216, 53)}, {mustard, box(36, 64, 120, 136)}, {coral, both(circle(78, 136, 34), not(below(136)))},
		{slate, each(5, func(i int) shape { return box(132, 66+15*float64(i), 216-float64(i%2)*18, 72+15*float64(i)) })},
	}},
	"circles": {sand, []layer{
		{coral, circle(100, 64, 44)}, {teal, circle(152, 64, 44)}, {mustard, circle(126, 104, 44)},
		{plum, both(circle(100, 64, 44), circle(152, 64, 44))}, {brick, both(circle(100, 64, 44), circle(126, 104, 44))},
		{green, both(circle(152, 64, 44), circle(126, 104, 44))}, {paper, both(both(circle(100, 64, 44), circle(152, 64, 44)), circle(126, 104, 44))},
	}},
	"choice": {rgb(0x37506e), []layer{
		{rgb(0x6d87a6), each(28, func(i int) shape { return circle(36+30*float64(i%7), 35+30*float64(i/7), 9) })},
		{rgb(0x37506e), circle(156, 65, 24)}, {mustard, circle(156, 65, 17)},
	}},
	"waves": {rose, []layer{
		{coral, circle(178, 66, 34)}, {sky, wave(84, 9, 84, 0)}, {teal, wave(106, 9, 84, 30)}, {navy, wave(130, 9, 84, 64)},
	}},
}

// bars are the heights of the bars of "steps".
var bars = [...]float64{52, 70, 60, 84, 76, 108, 66, 92, 56}

// cell is a cell of the grid of "rooms".
func cell(column, row int) shape {
	x, y := 24+35*float64(column), 16+33*float64(row)
	return rounded(x, y, x+29, y+27, 5)
}
