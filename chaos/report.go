package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// row is a line of the report.
type row struct {
	fault    string
	took     time.Duration // of the load
	faultAt  time.Time
	healed   time.Time
	load     *load
	found    judgement
	again    bool          // writes of all kinds and pages were answered after the fault
	notRun   string        // why there was no run
	most     time.Duration // without a write or a page; 0 for any time
	failures string        // of the run itself
	logged   map[string]int
}

var columns = []string{"fault", "load, s", "requests", "acknowledged", "unknown (done)", "refused", "longest without a write, s", "writes again after, s", "longest without a page, s", "failed pages: 503 with a word, other, no answer", "lost", "doubled", "verdict"}

// report prints rows as they come, as Markdown, and remembers whether something was
// wrong.
type report struct {
	out    io.Writer
	notes  io.Writer
	failed bool
}

func (r *report) head() {
	fmt.Fprintf(r.out, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
}

func (r *report) row(w row) {
	if w.notRun != "" {
		fmt.Fprintf(r.out, "| %s |%s not run: %s |\n", w.fault, strings.Repeat(" |", len(columns)-2), w.notRun)
		return
	}
	verdict := w.verdict()
	if verdict != recovered {
		r.failed = true
	}
	t := w.load.tally
	silence := t.worstWrite()
	cells := []string{
		w.fault, seconds(w.took), thousands(t.requests), thousands(t.acknowledged), fmt.Sprintf("%d (%d)", w.found.unknown, w.found.happened), fmt.Sprint(t.refused),
		seconds(silence.longest), seconds(t.writesAgain(w.faultAt)), seconds(t.pages.longest), fmt.Sprintf("%d, %d, %d", t.honest, t.otherError, t.brokenPages),
		fmt.Sprint(len(w.found.lost)), fmt.Sprint(len(w.found.doubled)), verdict,
	}
	fmt.Fprintf(r.out, "| %s |\n", strings.Join(cells, " | "))
	r.note(w)
}

const recovered = "recovered"

func (w row) verdict() string {
	var wrong []string
	for _, problem := range []struct {
		is   bool
		text string
	}{
		{len(w.found.lost) > 0, "LOST"}, {len(w.found.doubled) > 0, "DOUBLED"}, {w.found.damaged != "", "CHANGE LOG DAMAGED"},
		{!w.again, "DID NOT RECOVER"}, {w.most > 0 && max(w.load.tally.worstWrite().longest, w.load.tally.pages.longest) > w.most, "DID NOT GO ON WITHIN " + w.most.String()}, {w.failures != "", "FAILED: " + w.failures},
	} {
		if problem.is {
			wrong = append(wrong, problem.text)
		}
	}
	if len(wrong) == 0 {
		return recovered
	}
	return strings.Join(wrong, ", ")
}

// mostNotes is how many lost or doubled writes are named.
const mostNotes = 10

// note explains a row: what was acknowledged of which kind, what was lost or doubled,
// which answers were neither success nor an honest refusal, and which errors the
// consoles logged.
func (r *report) note(w row) {
	fmt.Fprintf(r.notes, "\n%s\n", w.fault)
	t := w.load.tally
	for _, k := range kinds {
		fmt.Fprintf(r.notes, "  %s: %s checked, longest silence %s s\n", k, thousands(w.found.checkedByKind[k]), seconds(t.writes[k].longest))
	}
	for _, names := range [][]string{w.found.lost, w.found.doubled} {
		for _, name := range names[:min(len(names), mostNotes)] {
			fmt.Fprintf(r.notes, "  ! %s\n", name)
		}
	}
	if w.found.damaged != "" {
		fmt.Fprintf(r.notes, "  ! the change log: %s\n", w.found.damaged)
	}
	for _, some := range []struct {
		of    string
		times map[string]int
	}{{"answered", t.samples}, {"logged", w.logged}} {
		for _, text := range slices.Sorted(maps.Keys(some.times)) {
			fmt.Fprintf(r.notes, "  %s %d times: %s\n", some.of, some.times[text], text)
		}
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }

func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
