// Package viewstest renders and parses pages for the tests of views.
package viewstest

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"officeconsole/locales"

	"github.com/a-h/templ"
)

// An Element is an element of a rendered page. Text includes the text of the
// elements inside it.
type Element struct {
	Name   string
	Attr   map[string]string
	Text   string
	around Page
}

// A Page lists the elements of a rendered page in document order.
type Page []*Element

// All returns the elements for which match reports true.
func (p Page) All(match func(*Element) bool) Page {
	var found Page
	for _, e := range p {
		if match(e) {
			found = append(found, e)
		}
	}
	return found
}

// Named returns the elements with a tag name.
func (p Page) Named(name string) Page {
	return p.All(func(e *Element) bool { return e.Name == name })
}

// With returns the elements whose attribute has exactly the value.
func (p Page) With(attribute, value string) Page {
	return p.All(func(e *Element) bool { v, ok := e.Attr[attribute]; return ok && v == value })
}

// Inside returns the elements inside another one.
func (p Page) Inside(outer *Element) Page {
	return p.All(func(e *Element) bool { return slices.Contains(e.around, outer) })
}

// Texts returns the text of each element, with every run of white space as
// one space.
func (p Page) Texts() []string {
	var texts []string
	for _, e := range p {
		texts = append(texts, strings.Join(strings.Fields(e.Text), " "))
	}
	return texts
}

// Render renders a component in a language and returns it parsed and as
// HTML.
func Render(t *testing.T, l locales.Locale, view templ.Component) (Page, string) {
	t.Helper()
	var out bytes.Buffer
	if err := view.Render(locales.NewContext(context.Background(), l), &out); err != nil {
		t.Fatal(err)
	}
	return Parse(t, out.String()), out.String()
}

// Parse reads HTML, which must be well-formed.
func Parse(t *testing.T, html string) Page {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var elements, open Page
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &Element{Name: token.Name.Local, Attr: map[string]string{}, around: slices.Clone(open)}
			for _, a := range token.Attr {
				name := a.Name.Local
				if a.Name.Space != "" {
					name = a.Name.Space + ":" + name
				}
				e.Attr[name] = a.Value
			}
			elements, open = append(elements, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.Text += string(token)
			}
		}
	}
}

// apart names, by element, those that must not be around it: browsers would close them early
// or find two controls in one.
var apart = map[string][]string{
	"a": {"a", "button"}, "button": {"a", "button"}, "select": {"a", "button"}, "form": {"form"}, "label": {"label"},
	"div": {"p", "button"}, "p": {"p"}, "ul": {"p"}, "ol": {"p"}, "dl": {"p"}, "table": {"p"}, "section": {"p"}, "fieldset": {"p"}, "h2": {"p"}, "h3": {"p"},
}

// CheckReferences checks that ids are unique, that every attribute that
// refers to an id finds it, that inputs have labels, that labels have controls, and that
// no element is within one that cannot contain it.
func CheckReferences(t *testing.T, p Page) {
	t.Helper()
	ids := map[string]int{}
	for _, e := range p {
		if id, ok := e.Attr["id"]; ok {
			ids[id]++
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements have the id %q", n, id)
		}
	}
	for _, e := range p {
		for _, name := range []string{"for", "form", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-errormessage", "list", "popovertarget", "data-dialog", "data-copy"} {
			for id := range strings.FieldsSeq(e.Attr[name]) {
				if ids[id] == 0 {
					t.Errorf("<%s %s=%q> finds nothing", e.Name, name, id)
				}
			}
		}
	}
	for _, e := range p {
		for _, outer := range e.around {
			if slices.Contains(apart[e.Name], outer.Name) {
				t.Errorf("<%s %v> is within <%s %v>", e.Name, e.Attr, outer.Name, outer.Attr)
			}
		}
		isControl := func(e *Element) bool {
			return slices.Contains([]string{"input", "select", "textarea", "output"}, e.Name)
		}
		if e.Name == "label" && e.Attr["for"] == "" && len(p.Inside(e).All(isControl)) == 0 {
			t.Errorf("the label %q has no control", e.Text)
		}
	}
	for _, e := range p.All(func(e *Element) bool { return e.Name == "input" && e.Attr["type"] != "hidden" }) {
		if len(p.With("for", e.Attr["id"])) == 0 && e.Attr["aria-label"] == "" && e.Attr["type"] != "checkbox" {
			t.Errorf("the input %q has no label", e.Attr["name"])
		}
	}
}

// HTML renders a component in a language.
func HTML(t testing.TB, l locales.Locale, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(locales.NewContext(t.Context(), l), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Hostile is a value that would end a text or an attribute if it were not escaped.
const Hostile = `<i>"김'&amp;`

// CheckEscaped renders rows of a table whose values are all hostile. The value
// must appear as a name or a title exactly as often as times says.
func CheckEscaped(t *testing.T, name string, rows templ.Component, times int) {
	t.Helper()
	for _, l := range locales.All() {
		p, out := Render(t, l, templ.Join(templ.Raw("<table>"), rows, templ.Raw("</table>")))
		if strings.Contains(out, "<i>") || strings.Contains(out, `김'`) {
			t.Errorf("%s %s: a value is not escaped: %s", name, l, out)
		}
		shown := 0
		for _, e := range p {
			if e.Name == "bdi" && e.Text == Hostile || e.Attr["title"] == Hostile {
				shown++
			}
			if href := e.Attr["href"]; href != "" && !strings.HasPrefix(href, l.Prefix()+"/") && !strings.HasPrefix(href, "#") {
				t.Errorf("%s %s: a link leads to %q", name, l, href)
			}
		}
		if shown != times {
			t.Errorf("%s %s: the value is shown %d times, want %d", name, l, shown, times)
		}
	}
}
