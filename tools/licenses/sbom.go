package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// unknown is SPDX's word for what nobody has said.
const unknown = "NOASSERTION"

// document is what SPDX 2.3 asks of a list of components, and what scanners of
// vulnerabilities read.
type document struct {
	SPDXVersion       string         `json:"spdxVersion"`
	DataLicense       string         `json:"dataLicense"`
	SPDXID            string         `json:"SPDXID"`
	Name              string         `json:"name"`
	DocumentNamespace string         `json:"documentNamespace"`
	CreationInfo      creationInfo   `json:"creationInfo"`
	Packages          []spdxPackage  `json:"packages"`
	Relationships     []relationship `json:"relationships"`
}

type creationInfo struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	SPDXID           string        `json:"SPDXID"`
	Name             string        `json:"name"`
	Version          string        `json:"versionInfo,omitempty"`
	DownloadLocation string        `json:"downloadLocation"`
	FilesAnalyzed    bool          `json:"filesAnalyzed"`
	LicenseConcluded string        `json:"licenseConcluded"`
	LicenseDeclared  string        `json:"licenseDeclared"`
	CopyrightText    string        `json:"copyrightText"`
	ExternalRefs     []externalRef `json:"externalRefs,omitempty"`
}

type externalRef struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	From string `json:"spdxElementId"`
	Type string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

// programID is the id of the program among the packages.
const programID = "SPDXRef-officeconsole"

// writeSBOM writes the components of the program as SPDX 2.3. Its date of creation is
// the beginning of 1970, so that the same inputs give the same file.
func writeSBOM(file, version string, all []component) error {
	d := document{
		SPDXVersion: "SPDX-2.3", DataLicense: "CC0-1.0", SPDXID: "SPDXRef-DOCUMENT", Name: "officeconsole " + version,
		CreationInfo:  creationInfo{Created: "1970-01-01T00:00:00Z", Creators: []string{"Tool: officeconsole-licenses"}},
		Packages:      []spdxPackage{newPackage(programID, component{name: "officeconsole", version: version})},
		Relationships: []relationship{{"SPDXRef-DOCUMENT", "DESCRIBES", programID}},
	}
	for i, c := range all {
		id := fmt.Sprintf("SPDXRef-%d-%s", i+1, strings.Trim(notInIDs.ReplaceAllString(c.name, "-"), "-"))
		d.Packages = append(d.Packages, newPackage(id, c))
		d.Relationships = append(d.Relationships, relationship{programID, "CONTAINS", id})
	}
	content, err := json.Marshal(d.Packages)
	if err != nil {
		return err
	}
	d.DocumentNamespace = fmt.Sprintf("https://officeconsole.example/spdx/%x", sha256.Sum256(content))
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// notInIDs are the characters that an SPDX id may not have.
var notInIDs = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

func newPackage(id string, c component) spdxPackage {
	p := spdxPackage{
		SPDXID: id, Name: c.name, Version: c.version, DownloadLocation: unknown,
		LicenseConcluded: unknown, LicenseDeclared: cmp.Or(c.license, unknown), CopyrightText: unknown,
	}
	if c.url != "" {
		p.ExternalRefs = []externalRef{{"PACKAGE-MANAGER", "purl", c.url + "@" + c.version}}
	}
	return p
}
