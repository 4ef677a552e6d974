package directory

import (
	"fmt"
	"io"

	"officeconsole/importfile"
)

// Write writes the report for people to read: what happened, the counts, then
// every refused value with its line.
func (r ImportReport) Write(w io.Writer, words importfile.Words) error {
	_, err := fmt.Fprintf(w, "%s\n%s\n%s\n", words.T(importfile.Outcome(r.Written, r.RefusedRows)),
		words.T("import.report.people", "Rows", r.Rows, "Created", r.Created, "Updated", r.Updated, "Unchanged", r.Unchanged, "Refused", r.RefusedRows),
		words.T("import.report.organization", "Departments", r.Departments, "Ranks", r.Ranks, "Roles", r.Roles))
	if err != nil {
		return err
	}
	return importfile.WriteRefusals(w, r.Refused, words)
}
