package views

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The sprite comes with every page, so it holds no picture that no page shows.
func TestSpriteHoldsTheIconsInUse(t *testing.T) {
	source := sources(t)
	symbols := map[string]bool{}
	for _, found := range regexp.MustCompile(`<symbol id="i-([a-z-]+)"`).FindAllStringSubmatch(source, -1) {
		symbols[found[1]] = true
	}
	if len(symbols) == 0 {
		t.Fatal("no sprite")
	}
	for name := range symbols {
		if !strings.Contains(source, `"`+name+`"`) {
			t.Errorf("no page shows the icon %q", name)
		}
	}
	for _, found := range regexp.MustCompile(`(?:@|@views\.|m\.)(?:Icon\(|IconButton\(|EmptyState\(|(?:Badge|Note)\("[a-z]*", )"([a-z-]+)"`).FindAllStringSubmatch(source, -1) {
		if !symbols[found[1]] {
			t.Errorf("the sprite has no icon %q", found[1])
		}
	}
}

// sources is the text of all views that is not generated, those of the areas
// included.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"*.templ", "*.go", "*/*.templ", "*/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_templ.go") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}
