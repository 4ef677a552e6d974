package main

import (
	"fmt"
	"slices"
	"strings"
)

func (k *soakRun) head() {
	cells := []string{"after"}
	for _, f := range figures {
		cells = append(cells, f.name)
	}
	cells = append(cells, "requests", "failed jobs")
	fmt.Fprintf(k.report.out, "| %s |\n|%s\n", strings.Join(cells, " | "), strings.Repeat("---|", len(cells)))
}

func (k *soakRun) row(s sample) {
	cells := []string{s.at.Round(1e9).String()}
	for _, f := range figures {
		cells = append(cells, fmt.Sprintf("%.1f", f.of(s)))
	}
	cells = append(cells, thousands(s.requests), fmt.Sprintf("%.0f", s.failedJobs))
	fmt.Fprintf(k.report.out, "| %s |\n", strings.Join(cells, " | "))
}

// limits say how much of a figure is flat: its median in the last eighth, compared with
// that in the second one, which ends the first quarter.
var limits = map[string]struct {
	text  string
	holds func(before, after float64) bool
}{
	"resident memory, MiB": {"≤ 5 % more", func(before, after float64) bool { return after <= 1.05*before }},
	"goroutines":           {"≤ 10 % or 10 more", func(before, after float64) bool { return after <= max(1.1*before, before+10) }},
	"connections":          {"≤ 2 more", func(before, after float64) bool { return after <= before+2 }},
	"partitions":           {"as many", func(before, after float64) bool { return after == before }},
	"dead rows, %":         {"≤ 20", func(_, after float64) bool { return after <= 20 }},
	"write-ahead log, MiB": {"≤ 700", func(_, after float64) bool { return after <= 700 }},
}

// conclude prints whether the figures are flat, whether jobs went on, and whether
// anything was lost or doubled.
func (k *soakRun) conclude(found judgement) {
	out := k.report.out
	fmt.Fprintf(out, "\n| figure | end of the first quarter | end | limit | verdict |\n|---|---|---|---|---|\n")
	verdict := func(holds bool) string {
		if !holds {
			k.report.failed = true
			return "NO"
		}
		return "holds"
	}
	for _, f := range figures {
		limit, limited := limits[f.name]
		if !limited {
			continue // the database grows with what is written
		}
		before, after := k.median(2, f.of), k.median(eighths, f.of)
		fmt.Fprintf(out, "| %s | %.1f | %.1f | %s | %s |\n", f.name, before, after, limit.text, verdict(limit.holds(before, after)))
	}
	last := k.samples[len(k.samples)-1]
	fmt.Fprintf(out, "| failed runs of jobs | | %.0f | 0 | %s |\n", last.failedJobs, verdict(last.failedJobs == 0))
	stopped := k.stoppedJobs()
	fmt.Fprintf(out, "| jobs that ran in the first quarter and not in the last one | | %s | none | %s |\n", strings.Join(stopped, ", "), verdict(len(stopped) == 0))
	fmt.Fprintf(out, "| old rows that the retention deleted | | %s | %s | %s |\n", thousands(k.deleted), thousands(eighths*oldRows), verdict(k.deleted == eighths*oldRows))
	t := k.load.tally
	fmt.Fprintf(out, "| acknowledged writes, lost, doubled | | %s, %d, %d | 0, 0 | %s |\n", thousands(t.acknowledged), len(found.lost), len(found.doubled), verdict(len(found.lost)+len(found.doubled) == 0 && found.damaged == ""))
	fmt.Fprintf(out, "| failed pages: 503 with a word, other, no answer | | %d, %d, %d | 0, 0, 0 | %s |\n", t.honest, t.otherError, t.brokenPages, verdict(t.honest+t.otherError+t.brokenPages == 0))
	k.report.note(row{fault: "soak", load: k.load, found: found})
}

// stoppedJobs returns the jobs that succeeded within the first quarter more than once,
// and not in the last one.
func (k *soakRun) stoppedJobs() (stopped []string) {
	quarter := len(k.samples) / 4
	first, second := k.samples[0].successes, k.samples[quarter-1].successes
	third, last := k.samples[len(k.samples)-quarter-1].successes, k.samples[len(k.samples)-1].successes
	for name, at := range second {
		if before, ran := first[name]; ran && at > before && last[name] == third[name] {
			stopped = append(stopped, name)
		}
	}
	slices.Sort(stopped)
	return stopped
}
