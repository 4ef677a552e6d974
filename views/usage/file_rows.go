package usage

import (
	"html"
	"path"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"officeconsole/queries/usage"
	"officeconsole/views"
)

// fileRows are the rows of the list of saved files.
func fileRows(l Files) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		list := html.EscapeString(m.Locale.Path(FilesPath))
		for i := range l.List.Rows {
			writeFileRow(m, l, list, &l.List.Rows[i])
		}
	})
}

// writeFileRow writes a row. list is the escaped address of the list.
func writeFileRow(m *views.Markup, l Files, list string, f *usage.FileRow) {
	at := l.at(f)
	m.Raw(`<tr><td class="nowrap">`)
	m.Moment(at, func() { m.Text(m.Locale.ShortestDateTime(at)) })
	sender := userText(m.Context, f.Sender)
	m.Raw(`</td><td><a class="truncate" href="`, list, `?sender_id=`)
	m.Int(f.UserID)
	m.Wrap(`" title="`, m.T("file.sender.files", "Name", sender), `"><bdi>`)
	m.Wrap("", sender, `</bdi> <span class="sub" data-low><bdi>`)
	m.Wrap("", f.Sender.Department, `</bdi></span></a>`)
	if f.Sender.HiddenAt != nil {
		m.Badge("", "minus", m.T("file.hidden"))
	}
	m.Wrap(`</td><td data-low><span class="truncate" title="`, receiversTitle(m.Context, f), `"><bdi>`)
	m.Wrap("", receiversText(m.Context, f), `</bdi></span></td><td class="sub" data-low>`)
	folder := place(f)
	m.Wrap(`<span class="truncate" title="`, usage.PlainName(folder), `">`)
	writeName(m, folder)
	m.Raw(`</span></td><th scope="row"><a class="truncate file-link" href="`, list, `/`, f.Key().String())
	m.Wrap(`" title="`, usage.PlainName(f.Name), `">`)
	writeFileSymbol(m, f.Name)
	writeFileName(m, f.Name)
	m.Wrap(`</a></th><td class="end nowrap" title="`, m.Locale.Number(f.Size), `">`)
	m.Wrap("", m.Locale.Bytes(f.Size), `</td><td class="nowrap">`)
	m.Wrap("", platformText(m.Context, f.Platform), `</td></tr>`)
}

// writeFileSymbol writes the icon of a file name.
func writeFileSymbol(m *views.Markup, name string) {
	if isPicture(name) {
		m.Raw(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M3.5 2.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1ZM5.8 6.8a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM3 12.5l3.5-3.5 2 2 2-2 2.5 2.5"></path></svg>`)
	} else {
		m.Icon("file")
	}
}

// writeFileName writes the name of a file like writeName, with its extension apart, which
// stays in view when the rest is cut.
func writeFileName(m *views.Markup, name string) {
	stem, extension := splitName(name)
	m.Raw(`<bdi dir="ltr"><span>`)
	writeNameParts(m, stem)
	m.Wrap(`</span>`, extension, `</bdi>`)
}

// splitName cuts the name of a file before its extension. Only letters and digits, at
// most five, are one: "notes. of Monday" has none.
func splitName(name string) (stem, extension string) {
	extension = path.Ext(name)
	isPlain := !strings.ContainsFunc(extension[min(1, len(extension)):], func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if !isPlain || len(extension) < 2 || len(extension) > 6 {
		return name, ""
	}
	return strings.TrimSuffix(name, extension), extension
}

// writeName writes a name in its stored order, with its deceptive characters by their
// numbers.
func writeName(m *views.Markup, text string) {
	m.Raw(`<bdi dir="ltr">`)
	writeNameParts(m, text)
	m.Raw(`</bdi>`)
}

func writeNameParts(m *views.Markup, text string) {
	if !usage.IsDeceptive(text) {
		m.Text(text)
		return
	}
	for _, part := range usage.NameParts(text) {
		if part.Character != "" {
			m.Wrap(`<span class="spoof" title="`, m.T("file.character", "Character", part.Character), `">`)
			m.Wrap("", part.Character, `</span>`)
		} else {
			m.Text(part.Text)
		}
	}
}

// name is a name in its stored order, with its deceptive characters by their numbers.
func name(text string) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeName(m, text) })
}
