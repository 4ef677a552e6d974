package static

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// What has a name right of :has(…) and a combinator limits which styles are computed again. A
// column's key is none, because every cell of the column has it, nor is the tag of a cell.
var namelessAfterHas = regexp.MustCompile(`:has\((?:[^()]|\([^()]*\))*\)[^\s>+~,{]*(?:\s*[\s>+~]\s*[.#\w\[][^\s>+~,{]*)*\s*[\s>+~]\s*(?:\*|:[a-z-]+-child(?:\([^)]*\))?|t[hd]|col\[data-col[^]]*\])\s*[,{]`)

// One selector such as tr:has(:checked) > * lets browsers compute the styles of the whole
// page, or of all cells of its tables, whenever anything changes that some :has looks at.
func TestWhatFollowsHasHasAName(t *testing.T) {
	files, err := filepath.Glob("css/*.css")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stylesheets: %v", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range namelessAfterHas.FindAllString(cssComment.ReplaceAllString(string(source), ""), -1) {
			t.Errorf("%s: %s: name the element", file, found)
		}
	}
}
