package blobs

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

// testStore holds for every Store.
func testStore(t *testing.T, open func(t *testing.T) fixture) {
	for name, test := range map[string]func(*testing.T, fixture){
		"round trip":         testRoundTrip,
		"content twice":      testContentTwice,
		"two companies":      testTwoCompanies,
		"limit":              testLimit,
		"failures":           testFailures,
		"empty":              testEmpty,
		"streamed":           testStreamed,
		"bad keys":           testBadKeys,
		"concurrent puts":    testConcurrentPuts,
		"listing":            testListing,
		"temporary removals": testRemoveTemporary,
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			test(t, f)
			if left := f.temporary(t); len(left) > 0 {
				t.Errorf("temporary files stay: %q", left)
			}
		})
	}
}

func testRoundTrip(t *testing.T, f fixture) {
	blob := f.put(t, 7, "hello, world")
	sha, md := sha256.Sum256([]byte("hello, world")), md5.Sum([]byte("hello, world"))
	hash := hex.EncodeToString(sha[:])
	if want := (Blob{"7/" + hash[:2] + "/" + hash, 12, hex.EncodeToString(md[:])}); blob != want {
		t.Fatalf("put %+v, want %+v", blob, want)
	}
	content, size, err := f.Open(t.Context(), blob.Key)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	if size != 12 {
		t.Errorf("size %d, want 12", size)
	}
	// http.ServeContent seeks to the end, back, and to the beginning of a range.
	for _, seek := range []struct {
		offset int64
		whence int
		at     int64
		want   string
	}{
		{0, io.SeekEnd, 12, ""},
		{0, io.SeekStart, 0, "hello, world"},
		{7, io.SeekStart, 7, "world"},
		{-3, io.SeekEnd, 9, "rld"},
	} {
		at, err := content.Seek(seek.offset, seek.whence)
		if err != nil || at != seek.at {
			t.Fatalf("seek to %d from %d: %d, %v", seek.offset, seek.whence, at, err)
		}
		rest, err := io.ReadAll(content)
		if err != nil || string(rest) != seek.want {
			t.Errorf("from %d: %q, %v, want %q", seek.at, rest, err, seek.want)
		}
	}
	for range 2 { // the second removes what is missing
		if err := f.Remove(t.Context(), blob.Key); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Open(t.Context(), blob.Key); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("after its removal: %v, want fs.ErrNotExist", err)
		}
	}
	if all := f.all(t); len(all) > 0 {
		t.Errorf("after the removal there is %+v", all)
	}
}

func testContentTwice(t *testing.T, f fixture) {
	start := time.Now().Add(-2 * time.Second) // S3 may round to seconds
	blob := f.put(t, 1, "the same")
	before := f.all(t)
	if len(before) != 1 || before[0].Key != blob.Key || before[0].Size != 8 || before[0].Modified.Before(start) {
		t.Fatalf("listed %+v", before)
	}
	f.pass(t)
	before = f.all(t)
	if again := f.put(t, 1, "the same"); again != blob {
		t.Errorf("put %+v, then %+v", blob, again)
	}
	after := f.all(t)
	if len(after) != 1 {
		t.Fatalf("%d blobs are stored: %+v", len(after), after)
	}
	if renewed := after[0].Modified.Sub(before[0].Modified); renewed < 24*time.Hour {
		t.Errorf("the modification time moved by %s, want about two days", renewed)
	}
}

func testTwoCompanies(t *testing.T, f fixture) {
	first, second := f.put(t, 1, "shared"), f.put(t, math.MaxInt64, "shared")
	if first.Key == second.Key {
		t.Fatalf("two companies share %s", first.Key)
	}
	if err := f.Remove(t.Context(), first.Key); err != nil {
		t.Fatal(err)
	}
	if got := f.read(t, second.Key); got != "shared" {
		t.Errorf("the other company has %q", got)
	}
	for _, company := range []int64{0, -1} {
		if _, err := f.Put(t.Context(), company, strings.NewReader("x"), limit); err == nil {
			t.Errorf("company %d was accepted", company)
		}
	}
}

func testEmpty(t *testing.T, f fixture) {
	blob := f.put(t, 1, "")
	if blob.Size != 0 || blob.MD5 != "d41d8cd98f00b204e9800998ecf8427e" {
		t.Errorf("put %+v", blob)
	}
	if got := f.read(t, blob.Key); got != "" {
		t.Errorf("read %q", got)
	}
	if all := f.all(t); len(all) != 1 || all[0].Size != 0 {
		t.Errorf("listed %+v", all)
	}
}

func testStreamed(t *testing.T, f fixture) {
	const size = 20 << 20
	random := func() io.Reader { return io.LimitReader(rand.NewChaCha8([32]byte{1}), size) }
	sampled := &heapReader{from: random()}
	base := heap()
	blob, err := f.Put(t.Context(), 1, sampled, size)
	if err != nil {
		t.Fatal(err)
	}
	if used := int64(sampled.most) - int64(base); sampled.samples < 10 || used > 4<<20 {
		t.Errorf("%d bytes of memory in %d samples of receiving %d bytes", used, sampled.samples, size)
	}
	content, _, err := f.Open(t.Context(), blob.Key)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	sha := sha256.New()
	if n, err := io.Copy(sha, content); n != size || err != nil {
		t.Fatalf("read %d bytes, %v", n, err)
	}
	if got := hex.EncodeToString(sha.Sum(nil)); !strings.HasSuffix(blob.Key, got) {
		t.Errorf("%s has content with the hash %s", blob.Key, got)
	}
}

func testConcurrentPuts(t *testing.T, f fixture) {
	content := strings.Repeat("together ", 10_000)
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			blob, err := f.Put(t.Context(), 1, strings.NewReader(content), limit)
			if err != nil {
				t.Error(err)
				return
			}
			opened, _, err := f.Open(t.Context(), blob.Key)
			if err != nil {
				t.Error(err)
				return
			}
			defer opened.Close()
			if got, err := io.ReadAll(opened); err != nil || string(got) != content {
				t.Errorf("read %d bytes, %v", len(got), err)
			}
		})
	}
	wait.Wait()
	if all := f.all(t); len(all) != 1 {
		t.Errorf("%d blobs are stored: %+v", len(all), all)
	}
}

func testListing(t *testing.T, f fixture) {
	want := map[string]int64{}
	for company := range int64(3) {
		for i := range 5 {
			blob := f.put(t, company+1, strings.Repeat("x", 10*i+int(company)))
			want[blob.Key] = blob.Size
		}
	}
	got := map[string]int64{}
	for _, info := range f.all(t) {
		got[info.Key] = info.Size
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	for _, err := range f.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		break // a caller may stop, and the iterator must not call it again
	}
	for info, err := range f.All(t.Context()) { // and may remove what it is given
		if err := errors.Join(err, f.Remove(t.Context(), info.Key)); err != nil {
			t.Fatal(err)
		}
	}
	if all := f.all(t); len(all) > 0 {
		t.Errorf("after the sweep there is %+v", all)
	}
}

func testRemoveTemporary(t *testing.T, f fixture) {
	key := f.put(t, 1, "x").Key
	if err := f.RemoveTemporary(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got := f.read(t, key); got != "x" {
		t.Errorf("read %q", got)
	}
}

func TestIsKey(t *testing.T) {
	key := Key(1, strings.Repeat("ab", 32))
	for _, c := range []struct {
		company int64
		key     string
		want    bool
	}{
		{1, key, true}, {2, key, false}, {11, key, false}, {1, "1" + key, false}, {1, "", false}, {1, key + "\n", false},
		{1, Key(1, "../x"), false}, {1, strings.Replace(key, "/ab/", "/cd/", 1), false},
	} {
		if got := IsKey(c.company, c.key); got != c.want {
			t.Errorf("%q of company %d: %t", c.key, c.company, got)
		}
	}
}
