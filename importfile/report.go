package importfile

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Words translates the ids of messages in locales.
type Words interface {
	T(id string, args ...any) string
}

// Outcome returns the id of the message that says what an import did: whether it
// wrote, and whether it refused rows.
func Outcome(written bool, refused int) string {
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

// refusalsAligned is the number of lines of a report that are aligned with each
// other. A report may have millions of lines, too many to align in memory.
const refusalsAligned = 1000

// WriteRefusals writes a table of refusals with their lines and reasons; nothing
// without refusals.
func WriteRefusals(w io.Writer, all []Refusal, words Words) error {
	if len(all) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\n%s\t%s\t%s\t%s\n", words.T("import.report.line"), words.T("import.report.column"), words.T("import.report.value"), words.T("import.report.reason"))
	for some := range slices.Chunk(all, refusalsAligned) {
		for _, refused := range some {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", refused.lineText(), cmp.Or(visible(refused.Column), "-"), cmp.Or(visible(refused.Value), "-"), words.T(string(refused.Reason)))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func (r Refusal) lineText() string {
	if r.Line == 0 {
		return "-"
	}
	return fmt.Sprint(r.Line)
}

// visible replaces control characters, which could control a terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '�'
		}
		return r
	}, s)
}
