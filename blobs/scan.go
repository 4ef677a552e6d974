package blobs

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

var (
	// ErrInfected is the error of a Put of content in which the virus scanner found
	// something.
	ErrInfected = errors.New("blobs: the virus scanner found malicious content")
	// ErrNotScanned is the error of a Put whose content could not be scanned.
	ErrNotScanned = errors.New("blobs: the content could not be scanned for viruses")
)

// Time-outs of the virus scanner: to reach it, and for one file.
const (
	scannerDialTimeout = 5 * time.Second
	scanTimeout        = time.Minute
)

// scannedStore is a Store that stores only what a virus scanner has read.
type scannedStore struct {
	Store
	network, address string
}

// Scanned returns a store like the given one whose Put sends the content to clamd,
// the daemon of ClamAV, at HOST:PORT or the path of its socket. It stores nothing
// that is ErrInfected or ErrNotScanned.
func Scanned(store Store, address string) (Store, error) {
	if strings.HasPrefix(address, "/") {
		return scannedStore{store, "unix", address}, nil
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, fmt.Errorf("blobs: the address of the virus scanner must be HOST:PORT or the path of a socket: %w", err)
	}
	return scannedStore{store, "tcp", address}, nil
}

func (s scannedStore) Put(ctx context.Context, company int64, content io.Reader, limit int64) (Blob, error) {
	dialer := net.Dialer{Timeout: scannerDialTimeout}
	connection, err := dialer.DialContext(ctx, s.network, s.address)
	if err != nil {
		return Blob{}, fmt.Errorf("%w: %w", ErrNotScanned, err)
	}
	defer connection.Close()
	defer context.AfterFunc(ctx, func() { connection.Close() })()
	if err := connection.SetDeadline(time.Now().Add(scanTimeout)); err != nil {
		return Blob{}, fmt.Errorf("%w: %w", ErrNotScanned, err)
	}
	if _, err := io.WriteString(connection, "zINSTREAM\x00"); err != nil {
		return Blob{}, fmt.Errorf("%w: %w", ErrNotScanned, err)
	}
	return s.Store.Put(ctx, company, &scanningReader{content: content, scanner: connection}, limit)
}

// scanningReader sends what is read from it to clamd as well: as chunks, each with
// its length before it, and an empty one at the end. It ends with io.EOF only if
// clamd found nothing, so that the store discards everything else.
type scanningReader struct {
	content io.Reader
	scanner io.ReadWriter
}

func (r *scanningReader) Read(p []byte) (int, error) {
	n, err := r.content.Read(p)
	if n > 0 {
		if err := r.send(p[:n]); err != nil {
			return 0, err
		}
	}
	if errors.Is(err, io.EOF) {
		err = r.verdict()
	}
	return n, err
}

func (r *scanningReader) send(chunk []byte) error {
	message := append(binary.BigEndian.AppendUint32(nil, uint32(len(chunk))), chunk...)
	if _, err := r.scanner.Write(message); err != nil {
		return fmt.Errorf("%w: %v", ErrNotScanned, err) // a wrapped io.ErrUnexpectedEOF would look like the end of an upload
	}
	return nil
}

// verdict ends the content and returns io.EOF if clamd answers that it is clean.
func (r *scanningReader) verdict() error {
	if err := r.send(nil); err != nil {
		return err
	}
	answer, err := io.ReadAll(io.LimitReader(r.scanner, 1000))
	answer = bytes.TrimRight(answer, "\x00\n")
	switch {
	case bytes.HasSuffix(answer, []byte(": OK")):
		return io.EOF
	case bytes.HasSuffix(answer, []byte(" FOUND")):
		return fmt.Errorf("%w: %q", ErrInfected, answer)
	case err != nil:
		return fmt.Errorf("%w: %v", ErrNotScanned, err)
	}
	return fmt.Errorf("%w: %q", ErrNotScanned, answer)
}
