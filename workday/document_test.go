package workday

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the examples into docs/attendance.md")

// The examples in docs/attendance.md are those of the tests, with what they give.
func TestDocumentHasTheExamples(t *testing.T) {
	const path = "../docs/attendance.md"
	read, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, e := range examples {
		documented[e.id] = e.block()
	}
	for _, e := range forecastExamples {
		documented[e.id] = e.block()
	}
	shown := map[string]bool{}
	blocks := regexp.MustCompile(`(?s)<!-- example: (\w+) -->\n.*?<!-- end -->`)
	written := blocks.ReplaceAllStringFunc(string(read), func(block string) string {
		id := blocks.FindStringSubmatch(block)[1]
		if text, found := documented[id]; found {
			shown[id] = true
			return "<!-- example: " + id + " -->\n" + text + "<!-- end -->"
		}
		t.Errorf("the document has the example %s, which does not exist", id)
		return block
	})
	for id := range documented {
		if !shown[id] {
			t.Errorf("the document lacks the example %s", id)
		}
	}
	switch {
	case written == string(read):
	case *update:
		if err := os.WriteFile(path, []byte(written), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/attendance.md differs from the examples; go test ./workday -run Document -update writes them")
	}
}

// block returns the events of an example and its records.
func (e example) block() string {
	policy := officePolicy()
	for _, change := range e.policy {
		change(policy)
	}
	var b strings.Builder
	b.WriteString("```\n")
	for _, day := range e.days {
		if strings.Contains(day, ":") {
			b.WriteString(day + "\n")
		}
	}
	b.WriteString("\n")
	records := e.records()
	for _, r := range records {
		b.WriteString(exampleLine(r, policy.Zone) + "\n")
	}
	b.WriteString(exampleSum(records) + "\n```\n")
	return b.String()
}
