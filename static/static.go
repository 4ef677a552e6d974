// Package static holds the bundled scripts, styles and images of the console
// and serves them under /static/.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed all:built
var built embed.FS

// noticeFile is rarely read, so it is not kept in memory.
const noticeFile = "NOTICE.txt"

// required are the logical names that every page asks for.
var required = []string{"main.js", "console.css", "policies.css", "records.css", "notices.css", "links.css", "usage.css", "security.css", "favicon.svg"}

// Assets are the bundled files, in memory. The zero value has none.
type Assets struct {
	names map[string]string // logical name → hashed file
	files map[string]file   // by hashed file
}

type file struct {
	contentType string
	etag        string // without the mark of the encoding
	plain       []byte
	br, gz      []byte // nil when the bundler made none
}

// Load reads the bundles that were built into the program. Without them it
// fails and says how to make them.
func Load() (Assets, error) {
	return load(built)
}

// Path is the URL of a file by its logical name: "main.js" is
// "/static/main-HASH.js". It panics on a name that was not bundled: names are
// written in views, and a view's test finds the wrong one.
func (a Assets) Path(name string) string {
	hashed, ok := a.names[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q was bundled", name))
	}
	return "/static/" + hashed
}

// Handler serves /static/… to GET and HEAD. Names carry a hash of the content,
// so an answer may be kept for a year. Brotli and gzip are those that the
// bundler made.
func (a Assets) Handler() http.Handler {
	return http.HandlerFunc(a.serve)
}

// Notice is the licenses of everything that the program carries. Without the
// bundles there is none, and the error says how to make it.
func Notice() ([]byte, error) {
	text, err := built.ReadFile("built/" + noticeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("static: the licenses were not collected into this program: run make build")
	}
	return text, err
}

func load(dir fs.FS) (Assets, error) {
	raw, err := fs.ReadFile(dir, "built/manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return Assets{}, errors.New("static: the scripts and styles were not bundled into this program: run make build")
	}
	if err != nil {
		return Assets{}, fmt.Errorf("static: manifest: %w", err)
	}
	a := Assets{files: map[string]file{}}
	if err := json.Unmarshal(raw, &a.names); err != nil {
		return Assets{}, fmt.Errorf("static: manifest: %w", err)
	}
	if err := a.readAll(dir); err != nil {
		return Assets{}, fmt.Errorf("static: %w", err)
	}
	return a, a.check()
}

func (a Assets) readAll(dir fs.FS) error {
	entries, err := fs.ReadDir(dir, "built")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		switch path.Ext(name) {
		case ".br", ".gz", ".json", ".keep", ".txt":
			continue
		}
		if a.files[name], err = read(dir, name); err != nil {
			return err
		}
	}
	return nil
}

func (a Assets) check() error {
	for _, name := range required {
		if _, ok := a.files[a.names[name]]; !ok {
			return fmt.Errorf("static: %s is missing from the bundle: run make build", name)
		}
	}
	return nil
}

func read(dir fs.FS, name string) (file, error) {
	plain, err := fs.ReadFile(dir, "built/"+name)
	if err != nil {
		return file{}, err
	}
	br, err := readOptional(dir, name+".br")
	if err != nil {
		return file{}, err
	}
	gz, err := readOptional(dir, name+".gz")
	if err != nil {
		return file{}, err
	}
	sum := sha256.Sum256(plain)
	return file{
		contentType: contentType(name),
		etag:        base64.RawURLEncoding.EncodeToString(sum[:9]),
		plain:       plain, br: br, gz: gz,
	}, nil
}

func readOptional(dir fs.FS, name string) ([]byte, error) {
	data, err := fs.ReadFile(dir, "built/"+name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// contentType does not depend on the machine's own table for the types that
// are bundled.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	default:
		if known := mime.TypeByExtension(ext); known != "" {
			return known
		}
		return "application/octet-stream"
	}
}

func (a Assets) serve(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/static/")
	if name == noticeFile {
		w.Header().Set("Cache-Control", "no-cache") // its name has no hash
		http.ServeFileFS(w, r, built, "built/"+noticeFile)
		return
	}
	f, ok := a.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	body, encoding := f.choose(r.Header.Get("Accept-Encoding"))
	etag := `"` + f.etag + encoding + `"`
	head := w.Header()
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Set("ETag", etag)
	head.Set("Vary", "Accept-Encoding")
	if matches(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	head.Set("Content-Type", f.contentType)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Content-Length", strconv.Itoa(len(body)))
	if encoding != "" {
		head.Set("Content-Encoding", encoding)
	}
	if r.Method == http.MethodGet {
		// A reader who went away is no error of ours.
		_, _ = w.Write(body)
	}
}

// choose is the smallest form of the file that the reader accepts, and its
// Content-Encoding.
func (f file) choose(acceptEncoding string) ([]byte, string) {
	switch {
	case f.br != nil && accepts(acceptEncoding, "br"):
		return f.br, "br"
	case f.gz != nil && accepts(acceptEncoding, "gzip"):
		return f.gz, "gzip"
	}
	return f.plain, ""
}

// accepts reads an Accept-Encoding header (RFC 9110, 12.5.3); a quality of 0
// refuses.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		quality, found := strings.CutPrefix(strings.TrimSpace(params), "q=")
		if !found {
			return true
		}
		q, err := strconv.ParseFloat(quality, 64)
		return err == nil && q > 0
	}
	return false
}

func matches(ifNoneMatch, etag string) bool {
	for tag := range strings.SplitSeq(ifNoneMatch, ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == etag || tag == "*" {
			return true
		}
	}
	return false
}
