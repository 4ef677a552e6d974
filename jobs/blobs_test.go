package jobs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/link"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
)

func TestSweepBlobs(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	clock.Advance(time.Since(clock.Now())) // that of the files
	put := func(company int64, content string) string {
		t.Helper()
		blob, err := files.Put(t.Context(), company, strings.NewReader(content), 100)
		if err != nil {
			t.Fatal(err)
		}
		return blob.Key
	}
	used, deleted, unused, other := put(queriestest.Hanbit, "used"), put(queriestest.Hanbit, "deleted"), put(queriestest.Hanbit, "unused"), put(queriestest.Other, "used")
	by := queries.Actor{CompanyID: queriestest.Hanbit}
	for i, banner := range []string{used, deleted} {
		id, err := db.Links.Create(t.Context(), by, link.Draft{Name: fmt.Sprint(i), URL: "{host}", Banner: banner})
		if err != nil {
			t.Fatal(err)
		}
		if banner == deleted {
			if _, err := db.Links.Delete(t.Context(), by, id, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, step := range []struct {
		wait time.Duration
		want []string
	}{
		{time.Hour, []string{used, deleted, unused, other}},
		{24 * time.Hour, []string{used, deleted}},
		{link.RestoreTime, []string{used}},
	} {
		clock.Advance(step.wait)
		if err := sweepBlobs(t.Context(), db, files); err != nil {
			t.Fatal(err)
		}
		var left []string
		for blob, err := range files.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			left = append(left, blob.Key)
		}
		slices.Sort(left)
		slices.Sort(step.want)
		if !slices.Equal(left, step.want) {
			t.Errorf("after %v: %v, want %v", step.wait, left, step.want)
		}
	}
}

// Files of notices stay while they can be downloaded or restored; uploads stay
// until they are deleted.
func TestSweepFilesOfNotices(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	clock.Advance(time.Since(clock.Now())) // that of the files
	by := queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin}
	blobOf := map[string]string{}
	upload := func(name string) int64 {
		t.Helper()
		file, err := db.Notices.Upload(t.Context(), by, files, notice.Upload{Name: name, Content: strings.NewReader(name)})
		if err != nil {
			t.Fatal(err)
		}
		blobOf[file.Blob] = name
		return file.ID
	}
	reservation := clock.Now().Add(20 * 24 * time.Hour)
	for name, at := range map[string]*time.Time{"published": nil, "deleted": nil, "reserved": &reservation} {
		n, err := db.Notices.Create(t.Context(), by, notice.Draft{
			Title: name, Body: name, Targets: notice.Targets{Everyone: true}, PublishAt: at, AttachmentIDs: []int64{upload(name)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if name == "deleted" {
			if _, err := db.Notices.Delete(t.Context(), by, n.ID, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	upload("upload")
	for _, step := range []struct {
		wait time.Duration
		want string
	}{
		{time.Hour, "deleted published reserved upload"},
		{24 * time.Hour, "deleted published reserved"},
		{notice.DownloadTime - 26*time.Hour, "deleted published reserved"},
		{26 * time.Hour, "reserved"},
		{20 * 24 * time.Hour, ""},
	} {
		clock.Advance(step.wait)
		if err := db.Notices.DeleteUploads(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := sweepBlobs(t.Context(), db, files); err != nil {
			t.Fatal(err)
		}
		var left []string
		for blob, err := range files.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			left = append(left, blobOf[blob.Key])
		}
		slices.Sort(left)
		if got := strings.Join(left, " "); got != step.want {
			t.Errorf("after %v: %s, want %s", step.wait, got, step.want)
		}
	}
}

// The image of a bot stays while the bot has it.
func TestSweepImagesOfBots(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	clock.Advance(time.Since(clock.Now())) // that of the files
	blob, err := files.Put(t.Context(), queriestest.Hanbit, strings.NewReader("image"), 100)
	if err != nil {
		t.Fatal(err)
	}
	by := queries.Actor{CompanyID: queriestest.Hanbit}
	clock.Advance(2 * spareTime)
	for _, test := range []struct {
		image string
		left  int
	}{{blob.Key, 1}, {"", 0}} {
		if err := db.Bots.SetImage(t.Context(), by, test.image); err != nil {
			t.Fatal(err)
		}
		if err := sweepBlobs(t.Context(), db, files); err != nil {
			t.Fatal(err)
		}
		left := 0
		for _, err := range files.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			left++
		}
		if left != test.left {
			t.Errorf("with the image %q: %d files", test.image, left)
		}
	}
}

// The picture of people stays while one of them has it.
func TestSweepPicturesOfPeople(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	files := queriestest.Blobs(t)
	clock.Advance(time.Since(clock.Now())) // that of the files
	put := func(company int64) string {
		t.Helper()
		blob, err := files.Put(t.Context(), company, strings.NewReader("picture"), 100)
		if err != nil {
			t.Fatal(err)
		}
		return blob.Key
	}
	ours, others := put(queriestest.Hanbit), put(queriestest.Other)
	setPicture := func(user int64, key string) {
		t.Helper()
		queriestest.Exec(t, db, "update users set image_hash = nullif($1, '') where id = $2", key[strings.LastIndexByte(key, '/')+1:], user)
	}
	setPicture(queriestest.Kim, ours)
	setPicture(queriestest.Employee, ours)
	clock.Advance(2 * spareTime)
	sweep := func() []string {
		t.Helper()
		if err := sweepBlobs(t.Context(), db, files); err != nil {
			t.Fatal(err)
		}
		var left []string
		for blob, err := range files.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			left = append(left, blob.Key)
		}
		return left
	}
	if left := sweep(); !slices.Equal(left, []string{ours}) {
		t.Errorf("%v is left and not %v: %v is of another company", left, ours, others)
	}
	setPicture(queriestest.Kim, "")
	if left := sweep(); len(left) != 1 {
		t.Errorf("%d files are left for one who has it", len(left))
	}
	setPicture(queriestest.Employee, "")
	if left := sweep(); len(left) != 0 {
		t.Errorf("%v is left for nobody", left)
	}
}
