package locales

import (
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

func TestFill(t *testing.T) {
	m, err := parseMessage(&i18n.Message{One: "{{.Name}}: one, {{ .Name }}.", Other: "{{.Name}}: {{.Count}}"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ got, want string }{
		{m.one.fill("1", []any{"Name", "{{.Count}} & <b>"}), "{{.Count}} & <b>: one, {{.Count}} & <b>."},
		{m.other.fill("1,200", []any{"Name", 7}), "7: 1,200"},
		{m.other.fill("2", []any{"Other", "x", "Name", int64(-8)}), "-8: 2"},
		{m.other.fill("", []any{"Count", "many", "Name", "A"}), "A: many"},
		{m.other.fill("2", []any{"Name"}), "⟦Name⟧: 2"},
		{m.other.fill("", []any{"Name", 1.5}), "⟦Name⟧: ⟦Count⟧"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestMessagesOnlyInsertValues(t *testing.T) {
	for _, text := range []string{"{{.Name", "{{Name}}", "{{.}}", "{{.Name | html}}", "{{if .Name}}x{{end}}", "{{.A.B}}"} {
		if _, err := parseMessage(&i18n.Message{Other: text}); err == nil {
			t.Errorf("%q is taken for a message", text)
		}
		if _, err := parseMessage(&i18n.Message{One: text, Other: "x"}); err == nil {
			t.Errorf("%q is taken for a form of a message", text)
		}
	}
}

func TestFillAllocatesOnlyTheText(t *testing.T) {
	name := "17:40"
	if n := testing.AllocsPerRun(100, func() { Japanese.T("locale.relative.yesterday", "Time", name) }); n != 1 {
		t.Errorf("a message with a value allocates %v times", n)
	}
}
