package importfile

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// workbook returns a workbook whose second sheet has the rows.
func workbook(t testing.TB, rows ...[]any) []byte {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	if _, err := book.NewSheet("근태"); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, i+2) // the first row is empty
		if err != nil {
			t.Fatal(err)
		}
		if err := book.SetSheetRow("근태", cell, &row); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := book.Write(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// zipped returns an archive with one part of zeros, which are packed once for all of it:
// packing 512 MiB takes half a minute under the race detector.
func zipped(t testing.TB, name string, size int) []byte {
	t.Helper()
	var block, file bytes.Buffer
	packer, err := flate.NewWriter(&block, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	if _, err := packer.Write(zeros); err != nil || packer.Flush() != nil {
		t.Fatal(err)
	}
	packed := bytes.Repeat(block.Bytes(), size/len(zeros))
	block.Reset()
	if _, err := packer.Write(zeros[:size%len(zeros)]); err != nil || packer.Close() != nil {
		t.Fatal(err)
	}
	packed = append(packed, block.Bytes()...)
	archive := zip.NewWriter(&file)
	part, err := archive.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, UncompressedSize64: uint64(size), CompressedSize64: uint64(len(packed))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(packed); err != nil || archive.Close() != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestWorkbooks(t *testing.T) {
	file := workbook(t, []any{"이름", "메일 주소", "note"}, []any{"김철수", "kim@hanbit.example"}, []any{}, []any{"이영희", nil, 0.375})
	table, err := OpenTable(bytes.NewReader(file), Reading{Sheet: "근태"}, Columns{Names: []string{"name", "email", "note"}, Aliases: map[string]string{"이름": "name", "메일주소": "email"}})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var lines []int
	var notes string
	for {
		row, err := table.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		lines, notes = append(lines, table.Line), notes+row["name"]+row["note"]
	}
	if len(lines) != 2 || lines[0] != 3 || lines[1] != 5 || notes != "김철수이영희0.375" || len(table.Sheets) != 2 {
		t.Errorf("lines %v: %s, sheets %v", lines, notes, table.Sheets)
	}
}

// A file that is no workbook, or would unpack to more than there is room for, is
// refused, whatever it says about itself.
func TestWorkbooksThatAreRefused(t *testing.T) {
	good := workbook(t, []any{"a"})
	lying := bytes.Clone(zipped(t, "xl/worksheets/sheet1.xml", 1<<20))
	for name, test := range map[string]struct {
		file   []byte
		sheet  string
		reason string
	}{
		"of old":           {[]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "", "import.workbook.old"},
		"cut":              {good[:len(good)/2], "", "import.workbook.broken"},
		"no workbook":      {lying, "", "import.workbook.broken"},
		"unknown sheet":    {good, "2월", "import.workbook.sheet"},
		"a bomb":           {zipped(t, "xl/worksheets/sheet1.xml", maxUnpacked+1), "", "import.workbook.too_large"},
		"a large picture":  {zipped(t, "xl/media/image1.png", maxOtherParts+1), "", "import.workbook.too_large"},
		"larger than read": {append([]byte("PK\x03\x04"), make([]byte, maxWorkbook)...), "", "import.workbook.too_large"},
	} {
		table, err := OpenTable(bytes.NewReader(test.file), Reading{Sheet: test.sheet}, Columns{Names: []string{"a"}})
		if refused, ok := err.(Unreadable); !ok || refused.Reason != test.reason || table != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := OpenTable(bytes.NewReader(good), Reading{Sheet: "2월"}, Columns{})
	if refused, ok := err.(Unreadable); !ok || !strings.Contains(refused.Column, "근태") {
		t.Errorf("the sheets are not named: %v", err)
	}
}

// edited returns a workbook whose second sheet has the XML in place of its rows.
func edited(t testing.TB, rows string) []byte {
	t.Helper()
	book := workbook(t, []any{"old"})
	archive, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	to := zip.NewWriter(&file)
	for _, part := range archive.File {
		if part.Name != "xl/worksheets/sheet2.xml" {
			if err := to.Copy(part); err != nil {
				t.Fatal(err)
			}
		}
	}
	part, err := to.Create("xl/worksheets/sheet2.xml")
	if err != nil {
		t.Fatal(err)
	}
	const head = `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
	if _, err := io.WriteString(part, head+rows+"</sheetData></worksheet>"); err != nil || to.Close() != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A formula that was never calculated would be an empty cell, and a row is in memory as
// a whole.
func TestSheetsThatAreRefused(t *testing.T) {
	long := strings.Repeat(`<c r="A1"><v>1</v></c>`, maxRecord/20)
	for rows, want := range map[string]string{
		`<row r="2"><c r="A2"><v>1</v></c><c r="C2"><f>TIME(9,0,0)</f></c></row>`:       `line 2, column "C2", value "": import.workbook.formula`,
		`<row r="12"><c s="1" r="C12"><f>TIME(9,0,0)</f><v/></c></row>`:                 `line 12, column "C12", value "": import.workbook.formula`,
		`<row><c><f>TIME(9,0,0)</f><v></v></c></row>`:                                   `line 0, column "", value "": import.workbook.formula`,
		`<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>`:                             "[2]",
		`<row r="1"><c r="A1" t="str"><f>""</f><v></v></c><c r="B1"><v>2</v></c></row>`: "[ 2]",
		`<row r="1"><c r="A1"><v>1</v></c><c r="B1" s="1"/></row>`:                      "[1]",
		"<row>" + long + "</row>":                                                       `line 0, column "", value "": import.workbook.too_large`,
		`<row r="1"><c r="A1"><v>3</v></c></row><row r="2">` + long[:len(long)/2/22*22] + `</row><row r="3">` + long[:len(long)/2/22*22] + `</row>`: "[3]",
	} {
		var got string
		table, err := NewTable(bytes.NewReader(edited(t, rows)), Reading{Sheet: "근태"})
		if err == nil {
			var record []string
			record, err = table.Record()
			got = fmt.Sprint(record)
			_ = table.Close()
		}
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.60s: %.80s, not %s", rows, got, want)
		}
	}
}

// Without a name, the first sheet that people see is read.
func TestHiddenSheets(t *testing.T) {
	book := excelize.NewFile()
	defer book.Close()
	for _, name := range []string{"근태", "끝"} {
		if _, err := book.NewSheet(name); err != nil || book.SetCellValue(name, "A1", name) != nil {
			t.Fatal(err)
		}
	}
	book.SetActiveSheet(1)
	if err := book.SetSheetVisible("Sheet1", false, true); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := book.Write(&file); err != nil {
		t.Fatal(err)
	}
	table, err := NewTable(&file, Reading{})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if row, err := table.Record(); err != nil || fmt.Sprint(row) != "[근태]" || fmt.Sprint(table.Sheets) != "[근태 끝 Sheet1]" {
		t.Errorf("%v of %v, %v", row, table.Sheets, err)
	}
}

func FuzzWorkbook(f *testing.F) {
	f.Add(workbook(f, []any{"name", "email"}, []any{"김철수", 41673.375}))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, file []byte) {
		table, err := NewTable(bytes.NewReader(append([]byte("PK\x03\x04"), bytes.TrimPrefix(file, []byte("PK\x03\x04"))...)), Reading{})
		for err == nil {
			_, err = table.Record()
		}
		if table != nil {
			_ = table.Close()
		}
		if _, ok := err.(Unreadable); !ok && err != io.EOF {
			t.Errorf("%v", err)
		}
	})
}
