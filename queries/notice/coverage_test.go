package notice_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/notice"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
)

// administrator is who looks at notices.
func administrator(t *testing.T, db *areas.Areas) directory.Person {
	t.Helper()
	p, err := db.Directory.Person(t.Context(), directory.PersonParams{CompanyID: queriestest.Hanbit, ID: queriestest.Admin})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t *testing.T, db *areas.Areas, id int64, ago time.Duration, users ...int64) {
	t.Helper()
	for _, user := range users {
		if _, err := db.Notices.TakeReads(t.Context(), queriestest.Hanbit, []notice.ReadEvent{{UserID: user, NoticeID: id, At: queriestest.Now.Add(-ago)}}); err != nil {
			t.Fatal(err)
		}
	}
}

func coverage(t *testing.T, db *areas.Areas, id, department int64) notice.Coverage {
	t.Helper()
	n, err := db.Notices.Notice(t.Context(), queriestest.Hanbit, id)
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.Notices.Coverage(t.Context(), administrator(t, db), n, department)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func shares(c notice.Coverage) string {
	var all []string
	for _, d := range c.Departments {
		all = append(all, fmt.Sprintf("%s %d/%d", d.Name, d.Readers, d.Recipients))
	}
	return strings.Join(all, ", ")
}

func TestCoverage(t *testing.T) {
	db := queriestest.New(t)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "모두", PublishAt: queriestest.Now.Add(-2 * time.Hour)})
	read(t, db, id, 119*time.Minute, queriestest.Employee)
	read(t, db, id, 30*time.Minute, queriestest.Kim, queriestest.Viewer)
	if err := db.Notices.NoteDownload(t.Context(), queriestest.Hanbit, queriestest.Kim, id); err != nil {
		t.Fatal(err)
	}
	c := coverage(t, db, id, 0)
	if c.Recipients != 7 || c.Readers != 3 || c.Unread() != 4 || c.Downloads != 1 || c.Department.ID != queriestest.Root {
		t.Errorf("%+v", c)
	}
	if got := shares(c); got != "연구소 1/1, 영업본부 2/4, 일본지사 0/1, 한빛테크 0/1" || !c.Departments[3].Own {
		t.Errorf("departments %s", got)
	}
	var points []string
	for _, p := range c.Points {
		points = append(points, fmt.Sprintf("%s %d", p.At.Sub(queriestest.Now), p.Readers))
	}
	if want := []string{"-2h0m0s 0", "-1h59m0s 0", "-1h58m0s 1", "-30m0s 1", "-29m0s 3", "0s 3"}; !reflect.DeepEqual(points, want) {
		t.Errorf("points %q, not %q", points, want)
	}
	if len(c.Working) == 0 || c.Working[len(c.Working)-1].Start.Format("15:04") != "09:00" {
		t.Errorf("working times %v", c.Working)
	}
	if got := shares(coverage(t, db, id, queriestest.Sales)); got != "국내영업팀 1/1, 영업본부 1/2, 해외영업팀 0/1" {
		t.Errorf("departments below %s", got)
	}
	// Who can no longer read it does not count.
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Kim)
	queriestest.Exec(t, db, "update companies set directory_version = directory_version + 1 where id = $1", queriestest.Hanbit) // as hiding does
	if c = coverage(t, db, id, 0); c.Recipients != 6 || c.Readers != 2 || c.Points[len(c.Points)-1].Readers != 2 {
		t.Errorf("after somebody has left: %d of %d", c.Readers, c.Recipients)
	}
	sales := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "영업", PublishAt: queriestest.Now, Departments: map[int64]bool{queriestest.Sales: true}})
	if c = coverage(t, db, sales, 0); c.Department.ID != queriestest.Sales || len(c.Path) != 2 || len(c.Points) != 0 {
		t.Errorf("of a part of the company: %+v", c)
	}
	nobody := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "없음", PublishAt: published, Users: []int64{queriestest.Hidden}})
	if c = coverage(t, db, nobody, 0); c.Recipients != 0 || len(c.Departments) != 0 || notice.Percent(c.Readers, c.Recipients) != 0 {
		t.Errorf("of nobody: %+v", c)
	}
	old := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "오래된", PublishAt: queriestest.Now.AddDate(0, 0, -40)})
	read(t, db, old, time.Minute, queriestest.Viewer)
	if c = coverage(t, db, old, 0); len(c.Points) != 2 || !c.Points[1].At.Equal(queriestest.Now.AddDate(0, 0, -12)) || c.Points[1].Readers != 1 {
		t.Errorf("read after the picture: %v", c.Points)
	}
	if notice.Percent(1999, 2000) != 99 || notice.Percent(2000, 2000) != 100 {
		t.Error("only everybody is all")
	}
}

func TestPeople(t *testing.T) {
	db := queriestest.New(t)
	id := queriestest.InsertNotice(t, db, queriestest.Notice{Title: "모두", PublishAt: published})
	read(t, db, id, time.Minute, queriestest.Employee, queriestest.Kim)
	list := func(f notice.ReaderFilter) string {
		t.Helper()
		f.Limit = 2
		var pages []string
		var last *lists.Cursor
		for {
			page, err := db.Notices.People(t.Context(), queriestest.Hanbit, id, f)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, p := range page.Rows {
				names = append(names, p.Name)
			}
			pages = append(pages, strings.Join(names, " "))
			if page.Next == nil {
				last = page.Previous
				break
			}
			f.Cursor = page.Next
		}
		if last != nil {
			f.Cursor = last
			if page, err := db.Notices.People(t.Context(), queriestest.Hanbit, id, f); err != nil || page.Rows[0].Name+" "+page.Rows[1].Name != pages[len(pages)-2] {
				t.Errorf("back: %+v %v", page, err)
			}
		}
		return strings.Join(pages, " | ")
	}
	kim, _ := search.Parse("ㄱㅊㅅ")
	for _, c := range []struct {
		filter notice.ReaderFilter
		want   string
	}{
		{notice.ReaderFilter{Read: true}, "김철수 이준호"},
		{notice.ReaderFilter{}, "김서연 박지민 | 佐藤ひろし 최유진 | Olivia Martin"},
		{notice.ReaderFilter{DepartmentID: queriestest.Sales}, "박지민 최유진 | Olivia Martin"},
		{notice.ReaderFilter{Read: true, Search: kim}, "김철수"},
		{notice.ReaderFilter{Search: kim}, ""},
		{notice.ReaderFilter{DepartmentID: queriestest.OtherRoot}, ""},
	} {
		if got := list(c.filter); got != c.want {
			t.Errorf("%+v: %q, not %q", c.filter, got, c.want)
		}
	}
	page, err := db.Notices.People(t.Context(), queriestest.Hanbit, id, notice.ReaderFilter{Read: true, Limit: 1})
	if err != nil || page.Rows[0].RankName != "사원" || page.Rows[0].DepartmentName != "국내영업팀" || page.Rows[0].ReadAt == nil || page.Rows[0].RemindedAt != nil {
		t.Errorf("%+v %v", page, err)
	}
}
