package usage

import (
	"context"
	"fmt"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries/usage"
	"officeconsole/workday"
)

// The picture of the releases over time, in pixels.
const (
	chartLeft, chartRight = 36.0, 494.0
	chartTop, chartBottom = 8.0, 206.0
)

// shownReleases is the number of bands; the last one has everything older.
const shownReleases = 4

// releaseChart draws the share of each release over time, the newest at the bottom.
type releaseChart struct {
	now      Clients
	releases []string // of the bands but the last, the newest first
	older    bool     // whether there is a last band
	days     []usage.ReleaseDay
}

func (c Clients) chart() releaseChart {
	chart := releaseChart{now: c}
	for i, r := range c.Counts.Releases {
		if i == shownReleases-1 {
			chart.older = true
			break
		}
		chart.releases = append(chart.releases, r.Release)
	}
	today := workday.DateOf(c.Frame.Now.In(c.Frame.Zone()))
	for _, d := range c.Days {
		if d.Day < today {
			chart.days = append(chart.days, d)
		}
	}
	for _, d := range chart.days { // releases that nobody has any more
		for _, r := range d.Releases {
			chart.older = chart.older || chart.band(r.Release) == len(chart.releases)
		}
	}
	chart.days = append(chart.days, usage.ReleaseDay{Day: today, Releases: c.Counts.Releases, People: c.Counts.Installed})
	return chart
}

func (c releaseChart) isShown() bool { return len(c.days) > 1 && c.now.Counts.Installed > 0 }

// band is the number of the band that a release belongs to.
func (c releaseChart) band(release string) int {
	for i, r := range c.releases {
		if r == release {
			return i
		}
	}
	return len(c.releases)
}

func (c releaseChart) bands() int {
	if c.older {
		return len(c.releases) + 1
	}
	return len(c.releases)
}

// people is how many of a day are in a band.
func (c releaseChart) people(d usage.ReleaseDay, band int) (people int64) {
	for _, r := range d.Releases {
		if c.band(r.Release) == band {
			people += r.People
		}
	}
	return people
}

// upTo is the share of a day in a band and those below it in the picture.
func (c releaseChart) upTo(d usage.ReleaseDay, band int) float64 {
	people := int64(0)
	for i := range band + 1 {
		people += c.people(d, i)
	}
	return float64(people) / float64(max(d.People, 1))
}

func (c releaseChart) x(day workday.Date) float64 {
	first, last := c.days[0].Day, c.days[len(c.days)-1].Day
	return chartLeft + (chartRight-chartLeft)*float64(day-first)/float64(max(last-first, 1))
}

func chartY(share float64) float64 { return chartBottom - (chartBottom-chartTop)*share }

func pixels(n float64) string { return fmt.Sprintf("%.1f", n) }

// points are the corners of a band.
func (c releaseChart) points(band int) string {
	var points strings.Builder
	for _, d := range c.days {
		points.WriteString(pixels(c.x(d.Day)) + "," + pixels(chartY(c.upTo(d, band))) + " ")
	}
	for i := len(c.days) - 1; i >= 0; i-- {
		points.WriteString(pixels(c.x(c.days[i].Day)) + "," + pixels(chartY(c.upTo(c.days[i], band-1))) + " ")
	}
	return strings.TrimSpace(points.String())
}

// chartText is a text of the picture.
type chartText struct{ X, Y, Name, Text string }

// labels name the bands at the end of the picture.
func (c releaseChart) labels(ctx context.Context) []chartText {
	var labels []chartText
	last := c.days[len(c.days)-1]
	for band, y := range c.labelYs(last) {
		labels = append(labels, chartText{"504", pixels(y), c.name(ctx, band), c.now.percent(c.people(last, band))})
	}
	return labels
}

// labelYs are the places of the labels: the middles of the bands, moved up and then down
// until each has room within the picture.
func (c releaseChart) labelYs(day usage.ReleaseDay) []float64 {
	const distance = 18
	ys := make([]float64, c.bands())
	lowest := chartBottom + distance
	for band := range ys {
		middle := chartY((c.upTo(day, band)+c.upTo(day, band-1))/2) + 4
		lowest = min(middle, lowest-distance)
		ys[band] = lowest
	}
	highest := chartTop + 4
	for band := len(ys) - 1; band >= 0; band-- {
		ys[band] = max(ys[band], highest)
		highest = ys[band] + distance
	}
	return ys
}

// name is that of a band: "6.4", or "older" for the last one.
func (c releaseChart) name(ctx context.Context, band int) string {
	if band < len(c.releases) {
		return releaseText(ctx, c.releases[band])
	}
	return locales.T(ctx, "client.release.older")
}

// months are the beginnings of months below the picture.
func (c releaseChart) months(ctx context.Context) []chartText {
	var months []chartText
	for day := c.days[0].Day; day <= c.days[len(c.days)-1].Day; day++ {
		if x := c.x(day); day.Time().Day() == 1 && x < chartRight-24 {
			months = append(months, chartText{X: pixels(x), Text: locales.ShortDate(ctx, day.Time(), c.now.Frame.Now)})
		}
	}
	return months
}

// firstDays are the days on which releases were first seen, unless that was before
// the first day of the picture.
func (c releaseChart) firstDays() map[string]workday.Date {
	first := map[string]workday.Date{}
	for i, d := range c.days {
		for _, r := range d.Releases {
			if _, known := first[r.Release]; !known {
				first[r.Release] = d.Day
				if i == 0 {
					first[r.Release] = 0
				}
			}
		}
	}
	return first
}

// marks are the places of the days on which shown releases were first seen.
func (c releaseChart) marks() []string {
	var marks []string
	days := c.firstDays()
	for _, release := range c.releases {
		if day := days[release]; day != 0 && day != c.days[len(c.days)-1].Day {
			marks = append(marks, pixels(c.x(day)))
		}
	}
	return marks
}

// summary is the picture in words.
func (c releaseChart) summary(ctx context.Context) string {
	text := ""
	for i, label := range c.labels(ctx) {
		if i > 0 {
			text += ", "
		}
		text += label.Name + " " + label.Text
	}
	return locales.T(ctx, "client.chart.summary", "Shares", text)
}

// table are days of the picture in equal distances, the last one included.
func (c releaseChart) table() []usage.ReleaseDay {
	const rows = 7
	var days []usage.ReleaseDay
	for i := range min(rows, len(c.days)) {
		days = append(days, c.days[i*(len(c.days)-1)/max(1, min(rows, len(c.days))-1)])
	}
	return days
}

// tablePercent is the share of a band on a day.
func (c releaseChart) tablePercent(d usage.ReleaseDay, band int) string {
	return fmt.Sprint((c.people(d, band)*100+d.People/2)/max(d.People, 1), "%")
}
