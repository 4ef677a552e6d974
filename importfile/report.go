package importfile

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

// refusalsAligned is how many lines of a report stand in columns of one width: it
// may have millions.
const refusalsAligned = 1000

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

// visible keeps control characters of a file from steering a terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '�'
		}
		return r
	}, s)
}
