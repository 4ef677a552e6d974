package directory

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/queries/lists"
	"officeconsole/queries/queriestest/golden"
	"officeconsole/search"
)

func TestGoldenUserSearch(t *testing.T) {
	find := func(text string) search.Search {
		s, refused := search.Parse(text)
		if refused != "" {
			t.Fatalf("%q: %s", text, refused)
		}
		return s
	}
	from := lists.PersonKey{Name: "김철수", ID: 6}
	var text strings.Builder
	for _, choice := range []struct {
		name string
		UserSearch
	}{
		{"from the beginning", UserSearch{Search: find("김철")}},
		{"several words", UserSearch{Search: find("김철 hanbit 02")}},
		{"initials", UserSearch{Search: find("ㄱㅊㅅ")}},
		{"after a user", UserSearch{Search: find("김철"), From: from}},
		{"backward", UserSearch{Search: find("김철"), From: from, Backward: true}},
		{"hidden users too", UserSearch{Search: find("김철"), Hidden: true}},
		{"of departments", UserSearch{Search: find("김철"), Departments: []int64{3, 4}}},
		{"of no department", UserSearch{Search: find("김철"), Departments: []int64{}}},
		{"everything", UserSearch{Search: find("김철 hanbit"), Departments: []int64{3}, Hidden: true, From: from, Backward: true}},
	} {
		choice.CompanyID, choice.Size = 1, 21
		names, args := choice.namesStatement(2000)
		fmt.Fprintf(&text, "-- %s: along the names\n%s;\n-- %v\n\n", choice.name, names, args)
		grams, args := choice.gramsStatement(2000)
		fmt.Fprintf(&text, "-- %s: by the grams\n%s;\n-- %v\n\n", choice.name, grams, args)
	}
	golden.Compare(t, "testdata/user_search.sql", text.String())
}
