package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"
)

// An archive is recognized as cut off wherever its end is missing, also between the
// blocks of the compression and of the tar file: they end at other places for other
// sizes. Of an encrypted one, a part of a chunk cannot be told from an altered one.
func TestCutOffNearTheEnd(t *testing.T) {
	const block, most = 128 << 10, 30
	for size := block - 8<<10; size <= block; size += 512 {
		archive := archiveOfSize(t, size)
		if err := readAll(archive); err != nil {
			t.Fatalf("the whole archive: %v", err)
		}
		for missing := 1; missing <= most; missing++ {
			if err := readAll(archive[:len(archive)-missing]); !errors.Is(err, ErrCutOff) {
				t.Fatalf("without the last %d of %d bytes, with a file of %d: %v", missing, len(archive), size, err)
			}
		}
	}
}

func archiveOfSize(t *testing.T, size int) []byte {
	t.Helper()
	var archive bytes.Buffer
	w, err := newWriter(&archive, nil, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(w.writeJSON(headerName, Header{}), w.writeEntry(dataDir, 0, nil),
		w.writeEntry(dataDir+"some", int64(size), bytes.NewReader(make([]byte, size))), w.close(Summary{}))
	if err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}

func readAll(archive []byte) error {
	r, err := newReader(bytes.NewReader(archive), nil)
	if err != nil {
		return err
	}
	defer r.close()
	if err := r.readJSON(headerName, &Header{}); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	_, err = r.readEntries(func(string, int64, io.Reader) error { return nil })
	return err
}
