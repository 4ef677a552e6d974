package static

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssRule    = regexp.MustCompile(`([^{};]*)\{([^{}]*)\}`)
	textInPx   = regexp.MustCompile(`(?:^|[;\s])(?:font|font-size|line-height|(?:min-|max-)?(?:width|height)|padding[a-z-]*)\s*:[^;]*?\b(?:[4-9]|\d{2,})(?:\.\d+)?px`)
	queryInPx  = regexp.MustCompile(`@(?:media|container)[^{]*\dpx`)
	// Text within a drawing has the drawing's own units, and the width of the drawing is in rem.
	inDrawing = regexp.MustCompile(`^\.(?:heat-|strip text|chart|cover)`)
	// The console's narrowest width is one of the window, not of its text.
	ofWindow = regexp.MustCompile(`^body$`)
)

// A reader who chooses larger text in the browser gets it everywhere, with the room that it needs: no size of a
// text, and of what contains one, is in pixels.
func TestSizesFollowTheReadersTextSize(t *testing.T) {
	files, err := filepath.Glob("css/*.css")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stylesheets: %v", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range sizesInPx(string(source)) {
			t.Errorf("%s: %s: write it in rem", file, found)
		}
	}
}

func TestASizeInPxIsFound(t *testing.T) {
	for _, css := range []string{
		"p { font-size: 13px; }", "p { color: red; line-height:20px }", ".a { min-width: min(440px, 100%); }",
		"@media (width < 900px) { p { margin: 0; } }", ".a .chart { font-size: 12px; }", "p { padding: 5px var(--s3); }",
	} {
		if len(sizesInPx(css)) != 1 {
			t.Errorf("%s: found %q, want one", css, sizesInPx(css))
		}
	}
	for _, css := range []string{"p { font-size: .8125rem; border: 1px solid; width: 1px; }", ".chart .y { font-size: 11px; }"} {
		if found := sizesInPx(css); len(found) != 0 {
			t.Errorf("%s: found %q, want none", css, found)
		}
	}
}

// sizesInPx returns the rules and queries of a stylesheet that size text in pixels.
func sizesInPx(css string) []string {
	css = cssComment.ReplaceAllString(css, "")
	found := queryInPx.FindAllString(css, -1)
	for _, rule := range cssRule.FindAllStringSubmatch(css, -1) {
		selector := strings.TrimSpace(rule[1])
		if inDrawing.MatchString(selector) || ofWindow.MatchString(selector) {
			continue
		}
		if textInPx.MatchString(rule[2]) {
			found = append(found, selector+" {"+rule[2]+"}")
		}
	}
	return found
}
