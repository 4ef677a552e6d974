package blobs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/iotest"
)

func testLimit(t *testing.T, f fixture) {
	exact := strings.Repeat("x", 100)
	if _, err := f.Put(t.Context(), 1, strings.NewReader(exact), 100); err != nil {
		t.Errorf("100 of 100 bytes: %v", err)
	}
	if _, err := f.Put(t.Context(), 1, strings.NewReader("no limit"), math.MaxInt64); err != nil {
		t.Errorf("the greatest limit: %v", err)
	}
	stored := len(f.all(t))
	endless := &countingReader{from: zeros{}}
	for name, content := range map[string]io.Reader{"101 bytes": strings.NewReader(exact + "x"), "endless": endless} {
		if _, err := f.Put(t.Context(), 1, content, 100); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v, want ErrTooLarge", name, err)
		}
	}
	if endless.n > 101 {
		t.Errorf("%d bytes were read for a limit of 100", endless.n)
	}
	for _, none := range []int64{0, -1, math.MinInt64} {
		if _, err := f.Put(t.Context(), 1, strings.NewReader("x"), none); !errors.Is(err, ErrTooLarge) {
			t.Errorf("limit %d: %v, want ErrTooLarge", none, err)
		}
	}
	if all := f.all(t); len(all) != stored {
		t.Errorf("what is too large was stored: %+v", all)
	}
}

func testFailures(t *testing.T, f fixture) {
	broken := errors.New("the browser has gone")
	half := io.MultiReader(strings.NewReader(strings.Repeat("x", 100_000)), iotest.ErrReader(broken))
	if _, err := f.Put(t.Context(), 1, half, limit); !errors.Is(err, broken) {
		t.Errorf("a reader that fails half-way: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	canceling := io.MultiReader(strings.NewReader("first"), &countingReader{from: zeros{}, then: cancel})
	if _, err := f.Put(ctx, 1, canceling, math.MaxInt64); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ends half-way: %v", err)
	}
	atEnd, cancel := context.WithCancel(t.Context())
	last := &countingReader{from: strings.NewReader("all of it"), then: cancel}
	if _, err := f.Put(atEnd, 1, last, limit); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ends after the content: %v", err)
	}
	unread := &countingReader{from: zeros{}}
	if _, err := f.Put(ctx, 1, unread, limit); !errors.Is(err, context.Canceled) || unread.n > 0 {
		t.Errorf("a context that has ended: %v, %d bytes read", err, unread.n)
	}
	func() {
		defer func() { _ = recover() }()
		_, err := f.Put(t.Context(), 1, panicking{}, limit)
		t.Errorf("a panic became %v", err)
	}()
	if all := f.all(t); len(all) > 0 {
		t.Errorf("a failed put stored %+v", all)
	}
	blob := f.put(t, 1, "x")
	if _, _, err := f.Open(ctx, blob.Key); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if err := f.Remove(ctx, blob.Key); !errors.Is(err, context.Canceled) {
		t.Errorf("remove: %v", err)
	}
	for _, err := range f.All(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("all: %v", err)
		}
	}
}

func testBadKeys(t *testing.T, f fixture) {
	key := f.put(t, 1, "x").Key
	for _, bad := range []string{
		"", ".", "/", "x", "../x", "1/../../x", "/etc/passwd", "/" + key, key + "/", key + "\n", key + "\x00", "\x00",
		strings.ToUpper(key), key[:len(key)-1], key + "0", "../" + key, "0" + key, "-" + key, "0" + key[1:],
		"1/00" + key[4:], strings.ReplaceAll(key, "/", `\`), "1//" + key[2:], "temporary/" + key[2:],
		"12345678901234567890" + key[1:], strings.Replace(key, "/", "/./", 1),
	} {
		if _, _, err := f.Open(t.Context(), bad); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("open %q: %v, want fs.ErrInvalid", bad, err)
		}
		if err := f.Remove(t.Context(), bad); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("remove %q: %v, want fs.ErrInvalid", bad, err)
		}
	}
	if got := f.read(t, key); got != "x" {
		t.Errorf("read %q", got)
	}
}
