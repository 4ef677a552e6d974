package blobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

func TestS3(t *testing.T) {
	testStore(t, func(t *testing.T) fixture { return inBucket(t, startS3(t), "/bucket") })
}

func TestS3Prefix(t *testing.T) {
	testStore(t, func(t *testing.T) fixture { return inBucket(t, startS3(t), "/bucket/office/console") })
}

// server is S3 in this process.
type server struct {
	*httptest.Server
	clock clock
	// before is called before each request; it answers it if it returns true.
	before atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
}

func startS3(t *testing.T) *server {
	t.Helper()
	s := &server{}
	backend := s3mem.New(s3mem.WithTimeSource(&s.clock))
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	handler := gofakes3.New(backend, gofakes3.WithoutVersioning()).Server()
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before := s.before.Load(); before == nil || !(*before)(w, r) {
			handler.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func inBucket(t *testing.T, s *server, path string) fixture {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	store, err := Open("s3://KEY:hunter2@" + s.Listener.Addr().String() + path + "?insecure=1&region=us-east-1")
	if err != nil {
		t.Fatal(err)
	}
	return fixture{
		Store: store,
		pass:  func(*testing.T) { s.clock.ahead.Add(int64(48 * time.Hour)) },
		temporary: func(t *testing.T) []string {
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, entry := range entries {
				names = append(names, entry.Name())
			}
			return names
		},
	}
}

// clock is the time of the server.
type clock struct{ ahead atomic.Int64 }

func (c *clock) Now() time.Time                  { return time.Now().UTC().Add(time.Duration(c.ahead.Load())) }
func (c *clock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

func TestS3PrefixesAreApart(t *testing.T) {
	s := startS3(t)
	outer, inner := inBucket(t, s, "/bucket"), inBucket(t, s, "/bucket/inner")
	key := inner.put(t, 1, "x").Key
	if all := outer.all(t); len(all) > 0 {
		t.Errorf("without a prefix, listed %+v", all)
	}
	if _, _, err := outer.Open(t.Context(), key); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a prefix, opened: %v", err)
	}
}

func TestS3UploadFails(t *testing.T) {
	s := startS3(t)
	f := inBucket(t, s, "/bucket")
	refuse := func(w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	s.before.Store(&refuse)
	_, err := f.Put(t.Context(), 1, strings.NewReader("x"), limit)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a refused upload: %v", err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	hang := func(w http.ResponseWriter, r *http.Request) bool {
		cancel()
		_, _ = io.Copy(io.Discard, r.Body) // the server then notices that the client has gone
		<-r.Context().Done()
		return true
	}
	s.before.Store(&hang)
	if _, err := f.Put(ctx, 1, strings.NewReader("x"), limit); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ends during the upload: %v", err)
	}

	s.before.Store(nil)
	if all, left := f.all(t), f.temporary(t); len(all) > 0 || len(left) > 0 {
		t.Errorf("failed uploads left %+v and %q", all, left)
	}
}

// What a Put without room or without a connection says, and that nothing is left.
func TestS3UploadErrors(t *testing.T) {
	answer := func(status int, code string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(status)
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>No.</Message></Error>", code)
			return true
		}
	}
	breakOff := func(_ http.ResponseWriter, r *http.Request) bool {
		_, _ = io.CopyN(io.Discard, r.Body, 1000) // of a content that is longer
		panic(http.ErrAbortHandler)
	}
	for name, test := range map[string]struct {
		before            func(http.ResponseWriter, *http.Request) bool
		full, unavailable bool
	}{
		"no room in MinIO":       {answer(http.StatusInsufficientStorage, "XMinioStorageFull"), true, false},
		"no room":                {answer(http.StatusInsufficientStorage, ""), true, false},
		"a quota":                {answer(http.StatusForbidden, "QuotaExceeded"), true, false},
		"a server that fails":    {answer(http.StatusServiceUnavailable, "SlowDown"), false, true},
		"a connection that ends": {breakOff, false, true},
		"a refusal":              {answer(http.StatusForbidden, "AccessDenied"), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := startS3(t)
			f := inBucket(t, s, "/bucket")
			s.before.Store(&test.before)
			_, err := f.Put(t.Context(), 1, strings.NewReader(strings.Repeat("x", 200_000)), limit)
			if err == nil || IsFull(err) != test.full || errors.Is(err, ErrUnavailable) != test.unavailable || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("full %v, unavailable %v: %v", IsFull(err), errors.Is(err, ErrUnavailable), err)
			}
			s.before.Store(nil)
			if all, left := f.all(t), f.temporary(t); len(all) > 0 || len(left) > 0 {
				t.Errorf("it left %+v and %q", all, left)
			}
		})
	}
}

// Content that changes on its way is refused by its MD5.
func TestS3ReceivesDamagedContent(t *testing.T) {
	s := startS3(t)
	f := inBucket(t, s, "/bucket")
	damage := func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut {
			if r.Header.Get("Content-Md5") == "" {
				t.Error("no MD5 was sent")
			}
			r.Header.Set("Content-Md5", "1B2M2Y8AsgTpgAmY7PhCfg==")
		}
		return false
	}
	s.before.Store(&damage)
	if _, err := f.Put(t.Context(), 1, strings.NewReader("x"), limit); err == nil {
		t.Error("stored with another MD5")
	}
	if all := f.all(t); len(all) > 0 {
		t.Errorf("stored %+v", all)
	}
}

func TestS3BucketIsMissing(t *testing.T) {
	f := inBucket(t, startS3(t), "/other-bucket")
	if _, err := f.Put(t.Context(), 1, strings.NewReader("x"), limit); err == nil {
		t.Error("stored without a bucket")
	}
	var failure error
	for _, err := range f.All(t.Context()) {
		failure = err
	}
	if failure == nil {
		t.Error("listed without a bucket")
	}
}

func TestS3IsUnreachable(t *testing.T) {
	s := startS3(t)
	f := inBucket(t, s, "/bucket")
	key := f.put(t, 1, "x").Key
	s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, putErr := f.Put(ctx, 1, strings.NewReader("x"), limit)
	_, _, openErr := f.Open(ctx, key)
	for name, err := range map[string]error{"put": putErr, "open": openErr, "remove": f.Remove(ctx, key)} {
		if err == nil || errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left := f.temporary(t); len(left) > 0 {
		t.Errorf("temporary files stay: %q", left)
	}
}
