package demo

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/link"
)

func TestLinks(t *testing.T) {
	all := companies(t, 1200)
	count := map[string]int{}
	for _, c := range all {
		names, urls := map[string]bool{}, map[string]bool{}
		last := time.Time{}
		for _, l := range c.Links {
			if names[l.Name] || urls[l.URL] {
				t.Errorf("%s: the name or URL is there twice", l.Name)
			}
			names[l.Name], urls[l.URL] = true, true
			if l.Created.Before(last) || !l.Created.Before(c.today) {
				t.Errorf("%s was created at %s, the link before it at %s", l.Name, l.Created, last)
			}
			if !l.Visible && (l.Hidden.Before(l.Created) || !l.Hidden.Before(c.today)) {
				t.Errorf("%s was created at %s and hidden at %s", l.Name, l.Created, l.Hidden)
			}
			last = l.Created
			u, err := url.Parse(link.Resolve(l.URL, c.Host))
			if err != nil || !strings.HasSuffix(u.Hostname(), ".example") {
				t.Errorf("%s leads to %s: %v", l.Name, l.URL, err)
			}
			if c.Host != Host {
				continue
			}
			count["links"]++
			count["company's own"] += one(u != nil && strings.HasSuffix(u.Hostname(), "."+c.Host))
			count["hidden"] += one(!l.Visible)
			count["with icon"] += one(l.IconVisible)
			count["with banner"] += one(l.Banner != "")
		}
	}
	for what, want := range map[string]int{"links": 30, "company's own": 22, "hidden": 4, "with icon": 10, "with banner": 24} {
		if count[what] != want {
			t.Errorf("%d links %s, want %d", count[what], what, want)
		}
	}
	if n := len(all[1].Links); n != 3 {
		t.Errorf("the second company has %d links", n)
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
