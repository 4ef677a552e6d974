package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// npmPackages returns the packages in the bundled scripts and styles. A package
// without a license file has the license that its package.json names.
func npmPackages(list, from string, texts spdxTexts) ([]component, error) {
	var names []string
	if err := readJSON(list, &names); err != nil {
		return nil, err
	}
	var all []component
	for _, name := range names {
		c, err := npmPackage(filepath.Join(from, filepath.FromSlash(name)), texts)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, c)
	}
	return all, nil
}

func npmPackage(dir string, texts spdxTexts) (component, error) {
	var about struct {
		Name, Version, License string
		Author                 any
	}
	if err := readJSON(filepath.Join(dir, "package.json"), &about); err != nil {
		return component{}, err
	}
	found, err := licensesIn(dir)
	if err != nil {
		return component{}, err
	}
	c := component{about.Name, about.Version, "pkg:npm/" + strings.Replace(about.Name, "@", "%40", 1), about.License, found}
	if len(found) > 0 {
		return c, nil
	}
	author, _ := about.Author.(string)
	text, err := texts.text(about.License, "Copyright (c) "+cmp.Or(author, "the authors of "+about.Name))
	c.texts = []string{text}
	return c, err
}

func readJSON(file string, into any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
