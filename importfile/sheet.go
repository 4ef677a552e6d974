package importfile

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// The limits of a spreadsheet of Excel, which is a packed file: it may unpack to far
// more than its own size.
const (
	maxWorkbook    = 64 << 20  // bytes, packed
	maxUnpacked    = 512 << 20 // bytes of all its parts
	maxUnpackedRam = 8 << 20   // bytes of a sheet, and of its shared texts, that are unpacked in memory rather than into a temporary file
	maxOtherParts  = 32 << 20  // bytes of its other parts, such as pictures, together
	maxSheetRows   = 1 << 20   // as Excel has them
	maxColumns     = 5000
)

// isWorkbook and isOldWorkbook report whether a file begins like one of Excel since
// 2007, or before.
func isWorkbook(start []byte) bool    { return bytes.HasPrefix(start, []byte("PK\x03\x04")) }
func isOldWorkbook(start []byte) bool { return bytes.HasPrefix(start, []byte("\xd0\xcf\x11\xe0")) }

// sheetRows are the rows of a sheet of a workbook. Dates and times are numbers, as they
// are stored, whatever their format.
type sheetRows struct {
	book   *excelize.File
	rows   *excelize.Rows
	line   int
	sheets []string // the hidden ones last
}

// openSheet opens a sheet by its name, the first visible one without a name.
func openSheet(file io.Reader, name string) (*sheetRows, bool, error) {
	content, err := io.ReadAll(io.LimitReader(file, maxWorkbook+1))
	if err != nil {
		return nil, false, err
	}
	if len(content) > maxWorkbook {
		return nil, false, unreadable("import.workbook.too_large")
	}
	archive, err := checkParts(content)
	if err != nil {
		return nil, false, err
	}
	book, err := excelize.OpenReader(bytes.NewReader(content), excelize.Options{
		UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxUnpackedRam, RawCellValue: true,
	})
	if err != nil {
		return nil, false, unreadable("import.workbook.broken")
	}
	s := &sheetRows{book: book, sheets: book.GetSheetList()}
	if len(s.sheets) == 0 {
		return nil, false, errors.Join(unreadable("import.workbook.broken"), s.Close())
	}
	slices.SortStableFunc(s.sheets, func(a, b string) int { return s.hidden(a) - s.hidden(b) })
	chosen := s.sheets[0]
	if name != "" {
		chosen = ""
		for _, sheet := range s.sheets {
			if strings.EqualFold(Tidy(sheet), Tidy(name)) {
				chosen = sheet
			}
		}
	}
	if chosen == "" {
		_ = s.Close()
		return nil, false, Unreadable{Refuse(0, strings.Join(s.sheets, ", "), name, "import.workbook.sheet")}
	}
	if err := checkSheet(archive, s.id(chosen)); err != nil {
		_ = s.Close()
		return nil, false, err
	}
	if s.rows, err = book.Rows(chosen); err != nil {
		_ = s.Close()
		return nil, false, unreadable("import.workbook.broken")
	}
	properties, err := book.GetWorkbookProps()
	return s, err == nil && properties.Date1904 != nil && *properties.Date1904, nil
}

// id returns what the workbook calls a sheet.
func (s *sheetRows) id(name string) string {
	for _, sheet := range s.book.WorkBook.Sheets.Sheet {
		if sheet.Name == name {
			return sheet.ID
		}
	}
	return ""
}

// hidden returns 1 for a sheet that people do not see in Excel, and 0 for others.
func (s *sheetRows) hidden(name string) int {
	if visible, err := s.book.GetSheetVisible(name); err == nil && !visible {
		return 1
	}
	return 0
}

// checkParts refuses a workbook whose parts would unpack to too much. The library that
// reads it counts them as well, but not apart.
func checkParts(content []byte) (*zip.Reader, error) {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, unreadable("import.workbook.broken")
	}
	var all, others uint64
	for _, part := range archive.File {
		name := strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/"))
		all += min(part.UncompressedSize64, maxUnpacked+1) // no overflow
		if !strings.HasPrefix(name, "xl/worksheets/sheet") && name != "xl/sharedstrings.xml" {
			others += min(part.UncompressedSize64, maxUnpacked+1)
		}
	}
	if all > maxUnpacked || others > maxOtherParts {
		return nil, unreadable("import.workbook.too_large")
	}
	return archive, nil
}

func unreadable(reason string) error { return Unreadable{Refusal{Reason: reason}} }

func (s *sheetRows) next() ([]string, int, error) {
	if !s.rows.Next() {
		if s.rows.Error() != nil {
			return nil, s.line, unreadable("import.workbook.broken")
		}
		return nil, s.line, io.EOF
	}
	s.line++
	cells, err := s.rows.Columns()
	switch {
	case err != nil:
		return nil, s.line, unreadable("import.workbook.broken")
	case len(cells) > maxColumns || s.line > maxSheetRows:
		return nil, s.line, Unreadable{Refuse(s.line, "", "", "import.workbook.too_large")}
	}
	return cells, s.line, nil
}

// Close removes the temporary files.
func (s *sheetRows) Close() error {
	var err error
	if s.rows != nil {
		err = s.rows.Close()
	}
	return errors.Join(err, s.book.Close())
}
