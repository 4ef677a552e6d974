package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// parts are the components of the built-in PostgreSQL's npm package, which
// contains only its own license.
var parts = []struct {
	name, version, copyright string
	licenses                 []string // SPDX names
}{
	{"PostgreSQL", "18", "Portions Copyright (c) 1996-2026, The PostgreSQL Global Development Group", []string{"PostgreSQL"}},
	{"Snowball stemmers of PostgreSQL", "", "Copyright (c) 2001, Dr Martin Porter\nCopyright (c) 2002, Richard Boulton\nAll rights reserved.", []string{"BSD-3-Clause"}},
	{"Regular expressions of PostgreSQL", "", "", []string{"Spencer-99"}},
	{"ICU", "60.2", "", []string{"Unicode-DFS-2016", "ICU"}},
	{"OpenSSL", "1.1.1", "", []string{"OpenSSL"}},
	{"libxml2", "2", "Copyright (C) 1998-2012 Daniel Veillard. All Rights Reserved.", []string{"MIT"}},
	{"zlib", "1", "(C) Jean-loup Gailly and Mark Adler", []string{"Zlib"}},
}

const publicDomain = "In the public domain."

// postgresParts returns the components of the built-in PostgreSQL.
func postgresParts(from string, texts spdxTexts) ([]component, error) {
	processor := runtime.GOARCH
	if processor == "amd64" {
		processor = "x64"
	}
	packaged, err := npmPackage(filepath.Join(from, "@embedded-postgres", runtime.GOOS+"-"+processor), texts)
	if err != nil {
		return nil, err
	}
	all := []component{packaged}
	for _, part := range parts {
		c := component{name: part.name, version: part.version, license: strings.Join(part.licenses, " AND ")}
		for i, license := range part.licenses {
			copyright := part.copyright
			if i > 0 {
				copyright = ""
			}
			text, err := texts.text(license, copyright)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", part.name, err)
			}
			c.texts = append(c.texts, text)
		}
		all = append(all, c)
	}
	return append(all,
		component{name: "liblzma", version: "5", texts: []string{publicDomain}},
		component{name: "Time zone data", texts: []string{publicDomain}},
	), nil
}
