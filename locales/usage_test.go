package locales

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A use is a call in the program's source that names a message.
type use struct {
	place  token.Position
	id     string
	plural bool
	args   []string // names of the values; nil unless all are literal
}

// usage is what the source contains about messages.
type usage struct {
	uses     []use
	literals map[string]bool // every string in the source
	prefixes map[string]bool // strings ending in "." to which something is appended
}

// The next two tests read all Go files of the module except tests, including
// generated views. A message is used if a string equals its id, or if its id
// begins with a string that ends in "." and to which a variable is appended:
// T(ctx, "attendance.status."+status).
func TestEveryMessageIsUsed(t *testing.T) {
	used := source(t)
	for id, e := range entries(t)[Korean] {
		if !used.literals[id] && !used.hasPrefix(id) {
			t.Errorf("%s: nothing uses %q", e.file, id)
		}
	}
}

func TestEveryUseHasItsMessage(t *testing.T) {
	all := entries(t)
	for _, u := range source(t).uses {
		e, ok := all[Korean][u.id]
		if !ok {
			t.Errorf("%s: no message %q", u.place, u.id)
			continue
		}
		if _, plural := all[English][u.id].forms["one"]; plural && !u.plural {
			t.Errorf("%s: %q has plural forms and needs N", u.place, u.id)
		}
		if u.args == nil {
			continue
		}
		for _, name := range variables(t, u.id, e) {
			if !slices.Contains(u.args, name) {
				t.Errorf("%s: %q needs a value for %s", u.place, u.id, name)
			}
		}
	}
}

func (u usage) hasPrefix(id string) bool {
	for i, r := range id {
		if r == '.' && u.prefixes[id[:i+1]] {
			return true
		}
	}
	return false
}

// source reads the module's Go files, without directories that have a go.mod of
// their own, hidden directories and those of other tools.
func source(t *testing.T) usage {
	t.Helper()
	found := usage{literals: map[string]bool{}, prefixes: map[string]bool{}}
	root := ".."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && foreignDirectory(path) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return found.read(path, text)
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func foreignDirectory(path string) bool {
	name := filepath.Base(path)
	if strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

func (u *usage) read(path string, text []byte) error {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, path, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if s, ok := literal(node); ok {
				u.literals[s] = true
			}
		case *ast.BinaryExpr:
			if s, ok := literal(node.X); ok && node.Op == token.ADD && strings.HasSuffix(s, ".") {
				u.prefixes[s] = true
			}
		}
		for _, found := range uses(node) {
			found.place = positions.Position(node.Pos())
			u.uses = append(u.uses, found)
		}
		return true
	})
	return nil
}

// uses returns the messages that a node certainly names: calls, the values of
// FieldErrors{"name": "id"} and errs["name"] = "id".
func uses(node ast.Node) []use {
	var values []ast.Expr
	switch node := node.(type) {
	case *ast.CallExpr:
		if found, ok := call(node); ok {
			return []use{found}
		}
	case *ast.CompositeLit:
		if called(node.Type) == "FieldErrors" {
			values = node.Elts
		}
	case *ast.AssignStmt:
		if _, ok := node.Lhs[0].(*ast.IndexExpr); ok {
			values = node.Rhs
		}
	}
	var found []use
	for _, value := range values {
		if pair, ok := value.(*ast.KeyValueExpr); ok {
			value = pair.Value
		}
		if id, ok := literal(value); ok && idPattern.MatchString(id) {
			found = append(found, use{id: id})
		}
	}
	return found
}

// called returns the name of a function or type without its package.
func called(node ast.Expr) string {
	switch node := node.(type) {
	case *ast.Ident:
		return node.Name
	case *ast.SelectorExpr:
		return node.Sel.Name
	}
	return ""
}

// call recognises locales.T(ctx, "id", …), l.T("id", …), the same with N, and
// Invalid("id") of queries.
func call(node *ast.CallExpr) (use, bool) {
	name := called(node.Fun)
	if !slices.Contains([]string{"T", "N", "Invalid"}, name) {
		return use{}, false
	}
	for i, arg := range node.Args[:min(2, len(node.Args))] {
		id, ok := literal(arg)
		if !ok {
			continue
		}
		if !idPattern.MatchString(id) {
			return use{}, false
		}
		found := use{id: id, plural: name == "N"}
		if name != "Invalid" {
			found.args = names(node, i+1, found.plural)
		}
		return found, true
	}
	return use{}, false
}

// names returns the names of a call's values from the argument at first on, or
// nil unless all are literal.
func names(node *ast.CallExpr, first int, plural bool) []string {
	list := []string{}
	if plural {
		list, first = append(list, "Count"), first+1
	}
	for i := first; i < len(node.Args); i += 2 {
		name, ok := literal(node.Args[i])
		if !ok || node.Ellipsis.IsValid() {
			return nil
		}
		list = append(list, name)
	}
	return list
}

func literal(node ast.Expr) (string, bool) {
	lit, ok := node.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

func TestSource(t *testing.T) {
	found := usage{literals: map[string]bool{}, prefixes: map[string]bool{}}
	err := found.read("example.go", []byte(`package example
import "not.an.id"
var a = locales.T(ctx, "a.plain")
var b = locales.N(ctx, "a.count", 3, "Name", name)
var c = l.T("a.method", "Name", name, "Day", day)
var d = l.N("a.method.count", 3)
var e = locales.T(ctx, "a.status."+status+".title")
var f error = queries.Invalid("a.name.required")
var g = refusal{field: "name", id: "a.field"}
var h = locales.T(ctx, "a.spread", args...)
var i = other.T("just words")
var j = queries.FieldErrors{"name": "a.entered", "day": queries.Invalid("a.day")}
func k() { errs["name"] = "a.assigned" }
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range found.uses {
		got = append(got, u.id+" "+strings.Join(u.args, ","))
	}
	want := []string{"a.plain ", "a.count Count,Name", "a.method Name,Day", "a.method.count Count", "a.name.required ", "a.spread ", "a.entered ", "a.day ", "a.assigned "}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if found.uses[5].args != nil {
		t.Error("a spread argument counts as literal names")
	}
	if !found.literals["a.field"] || found.literals["not.an.id"] {
		t.Errorf("literals are %v", found.literals)
	}
	if !found.hasPrefix("a.status.late.title") || found.hasPrefix("a.plain") {
		t.Errorf("prefixes are %v", found.prefixes)
	}
}
