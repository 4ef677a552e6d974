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
	N(id string, count int, args ...any) string
	Duration(minutes int) string
	Number(n int64) string
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

// Brief is how many refusals with the same reason a report lists, and how many people of a
// list it names, unless it lists everything.
const Brief = 20

// WriteReasons writes how many refusals there are of each reason; nothing without any.
func WriteReasons(w io.Writer, reasons []Reason, words Words) error {
	if len(reasons) > 0 {
		if _, err := fmt.Fprintf(w, "\n%s\n", words.T("import.report.reasons")); err != nil {
			return err
		}
	}
	for _, reason := range reasons {
		if _, err := fmt.Fprintf(w, "%7d  %s\n", reason.Count, words.T(reason.ID)); err != nil {
			return err
		}
	}
	return nil
}

// refusalsAligned is the number of lines of a report that are aligned with each
// other. A report may have millions of lines, too many to align in memory.
const refusalsAligned = 1000

// WriteRefusals writes a table of refusals with their lines and reasons; nothing
// without refusals. Of those with the same reason it lists the first most, and counts
// the rest; 0 lists all.
func WriteRefusals(w io.Writer, all []Refusal, words Words, most int) error {
	if len(all) == 0 {
		return nil
	}
	listed, rest := brief(all, most)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table)
	hasFiles := slices.ContainsFunc(all, func(r Refusal) bool { return r.File != "" })
	if hasFiles {
		fmt.Fprintf(table, "%s\t", words.T("import.report.file"))
	}
	fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", words.T("import.report.line"), words.T("import.report.column"), words.T("import.report.value"), words.T("import.report.reason"))
	for some := range slices.Chunk(listed, refusalsAligned) {
		for _, refused := range some {
			if hasFiles {
				fmt.Fprintf(table, "%s\t", cmp.Or(Visible(refused.File), "-"))
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", refused.lineText(), cmp.Or(Visible(refused.Column), "-"), cmp.Or(Visible(refused.Value), "-"), refused.reasonText(words))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	for _, more := range rest {
		if _, err := fmt.Fprintln(w, words.T("import.report.more", "Count", more.count, "Reason", words.T(more.reason))); err != nil {
			return err
		}
	}
	return nil
}

// repeated counts further refusals with a reason.
type repeated struct {
	reason string
	count  int
}

// brief returns the first most refusals of each reason, in their order, and how many
// more of them there are.
func brief(all []Refusal, most int) (listed []Refusal, rest []repeated) {
	if most == 0 {
		return all, nil
	}
	counts, at := map[string]int{}, map[string]int{}
	for _, r := range all {
		counts[r.Reason]++
		switch n := counts[r.Reason]; {
		case n <= most:
			listed = append(listed, r)
		case n == most+1:
			at[r.Reason] = len(rest)
			rest = append(rest, repeated{r.Reason, 1})
		default:
			rest[at[r.Reason]].count++
		}
	}
	return listed, rest
}

func (r Refusal) lineText() string {
	if r.Line == 0 {
		return "-"
	}
	return fmt.Sprint(r.Line)
}

func (r Refusal) reasonText(words Words) string {
	if r.Other == 0 {
		return words.T(r.Reason)
	}
	return words.T(r.Reason) + " " + words.T("import.report.other", "Line", r.Other)
}

// Visible replaces control characters, which could control a terminal.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '�'
		}
		return r
	}, s)
}
