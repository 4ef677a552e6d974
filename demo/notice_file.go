package demo

import (
	"fmt"
	"iter"
	"strings"
)

// fileNames splits a list of names that are separated by "; ".
func fileNames(list string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range strings.SplitSeq(list, "; ") {
			if name != "" && !yield(name) {
				return
			}
		}
	}
}

// extension returns what follows the last dot of a name.
func extension(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// onePagePDF returns a PDF with a line of Latin text.
func onePagePDF(text string) string {
	content := "BT /F1 24 Tf 72 760 Td (" + text + ") Tj ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var file, table strings.Builder
	file.WriteString("%PDF-1.4\n")
	for i, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", file.Len())
		fmt.Fprintf(&file, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := file.Len()
	fmt.Fprintf(&file, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table.String(), len(objects)+1, start)
	return file.String()
}
