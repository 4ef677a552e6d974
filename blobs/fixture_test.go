package blobs

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// fixture is a store in a test, with what its interface does not offer.
type fixture struct {
	Store
	// pass lets two days pass for what is stored already.
	pass func(t *testing.T)
	// temporary returns the names of files that a Put left behind.
	temporary func(t *testing.T) []string
}

const limit = 1 << 20

func (f fixture) put(t *testing.T, company int64, content string) Blob {
	t.Helper()
	blob, err := f.Put(t.Context(), company, strings.NewReader(content), limit)
	if err != nil {
		t.Fatal(err)
	}
	return blob
}

func (f fixture) read(t *testing.T, key string) string {
	t.Helper()
	content, size, err := f.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	var all bytes.Buffer
	if n, err := all.ReadFrom(content); err != nil || n != size {
		t.Fatalf("read %d of %d bytes: %v", n, size, err)
	}
	return all.String()
}

func (f fixture) all(t *testing.T) []Info {
	t.Helper()
	var all []Info
	for info, err := range f.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, info)
	}
	slices.SortFunc(all, func(a, b Info) int { return strings.Compare(a.Key, b.Key) })
	return all
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("a broken reader") }

// countingReader counts what is read and calls then, if set, after every read.
type countingReader struct {
	from io.Reader
	then func()
	n    int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += n
	if c.then != nil {
		c.then()
	}
	return n, err
}

// heapReader measures the memory in use after every MiB that is read.
type heapReader struct {
	from          io.Reader
	read, samples int
	most          uint64
}

func (h *heapReader) Read(p []byte) (int, error) {
	n, err := h.from.Read(p)
	if h.read += n; h.read>>20 > h.samples {
		h.samples++
		h.most = max(h.most, heap())
	}
	return n, err
}

func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
