// Command licenses writes the licenses of everything in the program into one
// text, and a list of it all for programs (SBOM): the compiled Go modules, the
// bundled npm packages, and the built-in PostgreSQL with its libraries. The same
// inputs give the same files. A component without a license is an error.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// component is a third-party part of the program.
type component struct {
	name, version string
	url           string   // its package URL without the version, such as pkg:npm/react; "" for none
	license       string   // its SPDX expression; "" if it declares none
	texts         []string // its licenses and notices, never empty
}

const intro = `Office Console carries the following components. Their licenses and notices
follow in the same order.
`

func main() {
	module := flag.String("module", "..", "the folder of the program's module")
	packages := flag.String("packages", "../static/built/packages.json", "names of the bundled npm packages, as bundle.mjs writes them")
	from := flag.String("npm", "../islands/node_modules", "where the bundled packages are")
	postgres := flag.String("postgres", "postgres-npm/node_modules", "where the packages of the built-in PostgreSQL are")
	spdx := flag.String("spdx", "licenses/node_modules/spdx-license-list", "texts of licenses by their SPDX names")
	to := flag.String("to", "../static/built/NOTICE.txt", "the file to write")
	list := flag.String("sbom", "", "the list for programs to write, as SPDX 2.3; empty for none")
	version := flag.String("version", "", "the version of the program, for the list")
	flag.Parse()
	texts := spdxTexts(*spdx)
	all, err := collect(
		func() ([]component, error) { return goModules(*module) },
		func() ([]component, error) { return npmPackages(*packages, *from, texts) },
		func() ([]component, error) { return postgresParts(*postgres, texts) },
	)
	if err == nil {
		err = os.WriteFile(*to, notice(all), 0o644)
	}
	if err == nil && *list != "" {
		err = writeSBOM(*list, *version, all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func collect(sources ...func() ([]component, error)) ([]component, error) {
	var all []component
	for _, source := range sources {
		found, err := source()
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	for _, c := range all {
		if len(c.texts) == 0 {
			return nil, fmt.Errorf("no license found for %s", c.name)
		}
	}
	return all, nil
}

// notice returns a list of the components followed by their texts. Components
// with the same texts share them.
func notice(all []component) []byte {
	var b bytes.Buffer
	b.WriteString(intro + "\n")
	for _, c := range all {
		fmt.Fprintf(&b, "  %s %s\n", c.name, c.version)
	}
	written := map[string]bool{}
	for _, c := range all {
		text := strings.Join(c.texts, "\n\n")
		if written[text] {
			continue
		}
		written[text] = true
		b.WriteString("\n" + strings.Repeat("=", 78) + "\n")
		for _, same := range all {
			if slices.Equal(same.texts, c.texts) {
				fmt.Fprintf(&b, "%s %s\n", same.name, same.version)
			}
		}
		b.WriteString(strings.Repeat("-", 78) + "\n\n" + text + "\n")
	}
	return b.Bytes()
}
