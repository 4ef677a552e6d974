package views_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// foremost matches the button that does what a view is for, following another
// button of the row, without those that delete or are quiet. Buttons that
// fill a column are stacked, not in a row; approving and rejecting are two
// decisions of the same rank.
var (
	foremost  = regexp.MustCompile(`btn-primary|"btn btn-danger"`)
	following = regexp.MustCompile(`^(<(a|button) .*class="btn(?: btn-danger)?"|@(views\.)?LinkButton\()`)
	exempt    = regexp.MustCompile(`btn-wide|name="decision"`)
)

// Cancelling comes before what a dialog or form is for, everywhere.
func TestForemostButtonIsLast(t *testing.T) {
	rows := 0
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".templ" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			if !foremost.MatchString(line) || exempt.MatchString(line) {
				continue
			}
			rows++
			if next := sibling(lines, i); following.MatchString(next) {
				t.Errorf("%s:%d: %s follows the button that the view is for", path, i+1, next)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if rows < 50 {
		t.Errorf("only %d buttons were found", rows)
	}
}

// sibling is the first line of the element that follows the one at line i in
// the same row; "" if it is the last.
func sibling(lines []string, i int) string {
	depth := indent(lines[i])
	for _, line := range lines[i+1:] {
		text := strings.TrimSpace(line)
		switch {
		case indent(line) < depth:
			return ""
		case indent(line) == depth && text != "" && !strings.HasPrefix(text, "</") && !strings.HasPrefix(text, "}"):
			return text
		}
	}
	return ""
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, "\t")) }
