package notice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/search"
)

// Readable is a published notice as one of those who may read it does. A notice is
// for everybody, or for the users among its targets and those of the departments
// among them; hidden users and bots can read none.
type Readable struct {
	ID                           int64
	Title, Body                  string // Body is Markdown
	PublishAt                    time.Time
	AuthorName, AuthorDepartment string
	ReadAt                       *time.Time // nil for unread
	Files                        []Attachment
	DownloadableUntil            time.Time // the files cannot be downloaded from then on
	CanDownload                  bool
}

// Read returns a notice with its files for a user, without marking it as read.
// NotFound is the answer for one that is not published or not for the user, and
// Gone for one that was deleted after its publication.
func (s *Store) Read(ctx context.Context, companyID, userID, id int64) (Readable, error) {
	now := s.db.Now()
	row, err := s.readable(ctx, readableParams{CompanyID: companyID, UserID: userID, ID: id, Now: now})
	if errors.Is(err, queries.NotFound) {
		err = s.removed(ctx, directory.Person{CompanyID: companyID, ID: userID}, id)
	}
	if err != nil {
		return Readable{}, err
	}
	r := Readable{
		ID: row.ID, Title: row.Title, Body: row.Body, PublishAt: row.PublishAt, AuthorName: row.AuthorName, AuthorDepartment: row.AuthorDepartment,
		ReadAt: row.ReadAt, DownloadableUntil: row.PublishAt.Add(DownloadTime),
	}
	r.CanDownload = r.DownloadableUntil.After(now)
	r.Files, err = s.Attachments(ctx, AttachmentsParams{CompanyID: companyID, NoticeID: &id})
	return r, err
}

// removed returns Gone for a deleted notice that somebody could read until then, or
// that is one of an administrator's company, else NotFound. A reader does not learn
// who deleted it.
func (s *Store) removed(ctx context.Context, p directory.Person, id int64) error {
	if p.IsAdmin {
		if _, err := s.Notice(ctx, p.CompanyID, id); err != nil {
			return err
		}
		return queries.NotFound
	}
	at, err := s.removedFor(ctx, removedForParams{UserID: p.ID, CompanyID: p.CompanyID, ID: id})
	if err != nil {
		return err
	}
	return &Gone{At: at}
}

// ReadableFilter is what a reader chose for the list of notices.
type ReadableFilter struct {
	Query  string // as typed
	Search search.Search
	Unread bool // only what the reader has not read
	Read   bool // only what the reader has read
	Bodies bool // with the bodies
	Cursor *lists.Cursor
	Limit  int
}

// Name returns the name of the list that the filter selects, for its cursors.
func (f ReadableFilter) Name() string {
	switch {
	case f.Unread:
		return "notice:unread"
	case f.Read:
		return "notice:read"
	}
	return "notice:published"
}

// ReadableRow is a notice in the list of a reader. Author is the department of who
// wrote it, else the name.
type ReadableRow = listReadableRow

// Readables returns a page of the published notices that a user may read, the
// newest first. It is only read forward. Nobody else than a reader has any.
func (s *Store) Readables(ctx context.Context, companyID, userID int64, f ReadableFilter) (lists.Page[ReadableRow], error) {
	if err := f.Cursor.CheckForward(f.Name()); err != nil {
		return lists.Page[ReadableRow]{}, err
	}
	arg := listReadableParams{
		CompanyID: companyID, UserID: userID, Now: s.db.Now(), Unread: !f.Read, Read: !f.Unread, WithBody: f.Bodies, Size: int32(f.Limit) + 1,
	}
	arg.Pattern1, arg.Pattern2, arg.Pattern3 = f.Search.ThreePatterns()
	var err error
	if arg.Before, arg.BeforeID, err = f.from(arg.Now); err != nil {
		return lists.Page[ReadableRow]{}, err
	}
	rows, err := s.listReadable(ctx, arg)
	if err != nil {
		return lists.Page[ReadableRow]{}, err
	}
	page := lists.NewPage(rows, f.Cursor, f.Limit, func(row ReadableRow) lists.Cursor {
		return lists.Cursor{List: f.Name(), Value: strconv.FormatInt(row.PublishAt.UnixMicro(), 10), ID: row.ID}
	})
	page.Previous = nil
	return page, nil
}

// from returns the publication and the id that the page is before.
func (f ReadableFilter) from(now time.Time) (time.Time, int64, error) {
	if f.Cursor.IsStart() {
		return now.Add(time.Hour), 0, nil // every published notice is before it
	}
	micro, err := strconv.ParseInt(f.Cursor.Value, 10, 64)
	if err != nil {
		return time.Time{}, 0, lists.ErrCursor
	}
	return time.UnixMicro(micro), f.Cursor.ID, nil
}

// MaxUnread is where counting unread notices ends.
const MaxUnread = 100

// CountUnread returns how many published notices a user has not read, at most
// MaxUnread.
func (s *Store) CountUnread(ctx context.Context, companyID, userID int64) (int64, error) {
	return s.countUnread(ctx, countUnreadParams{CompanyID: companyID, UserID: userID, Now: s.db.Now(), Most: MaxUnread})
}

// CheckReader returns NotFound for a user who cannot read notices at all.
func (s *Store) CheckReader(ctx context.Context, companyID, userID int64) error {
	reader, err := s.isReader(ctx, isReaderParams{companyID, userID})
	if err == nil && !reader {
		err = queries.NotFound
	}
	return err
}

// ETagOf names the state of a page as its reader sees it.
func ETagOf(page lists.Page[ReadableRow], now time.Time) string {
	hash := sha256.New()
	for _, row := range page.Rows {
		canDownload := row.PublishAt.Add(DownloadTime).After(now)
		fmt.Fprintln(hash, row.ID, row.UpdatedAt.UnixMicro(), row.Author, row.Files, row.ReadAt != nil, canDownload)
	}
	fmt.Fprintln(hash, page.Next.String())
	return strconv.Quote(hex.EncodeToString(hash.Sum(nil)[:12]))
}
