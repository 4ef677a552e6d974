// Package backup writes the built-in database and the files beside it into one archive,
// restores it, and verifies that it can be restored.
//
// An archive is a tar file that is compressed with zstd and, if there are recipients,
// encrypted with age. Its first entry describes it, so that an archive of a newer
// program is refused before anything is written; its last entry has the digest of all
// others, so that one that was cut off or altered is recognized.
package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"path/filepath"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// The reasons for which an archive is refused.
var (
	ErrNoArchive = errors.New("this is no archive of officeconsole backup")
	ErrCutOff    = errors.New("the archive is cut off: its end is missing")
	ErrAltered   = errors.New("the archive is damaged: it is not as it was written")
	ErrEncrypted = errors.New("the archive is encrypted: name the file with the identity of a recipient with --identity")
)

// The entries of an archive. Those of the cluster and of the store of files are below
// dataDir and blobDir.
const (
	headerName  = "backup.json"
	summaryName = "summary.json"
	keyName     = "secret.key"
	dataDir     = "data/"
	blobDir     = "blobs/"
)

// writer writes an archive.
type writer struct {
	tar    *tar.Writer
	inner  []io.Closer // closed in this order after the tar file
	digest hash.Hash
	time   time.Time
	buffer []byte
}

func newWriter(to io.Writer, recipients []age.Recipient, at time.Time) (*writer, error) {
	w := &writer{digest: sha256.New(), time: at, buffer: make([]byte, 256<<10)}
	if len(recipients) > 0 {
		sealed, err := age.Encrypt(to, recipients...)
		if err != nil {
			return nil, err
		}
		w.inner = append(w.inner, sealed)
		to = sealed
	}
	packed, err := zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, err
	}
	w.inner = append([]io.Closer{packed}, w.inner...)
	w.tar = tar.NewWriter(packed)
	return w, nil
}

// writeEntry writes a file or, without content, a directory.
func (w *writer) writeEntry(name string, size int64, content io.Reader) error {
	header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: w.time, Format: tar.FormatPAX}
	if content == nil {
		header.Typeflag, header.Mode, content = tar.TypeDir, 0o700, bytes.NewReader(nil)
	}
	if err := w.tar.WriteHeader(header); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	sum := crc32.New(castagnoli)
	if _, err := io.CopyBuffer(io.MultiWriter(w.tar, sum), content, w.buffer); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	noteEntry(w.digest, header, sum)
	return nil
}

// castagnoli is a checksum that processors compute. A hash such as SHA-256 would prove
// no more, because whoever alters an archive can compute the digest again.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// noteEntry adds an entry and the checksum of its content to a digest.
func noteEntry(digest hash.Hash, header *tar.Header, sum hash.Hash32) {
	fmt.Fprintf(digest, "%c %d %q %08x\n", header.Typeflag, header.Size, header.Name, sum.Sum32())
}

func (w *writer) writeJSON(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return w.writeEntry(name, int64(len(text)), bytes.NewReader(text))
}

// close writes the summary, with the digest of all entries before it, and ends the
// archive.
func (w *writer) close(summary Summary) error {
	summary.Digest = hex.EncodeToString(w.digest.Sum(nil))
	err := errors.Join(w.writeJSON(summaryName, summary), w.tar.Close())
	for _, inner := range w.inner {
		err = errors.Join(err, inner.Close())
	}
	return err
}

// reader reads an archive.
type reader struct {
	tar    *tar.Reader
	packed *zstd.Decoder
	digest hash.Hash
}

func newReader(from io.Reader, identities []age.Identity) (*reader, error) {
	const sealedMagic, packedMagic = "age-encryption.org/", "\x28\xb5\x2f\xfd"
	source := bufio.NewReader(from)
	magic, _ := source.Peek(len(sealedMagic))
	from = source
	switch {
	case string(magic) == sealedMagic && len(identities) == 0:
		return nil, ErrEncrypted
	case string(magic) == sealedMagic:
		opened, err := age.Decrypt(source, identities...)
		if err != nil {
			return nil, fmt.Errorf("decrypt the archive: %w", err)
		}
		from = opened
	case len(magic) == 0:
		return nil, ErrCutOff
	case !bytes.HasPrefix(magic, []byte(packedMagic)):
		return nil, ErrNoArchive
	}
	packed, err := zstd.NewReader(from)
	if err != nil {
		return nil, explainDamage(err)
	}
	return &reader{tar.NewReader(packed), packed, sha256.New()}, nil
}

func (r *reader) close() { r.packed.Close() }

// explainDamage says what an error of a decoder means for an archive.
func explainDamage(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w (%w)", ErrCutOff, err)
	}
	return fmt.Errorf("%w (%w)", ErrAltered, err)
}

// readJSON reads the entry with a name, which must be the next one.
func (r *reader) readJSON(name string, into any) error {
	header, err := r.tar.Next()
	if err != nil {
		return explainDamage(err)
	}
	if header.Name != name {
		return ErrNoArchive
	}
	sum := crc32.New(castagnoli)
	err = r.decode(io.TeeReader(r.tar, sum), into)
	noteEntry(r.digest, header, sum)
	return err
}

func (r *reader) decode(from io.Reader, into any) error {
	text, err := io.ReadAll(from)
	if err != nil {
		return explainDamage(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%w (%w)", ErrAltered, err)
	}
	return nil
}

// visitEntry takes an entry, whose content is nil for a directory.
type visitEntry func(name string, size int64, content io.Reader) error

// readEntries passes the entries to visit and returns the summary at their end. Visit
// need not read the content.
func (r *reader) readEntries(visit visitEntry) (Summary, error) {
	for {
		header, err := r.tar.Next()
		if err != nil {
			return Summary{}, explainDamage(err)
		}
		if header.Name == summaryName {
			return r.readSummary()
		}
		if !filepath.IsLocal(filepath.FromSlash(header.Name)) {
			return Summary{}, fmt.Errorf("%w (an entry is called %q)", ErrAltered, header.Name)
		}
		sum := crc32.New(castagnoli)
		content := &damageReader{from: io.TeeReader(r.tar, sum)}
		if header.Typeflag == tar.TypeDir {
			err = visit(header.Name, 0, nil)
		} else {
			err = visit(header.Name, header.Size, content)
		}
		if err == nil {
			_, err = io.Copy(io.Discard, content)
		}
		if content.err != nil {
			return Summary{}, content.err
		}
		if err != nil {
			return Summary{}, err
		}
		noteEntry(r.digest, header, sum)
	}
}

// readSummary reads the end of an archive, up to its last byte.
func (r *reader) readSummary() (Summary, error) {
	var summary Summary
	if err := r.decode(r.tar, &summary); err != nil {
		return summary, err
	}
	if summary.Digest != hex.EncodeToString(r.digest.Sum(nil)) {
		return summary, ErrAltered
	}
	switch _, err := r.tar.Next(); {
	case err == nil:
		return summary, fmt.Errorf("%w (something follows its end)", ErrAltered)
	case err != io.EOF:
		return summary, explainDamage(err)
	}
	if _, err := io.Copy(io.Discard, r.packed); err != nil {
		return summary, explainDamage(err)
	}
	return summary, nil
}

// damageReader remembers an error of the archive, so that it is told apart from one of
// whoever takes the content.
type damageReader struct {
	from io.Reader
	err  error
}

func (r *damageReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && err != io.EOF {
		r.err = explainDamage(err)
		err = r.err
	}
	return n, err
}
