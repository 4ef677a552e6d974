package views

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/search"
)

// SearchPath is the address of the search of the whole console, without language
// prefix.
const SearchPath = "/search"

// initialsExample are the initials of a name such as 김민수.
const initialsExample = "ㄱㅁㅅ"

// Found is the answer of a search of the whole console. Paths have no language
// prefix.
type Found struct {
	Query   string // as typed
	Refused string // message id; "" for none
	Text    string // message id of what can be found
	Groups  []FoundGroup
}

// FoundGroup is a kind of results, the best first.
type FoundGroup struct {
	Name string // its heading is search.group.<name>
	Rows []FoundRow
	All  string // address of the list of all results; "" for none
	// Count is the number of results, of which Rows are the first. If Open is true,
	// there are more.
	Count int
	Open  bool
}

// FoundRow is a result. Actions lead elsewhere than Path.
type FoundRow struct {
	Title, Text []search.Part
	Path        string
	Icon        string // "" for a person
	Person      FoundPerson
	Actions     []FoundAction
}

// FoundPerson is the picture of a person.
type FoundPerson struct {
	ID        int64
	Name      string
	ImageHash *string
}

// FoundAction is a link to a page about a result. Label is a message id.
type FoundAction struct{ Label, Path, Icon string }

// Total is the number of rows of all groups.
func (f Found) Total() (total int) {
	for _, g := range f.Groups {
		total += len(g.Rows)
	}
	return total
}

// isNothing reports whether a search finds nothing but lists to search in.
func (f Found) isNothing() bool {
	return f.Query != "" && f.Refused == "" && (len(f.Groups) == 0 || f.Groups[0].Name == SearchInLists)
}

// SearchInLists is the name of the group of lists that can be searched.
const SearchInLists = "lists"

func (g FoundGroup) count(ctx context.Context) string {
	text := locales.Number(ctx, int64(g.Count))
	if g.Open {
		text += "+"
	}
	return text
}

func optionID(group, row int) string {
	return "command-" + strconv.Itoa(group) + "-" + strconv.Itoa(row)
}

// shortcut is a key with ⌘ or Ctrl, as it is written on the keyboard of the person.
func (f Frame) shortcut(key string) (text, aria string) {
	if f.Apple {
		return "⌘" + key, "Meta+" + key
	}
	return "Ctrl " + key, "Control+" + key
}

// foundParts writes a text with what the search has found marked.
func foundParts(parts []search.Part) templ.Component {
	return MarkupFunc(func(m *Markup) {
		m.Raw("<bdi>")
		for _, part := range parts {
			if part.Found {
				m.Wrap("<mark>", part.Text, "</mark>")
			} else {
				m.Text(part.Text)
			}
		}
		m.Raw("</bdi>")
	})
}
