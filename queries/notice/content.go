package notice

import (
	"bytes"
	"net/http"
	"path"
	"slices"
	"strings"

	"officeconsole/queries"
)

// extensionsOf are the extensions of files whose content has a type that its first bytes
// tell, by the beginning of that type. A .xls is often a page or a newer workbook, and a
// picture often has the extension of another format, so that these count as the same.
var extensionsOf = map[string][]string{
	"image/":            {"png", "jpg", "jpeg", "gif", "bmp", "webp", "tif", "tiff", "heic", "ico"},
	"application/pdf":   {"pdf"},
	"application/zip":   {"zip", "docx", "xlsx", "pptx", "hwpx", "odt", "ods", "odp", "doc", "xls", "ppt", "hwp"},
	"application/x-rar": {"rar"},
	"audio/":            {"mp3", "wav", "m4a", "mp4", "mov", "avi"},
	"video/":            {"mp4", "m4a", "mov", "avi", "webm"},
}

// documentExtensions are those of the other files that people open without a second
// thought.
var documentExtensions = strings.Fields("txt csv md log rtf htm html eml msg svg 7z")

// checkContent refuses a file whose content, as far as its first bytes tell, is not what
// its name says: a program under the name of a document, or a picture called report.pdf.
// Content of no known type is accepted, because formats are many.
func checkContent(name string, head []byte) error {
	extension := strings.ToLower(strings.TrimPrefix(path.Ext(cleanName(name)), "."))
	found, expected := "", ""
	for beginning, extensions := range extensionsOf {
		if strings.HasPrefix(http.DetectContentType(head), beginning) && !isWord(head) {
			found = beginning
		}
		if slices.Contains(extensions, extension) {
			expected = beginning
		}
	}
	switch isDocument := expected != "" || slices.Contains(documentExtensions, extension); {
	case isDocument && isProgram(head):
		return queries.FieldErrors{"file": "notice.file.disguised"}
	case isDocument && found != "" && !slices.Contains(extensionsOf[found], extension):
		return queries.FieldErrors{"file": "notice.file.other_content"}
	}
	return nil
}

// isProgram reports whether a file that begins with head is a program of Windows, Linux
// or macOS.
func isProgram(head []byte) bool {
	for _, magic := range []string{"\x7fELF", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	// A text may begin with these two letters, but has no zero bytes.
	return bytes.HasPrefix(head, []byte("MZ")) && bytes.IndexByte(head, 0) >= 0
}

// isWord reports whether a file begins with the letters of a bitmap or of a piece of music,
// but has no zero bytes: it is a text, such as a table whose first column is BMI.
func isWord(head []byte) bool {
	return (bytes.HasPrefix(head, []byte("BM")) || bytes.HasPrefix(head, []byte("ID3"))) && bytes.IndexByte(head, 0) < 0
}
