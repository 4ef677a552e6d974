package link_test

import (
	"slices"
	"testing"

	"officeconsole/queries/link"
	"officeconsole/queries/queriestest"
)

// The differences of a link are those from the version that somebody has seen, whatever
// was changed, moved, deleted and restored since.
func TestDifferencesOfALink(t *testing.T) {
	db := queriestest.New(t)
	ids := create(t, db, "가", "나")
	first := draft("가")
	changed := link.Draft{Name: "다", Description: "설명", URL: "https://{host}/da", IconVisible: true}
	update := func(d link.Draft) {
		t.Helper()
		if err := db.Links.Update(t.Context(), admin, ids[0], 0, func(link.Draft) link.Draft { return d }); err != nil {
			t.Fatal(err)
		}
	}
	since := func(version int32) link.Differences {
		t.Helper()
		l, err := db.Links.Link(t.Context(), link.LinkParams{CompanyID: queriestest.Hanbit, ID: ids[0]})
		if err != nil {
			t.Fatal(err)
		}
		d, err := db.Links.DifferencesSince(t.Context(), l, version)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	update(changed) // version 2
	if d := since(1); !slices.Equal(d.Fields, []string{"name", "description", "url", "visible", "icon_visible"}) || d.Before != first || d.After != changed {
		t.Errorf("from version 1: %+v", d)
	}
	if _, err := db.Links.Move(t.Context(), admin, ids[0], ids[1]); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Links.Delete(t.Context(), admin, ids[0], 0); err != nil { // version 3
		t.Fatal(err)
	}
	if err := db.Links.Restore(t.Context(), admin, ids[0]); err != nil { // version 4
		t.Fatal(err)
	}
	if d := since(2); len(d.Fields) != 0 {
		t.Errorf("deleted and restored: %+v", d)
	}
	update(first)
	if d := since(2); len(d.Fields) != 5 || d.Before != changed {
		t.Errorf("from version 2: %+v", d)
	}
	for _, version := range []int32{1, 99} { // which is the same, which never existed
		if d := since(version); len(d.Fields) != 0 {
			t.Errorf("from version %d: %+v", version, d)
		}
	}
	if d := link.Compare(link.Draft{}, link.Draft{Banner: "1/ab"}); !slices.Equal(d.Fields, []string{"banner"}) {
		t.Errorf("another banner: %+v", d)
	}
}
