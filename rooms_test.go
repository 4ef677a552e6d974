package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport says which rooms a room may know. main may know all of them; so
// may the tests of a room, and what exists only for tests.
var mayImport = map[string][]string{
	"blobs":        {},
	"demo":         {"settings", "workday"},
	"exports":      {"queries", "workday", "locales"},
	"handlers":     {"views", "exports", "queries", "settings", "workday", "locales", "static", "blobs"},
	"handlers/api": {"exports", "queries", "settings", "workday", "locales", "static", "blobs"},
	"jobs":         {"queries", "exports", "blobs"},
	"locales":      {},
	"postgres":     {},
	"queries":      {"settings", "workday", "demo"},
	"settings":     {},
	"static":       {},
	"views":        {"queries", "settings", "workday", "locales"},
	"workday":      {},

	"bench":               nil, // nil: everything
	"queries/queriestest": nil,
}

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	rooms := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var room struct {
			ImportPath string
			Imports    []string
		}
		err := rooms.Decode(&room)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		name, inside := strings.CutPrefix(room.ImportPath, "officeconsole/")
		if !inside {
			continue // main
		}
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("%s is a new room: say here whom it may know", name)
		}
		if known && allowed == nil {
			continue
		}
		for _, path := range room.Imports {
			if other, ours := strings.CutPrefix(path, "officeconsole/"); ours && !slices.Contains(allowed, other) {
				t.Errorf("%s must not import %s", name, other)
			}
		}
	}
}
