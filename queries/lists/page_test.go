package lists_test

import (
	"encoding/base64"
	"errors"
	"reflect"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/lists"
)

func TestCursorText(t *testing.T) {
	for _, c := range []lists.Cursor{
		{List: "people", Value: "김철수", ID: 6, First: 51},
		{List: "day:-worked", Value: "6-2026-11-20", Backward: true},
		{List: "week", Value: `"<&'`, ID: 1 << 62, Trail: []int64{3, 1, 2}},
	} {
		read, err := lists.ParseCursor(c.String())
		if err != nil || !reflect.DeepEqual(*read, c) {
			t.Errorf("%+v is read as %+v: %v", c, read, err)
		}
	}
	for _, start := range []*lists.Cursor{nil, {}, {List: "people", First: 1}} {
		if start.String() != "" || !start.IsStart() {
			t.Errorf("%+v is written as %q", start, start.String())
		}
	}
	if none, err := lists.ParseCursor(""); none != nil || err != nil {
		t.Errorf("no cursor is %v: %v", none, err)
	}
}

func TestRefusedCursorText(t *testing.T) {
	encoded := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for _, text := range []string{
		"x", "6-2026-11-20", "=", encoded("none"), encoded(`{"Text":"김철수","Number":6}`), encoded(`{"v":2,"l":"people","i":6}`),
		encoded(`{"v":1,"i":-6}`), encoded(`{"v":1,"i":6,"n":-1}`), encoded(`{"v":1,"s":"\u0000"}`), encoded(`{"v":1,"i":6,"t":[0]}`), encoded(`{"v":1,"i":1e30}`),
	} {
		if c, err := lists.ParseCursor(text); !errors.Is(err, lists.ErrCursor) || !errors.Is(err, queries.NotFound) {
			t.Errorf("%q is read as %+v: %v", text, c, err)
		}
	}
}

func FuzzCursorText(f *testing.F) {
	f.Add((&lists.Cursor{List: "people", Value: "김철수", ID: 6}).String())
	f.Fuzz(func(t *testing.T, text string) {
		c, err := lists.ParseCursor(text)
		if err != nil || c.IsStart() {
			return
		}
		again, err := lists.ParseCursor(c.String())
		if err != nil || again.String() != c.String() {
			t.Errorf("%q is read as %+v, and that as %+v: %v", text, c, again, err)
		}
	})
}

// Reading the pages of a list of numbers forward or backward gives the whole
// list.
func TestNewPage(t *testing.T) {
	const all, limit = 7, 3
	position := func(n int) lists.Cursor { return lists.Cursor{List: "numbers", ID: int64(n)} }
	read := func(at *lists.Cursor) lists.Page[int] {
		var found []int
		step, n := 1, 1
		switch {
		case at != nil && at.Backward:
			step, n = -1, int(at.ID)-1
		case at != nil:
			n = int(at.ID) + 1
		}
		for ; n >= 1 && n <= all && len(found) <= limit; n += step {
			found = append(found, n)
		}
		return lists.NewPage(found, at, limit, position)
	}
	first := read(nil)
	second := read(first.Next)
	third := read(second.Next)
	for _, c := range []struct {
		page  lists.Page[int]
		rows  []int
		first int
	}{
		{first, []int{1, 2, 3}, 1}, {second, []int{4, 5, 6}, 4}, {third, []int{7}, 7},
		{read(third.Previous), []int{4, 5, 6}, 4}, {read(second.Previous), []int{1, 2, 3}, 1},
	} {
		if !reflect.DeepEqual(c.page.Rows, c.rows) || c.page.First != c.first || c.page.Total != -1 ||
			(c.page.Previous == nil) != (c.rows[0] == 1) || (c.page.Next == nil) != (c.rows[len(c.rows)-1] == all) {
			t.Errorf("page %+v, not %v from %d", c.page, c.rows, c.first)
		}
	}
	if lost := read(&lists.Cursor{List: "numbers", ID: 4}); lost.First != 0 || lost.Next != nil || lost.Previous.First != 0 {
		t.Errorf("a page whose number nobody knows: %+v", lost)
	}
}
