package demo

import "image/color"

// avatarSide is the width and height of a person's picture in pixels: twice that
// of the largest on screen, for screens with a high resolution.
const avatarSide = 128

// avatars is the number of different pictures of people: every motif in every
// colouring.
var avatars = len(motifs) * len(colourings)

// drawAvatar returns the picture with a number from 1 as PNG.
func drawAvatar(number int) ([]byte, error) {
	c := colourings[(number-1)%len(colourings)]
	return poster{c.ground, motifs[(number-1)/len(colourings)](c)}.encode(avatarSide, avatarSide)
}

// personAvatar chooses a picture of a person by chance.
func personAvatar(chance int) int { return 1 + chance%(avatars-len(colourings)) }

// botAvatar chooses a picture of a bot, which is the last motif.
func botAvatar(number int) int { return avatars - number%len(colourings) }

// colouring is the colours of a picture: of the background, of something large
// and of something small, and of skin and hair.
type colouring struct{ ground, large, small, skin, hair color.RGBA }

var colourings = []colouring{
	{rgb(0xdbe7fb), rgb(0x3f6494), mustard, rgb(0xf0cdb0), rgb(0x2b2320)},
	{rgb(0xd8efe3), green, coral, rgb(0xe8bd9b), rgb(0x3a2a22)},
	{rgb(0xfbe5d6), brick, teal, rgb(0xf3d3b8), rgb(0x211d1c)},
	{rgb(0xece2f8), plum, mustard, rgb(0xedc6a6), rgb(0x45342a)},
	{rgb(0xf9dfe6), rgb(0x93294b), sky, rgb(0xf2d0b5), rgb(0x2a2422)},
	{rgb(0xd7eef2), teal, brick, rgb(0xe4b48f), rgb(0x1f1b1a)},
	{rgb(0xf6ecc9), rgb(0x8a6a12), navy, rgb(0xefc9aa), rgb(0x53402f)},
	{rgb(0xe3e8ee), slate, coral, rgb(0xf4d6bd), rgb(0x2d2725)},
	{rgb(0xe4f0d3), rgb(0x5b7a2c), plum, rgb(0xe9c09f), rgb(0x36291f)},
	{rgb(0xf3dff0), rgb(0x7d2f73), green, rgb(0xf1ceb1), rgb(0x6d675f)},
}

// motifs are what people choose as their picture: themselves or something they
// like. Coordinates are pixels from the top left corner.
var motifs = []func(colouring) []layer{
	func(c colouring) []layer { // short hair
		return append(c.bust(), layer{c.hair, both(circle(64, 56, 28), not(below(47)))}, layer{c.hair, rounded(37, 36, 91, 52, 12)})
	},
	func(c colouring) []layer { // a bob
		return append([]layer{{c.hair, rounded(32, 26, 96, 88, 30)}}, append(c.bust(), layer{c.hair, both(circle(64, 58, 29), not(below(44)))})...)
	},
	func(c colouring) []layer { // curls
		curls := each(9, func(i int) shape { return circle(34+7.5*float64(i), 40-14*bump(i, 9), 11) })
		return append(c.bust(), layer{c.hair, curls})
	},
	func(c colouring) []layer { // a parting, and glasses
		glasses := union(ring(53, 60, 8, 2.5), ring(75, 60, 8, 2.5), line(61, 60, 67, 60, 2.5))
		return append(c.bust(), layer{c.hair, both(circle(64, 56, 28), rotatedAt(not(below(46)), 64, 46, -16))}, layer{ink, glasses})
	},
	func(c colouring) []layer { // a cap
		return append(c.bust(), layer{c.small, union(both(circle(64, 54, 30), not(below(46))), rounded(58, 41, 106, 48, 3))})
	},
	func(c colouring) []layer { // a bun
		return append([]layer{{c.hair, circle(64, 22, 13)}}, append(c.bust(), layer{c.hair, both(circle(64, 57, 29), not(below(46)))})...)
	},
	func(c colouring) []layer { // mountains
		return []layer{{c.small, circle(94, 36, 15)}, {c.large, polygon(-10, 128, 50, 38, 110, 128)}, {paper, polygon(40, 53, 50, 38, 60, 53)}, {rgb(0x53647a), polygon(52, 128, 96, 74, 140, 128)}}
	},
	func(c colouring) []layer { // a plant in a pot
		leaf := func(x, y, turn float64) shape {
			return rotatedAt(both(circle(x-14, y, 24), circle(x+14, y, 24)), x, y, turn)
		}
		return []layer{{green, union(leaf(64, 44, 0), leaf(44, 58, -42), leaf(84, 58, 42), line(64, 50, 64, 90, 4))}, {c.large, union(polygon(40, 84, 88, 84, 80, 118, 48, 118), rounded(36, 80, 92, 92, 4))}}
	},
	func(c colouring) []layer { // a cat
		return []layer{
			{c.large, union(circle(64, 74, 36), polygon(30, 26, 34, 70, 62, 44), polygon(98, 26, 94, 70, 66, 44), circle(64, 136, 44))},
			{paper, union(circle(50, 70, 7), circle(78, 70, 7))}, {ink, union(circle(51, 71, 3.5), circle(77, 71, 3.5))}, {c.small, polygon(58, 83, 70, 83, 64, 90)},
		}
	},
	func(c colouring) []layer { // a cup of coffee
		return []layer{
			{c.large, union(ring(90, 70, 15, 7), rounded(30, 48, 86, 100, 16), rounded(30, 48, 86, 66, 2))}, {c.small, rounded(30, 60, 86, 72, 0)},
			{slate, union(rounded(22, 104, 102, 110, 3), rounded(44, 22, 48, 40, 2), rounded(58, 16, 62, 40, 2), rounded(72, 22, 76, 40, 2))},
		}
	},
	func(c colouring) []layer { // the sea
		return []layer{{c.small, circle(64, 54, 24)}, {sky, wave(66, 5, 50, 0)}, {c.large, wave(84, 5, 50, 22)}, {navy, wave(104, 5, 50, 8)}}
	},
	func(c colouring) []layer { // a night sky
		stars := union(circle(28, 30, 2.5), circle(48, 64, 2), circle(100, 28, 2), circle(108, 66, 2.5), circle(34, 96, 2), circle(82, 104, 2.5), circle(60, 18, 2))
		return []layer{{c.large, box(0, 0, avatarSide, avatarSide)}, {c.ground, both(circle(70, 62, 30), not(circle(84, 54, 26)))}, {paper, stars}}
	},
	func(c colouring) []layer { // a robot
		return []layer{
			{slate, union(line(64, 20, 64, 40, 4), circle(64, 18, 6), rounded(22, 58, 30, 82, 4), rounded(98, 58, 106, 82, 4))},
			{c.large, union(rounded(30, 38, 98, 98, 16), rounded(44, 106, 84, 140, 8))},
			{paper, rounded(40, 52, 88, 76, 12)}, {ink, union(circle(53, 64, 5), circle(75, 64, 5))}, {c.small, rounded(50, 84, 78, 89, 2.5)},
		}
	},
}

// bust is the head and the shoulders of a person without hair.
func (c colouring) bust() []layer {
	return []layer{
		{c.large, union(circle(64, 138, 46), rounded(18, 112, 110, 160, 28))},
		{c.skin, union(rounded(55, 76, 73, 102, 9), circle(64, 60, 25))},
	}
}

// bump is 0 at both ends of a row of things and 1 in its middle.
func bump(i, count int) float64 {
	x := 2*float64(i)/float64(count-1) - 1
	return 1 - x*x
}
