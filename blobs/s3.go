package blobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// bucket is a Store in a bucket of S3: an object for each blob, whose name is the
// prefix and the key.
type bucket struct {
	client *minio.Client
	host   string
	name   string
	prefix string // empty, or ends with a slash
}

func (b *bucket) String() string { return "s3://" + b.host + "/" + b.name + "/" + b.prefix }

// Put receives the content into a temporary file on the local disk before it
// uploads it: the hash, which is the object's name, and the length must be known
// when an upload begins. The upload is one request, which S3 executes as a whole or
// not at all; S3 takes at most 5 GiB in one request. Existing content is written
// again, which renews its modification time.
func (b *bucket) Put(ctx context.Context, company int64, content io.Reader, limit int64) (Blob, error) {
	if err := checkPut(ctx, company); err != nil {
		return Blob{}, err
	}
	file, err := os.CreateTemp("", "officeconsole-blob-")
	if err != nil {
		return Blob{}, fmt.Errorf("blobs: %w", err)
	}
	defer file.Close()
	// Without its name, the file cannot outlive the program.
	if err := os.Remove(file.Name()); err != nil {
		return Blob{}, fmt.Errorf("blobs: %w", err)
	}
	blob, err := receive(ctx, file, company, content, limit)
	if err != nil {
		return Blob{}, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return Blob{}, fmt.Errorf("blobs: %w", err)
	}
	_, err = b.client.PutObject(ctx, b.name, b.prefix+blob.Key, file, blob.Size, minio.PutObjectOptions{
		DisableMultipart: true, // parts of an upload that is not completed would stay
		SendContentMd5:   true, // S3 refuses content that was damaged on its way
		// Over HTTP, a signature of no content would be sent without a content length,
		// which S3 refuses.
		DisableContentSha256: blob.Size == 0,
	})
	if err != nil {
		return Blob{}, fmt.Errorf("upload %s: %w", blob.Key, uploadError(ctx, err))
	}
	return blob, nil
}

// fullCodes are the error codes of servers without room, besides the status 507:
// of MinIO, and of a quota in MinIO and Ceph.
var fullCodes = []string{"XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "QuotaExceeded"}

// uploadError returns what an error of an upload means. A connection that broke is
// only described: wrapped, its io.ErrUnexpectedEOF would look like one of the
// content.
func uploadError(ctx context.Context, err error) error {
	answer := minio.ToErrorResponse(err)
	switch {
	case ctx.Err() != nil:
		return err
	case answer.StatusCode == http.StatusInsufficientStorage, slices.Contains(fullCodes, answer.Code):
		return fmt.Errorf("%w: %w", errBucketFull, err)
	case !errors.As(err, new(minio.ErrorResponse)), answer.StatusCode >= http.StatusInternalServerError:
		return fmt.Errorf("%w: %v", ErrUnavailable, err)
	}
	return err
}

func (b *bucket) Open(ctx context.Context, key string) (io.ReadSeekCloser, int64, error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return nil, 0, err
	}
	object, err := b.client.GetObject(ctx, b.name, b.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, 0, fmt.Errorf("blobs: open %s: %w", key, err)
	}
	info, err := object.Stat()
	if err != nil {
		object.Close()
		if isNotFound(err) {
			err = fs.ErrNotExist
		}
		return nil, 0, fmt.Errorf("blobs: open %s: %w", key, err)
	}
	return object, info.Size, nil
}

func (b *bucket) Remove(ctx context.Context, key string) error {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return err
	}
	err := b.client.RemoveObject(ctx, b.name, b.prefix+key, minio.RemoveObjectOptions{})
	if err != nil && !isNotFound(err) {
		return fmt.Errorf("blobs: remove %s: %w", key, err)
	}
	return nil
}

// isNotFound reports whether S3 has no object of that name. A missing bucket is
// another error, except in Open: the answer to its HEAD request does not say which.
func isNotFound(err error) bool {
	return minio.ToErrorResponse(err).Code == minio.NoSuchKey
}

func (b *bucket) All(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		options := minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}
		for object := range b.client.ListObjectsIter(ctx, b.name, options) {
			if object.Err != nil {
				yield(Info{}, fmt.Errorf("blobs: list %s: %w", b, object.Err))
				return
			}
			key := strings.TrimPrefix(object.Key, b.prefix)
			if checkKey(key) != nil {
				continue // of somebody else who uses the bucket
			}
			if !yield(Info{key, object.Size, object.LastModified}, nil) {
				return
			}
		}
		// A listing that its context ended stops without an error.
		if err := ctx.Err(); err != nil {
			yield(Info{}, err)
		}
	}
}

// RemoveTemporary has nothing to remove: see Put.
func (b *bucket) RemoveTemporary(context.Context, time.Time) error { return nil }
