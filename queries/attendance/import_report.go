package attendance

import (
	"fmt"
	"io"

	"officeconsole/importfile"
)

// Write writes the report for people to read, like that of a directory import.
// See importfile.WriteRefusals for most.
func (r ImportReport) Write(w io.Writer, words importfile.Words, most int) error {
	_, err := fmt.Fprintf(w, "%s\n%s\n", words.T(importfile.Outcome(r.Written, r.RefusedRows)),
		words.T("import.report.days", "Rows", r.Rows, "Created", r.Created, "Unchanged", r.Unchanged, "Refused", r.RefusedRows))
	if err != nil {
		return err
	}
	return importfile.WriteRefusals(w, r.Refused, words, most)
}
