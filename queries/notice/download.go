package notice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"officeconsole/blobs"
	"officeconsole/download"
	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// ErrExpired is the error for a file whose time to download has ended. It is a
// NotFound with a message of its own, as clients end their session at 410 (domain
// §9.1).
var ErrExpired = fmt.Errorf("attachment.expired: %w", queries.NotFound)

// File is a file of a notice that can be downloaded.
type File struct {
	NoticeID    int64
	Name        string // as it was uploaded
	Size        int64  // in bytes
	MD5         string // hexadecimal, in lower case
	ContentType string // as it was detected
	Blob        string // key of the content
	UploadedAt  time.Time
}

// File returns a file for somebody who may read its notice, or for an
// administrator of the company, who may also before it is published. It returns
// ErrExpired DownloadTime after the publication, and Gone for a deleted notice.
func (s *Store) File(ctx context.Context, p directory.Person, attachmentID int64) (File, error) {
	now := s.db.Now()
	row, err := s.attachmentFor(ctx, attachmentForParams{CompanyID: p.CompanyID, ID: attachmentID, Administrator: p.IsAdmin, UserID: p.ID, Now: now})
	if errors.Is(err, queries.NotFound) {
		err = s.removedWith(ctx, p, attachmentID)
	}
	if err != nil {
		return File{}, err
	}
	return newFile(attachmentsForRow(row)), checkExpiry(row.PublishAt, now)
}

// Files returns the files of a notice in their order, for the same people. It
// returns NotFound where the notice has none, and Gone for a deleted one.
func (s *Store) Files(ctx context.Context, p directory.Person, noticeID int64) ([]File, error) {
	now := s.db.Now()
	rows, err := s.attachmentsFor(ctx, attachmentsForParams{CompanyID: p.CompanyID, ID: noticeID, Administrator: p.IsAdmin, UserID: p.ID, Now: now})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, s.removed(ctx, p, noticeID)
	}
	files := make([]File, len(rows))
	for i, row := range rows {
		files[i] = newFile(row)
	}
	return files, checkExpiry(rows[0].PublishAt, now)
}

// removedWith is removed for the notice of a file.
func (s *Store) removedWith(ctx context.Context, p directory.Person, attachmentID int64) error {
	files, err := s.AttachmentsByID(ctx, AttachmentsByIDParams{CompanyID: p.CompanyID, Ids: []int64{attachmentID}})
	if err != nil {
		return err
	}
	if len(files) == 0 || files[0].NoticeID == nil {
		return queries.NotFound
	}
	return s.removed(ctx, p, *files[0].NoticeID)
}

func newFile(row attachmentsForRow) File {
	return File{row.NoticeID, row.Name, row.Size, row.Md5, row.ContentType, row.Blob, row.UploadedAt}
}

func checkExpiry(published, now time.Time) error {
	if !published.Add(DownloadTime).After(now) {
		return ErrExpired
	}
	return nil
}

// NoteDownload stores that a user has downloaded files of a notice, for the first
// time. It writes nothing for who may not read it, such as an administrator among
// whose notices it is not.
func (s *Store) NoteDownload(ctx context.Context, companyID, userID, noticeID int64) error {
	return s.noteDownload(ctx, noteDownloadParams{CompanyID: companyID, NoticeID: noticeID, UserID: userID, Now: s.db.Now()})
}

// Sendable returns the file with its content in a store, ready to be sent.
func (f File) Sendable(store blobs.Store) download.File {
	return download.File{Name: f.Name, ContentType: f.ContentType, Tag: f.MD5, Modified: f.UploadedAt, Open: func(ctx context.Context) (io.ReadSeekCloser, error) {
		content, _, err := store.Open(ctx, f.Blob)
		return content, err
	}}
}

// ArchiveName is the name of an archive of a notice's files.
func ArchiveName(noticeID int64) string { return fmt.Sprintf("notice-%d.zip", noticeID) }

// SendableFiles is Sendable for several files.
func SendableFiles(files []File, store blobs.Store) []download.File {
	all := make([]download.File, len(files))
	for i, f := range files {
		all[i] = f.Sendable(store)
	}
	return all
}
