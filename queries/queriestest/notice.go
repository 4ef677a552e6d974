package queriestest

import (
	"bytes"
	"testing"
	"time"

	"officeconsole/blobs"
	"officeconsole/queries/areas"
	"officeconsole/search"
)

// Notice is a notice to insert without the checks of a rule. It is for everybody
// unless it has targets.
type Notice struct {
	Company     int64 // 0 is Hanbit
	Title, Body string
	PublishAt   time.Time
	Departments map[int64]bool // with whether their subtree is meant
	Users       []int64
	Deleted     bool
}

// InsertNotice inserts a notice of the company's administrator.
func InsertNotice(t *testing.T, db *areas.Areas, n Notice) (id int64) {
	t.Helper()
	author := OtherAdmin
	if n.Company == 0 || n.Company == Hanbit {
		n.Company, author = Hanbit, Admin
	}
	text, _ := search.Key(n.Title, n.Body)
	everyone := len(n.Departments)+len(n.Users) == 0
	if err := db.Pool().QueryRow(t.Context(), `insert into notices (company_id, title, body, search_text, everyone, publish_at, author_id, created_at, updated_at, deleted_at)
		values ($1, $2, $3, $4, $5, $6, $7, $6, $6, case when $8 then $6::timestamptz end) returning id`,
		n.Company, n.Title, n.Body, text, everyone, n.PublishAt, author, n.Deleted).Scan(&id); err != nil {
		t.Fatal(err)
	}
	for department, subtree := range n.Departments {
		Exec(t, db, "insert into notice_targets values ($1, $2, $3, null, $4)", n.Company, id, department, subtree)
	}
	for _, user := range n.Users {
		Exec(t, db, "insert into notice_targets values ($1, $2, null, $3, false)", n.Company, id, user)
	}
	return id
}

// InsertAttachment stores a file of a notice of Hanbit.
func InsertAttachment(t *testing.T, db *areas.Areas, files blobs.Store, noticeID int64, name, contentType string, content []byte) (id int64) {
	t.Helper()
	blob, err := files.Put(t.Context(), Hanbit, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Pool().QueryRow(t.Context(), `insert into notice_attachments (company_id, notice_id, position, name, size, md5, content_type, blob, uploaded_by, uploaded_at)
		values ($1, $2, (select count(*) from notice_attachments where notice_id = $2), $3, $4, $5, $6, $7, $8, $9) returning id`,
		Hanbit, noticeID, name, blob.Size, blob.MD5, contentType, blob.Key, Admin, Now).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}
