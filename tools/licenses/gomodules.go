package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// goModules returns the modules whose packages are compiled into the program,
// and the standard library, sorted by path.
func goModules(dir string) ([]component, error) {
	list := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", ".")
	list.Dir, list.Stderr = dir, os.Stderr
	list.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	standard := component{name: "Go standard library", version: strings.TrimPrefix(runtime.Version(), "go"), url: "pkg:golang/stdlib", license: "BSD-3-Clause"}
	if standard.texts, err = licensesIn(strings.TrimSpace(string(goroot))); err != nil {
		return nil, err
	}
	all := []component{standard}
	packages := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			Dir      string
			Standard bool
			Module   *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		err := packages.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Standard || p.Module == nil || p.Module.Main {
			continue
		}
		at := slices.IndexFunc(all, func(c component) bool { return c.name == p.Module.Path })
		if at < 0 {
			at = len(all)
			all = append(all, component{name: p.Module.Path, version: p.Module.Version, url: "pkg:golang/" + p.Module.Path})
		}
		if err := all[at].addFrom(p.Module.Dir, p.Dir); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all[1:], func(a, b component) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// addFrom adds the licenses of a package: those in its folder and in the
// folders above it, up to that of its module.
func (c *component) addFrom(module, dir string) error {
	for ; ; dir = filepath.Dir(dir) {
		texts, err := licensesIn(dir)
		if err != nil {
			return err
		}
		for _, text := range texts {
			if !slices.Contains(c.texts, text) {
				c.texts = append(c.texts, text)
			}
		}
		if dir == module || len(dir) <= len(module) {
			return nil
		}
	}
}
