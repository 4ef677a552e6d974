package notice

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	"officeconsole/views"
)

// ReaderPath is the address of the notices of whoever is signed in, without
// language prefix.
const ReaderPath = "/notice"

// Reader is the page of the notices that somebody may read: a list of those
// unread, one of those read, and one notice that is open.
type Reader struct {
	Frame        views.Frame
	Filter       notice.ReadableFilter
	Refused      string // id of the message why the search is refused; "" if it is not
	Unread, Read lists.Page[notice.ReadableRow]
	Open         *notice.Readable // nil for none
}

// isFirst reports whether the lists begin with the newest notices.
func (r Reader) isFirst() bool { return r.Filter.Cursor.IsStart() }

func (r Reader) isEmpty() bool { return len(r.Unread.Rows)+len(r.Read.Rows) == 0 }

func (r Reader) title(ctx context.Context) string {
	if r.Open != nil {
		return r.Open.Title
	}
	return locales.T(ctx, "reader.title")
}

// isOpen reports whether a row is the notice that is open. It has been read by
// that, although it stays among the unread ones until the next page.
func (r Reader) isOpen(row notice.ReadableRow) bool { return r.Open != nil && r.Open.ID == row.ID }

// unreadText is how many notices are still unread, as far as they are on the page.
func (r Reader) unreadText() string {
	count := 0
	for _, row := range r.Unread.Rows {
		if !r.isOpen(row) {
			count++
		}
	}
	text := strconv.Itoa(count)
	if r.Unread.Next != nil {
		text += "+"
	}
	return text
}

// chosen are the choices that links on the page keep.
func (r Reader) chosen() url.Values {
	query := url.Values{}
	if r.Refused == "" {
		lists.SetText(query, "q", r.Filter.Query)
	}
	return query
}

// rowURL is the address of a notice beside the same lists.
func (r Reader) rowURL(id int64) string {
	query := r.chosen()
	lists.SetText(query, "cursor", r.Filter.Cursor.String())
	return views.WithQuery(ReaderURL(id), query)
}

func (r Reader) listURL(cursor *lists.Cursor) string {
	query := r.chosen()
	lists.SetText(query, "cursor", cursor.String())
	return views.WithQuery(ReaderPath, query)
}

// ReaderURL is the address of a notice for those who may read it.
func ReaderURL(id int64) string { return ReaderPath + "/" + strconv.FormatInt(id, 10) }

func fileURL(noticeID, id int64) string {
	return ReaderURL(noticeID) + "/attachments/" + strconv.FormatInt(id, 10)
}

func archiveURL(noticeID int64) string { return ReaderURL(noticeID) + "/attachments.zip" }

// daysLeft returns in how many days a time comes; the day it is in counts.
func daysLeft(until, now time.Time) int {
	return int((until.Sub(now) + 24*time.Hour - 1) / (24 * time.Hour))
}

// rowFilesText is how many files a notice has and how long they last.
func rowFilesText(ctx context.Context, row notice.ReadableRow, now time.Time) string {
	left := daysLeft(row.PublishAt.Add(notice.DownloadTime), now)
	if left <= 0 {
		return locales.N(ctx, "reader.files.ended", int(row.Files))
	}
	return locales.T(ctx, "reader.files.row", "Files", locales.N(ctx, "reader.files.count", int(row.Files)), "Left", locales.N(ctx, "reader.files.left", left))
}

func totalSize(files []notice.Attachment) int64 {
	sum := int64(0)
	for _, f := range files {
		sum += f.Size
	}
	return sum
}

// author is who wrote a notice, with the department.
func author(n notice.Readable) string {
	if n.AuthorDepartment == "" {
		return n.AuthorName
	}
	return n.AuthorDepartment + " " + n.AuthorName
}
