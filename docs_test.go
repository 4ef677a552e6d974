package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What docs/architecture.md quotes must exist: a file (or several, by a
// pattern), a Go identifier with its package, a table or column. A quotation
// with a space in it is a command, which is not checked.
func TestArchitectureNamesWhatExists(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(string(text), -1)
	if len(quoted) < 50 {
		t.Errorf("only %d names are quoted", len(quoted))
	}
	declared, stored := identifiers(t), schema(t)
	for _, q := range quoted {
		name := q[1]
		if strings.Contains(name, " ") || declared[name] {
			continue
		}
		if files, err := filepath.Glob(name); err == nil && len(files) > 0 {
			continue
		}
		if column := regexp.MustCompile(`(?m)^(create table|) +` + regexp.QuoteMeta(name) + ` `); !column.MatchString(stored) {
			t.Errorf("%s does not exist", name)
		}
	}
	for room := range mayImport {
		if !strings.Contains(string(text), "`"+room+"/`") {
			t.Errorf("the room %s/ is missing", room)
		}
	}
}

// Every test that a page about security names must exist.
func TestSecurityNamesTests(t *testing.T) {
	var text []byte
	for _, page := range []string{"SECURITY.md", "docs/security.md", "docs/asvs.md"} {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, content...)
	}
	var sources strings.Builder
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "node_modules" {
			return cmp.Or(err, fs.SkipDir)
		}
		if strings.HasSuffix(path, "_test.go") {
			source, err := os.ReadFile(path)
			sources.Write(source)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 40 {
		t.Errorf("only %d tests are named", len(named))
	}
	for _, match := range named {
		if !strings.Contains(sources.String(), "\nfunc "+match[1]+"(") {
			t.Errorf("%s does not exist", match[1])
		}
	}
}

// Every requirement of OWASP ASVS 5.0 at levels 1 and 2 has a row in docs/asvs.md,
// with a state, and a reason unless it is open.
func TestASVSIsComplete(t *testing.T) {
	text, err := os.ReadFile("docs/asvs.md")
	if err != nil {
		t.Fatal(err)
	}
	// The number of requirements of each chapter at both levels.
	want := []int{27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7}
	rows := regexp.MustCompile(`(?m)^\| (\d[^|]*?) \| ([^|]*?) \| ([^|]*?) \| ([^|]*?) ?\|$`).FindAllStringSubmatch(string(text), -1)
	got := make([]int, len(want))
	listed := map[string]bool{}
	for _, row := range rows {
		if state := row[3]; !slices.Contains([]string{"pass", "n/a", "spec", "open"}, state) || row[2] == "" || (row[4] == "") != (state == "open") {
			t.Errorf("%s: %q, %q, %q", row[1], row[2], state, row[4])
		}
		for _, no := range strings.Split(row[1], ", ") {
			if listed[no] {
				t.Errorf("%s is listed twice", no)
			}
			listed[no] = true
			chapter, _, _ := strings.Cut(no, ".")
			if n, err := strconv.Atoi(chapter); err != nil || n < 1 || n > len(want) {
				t.Errorf("%s is no requirement", no)
			} else {
				got[n-1]++
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("requirements by chapter are %v, not %v", got, want)
	}
}

// schema returns the text of all migrations.
func schema(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("queries/migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// identifiers returns what the program's packages declare, as package.name,
// package.type.method and package.type.field.
func identifiers(t *testing.T) map[string]bool {
	t.Helper()
	declared := map[string]bool{}
	others := []string{"node_modules", "tools", "e2e", "bin"}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains(others, entry.Name()) || strings.HasPrefix(entry.Name(), ".") && path != "." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			for _, name := range namesOf(declaration) {
				declared[file.Name.Name+"."+name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return declared
}

func namesOf(declaration ast.Decl) []string {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		return []string{typeName(d.Recv.List[0].Type) + "." + d.Name.Name}
	case *ast.GenDecl:
		var names []string
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
				if fields, ok := s.Type.(*ast.StructType); ok {
					for _, field := range fields.Fields.List {
						for _, name := range field.Names {
							names = append(names, s.Name.Name+"."+name.Name)
						}
					}
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
		return names
	}
	return nil
}

// typeName returns the name of a receiver's type.
func typeName(receiver ast.Expr) string {
	switch r := receiver.(type) {
	case *ast.StarExpr:
		return typeName(r.X)
	case *ast.IndexExpr:
		return typeName(r.X)
	case *ast.IndexListExpr:
		return typeName(r.X)
	case *ast.Ident:
		return r.Name
	}
	return ""
}
