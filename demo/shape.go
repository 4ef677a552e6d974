package demo

import (
	"image"
	"math"
)

// shape is a figure of a drawing: it returns the distance of a point from the
// edge in pixels, which is negative inside. From one pixel of a row to the next
// it changes by one at most.
type shape func(x, y float64) float64

// edgeShades is the number of shades that a pixel on an edge may have. More cannot be told
// apart, and a picture of few colours takes fewer bytes.
const edgeShades = 8

// cover sets every pixel of a mask, which begins at 0, 0, to the share of it that
// the shape covers. It computes pixels near the edge only.
func (s shape) cover(mask *image.Alpha) {
	for y := range mask.Rect.Dy() {
		row := mask.Pix[y*mask.Stride:][:mask.Rect.Dx()]
		for x := 0; x < len(row); {
			distance := s(float64(x)+0.5, float64(y)+0.5)
			share := uint8(math.Round(math.Round(edgeShades*min(max(0.5-distance, 0), 1)) * 255 / edgeShades))
			next := min(x+1+int(max(math.Abs(distance)-0.5, 0)), len(row))
			for ; x < next; x++ {
				row[x] = share
			}
		}
	}
}

func circle(cx, cy, radius float64) shape {
	return func(x, y float64) float64 { return math.Sqrt((x-cx)*(x-cx)+(y-cy)*(y-cy)) - radius }
}

// ring is a circle with a line of some width.
func ring(cx, cy, radius, width float64) shape {
	edge := circle(cx, cy, radius)
	return func(x, y float64) float64 { return math.Abs(edge(x, y)) - width/2 }
}

func box(left, top, right, bottom float64) shape {
	return func(x, y float64) float64 { return max(left-x, x-right, top-y, y-bottom) }
}

// rounded is a box with round corners.
func rounded(left, top, right, bottom, radius float64) shape {
	inner := box(left+radius, top+radius, right-radius, bottom-radius)
	return func(x, y float64) float64 {
		dx, dy := max(left+radius-x, x-right+radius, 0), max(top+radius-y, y-bottom+radius, 0)
		return min(inner(x, y), 0) + math.Sqrt(dx*dx+dy*dy) - radius
	}
}

// below is everything below a height.
func below(top float64) shape {
	return func(_, y float64) float64 { return top - y }
}

// wave is everything below a wave line around a height.
func wave(top, amplitude, length, offset float64) shape {
	return func(x, y float64) float64 { return top + amplitude*math.Sin((x+offset)*2*math.Pi/length) - y }
}

// line is a straight line with round ends.
func line(x1, y1, x2, y2, width float64) shape {
	dx, dy := x2-x1, y2-y1
	return func(x, y float64) float64 {
		at := min(max(((x-x1)*dx+(y-y1)*dy)/(dx*dx+dy*dy), 0), 1)
		x, y = x-x1-at*dx, y-y1-at*dy
		return math.Sqrt(x*x+y*y) - width/2
	}
}

// path is a line through points x, y.
func path(width float64, points ...float64) shape {
	return each(len(points)/2-1, func(i int) shape {
		return line(points[2*i], points[2*i+1], points[2*i+2], points[2*i+3], width)
	})
}

// polygon is a convex polygon with corners x, y, in either direction.
func polygon(corners ...float64) shape {
	n := len(corners) / 2
	at := func(i int) (x, y float64) { return corners[i%n*2], corners[i%n*2+1] }
	area := 0.0
	for i := range n {
		x1, y1 := at(i)
		x2, y2 := at(i + 1)
		area += x1*y2 - x2*y1
	}
	sides := make([]shape, n)
	for i := range n {
		x1, y1 := at(i)
		x2, y2 := at(i + 1)
		length := math.Copysign(math.Hypot(x2-x1, y2-y1), area)
		sides[i] = func(x, y float64) float64 { return ((y2-y1)*(x-x1) - (x2-x1)*(y-y1)) / length }
	}
	return func(x, y float64) float64 {
		far := math.Inf(-1)
		for _, side := range sides {
			far = max(far, side(x, y))
		}
		return far
	}
}

// fan is every second one of the sectors of some degrees around a point.
func fan(cx, cy, degrees float64) shape {
	return func(x, y float64) float64 {
		dx, dy := x-cx, y-cy
		sector := math.Mod(math.Atan2(dy, dx)/math.Pi*180+360, degrees*2)
		off := math.Abs(sector-degrees/2) - degrees/2
		if sector > degrees*1.5 {
			off = degrees*2 - sector
		}
		return math.Sin(off/180*math.Pi) * math.Sqrt(dx*dx+dy*dy)
	}
}

// rotated turns a shape clockwise around the middle of a banner.
func rotated(s shape, degrees float64) shape {
	return rotatedAt(s, bannerWidth/2, bannerHeight/2, degrees)
}

// rotatedAt turns a shape clockwise around a point.
func rotatedAt(s shape, cx, cy, degrees float64) shape {
	sin, cos := math.Sincos(degrees / 180 * math.Pi)
	return func(x, y float64) float64 {
		dx, dy := x-cx, y-cy
		return s(cx+dx*cos+dy*sin, cy-dx*sin+dy*cos)
	}
}

func union(shapes ...shape) shape {
	return func(x, y float64) float64 {
		near := math.Inf(1)
		for _, s := range shapes {
			near = min(near, s(x, y))
		}
		return near
	}
}

// each is the union of a number of shapes.
func each(count int, s func(i int) shape) shape {
	shapes := make([]shape, count)
	for i := range shapes {
		shapes[i] = s(i)
	}
	return union(shapes...)
}

// both is what two shapes share.
func both(a, b shape) shape {
	return func(x, y float64) float64 { return max(a(x, y), b(x, y)) }
}

// not is everything outside of a shape.
func not(s shape) shape {
	return func(x, y float64) float64 { return -s(x, y) }
}
