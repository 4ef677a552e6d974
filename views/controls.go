package views

import (
	"context"
	"strings"

	"officeconsole/locales"
	"officeconsole/queries"

	"github.com/a-h/templ"
)

// An Input describes a labelled field of a form. All its texts are
// translated.
type Input struct {
	Name, Label, Value string
	Type               string // of the input element; "" is text
	Help, Error        string // "" for none
	Required           bool
	Attributes         templ.Attributes // such as autocomplete; nil for none
}

func (i Input) inputType() string {
	if i.Type == "" {
		return "text"
	}
	return i.Type
}

// DescribedBy lists the ids of the texts below the field; "" for none.
func (i Input) DescribedBy() string {
	var ids []string
	if i.Help != "" {
		ids = append(ids, i.Name+"-help")
	}
	if i.Error != "" {
		ids = append(ids, i.Name+"-error")
	}
	return strings.Join(ids, " ")
}

// An Option is an entry of a select element.
type Option struct{ Value, Text string }

// A Pager holds the links to the pages before and after the current page of
// a list. Its addresses have no language prefix; "" means that there is no
// such page.
type Pager struct {
	Text           string // such as "1–50 of 1,200"
	Previous, Next string
	exported       bool
}

// Exported returns the pager of a list whose page offers an export.
func (p Pager) Exported() Pager {
	p.exported = true
	return p
}

// printed says on paper, which has no links, that the list has other pages; "" if it
// has none.
func (p Pager) printed(ctx context.Context) string {
	switch {
	case p.Previous == "" && p.Next == "":
		return ""
	case p.exported:
		return locales.T(ctx, "frame.pager.printed.export")
	}
	return locales.T(ctx, "frame.pager.printed")
}

// Refusal returns the translated message of a refused field, or "" if the
// field was accepted.
func Refusal(ctx context.Context, refused queries.FieldErrors, name string) string {
	id, ok := refused[name]
	if !ok {
		return ""
	}
	return locales.T(ctx, string(id))
}

// GuardState is the attribute data-guard of a form: a form with typed content
// asks before it is left, also before anything else is typed.
func GuardState(typed bool) string {
	if typed {
		return "dirty"
	}
	return ""
}
