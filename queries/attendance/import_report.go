package attendance

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"officeconsole/importfile"
)

// storedRefusals is the number of refusals that are stored with an import.
const storedRefusals = 10_000

// stored returns the report as it is stored.
func (r ImportReport) stored() ([]byte, error) {
	r.Refused = r.Refused[:min(len(r.Refused), storedRefusals)]
	return json.Marshal(r)
}

// dates returns the first and last dates of the days to import; nil without any.
func (r ImportReport) dates() (first, last *time.Time) {
	if r.Created == 0 {
		return nil, nil
	}
	from, to := r.First.Time(), r.Last.Time()
	return &from, &to
}

// Write writes the report for people to read, like that of a directory import.
// See importfile.WriteRefusals for most.
func (r ImportReport) Write(w io.Writer, words importfile.Words, most int) error {
	lines := []string{
		words.T(importfile.Outcome(r.Written, r.RefusedRows)),
		words.T("import.report.days", "Rows", r.Rows, "Created", r.Created, "Unchanged", r.Unchanged, "Refused", r.RefusedRows),
	}
	if r.ID != 0 {
		lines = append(lines, words.T("import.report.number", "ID", r.ID))
	}
	if r.Filled != 0 {
		lines = append(lines, words.T("import.report.filled", "Filled", r.Filled))
	}
	if r.Leave != 0 {
		lines = append(lines, words.T("import.report.leave", "Leave", r.Leave))
	}
	if len(r.Encodings) > 0 {
		lines = append(lines, words.T("import.report.encoding", "Names", strings.Join(r.Encodings, ", ")))
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	if r.Reverted != nil {
		reverted := *r.Reverted
		reverted.DryRun = !r.Written
		if err := reverted.Write(w, words, most); err != nil {
			return err
		}
	}
	if err := importfile.WriteReasons(w, r.Reasons, words); err != nil {
		return err
	}
	if err := importfile.WriteRefusals(w, r.Refused, words, most); err != nil {
		return err
	}
	if r.RefusedRows > len(r.Refused) && most == 0 {
		_, err := fmt.Fprintln(w, words.T("import.report.unlisted", "Count", r.RefusedRows-len(r.Refused)))
		return err
	}
	return nil
}

// Write writes the report for people to read.
func (r ReversalReport) Write(w io.Writer, words importfile.Words, _ int) error {
	outcome := "import.report.reverted"
	if r.DryRun {
		outcome = "import.report.would_revert"
	}
	_, err := fmt.Fprintln(w, words.T(outcome, "ID", r.ID, "Days", r.Days, "People", r.People, "Dropped", r.Dropped))
	if err != nil || r.Total == 0 {
		return err
	}
	if _, err := fmt.Fprintln(w, words.T("import.report.edited", "Count", r.Total)); err != nil {
		return err
	}
	for _, day := range r.Edited {
		if _, err := fmt.Fprintf(w, "  %s %s\n", day.Date, importfile.Visible(day.Name)); err != nil {
			return err
		}
	}
	if rest := r.Total - len(r.Edited); rest > 0 {
		_, err = fmt.Fprintln(w, "  "+words.T("import.report.further", "Count", rest))
	}
	return err
}

// refusedReport returns the report of an import that is refused as a whole.
func refusedReport(reason string) ImportReport {
	var all importfile.Refusals
	all.Add(importfile.Refuse(0, "", "", reason))
	return ImportReport{RefusedRows: 1, Refused: all.Listed, Reasons: all.Reasons()}
}
