package settings

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"officeconsole/locales"
)

// The catalogue has exactly the messages that settings need, so that a new
// setting cannot lack its texts and a removed one leaves none behind.
func TestCatalogueHasEveryMessage(t *testing.T) {
	needed := map[string]bool{}
	for _, id := range []string{"setting.on", "setting.off", "setting.none"} {
		needed[id] = true
	}
	for _, kind := range []Kind{Communication, WorkingAttitude} {
		for _, g := range Groups(kind) {
			needed[g.LabelID()], needed[g.HelpID()] = true, true
			for _, s := range g.Settings {
				needed[s.LabelID()], needed[s.HelpID()] = true, true
				for _, id := range typeMessages(s.Key, s.Type) {
					needed[id] = true
				}
			}
		}
	}
	for _, id := range append(codes(t), Items.AmountID()) {
		needed[id] = true
	}
	delete(needed, "")
	for _, l := range locales.All() {
		there := l.IDs()
		for id := range needed {
			if !slices.Contains(there, id) {
				t.Errorf("%s: %s is missing", l, id)
			}
		}
		for _, id := range there {
			if strings.HasPrefix(id, "setting.") && !needed[id] {
				t.Errorf("%s: nothing needs %s", l, id)
			}
		}
	}
}

func typeMessages(key string, t Type) []string {
	var ids []string
	switch t := t.(type) {
	case Int:
		ids = append(ids, t.Unit.AmountID(), t.ShownUnit().LabelID())
	case Enum:
		for _, v := range t.Values {
			ids = append(ids, t.LabelID(key, v), t.AboutID(key, v))
		}
	case Shift:
		ids = typeMessages(key, DayKind)
	case Set:
		for _, v := range t.Values {
			ids = append(ids, t.LabelID(key, v))
		}
	case Nullable:
		ids = append(typeMessages(key, t.Of), message(key+".none"))
	case Object:
		for _, f := range t.Fields {
			ids = append(ids, f.Label)
			ids = append(ids, typeMessages(key, f.Type)...)
		}
	case List:
		ids = typeMessages(key, t.Of)
	}
	return ids
}

// codes returns the message ids of errors and warnings.
func codes(t *testing.T) []string {
	t.Helper()
	source, err := os.ReadFile("error.go")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, found := range regexp.MustCompile(`"(setting\.(?:error|warning)\.\w+)"`).FindAllSubmatch(source, -1) {
		ids = append(ids, string(found[1]))
	}
	if len(ids) < 30 {
		t.Fatalf("only %d codes are in error.go", len(ids))
	}
	return ids
}
