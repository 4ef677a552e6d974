package queries

import (
	"cmp"
	"fmt"
	"io"
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
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%s\n", words.T(outcome(r.Written, r.RefusedRows)),
		words.T("import.report.people", "Rows", r.Rows, "Created", r.Created, "Updated", r.Updated, "Unchanged", r.Unchanged, "Refused", r.RefusedRows),
		words.T("import.report.organization", "Departments", r.Departments, "Ranks", r.Ranks, "Roles", r.Roles))
	if err := writeRefusals(&b, r.Refused, words); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Write says the report to people, as that of a directory does.
func (r AttendanceReport) Write(w io.Writer, words Words) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", words.T(outcome(r.Written, r.RefusedRows)),
		words.T("import.report.days", "Rows", r.Rows, "Created", r.Created, "Unchanged", r.Unchanged, "Refused", r.RefusedRows))
	if err := writeRefusals(&b, r.Refused, words); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
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

func writeRefusals(b *strings.Builder, all []Refusal, words Words) error {
	if len(all) == 0 {
		return nil
	}
	b.WriteByte('\n')
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", words.T("import.report.line"), words.T("import.report.column"), words.T("import.report.value"), words.T("import.report.reason"))
	for _, refused := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", refused.place(), cmp.Or(visible(refused.Column), "-"), cmp.Or(visible(refused.Value), "-"), words.T(string(refused.Reason)))
	}
	return table.Flush()
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
