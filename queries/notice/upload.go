package notice

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"officeconsole/blobs"
	"officeconsole/queries"
)

// MaxFileBytes is how large a file may be (spec §5).
const MaxFileBytes = 10 << 20

// maxFileName is the length of a file's name in bytes. File systems have room
// for 255, and an archive adds a number to names that occur twice.
const maxFileName = 240

// ErrStorageFull is the error of an upload for which there is no room left.
var ErrStorageFull = errors.New("no room left for files")

// Upload is a file as a client sends it.
type Upload struct {
	Name    string
	MD5     string // in hexadecimal, as the client computed it; "" if it could not
	Content io.Reader
}

// ReceiveUpload stores the file of a multipart form with the fields md5 and file,
// in any order, without ever holding all of it in memory. It refuses as Upload
// does, and a form without both fields.
func (s *Store) ReceiveUpload(ctx context.Context, by queries.Actor, files blobs.Store, form *multipart.Reader) (Attachment, error) {
	var u Upload
	var stored *storedFile
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Attachment{}, unreadableForm(err)
		}
		switch part.FormName() {
		case "md5":
			text, err := io.ReadAll(io.LimitReader(part, 64))
			if err != nil {
				return Attachment{}, unreadableForm(err)
			}
			u.MD5 = strings.TrimSpace(string(text))
		case "file":
			if stored != nil {
				return Attachment{}, queries.Invalid("error.unreadable")
			}
			u.Name, u.Content = part.FileName(), part
			file, err := storeFile(ctx, by.CompanyID, files, u)
			if err != nil {
				io.Copy(io.Discard, part) // so that the client reads the refusal instead of a broken connection
				return Attachment{}, err
			}
			stored = &file
		}
	}
	switch {
	case stored == nil:
		return Attachment{}, queries.FieldErrors{"file": "notice.file.required"}
	case u.MD5 == "":
		return Attachment{}, queries.FieldErrors{"md5": "notice.file.md5"}
	}
	return s.insertFile(ctx, by, u, *stored, s.db.Now())
}

// unreadableForm is the refusal of a form that ends early or is none; a form
// that is too large keeps its error.
func unreadableForm(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return queries.Invalid("error.unreadable")
}

// Upload stores a file that belongs to no notice yet; a draft lists it by its id.
// It refuses with FieldErrors of file (empty, larger than MaxFileBytes, content that is not what the name says) and of md5
// (other content than the client had), and fails with ErrStorageFull. Nothing
// refers to content that is refused.
func (s *Store) Upload(ctx context.Context, by queries.Actor, files blobs.Store, u Upload) (Attachment, error) {
	file, err := storeFile(ctx, by.CompanyID, files, u)
	if err != nil {
		return Attachment{}, err
	}
	return s.insertFile(ctx, by, u, file, s.db.Now())
}

// storedFile is content that was stored, with its type.
type storedFile struct {
	blobs.Blob
	contentType string
}

// sniffedBytes is how much of a file its type is derived from.
const sniffedBytes = 512

func storeFile(ctx context.Context, companyID int64, files blobs.Store, u Upload) (storedFile, error) {
	buffered := bufio.NewReaderSize(u.Content, sniffedBytes)
	head, err := buffered.Peek(sniffedBytes)
	switch {
	case len(head) == 0 && errors.Is(err, io.EOF):
		return storedFile{}, queries.FieldErrors{"file": "notice.file.empty"}
	case err != nil && !errors.Is(err, io.EOF):
		return storedFile{}, unreadableForm(err)
	}
	if err := checkContent(u.Name, head); err != nil {
		return storedFile{}, err
	}
	contentType := http.DetectContentType(head)
	blob, err := files.Put(ctx, companyID, buffered, MaxFileBytes)
	switch {
	case errors.Is(err, blobs.ErrTooLarge):
		return storedFile{}, queries.FieldErrors{"file": "notice.file.too_large"}
	case errors.Is(err, blobs.ErrInfected):
		slog.WarnContext(ctx, "an attachment was refused", "company", companyID, "err", err)
		return storedFile{}, queries.FieldErrors{"file": "error.infected"}
	case blobs.IsFull(err):
		return storedFile{}, errors.Join(ErrStorageFull, err)
	case errors.Is(err, io.ErrUnexpectedEOF): // of the form, which ended within the file
		return storedFile{}, queries.Invalid("error.unreadable")
	}
	return storedFile{blob, contentType}, err
}

func (q *Queries) insertFile(ctx context.Context, by queries.Actor, u Upload, file storedFile, now time.Time) (Attachment, error) {
	if u.MD5 != "" && !strings.EqualFold(u.MD5, file.MD5) {
		return Attachment{}, queries.FieldErrors{"md5": "notice.file.md5"}
	}
	return q.insertUpload(ctx, insertUploadParams{
		CompanyID: by.CompanyID, Name: cleanName(u.Name), Size: file.Size, Md5: file.MD5, ContentType: file.contentType,
		Blob: file.Key, UploadedBy: by.UserID, Now: now,
	})
}

// cleanName returns the name under which a file can be downloaded anywhere: the
// last part of a path, composed (macOS sends Korean decomposed), without
// characters that break a line, a header or a path, and at most maxFileName bytes
// without losing its extension.
func cleanName(name string) string {
	name = norm.NFC.String(strings.ToValidUTF8(name, "_"))
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == utf8.RuneError, r == '\u2028', r == '\u2029':
			return '_'
		case unicode.Is(unicode.Bidi_Control, r): // would show an extension that the file does not have
			return -1
		}
		return r
	}, name)
	name = strings.TrimSpace(name)
	if strings.Trim(name, ".") == "" {
		return "file"
	}
	if len(name) <= maxFileName {
		return name
	}
	extension := path.Ext(name)
	if len(extension) > 20 {
		extension = ""
	}
	return strings.ToValidUTF8(name[:maxFileName-len(extension)], "") + extension
}
