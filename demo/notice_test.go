package demo

import (
	"net/http"
	"testing"
	"time"
)

func TestNotices(t *testing.T) {
	all, err := Companies(Options{Employees: 1200, Seed: 1, Today: today})
	if err != nil {
		t.Fatal(err)
	}
	c := all[0]
	count, titles := map[string]int{}, map[string]bool{}
	for i, n := range c.Notices {
		at := n.Created
		count["notices"]++
		if titles[n.Title] {
			t.Errorf("%s occurs twice", n.Title)
		}
		titles[n.Title] = true
		if !n.Reserved.IsZero() {
			count["reserved"]++
			at = n.Reserved
		}
		if !n.Created.Before(c.Now()) || !n.Reserved.IsZero() && !n.Reserved.After(c.Now()) {
			t.Errorf("%s was created at %v, reserved for %v", n.Title, n.Created, n.Reserved)
		}
		if i > 0 && n.Reserved.IsZero() && c.Notices[i-1].Created.Before(at) && c.Notices[i-1].Reserved.IsZero() {
			t.Errorf("%s is later than the one before", n.Title)
		}
		count["for departments"] += one(len(n.Departments) > 0)
		for _, f := range n.Files {
			count["files"]++
			if f.Content == "" || extension(f.Name) == "pdf" && http.DetectContentType([]byte(f.Content)) != "application/pdf" {
				t.Errorf("%s of %s is %q", f.Name, n.Title, f.Content)
			}
		}
		count["downloadable"] += one(at.Before(c.Now()) && c.Now().Sub(at) < 14*24*time.Hour)
	}
	for what, want := range map[string]int{"notices": 40, "reserved": 3, "for departments": 13, "downloadable": 8} {
		if count[what] != want {
			t.Errorf("%d notices %s, want %d", count[what], what, want)
		}
	}
	if count["files"] < 40 || len(all[1].Notices) != 1 {
		t.Errorf("%d files; the second company has %d notices", count["files"], len(all[1].Notices))
	}
}
