package audit_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"officeconsole/queries/audit"
)

// recorded finds the actions that rules write to the change log: where an action
// is assigned, or given to a function that records it.
var recorded = []*regexp.Regexp{
	regexp.MustCompile(`Action: +"([a-z_.]+)"`),
	regexp.MustCompile(`(?:Action|action)(?:, [\w.]+)* :?= "([a-z_.]+)"`),
	regexp.MustCompile(`(?:recordChange|changeViewer|lockChange|s\.append)\([^"\n]*"([a-z_]+\.[a-z_]+)"`),
}

// actionResults finds the results of a function called action.
var actionResults = regexp.MustCompile(`(?s)func \([^)]*\) action\(\) string \{\n.*?\n\}`)

// The page offers every action that the console records, and no other one.
func TestObjectsHaveEveryAction(t *testing.T) {
	var found []string
	for _, pattern := range []string{"../*.go", "../*/*.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/audit/") {
				continue
			}
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, pattern := range recorded {
				for _, match := range pattern.FindAllSubmatch(source, -1) {
					found = append(found, string(match[1]))
				}
			}
			for _, body := range actionResults.FindAll(source, -1) {
				for _, match := range regexp.MustCompile(`"([a-z_.]+)"`).FindAllSubmatch(body, -1) {
					found = append(found, string(match[1]))
				}
			}
		}
	}
	var offered []string
	for _, object := range audit.Objects {
		offered = append(offered, object.Actions...)
	}
	slices.Sort(found)
	slices.Sort(offered)
	if found = slices.Compact(found); !slices.Equal(found, offered) {
		t.Errorf("recorded %q\noffered  %q", found, offered)
	}
}
