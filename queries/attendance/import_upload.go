package attendance

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"path"
	"strings"

	"officeconsole/blobs"
	"officeconsole/importfile"
	"officeconsole/queries"
)

// MaxImportBytes is how large an uploaded file may be.
const MaxImportBytes = 64 << 20

// maxFileName is the maximum number of characters of a file's name.
const maxFileName = 200

// UploadImportFile stores a file for CreateImport, once the virus scanner found nothing in
// it if there is one. It is Invalid for an empty file and one that is too large or
// infected.
func (s *Store) UploadImportFile(ctx context.Context, by queries.Actor, files blobs.Store, file ImportFile) (StoredFile, error) {
	content := bufio.NewReader(file.Content)
	if _, err := content.Peek(1); errors.Is(err, io.EOF) {
		return StoredFile{}, queries.Invalid("import.file.empty")
	}
	blob, err := files.Put(ctx, by.CompanyID, content, MaxImportBytes)
	switch {
	case errors.Is(err, blobs.ErrTooLarge):
		return StoredFile{}, queries.Invalid("import.file.too_large")
	case errors.Is(err, blobs.ErrInfected):
		slog.WarnContext(ctx, "a file to import was refused", "company", by.CompanyID, "err", err)
		return StoredFile{}, queries.Invalid("error.infected")
	case errors.Is(err, io.ErrUnexpectedEOF): // of the form, which ended within the file
		return StoredFile{}, queries.Invalid("error.unreadable")
	case err != nil:
		return StoredFile{}, err
	}
	name := importfile.Visible(importfile.Tidy(strings.ToValidUTF8(path.Base(strings.ReplaceAll(file.Name, `\`, "/")), "�")))
	if runes := []rune(name); len(runes) > maxFileName {
		name = string(runes[:maxFileName])
	}
	return StoredFile{Name: name, Size: blob.Size, SHA256: path.Base(blob.Key), Key: blob.Key}, nil
}
