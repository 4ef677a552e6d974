package download

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"
)

// WriteZip writes an archive of files.
func WriteZip(ctx context.Context, w io.Writer, files []File) error {
	archive := zip.NewWriter(w)
	for i, name := range distinctNames(files) {
		if err := writeFile(ctx, archive, name, files[i]); err != nil {
			return fmt.Errorf("file %d of the archive: %w", i+1, err)
		}
	}
	return archive.Close()
}

func writeFile(ctx context.Context, archive *zip.Writer, name string, f File) (err error) {
	content, err := f.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	entry, err := archive.CreateHeader(&zip.FileHeader{Name: name, Modified: f.Modified, Method: methodFor(f.ContentType)})
	if err != nil {
		return err
	}
	_, err = io.Copy(entry, content)
	return err
}

// methodFor returns how to store content of a type: most formats are compressed
// already, and compressing them again takes time for nothing.
func methodFor(contentType string) uint16 {
	kind, _, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil:
		return zip.Store
	case strings.HasPrefix(kind, "text/"), kind == "image/bmp", kind == "image/svg+xml", kind == "audio/wave",
		kind == "application/json", kind == "application/xml", kind == "application/msword", kind == "application/postscript":
		return zip.Deflate
	}
	return zip.Store
}
