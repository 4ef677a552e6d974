package importfile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// checkSheet refuses a sheet, given by its id in the workbook, that the library cannot
// read well: it holds a whole row in memory, however long, and reads a formula that was
// never calculated as an empty cell.
func checkSheet(archive *zip.Reader, id string) error {
	names, found := partsOf(archive, id), false
	for _, part := range archive.File {
		if !names[partName(part)] {
			continue
		}
		found = true
		if err := checkRows(part); err != nil {
			return err
		}
	}
	if !found {
		return unreadable("import.workbook.broken")
	}
	return nil
}

// partName returns the name of a part, which some programs write with backslashes.
func partName(part *zip.File) string {
	return strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/")), "/")
}

// partsOf returns the names of the parts that a sheet can be in.
func partsOf(archive *zip.Reader, id string) map[string]bool {
	names := map[string]bool{}
	for _, part := range archive.File {
		folder, name := path.Split(partName(part))
		if !strings.HasPrefix(name, "workbook") || path.Base(folder) != "_rels" {
			continue
		}
		var relations struct {
			All []struct {
				ID     string `xml:"Id,attr"`
				Target string `xml:"Target,attr"`
			} `xml:"Relationship"`
		}
		file, err := part.Open()
		if err != nil {
			continue
		}
		d := xml.NewDecoder(file)
		d.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil } // names of parts are in ASCII
		if errors.Join(d.Decode(&relations), file.Close()) != nil {
			continue
		}
		for _, r := range relations.All {
			target := strings.ToLower(strings.ReplaceAll(r.Target, `\`, "/"))
			if !strings.HasPrefix(target, "/") {
				target = path.Join("/", path.Dir(path.Clean(folder)), target)
			}
			if r.ID == id {
				names[strings.TrimPrefix(path.Clean(target), "/")] = true
			}
		}
	}
	return names
}

// checkRows looks at the tags only, which is much faster than to read the XML.
func checkRows(part *zip.File) error {
	file, err := part.Open()
	if err != nil {
		return unreadable("import.workbook.broken")
	}
	defer file.Close()
	text := bufio.NewReaderSize(file, maxRecord)
	var cell []byte // the tag that begins it
	var size int    // of the row
	var isFormula, hasValue bool
	for {
		piece, err := text.ReadSlice('>')
		size += len(piece)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case size > maxRecord || errors.Is(err, bufio.ErrBufferFull):
			return unreadable("import.workbook.too_large")
		case err != nil:
			return unreadable("import.workbook.broken")
		}
		start := bytes.IndexByte(piece, '<')
		if start < 0 {
			continue // text
		}
		tag, isEnd := bytes.CutPrefix(piece[start+1:], []byte("/"))
		name := tag[:bytes.IndexAny(tag, " \t\r\n/>")]
		name = name[bytes.IndexByte(name, ':')+1:] // without its namespace
		switch {
		case string(name) == "row":
			size = 0
		case string(name) == "c" && !isEnd:
			cell = append(cell[:0], tag...)
			isFormula, hasValue = false, false
		case string(name) == "f":
			isFormula = true
		case string(name) == "v":
			hasValue = isEnd && start > 0 // <v> and <v/> have none yet
		case string(name) == "c" && isFormula && !hasValue && !isText.Match(cell):
			return notCalculated(cell)
		case string(name) == "sheetData" && isEnd:
			return nil
		}
	}
}

var (
	// isText matches a cell whose formula has a text, which may be empty.
	isText  = regexp.MustCompile(`\st=["']str["']`)
	address = regexp.MustCompile(`\sr=["']([A-Z]+([0-9]+))["']`)
)

func notCalculated(cell []byte) error {
	found := address.FindSubmatch(cell)
	if found == nil {
		return unreadable("import.workbook.formula")
	}
	line, _ := strconv.Atoi(string(found[2]))
	return Unreadable{Refuse(line, string(found[1]), "", "import.workbook.formula")}
}
