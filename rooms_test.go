package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A room is a folder of packages. mayImport lists the rooms that each may
// import besides those inside itself; "queries/*" is every area of the data, and
// "views/*" every area of the pages. main and packages for tests may import
// everything.
var mayImport = map[string][]string{
	// Calculations and other rooms that are independent of the console.
	"background": {},
	"blobs":      {},
	"download":   {},
	"importfile": {},
	"locales":    {},
	"markdown":   {},
	"picture":    {},
	"postgres":   {},
	"saml":       {},
	"seal":       {},
	"search":     {},
	"sender":     {},
	"settings":   {},
	"slack":      {},
	"static":     {},
	"tracing":    {},
	"traffic":    {},
	"workday":    {},

	// The data: what every area shares, then the areas, each with the areas it
	// uses.
	"queries":              {"background", "importfile", "seal", "search", "settings", "tracing", "workday"},
	"queries/directory":    {"queries", "importfile", "search", "settings", "workday"},
	"queries/policy":       {"queries", "queries/directory", "search", "settings", "workday"},
	"queries/identity":     {"queries", "queries/directory", "queries/policy", "queries/export", "queries/usage", "saml", "seal", "search", "sender", "settings", "traffic", "workday"},
	"queries/attendance":   {"background", "blobs", "queries", "queries/directory", "queries/policy", "importfile", "search", "settings", "workday"},
	"queries/export":       {"queries"},
	"queries/bot":          {"background", "queries", "queries/directory", "blobs", "picture", "search", "settings"},
	"queries/hiding":       {"queries", "queries/directory", "queries/identity", "queries/policy", "search", "workday"},
	"queries/imports":      {"queries", "queries/directory", "queries/hiding", "queries/policy", "importfile"},
	"queries/link":         {"queries", "queries/directory", "blobs", "picture", "search"},
	"queries/notice":       {"queries", "queries/directory", "queries/policy", "blobs", "download", "markdown", "search", "settings", "workday"},
	"queries/provisioning": {"queries", "queries/directory", "queries/hiding", "queries/policy", "search"},
	"queries/audit":        {"queries", "queries/directory", "queries/policy", "queries/attendance", "queries/bot", "queries/hiding", "queries/identity", "queries/link", "queries/notice", "queries/usage", "queries/webhook", "search", "settings", "workday"},
	"queries/webhook":      {"queries", "seal", "sender"},
	"queries/usage":        {"queries", "queries/directory", "queries/policy", "search", "settings", "workday"},
	"queries/areas":        {"queries", "queries/*"},

	"backup":        {"blobs", "postgres", "queries", "queries/*"},
	"demo":          {"blobs", "picture", "queries", "queries/*", "search", "settings", "workday"},
	"exports":       {"background", "queries", "queries/*", "workday", "locales"},
	"handlers":      {"backup", "blobs", "download", "importfile", "markdown", "picture", "views", "views/*", "exports", "queries", "queries/*", "seal", "search", "settings", "slack", "tracing", "traffic", "workday", "locales", "static"},
	"handlers/api":  {"blobs", "download", "importfile", "markdown", "picture", "exports", "queries", "queries/*", "search", "settings", "traffic", "workday", "locales", "static"},
	"handlers/scim": {"queries", "queries/*", "traffic", "locales"},
	"move":          {"queries"},
	"jobs":          {"backup", "blobs", "picture", "sender", "tracing", "background", "queries", "queries/*", "exports"},

	// The pages: what every area shares, then the areas. Of an area of the data
	// they use the types of its rows.
	"views":            {"queries", "queries/attendance", "queries/audit", "queries/identity", "queries/lists", "queries/usage", "search", "workday", "locales"},
	"views/setting":    {"views", "settings", "locales"},
	"views/audit":      {"views", "views/policy", "views/setting", "queries", "queries/attendance", "queries/audit", "queries/directory", "queries/policy", "workday", "locales"},
	"views/backup":     {"views", "backup", "locales"},
	"views/bot":        {"views", "queries", "queries/bot", "locales"},
	"views/hiding":     {"views", "queries", "queries/hiding", "locales"},
	"views/link":       {"views", "queries", "queries/link", "locales"},
	"views/notice":     {"views", "markdown", "queries", "queries/attendance", "queries/directory", "queries/identity", "queries/notice", "settings", "workday", "locales"},
	"views/provider":   {"views", "queries", "queries/identity", "saml", "locales"},
	"views/usage":      {"views", "queries", "queries/directory", "queries/identity", "queries/policy", "queries/usage", "settings", "workday", "locales"},
	"views/webhook":    {"views", "queries", "queries/webhook", "locales"},
	"views/policy":     {"views", "views/setting", "queries", "queries/attendance", "queries/directory", "queries/identity", "queries/policy", "settings", "workday", "locales"},
	"views/attendance": {"views", "importfile", "queries", "queries/directory", "queries/attendance", "queries/export", "settings", "workday", "locales"},

	"bench":               {"*"},
	"chaos":               {}, // it knows the program from outside only
	"queries/queriestest": {"*"},
	"views/viewstest":     {"*"},
}

// partsOfQueries are the packages in queries/ that belong to its room: they are
// shared by the areas and are none themselves.
var partsOfQueries = []string{"queries/cache", "queries/lists", "queries/migrations", "queries/replica"}

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	rooms := json.NewDecoder(strings.NewReader(string(out)))
	found := map[string]bool{}
	for {
		var room struct {
			ImportPath string
			Imports    []string
		}
		err := rooms.Decode(&room)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		folder, inside := strings.CutPrefix(room.ImportPath, "officeconsole/")
		if !inside {
			continue // main
		}
		name, known := roomOf(folder)
		if !known {
			t.Errorf("%s is a new room: say here what it may import", folder)
			continue
		}
		found[name], found[folder] = true, true
		for _, imported := range room.Imports {
			if other, ours := strings.CutPrefix(imported, "officeconsole/"); ours && !allowed(name, other) {
				t.Errorf("%s must not import %s", folder, other)
			}
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(mayImport)), partsOfQueries) {
		if !found[name] {
			t.Errorf("%s is listed here and does not exist", name)
		}
	}
}

// What queries exports, every area has to know.
func TestQueriesExportsFewNames(t *testing.T) {
	const most = 20
	files, err := filepath.Glob("queries/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var exported []string
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			for _, name := range namesOf(declaration) {
				if ast.IsExported(name) && !strings.Contains(name, ".") {
					exported = append(exported, name)
				}
			}
		}
	}
	if !slices.Contains(exported, "DB") {
		t.Errorf("DB is not among the exported names %v", exported)
	}
	if len(exported) > most {
		t.Errorf("queries exports %d names, more than %d: %s", len(exported), most, strings.Join(exported, " "))
	}
}

// roomOf returns the room of a folder: the nearest listed folder above it.
func roomOf(folder string) (string, bool) {
	if slices.Contains(partsOfQueries, folder) {
		return "queries", true
	}
	for folder != "." {
		if _, known := mayImport[folder]; known {
			return folder, true
		}
		if parent := path.Dir(folder); parent == "queries" || parent == "views" {
			return "", false // an area is never part of the room above it
		}
		folder = path.Dir(folder)
	}
	return "", false
}

func allowed(room, imported string) bool {
	other, _ := roomOf(imported)
	return other == room || slices.ContainsFunc(mayImport[room], func(may string) bool {
		parent, areas := strings.CutSuffix(may, "/*")
		return may == other || may == "*" || areas && path.Dir(other) == parent && !strings.HasSuffix(other, "test")
	})
}
