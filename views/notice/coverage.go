package notice

import (
	"context"
	"fmt"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/notice"
)

// The picture of a coverage, in pixels.
const (
	chartLeft, chartRight = 36.0, 576.0
	chartTop, chartBottom = 22.0, 198.0
)

// chart draws how many have read a notice over time.
type chart struct {
	notice.Coverage
	zone *time.Location
	now  time.Time
}

func (d Detail) chart() chart { return chart{d.Coverage, d.Frame.Zone(), d.Frame.Now} }

func (c chart) from() time.Time { return c.Points[0].At }

func (c chart) to() time.Time { return c.Points[len(c.Points)-1].At }

// x is where a time is, within the picture.
func (c chart) x(t time.Time) float64 {
	share := float64(t.Sub(c.from())) / float64(max(c.to().Sub(c.from()), time.Minute))
	return chartLeft + (chartRight-chartLeft)*min(max(share, 0), 1)
}

func (c chart) y(readers int64) float64 {
	return chartBottom - (chartBottom-chartTop)*float64(readers)/float64(max(c.Recipients, 1))
}

func pixels(n float64) string { return fmt.Sprintf("%.1f", n) }

// line is the path of the readers.
func (c chart) line() string {
	var path strings.Builder
	for i, p := range c.Points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		path.WriteString(command + pixels(c.x(p.At)) + " " + pixels(c.y(p.Readers)))
	}
	return path.String()
}

// area is the surface under the line.
func (c chart) area() string {
	return c.line() + "V" + pixels(chartBottom) + "H" + pixels(chartLeft) + "Z"
}

// chartSpan is a part of the picture.
type chartSpan struct{ X, Width string }

// off are the times outside of working hours.
func (c chart) off() []chartSpan {
	var spans []chartSpan
	add := func(from, to time.Time) {
		if x, end := c.x(from), c.x(to); end > x {
			spans = append(spans, chartSpan{pixels(x), pixels(end - x)})
		}
	}
	at := c.from()
	for _, w := range c.Working {
		add(at, w.Start)
		if w.End.After(at) {
			at = w.End
		}
	}
	add(at, c.to())
	return spans
}

// gridLine is a line of the grid.
type gridLine struct{ Y, TextY, Text string }

func grid() []gridLine {
	var lines []gridLine
	for percent := 0; percent <= 100; percent += 25 {
		y := chartBottom - (chartBottom-chartTop)*float64(percent)/100
		lines = append(lines, gridLine{pixels(y), pixels(y + 4), fmt.Sprint(percent, "%")})
	}
	return lines
}

// chartText is a text below or above the picture.
type chartText struct{ X, Text string }

// labels are times below the picture: of days, or of hours in the first day.
func (c chart) labels(ctx context.Context) []chartText {
	length := c.to().Sub(c.from())
	step := 24 * time.Hour
	for _, shorter := range []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour} {
		if length <= 4*shorter {
			step = shorter
			break
		}
	}
	for length > 5*step {
		step += 24 * time.Hour
	}
	var labels []chartText
	for at := c.from(); !at.After(c.to()); at = at.Add(step) {
		text := locales.Time(ctx, at.In(c.zone))
		if step >= 24*time.Hour {
			text = locales.ShortDate(ctx, at.In(c.zone), c.now)
		}
		if x := c.x(at); x < chartRight-20 {
			labels = append(labels, chartText{pixels(x), text})
		}
	}
	return labels
}

// marks are the reminders, each with the number of people.
func (c chart) marks(ctx context.Context) []chartText {
	var marks []chartText
	for _, r := range c.Reminders {
		if !r.At.After(c.to()) {
			marks = append(marks, chartText{pixels(c.x(r.At)), locales.T(ctx, "reader.chart.reminder", "People", locales.N(ctx, "reader.people", int(r.People)))})
		}
	}
	return marks
}

// tablePoints is the number of rows of the table beside the picture.
const tablePoints = 12

// table are points of the picture in equal distances, and its last one.
func (c chart) table() []notice.CoveragePoint {
	var rows []notice.CoveragePoint
	for i := range tablePoints {
		at := c.from().Add(c.to().Sub(c.from()) * time.Duration(i) / (tablePoints - 1))
		readers := int64(0)
		for _, p := range c.Points {
			if !p.At.After(at) {
				readers = p.Readers
			}
		}
		rows = append(rows, notice.CoveragePoint{At: at, Readers: readers})
	}
	return rows
}

// summary is the picture in words.
func (c chart) summary(ctx context.Context) string {
	return locales.T(ctx, "reader.chart.summary", "From", locales.ShortDateTime(ctx, c.from().In(c.zone), c.now), "To", locales.ShortDateTime(ctx, c.to().In(c.zone), c.now), "Percent", percentText(c.Readers, c.Recipients))
}
