package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents)([-._].*)?$`)

// licensesIn returns the texts of the license files in a folder, by name.
func licensesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing: run make bundles", dir)
	}
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, entry := range entries {
		if entry.IsDir() || !licenseFile.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return texts, nil
}

// spdxTexts is the folder of the npm package spdx-license-list.
type spdxTexts string

var copyrightLine = regexp.MustCompile(`(?m)^Copyright \(c\) <year> <.*$`)

// text returns a license by its SPDX name, with a copyright notice if the
// license has none of its own.
func (dir spdxTexts) text(id, copyright string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(string(dir), "licenses", id+".json"))
	if err != nil {
		return "", fmt.Errorf("license %q: %w", id, err)
	}
	var license struct{ LicenseText string }
	if err := json.Unmarshal(raw, &license); err != nil {
		return "", fmt.Errorf("license %q: %w", id, err)
	}
	text := strings.TrimSpace(license.LicenseText)
	switch {
	case copyright == "":
		return text, nil
	case copyrightLine.MatchString(text):
		return copyrightLine.ReplaceAllLiteralString(text, copyright), nil
	}
	return copyright + "\n\n" + text, nil
}
