package imports

import (
	"fmt"
	"io"
	"strings"

	"officeconsole/importfile"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

// Write writes the report for people to read: the top department if the file calls it
// otherwise, what happened, the counts, then what deserves a look, and every refused
// value with its line. See importfile.WriteRefusals for most.
func (r Report) Write(w io.Writer, words importfile.Words, most int) error {
	var b strings.Builder
	if r.FileRoot != "" {
		fmt.Fprintln(&b, words.T("import.report.root", "Root", importfile.Visible(r.RootName), "File", importfile.Visible(r.FileRoot)))
	}
	outcome := importfile.Outcome(r.Written, r.RefusedRows+len(r.Refused))
	if len(r.Stopped) > 0 {
		outcome = "import.report.nothing_written"
	}
	fmt.Fprintln(&b, words.T(outcome))
	for _, reason := range r.Stopped {
		fmt.Fprintln(&b, words.T(reason))
	}
	fmt.Fprintln(&b, words.T("import.report.people", "Rows", r.Rows, "Created", r.Created, "Updated", r.Updated, "Unchanged", r.Unchanged, "Refused", r.RefusedRows))
	fmt.Fprintln(&b, words.T("import.report.organization", "Departments", r.Departments, "Ranks", r.Ranks, "Roles", r.Roles))
	r.writeDepartments(&b, words, most)
	writeMoves(&b, words, r.Moves)
	writeBroken(&b, words, r.Broken)
	writeUsers(&b, words, r.Granted, "import.report.granted", most)
	writeUsers(&b, words, r.Revoked, "import.report.revoked", most)
	writeUsers(&b, words, r.Missing, "import.report.missing", most)
	r.Leavers.write(&b, words, most)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return importfile.WriteRefusals(w, r.Refused, words, most)
}

func (r Report) writeDepartments(b *strings.Builder, words importfile.Words, most int) {
	if r.Codes > 0 {
		fmt.Fprintln(b, words.T("import.report.codes", "Count", r.Codes))
	}
	writeList(b, words, len(r.Renamed), most, func(i int) string {
		return words.T("import.report.renamed", "From", importfile.Visible(r.Renamed[i].From), "To", importfile.Visible(r.Renamed[i].To))
	})
	for i, probable := range r.Probable {
		from, to := importfile.Visible(probable.From), importfile.Visible(probable.To)
		fmt.Fprintln(b, words.T("import.report.probable", "From", from, "To", to, "People", probable.People, "Of", probable.Of))
		if names := r.Touched[i]; len(names) > 0 {
			fmt.Fprintln(b, "  "+words.T("import.report.touched", "Policies", importfile.Visible(strings.Join(names, ", "))))
		}
		fmt.Fprintln(b, "  "+words.T("import.report.rename", "Option", "--rename "+quote(from+"="+to)))
	}
}

// quote quotes an argument for a shell.
func quote(argument string) string { return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'" }

func writeMoves(b *strings.Builder, words importfile.Words, moves []policy.Move) {
	for _, m := range moves {
		fmt.Fprintln(b, words.T("import.report.move", "Kind", words.T("import.report.kind."+m.Kind), "From", importfile.Visible(m.From), "To", importfile.Visible(m.To), "People", m.People, "Of", m.Of))
		if m.Lost > 0 {
			fmt.Fprintln(b, "  "+words.T("import.report.lost", "People", m.Lost))
		}
	}
}

// writeBroken writes the checks of policies that an import breaks, and for whom.
func writeBroken(b *strings.Builder, words importfile.Words, broken []policy.BrokenCheck) {
	for _, check := range broken {
		fmt.Fprintln(b, words.T("import.report.check."+string(check.Severity), "Sentence", importfile.Visible(check.Sentence(check.Kind, words))))
		fmt.Fprintln(b, "  "+importfile.Visible(check.Effect(words)))
	}
}

func (l Leavers) write(b *strings.Builder, words importfile.Words, most int) {
	if l.Requested {
		id := "import.report.deactivated"
		if l.Refused {
			id = "import.report.not_deactivated"
		}
		fmt.Fprintln(b, words.T(id, "Count", l.Deactivated))
		if l.Absent > 0 {
			fmt.Fprintln(b, words.T("import.report.absent", "Count", l.Absent))
		}
	}
	writeUsers(b, words, l.Administrators, "import.report.last_administrators", most)
	writeUsers(b, words, l.Reactivated, "import.report.reactivated", most)
	writeUsers(b, words, l.Inactive, "import.report.inactive", most)
}

// writeUsers writes a message with the number of users, and below it the first most
// of them; nothing for none.
func writeUsers(b *strings.Builder, words importfile.Words, users []directory.ImportedUser, message string, most int) {
	if len(users) == 0 {
		return
	}
	fmt.Fprintln(b, words.T(message, "Count", len(users)))
	writeList(b, words, len(users), most, func(i int) string {
		u := users[i]
		text := "  " + u.Name
		for _, part := range []string{u.EmployeeID, u.Email, u.Department} {
			if part != "" {
				text += " · " + part
			}
		}
		if u.Hidden && u.DeactivatedBy == "" {
			text += " (" + words.T("import.report.hidden") + ")"
		}
		if u.Bot {
			text += " (" + words.T("import.report.bot") + ")"
		}
		return importfile.Visible(text)
	})
}

// writeList writes the first most lines, or all for 0, and how many more there are.
func writeList(b *strings.Builder, words importfile.Words, count, most int, line func(int) string) {
	shown := count
	if most > 0 {
		shown = min(count, most)
	}
	for i := range shown {
		fmt.Fprintln(b, line(i))
	}
	if shown < count {
		fmt.Fprintln(b, "  "+words.T("import.report.further", "Count", count-shown))
	}
}
