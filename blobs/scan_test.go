package blobs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
)

// virus is what the scanner of these tests finds.
const virus = "a virus, for the tests"

// scanner answers like clamd at a socket until the test ends; answer may replace what
// it says of some content.
func scanner(t *testing.T, answer func(content []byte) string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clamd")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			content, err := instream(connection)
			if err == nil {
				io.WriteString(connection, answer(content))
			}
			connection.Close()
		}
	}()
	return path
}

// instream reads the command INSTREAM of clamd.
func instream(r io.Reader) ([]byte, error) {
	command := make([]byte, len("zINSTREAM\x00"))
	if _, err := io.ReadFull(r, command); err != nil || string(command) != "zINSTREAM\x00" {
		return nil, errors.Join(err, errors.New("not INSTREAM"))
	}
	var content bytes.Buffer
	for {
		var size uint32
		if err := binary.Read(r, binary.BigEndian, &size); err != nil || size == 0 {
			return content.Bytes(), err
		}
		if _, err := io.CopyN(&content, r, int64(size)); err != nil {
			return nil, err
		}
	}
}

func findVirus(content []byte) string {
	if bytes.Contains(content, []byte(virus)) {
		return "stream: Test-Signature FOUND\x00"
	}
	return "stream: OK\x00"
}

func TestScannedContent(t *testing.T) {
	long := strings.Repeat("0123456789", 100_000)
	for _, test := range []struct {
		name, content string
		answer        func([]byte) string
		want          error
	}{
		{"clean", "a file", findVirus, nil},
		{"empty", "", findVirus, nil},
		{"long", long, findVirus, nil},
		{"infected", virus, findVirus, ErrInfected},
		{"infected at its end", long + virus, findVirus, ErrInfected},
		{"more than the scanner reads", long, func([]byte) string { return "INSTREAM size limit exceeded. ERROR\x00" }, ErrNotScanned},
		{"no answer", "a file", func([]byte) string { return "" }, ErrNotScanned},
	} {
		t.Run(test.name, func(t *testing.T) {
			store, err := Open(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			scanned, err := Scanned(store, scanner(t, test.answer))
			if err != nil {
				t.Fatal(err)
			}
			blob, err := scanned.Put(t.Context(), 1, strings.NewReader(test.content), 2<<20)
			if !errors.Is(err, test.want) {
				t.Fatalf("%v, want %v", err, test.want)
			}
			stored := 0
			for info, err := range store.All(t.Context()) {
				if stored++; err != nil || info.Key != blob.Key {
					t.Errorf("stored %v, %v", info, err)
				}
			}
			if (stored == 1) != (test.want == nil) {
				t.Errorf("%d files are stored", stored)
			}
		})
	}
}

func TestContentIsNotStoredWithoutScanner(t *testing.T) {
	store, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	scanned, err := Scanned(store, filepath.Join(t.TempDir(), "nobody"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scanned.Put(t.Context(), 1, strings.NewReader("a file"), 100); !errors.Is(err, ErrNotScanned) {
		t.Errorf("got %v", err)
	}
	if _, err := Scanned(store, "clamd"); err == nil {
		t.Error("an address without a port was accepted")
	}
}
