package queries

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Words gives texts by the ids of locales.
type Words interface {
	T(id string, args ...any) string
}

// Write says the report to people: what happened, the counts, then every
// refused value with its line.
func (r ImportReport) Write(w io.Writer, words Words) error {
	_, err := fmt.Fprintf(w, "%s\n%s\n%s\n", words.T(outcome(r.Written, r.RefusedRows)),
		words.T("import.report.people", "Rows", r.Rows, "Created", r.Created, "Updated", r.Updated, "Unchanged", r.Unchanged, "Refused", r.RefusedRows),
		words.T("import.report.organization", "Departments", r.Departments, "Ranks", r.Ranks, "Roles", r.Roles))
	if err != nil {
		return err
	}
	return writeRefusals(w, r.Refused, words)
}

// Write says the report to people, as that of a directory does.
func (r AttendanceReport) Write(w io.Writer, words Words) error {
	_, err := fmt.Fprintf(w, "%s\n%s\n", words.T(outcome(r.Written, r.RefusedRows)),
		words.T("import.report.days", "Rows", r.Rows, "Created", r.Created, "Unchanged", r.Unchanged, "Refused", r.RefusedRows))
	if err != nil {
		return err
	}
	return writeRefusals(w, r.Refused, words)
}

func outcome(written bool, refused int) string {
	switch {
	case written && refused > 0:
		return "import.report.written_in_part"
	case written:
		return "import.report.written"
	case refused == 0:
		return "import.report.dry_run"
	}
	return "import.report.nothing_written"
}

// refusalsAligned is how many lines of a report stand in columns of one width: it
// may have millions.
const refusalsAligned = 1000

func writeRefusals(w io.Writer, all []Refusal, words Words) error {
	if len(all) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\n%s\t%s\t%s\t%s\n", words.T("import.report.line"), words.T("import.report.column"), words.T("import.report.value"), words.T("import.report.reason"))
	for some := range slices.Chunk(all, refusalsAligned) {
		for _, refused := range some {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", refused.place(), cmp.Or(visible(refused.Column), "-"), cmp.Or(visible(refused.Value), "-"), words.T(string(refused.Reason)))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func (r Refusal) place() string {
	if r.Line == 0 {
		return "-"
	}
	return fmt.Sprint(r.Line)
}

// visible keeps control characters of a file from steering a terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '�'
		}
		return r
	}, s)
}
