package notice_test

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"officeconsole/blobs"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

var (
	admin = queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}
	other = queries.Actor{CompanyID: queriestest.Other, UserID: queriestest.OtherAdmin, Name: "한도윤"}
)

// draft is a notice to everyone that is published a while after Now; at once for 0.
func draft(title string, after time.Duration) notice.Draft {
	d := notice.Draft{Title: title, Body: "본문입니다.", Targets: notice.Targets{Everyone: true}}
	if after != 0 {
		at := queriestest.Now.Add(after)
		d.PublishAt = &at
	}
	return d
}

func create(t *testing.T, db *areas.Areas, d notice.Draft) notice.Notice {
	t.Helper()
	n, err := db.Notices.Create(t.Context(), admin, d)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// upload stores a file of the content as the administrator and returns its id.
func upload(t *testing.T, db *areas.Areas, files blobs.Store, name, content string) int64 {
	t.Helper()
	file, err := db.Notices.Upload(t.Context(), admin, files, notice.Upload{Name: name, Content: strings.NewReader(content)})
	if err != nil {
		t.Fatal(err)
	}
	return file.ID
}

// refuses checks that an error is FieldErrors of these fields.
func refuses(t *testing.T, what string, err error, want queries.FieldErrors) {
	t.Helper()
	var refused queries.FieldErrors
	if !errors.As(err, &refused) || !maps.Equal(refused, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// messages are the types of a company's messages, in their order.
func messages(t *testing.T, db *areas.Areas) string {
	t.Helper()
	var types []string
	for _, m := range queriestest.Messages(t, db, queriestest.Hanbit, 0) {
		if strings.HasPrefix(m.Type, "notice.") {
			types = append(types, m.Type)
		}
	}
	return strings.Join(types, " ")
}

func fileNames(t *testing.T, db *areas.Areas, id int64) string {
	t.Helper()
	files, err := db.Notices.Attachments(t.Context(), notice.AttachmentsParams{CompanyID: queriestest.Hanbit, NoticeID: &id})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return strings.Join(names, " ")
}
