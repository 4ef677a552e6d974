package notice

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// documentExtensions are those of files that people open without a second thought.
var documentExtensions = strings.Fields(`
	txt csv md log rtf pdf doc docx xls xlsx ppt pptx hwp hwpx odt ods odp htm html eml msg
	png jpg jpeg gif bmp webp tif tiff heic svg mp3 m4a wav mp4 mov avi zip 7z`)

// isDisguised reports whether a file that begins with head is a program under the name
// of a document.
func isDisguised(name string, head []byte) bool {
	extension := strings.ToLower(strings.TrimPrefix(path.Ext(cleanName(name)), "."))
	return isProgram(head) && slices.Contains(documentExtensions, extension)
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
