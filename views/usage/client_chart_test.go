package usage

import (
	"testing"

	"officeconsole/queries/usage"
)

// Labels keep their distance and stay within the picture, also those of thin bands at
// either end.
func TestChartLabels(t *testing.T) {
	for name, people := range map[string][3]int64{"thin at the top": {98, 1, 1}, "thin at the bottom": {1, 1, 98}, "thin in the middle": {49, 2, 49}} {
		day := usage.ReleaseDay{People: 100}
		chart := releaseChart{releases: []string{"6.4", "6.3", "6.2"}}
		for i, release := range chart.releases {
			day.Releases = append(day.Releases, usage.ReleaseShare{Release: release, People: people[i]})
		}
		ys := chart.labelYs(day)
		for i, y := range ys {
			if y < chartTop+4 || y > chartBottom || i > 0 && ys[i-1]-y < 18 {
				t.Errorf("%s: labels at %v", name, ys)
			}
		}
	}
}
