package jobs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/link"
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
