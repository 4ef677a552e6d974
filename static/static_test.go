package static

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func bundle() fstest.MapFS {
	return fstest.MapFS{
		"built/.keep":                {},
		"built/manifest.json":        {Data: []byte(`{"main.js":"main-A1.js","console.css":"console-B2.css","policies.css":"console-B2.css","records.css":"console-B2.css","notices.css":"console-B2.css","links.css":"console-B2.css","usage.css":"console-B2.css","security.css":"console-B2.css","favicon.svg":"favicon-C3.svg"}`)},
		"built/main-A1.js":           {Data: []byte("plain script")},
		"built/main-A1.js.br":        {Data: []byte("brotli")},
		"built/main-A1.js.gz":        {Data: []byte("gzip")},
		"built/console-B2.css":       {Data: []byte("plain style")},
		"built/console-B2.css.gz":    {Data: []byte("gzip style")},
		"built/favicon-C3.svg":       {Data: []byte("<svg/>")},
		"built/department-tree-D.js": {Data: []byte("chunk")},
	}
}

func loaded(t *testing.T) Assets {
	t.Helper()
	a, err := load(bundle())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAMissingBundleSaysWhatToDo(t *testing.T) {
	withoutStyle := bundle()
	delete(withoutStyle, "built/console-B2.css")
	for name, dir := range map[string]fstest.MapFS{
		"nothing built": {"built/.keep": {}},
		"no style":      withoutStyle,
	} {
		if _, err := load(dir); err == nil || !strings.Contains(err.Error(), "make build") {
			t.Errorf("%s: error %v, want one that names make build", name, err)
		}
	}
}

func TestABrokenManifestIsAnError(t *testing.T) {
	dir := bundle()
	dir["built/manifest.json"] = &fstest.MapFile{Data: []byte("{")}
	if _, err := load(dir); err == nil {
		t.Error("a broken manifest was accepted")
	}
}

func TestPath(t *testing.T) {
	a := loaded(t)
	if got := a.Path("main.js"); got != "/static/main-A1.js" {
		t.Errorf("Path(main.js) = %q", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown name did not panic")
		}
	}()
	a.Path("unknown.js")
}

func TestHandler(t *testing.T) {
	for _, c := range []struct {
		path, accept           string
		status                 int
		body, encoding, format string
	}{
		{"/static/main-A1.js", "gzip, deflate, br, zstd", 200, "brotli", "br", "text/javascript; charset=utf-8"},
		{"/static/main-A1.js", "gzip", 200, "gzip", "gzip", "text/javascript; charset=utf-8"},
		{"/static/main-A1.js", "br;q=0, gzip;q=0.5", 200, "gzip", "gzip", "text/javascript; charset=utf-8"},
		{"/static/main-A1.js", "", 200, "plain script", "", "text/javascript; charset=utf-8"},
		{"/static/console-B2.css", "br, gzip", 200, "gzip style", "gzip", "text/css; charset=utf-8"},
		{"/static/favicon-C3.svg", "br, gzip", 200, "<svg/>", "", "image/svg+xml"},
		{"/static/department-tree-D.js", "br", 200, "chunk", "", "text/javascript; charset=utf-8"},
		{"/static/", "", 404, "", "", ""},
		{"/static/main-A1.js.br", "", 404, "", "", ""},
		{"/static/manifest.json", "", 404, "", "", ""},
		{"/static/.keep", "", 404, "", "", ""},
		{"/static/../static.go", "", 404, "", "", ""},
	} {
		w := get(t, "GET", c.path, map[string]string{"Accept-Encoding": c.accept})
		if w.Code != c.status {
			t.Errorf("%s: status %d, want %d", c.path, w.Code, c.status)
		}
		if c.status != 200 {
			continue
		}
		head := w.Header()
		if w.Body.String() != c.body || head.Get("Content-Encoding") != c.encoding || head.Get("Content-Type") != c.format {
			t.Errorf("%s (%s): %q as %q in %q", c.path, c.accept, w.Body, head.Get("Content-Type"), head.Get("Content-Encoding"))
		}
		if head.Get("Cache-Control") != "public, max-age=31536000, immutable" || head.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: headers %v", c.path, head)
		}
	}
}

func TestAKnownETagAnswers304(t *testing.T) {
	br := map[string]string{"Accept-Encoding": "br"}
	etag := get(t, "GET", "/static/main-A1.js", br).Header().Get("ETag")
	if plain := get(t, "GET", "/static/main-A1.js", nil).Header().Get("ETag"); plain == etag {
		t.Errorf("two encodings share the ETag %s", etag)
	}
	br["If-None-Match"] = `"other", W/` + etag
	w := get(t, "GET", "/static/main-A1.js", br)
	if w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("status %d with %d bytes", w.Code, w.Body.Len())
	}
}

func TestOnlyReading(t *testing.T) {
	if w := get(t, "POST", "/static/main-A1.js", nil); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", w.Code, w.Header())
	}
	w := get(t, "HEAD", "/static/main-A1.js", nil)
	if w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "12" {
		t.Errorf("HEAD: %d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
}

func get(t *testing.T, method, path string, headers map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, "http://console.test/", nil)
	r.URL.Path = path
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	loaded(t).Handler().ServeHTTP(w, r)
	return w
}

// The bundles name it, so it is served; its name has no hash, so browsers ask again.
func TestTheNoticeIsServed(t *testing.T) {
	text, err := Notice()
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	Assets{}.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/static/NOTICE.txt", nil))
	if w.Code != http.StatusOK || w.Body.String() != string(text) || w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// A page loads the script, console.css and one stylesheet of its section, and has to stay
// below 45 KB where it can, of which its HTML takes about ten.
func TestWeightOfAPage(t *testing.T) {
	const most = 36 << 10 // bytes, with Brotli
	text, err := built.ReadFile("built/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]string
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	size := func(name string) int {
		packed, err := built.ReadFile("built/" + files[name] + ".br")
		if err != nil {
			t.Fatal(err)
		}
		return len(packed)
	}
	common := size("main.js") + size("console.css")
	for _, name := range required {
		if !strings.HasSuffix(name, ".css") || name == "console.css" {
			continue
		}
		if all := common + size(name); all > most {
			t.Errorf("pages with %s load %d bytes besides their HTML, more than %d", name, all, most)
		}
	}
}
