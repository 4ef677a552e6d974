package growth

import (
	"fmt"
	"regexp"
	"strings"
)

// block finds a table in a document: between a comment that names it and one that ends
// it.
var block = regexp.MustCompile(`(?s)(<!-- growth: ([a-z-]+) -->\n).*?(<!-- end -->)`)

// Document returns a document with its tables calculated anew.
func Document(text string, c Costs) (string, error) {
	tables, err := allTables(c)
	if err != nil {
		return "", err
	}
	var unknown []string
	found := map[string]bool{}
	text = block.ReplaceAllStringFunc(text, func(old string) string {
		parts := block.FindStringSubmatch(old)
		t, ok := tables[parts[2]]
		if !ok {
			unknown = append(unknown, parts[2])
			return old
		}
		found[parts[2]] = true
		return parts[1] + "\n" + t + "\n" + parts[3]
	})
	for name := range tables {
		if !found[name] {
			unknown = append(unknown, name+" (missing)")
		}
	}
	if unknown != nil {
		return "", fmt.Errorf("tables of the document that do not exist, or are missing: %s", strings.Join(unknown, ", "))
	}
	return text, nil
}

// Print returns all tables for reading in a terminal.
func Print(c Costs) (string, error) {
	tables, err := allTables(c)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, name := range tableNames {
		fmt.Fprintf(&text, "\n### %s\n\n%s", name, tables[name])
	}
	return text.String(), nil
}
