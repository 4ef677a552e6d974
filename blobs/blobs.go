// Package blobs stores files outside of the database, in a folder or in a bucket of S3.
package blobs

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrTooLarge is the error of a Put of more bytes than its limit.
var ErrTooLarge = errors.New("blobs: content is larger than the limit")

// ErrUnavailable is the error of a Put if S3 cannot be reached, or fails.
var ErrUnavailable = errors.New("blobs: S3 is not available")

var errBucketFull = errors.New("blobs: no room left in S3")

// IsFull reports whether a file could not be written because there is no room for it:
// on the disk, in the quota, in the size that files may have, or in S3.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) || errors.Is(err, errBucketFull)
}

// Store stores blobs under keys that are made of a company and a hash of the
// content. It is safe for concurrent use, and several programs may share the
// folder or bucket behind it.
//
// A key of another form than that of Blob.Key is fs.ErrInvalid for every method.
type Store interface {
	// Put stores content for a company, a positive number, and returns its key.
	// Content that the company has already is stored once, and its modification
	// time becomes the current time. Put never holds the whole content in memory.
	// It returns ErrTooLarge for more than limit bytes. A Put that fails leaves
	// nothing behind, unless only the confirmation that everything is stored failed:
	// syncing the folder, or the answer of S3.
	Put(ctx context.Context, company int64, content io.Reader, limit int64) (Blob, error)

	// Open returns the content of a key and its size in bytes. It returns
	// fs.ErrNotExist for an unknown key. The context must last until the content
	// is closed.
	Open(ctx context.Context, key string) (io.ReadSeekCloser, int64, error)

	// Remove removes the content of a key. An unknown key is no error.
	Remove(ctx context.Context, key string) error

	// All returns every blob of every company, in no particular order. The first
	// error ends it. Blobs that are stored or removed meanwhile may be in it or not.
	//
	// Whoever removes blobs that nothing refers to must spare young ones: a blob is
	// stored before the row that refers to it is committed.
	All(ctx context.Context) iter.Seq2[Info, error]

	// RemoveTemporary removes files that a Put left behind because its program was
	// killed, if they were last written before a time. A Put may still be writing a
	// younger file; a day is long enough.
	RemoveTemporary(ctx context.Context, before time.Time) error

	// String returns where the blobs are, without secrets.
	String() string
}

// Blob describes content that was stored.
type Blob struct {
	Key  string // COMPANY/ab/abcdef…: the company, then the SHA-256 of the content in hexadecimal
	Size int64  // in bytes
	MD5  string // of the content, 32 hexadecimal digits in lower case
}

// Key returns the key of a company's content with a hash. It has the form of Blob.Key
// only if the hash has.
func Key(company int64, hash string) string { return fmt.Sprintf("%d/%.2s/%s", company, hash, hash) }

// OfStore is the company of a blob that belongs to no company: the one by which a store
// is recognized.
const OfStore int64 = math.MaxInt64

// Info describes a stored blob in a listing.
type Info struct {
	Key      string
	Size     int64     // in bytes
	Modified time.Time // when the content was last put
}

// keyPattern has the company without leading zeros, two digits of the hash and the
// hash. No dot is allowed, so no key leads out of the store.
var keyPattern = regexp.MustCompile(`\A[1-9][0-9]{0,18}/([0-9a-f]{2})/([0-9a-f]{64})\z`)

// checkKey returns an error that is fs.ErrInvalid for a key of another form than Blob.Key.
func checkKey(key string) error {
	if parts := keyPattern.FindStringSubmatch(key); parts == nil || parts[2][:2] != parts[1] {
		return fmt.Errorf("blobs: key %.100q: %w", key, fs.ErrInvalid)
	}
	return nil
}

// IsKey reports whether a key has the form of the keys of a company.
func IsKey(company int64, key string) bool {
	return checkKey(key) == nil && strings.HasPrefix(key, strconv.FormatInt(company, 10)+"/")
}

// receive copies content to a file and returns what Put returns for it. It
// returns ErrTooLarge after limit+1 bytes.
func receive(ctx context.Context, to io.Writer, company int64, content io.Reader, limit int64) (Blob, error) {
	sha, md := sha256.New(), md5.New()
	limited := io.LimitReader(contextReader{ctx, content}, min(limit, math.MaxInt64-1)+1)
	size, err := io.Copy(io.MultiWriter(to, sha, md), limited)
	if err != nil {
		return Blob{}, fmt.Errorf("blobs: receive content: %w", err)
	}
	if size > limit {
		return Blob{}, ErrTooLarge
	}
	hash := hex.EncodeToString(sha.Sum(nil))
	return Blob{
		Key:  Key(company, hash),
		Size: size,
		MD5:  hex.EncodeToString(md.Sum(nil)),
	}, nil
}

// checkPut refuses what no Put accepts, before anything is read.
func checkPut(ctx context.Context, company int64) error {
	if company <= 0 {
		return fmt.Errorf("blobs: company %d is not a positive number", company)
	}
	return ctx.Err()
}

// contextReader fails once its context has ended.
type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}
