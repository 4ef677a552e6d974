package usage

import (
	"html"

	"github.com/a-h/templ"

	"officeconsole/queries/usage"
	"officeconsole/views"
)

// fileRows are the rows of the list of saved files.
func fileRows(l Files) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		path := html.EscapeString(m.Locale.Path(FilesPath))
		for i := range l.List.Rows {
			writeFileRow(m, l, path, &l.List.Rows[i])
		}
	})
}

// writeFileRow writes a row. path is the escaped address of the list.
func writeFileRow(m *views.Markup, l Files, path string, f *usage.FileRow) {
	at := l.at(f)
	m.Raw(`<tr><td class="nowrap">`)
	m.Moment(at, func() { m.Text(m.Locale.ShortestDateTime(at)) })
	sender := userText(m.Context, f.Sender)
	m.Raw(`</td><td><a class="truncate" href="`, path, `?sender_id=`)
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
	m.Raw(`</span></td><th scope="row"><a class="truncate file-link" href="`, path, `/`, f.Key().String())
	m.Wrap(`" title="`, usage.PlainName(f.Name), `">`)
	writeFileSymbol(m, f.Name)
	writeName(m, f.Name)
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

// writeName writes a name in its stored order, with its deceptive characters by their
// numbers.
func writeName(m *views.Markup, text string) {
	m.Raw(`<bdi dir="ltr">`)
	if !usage.IsDeceptive(text) {
		m.Wrap("", text, `</bdi>`)
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
	m.Raw(`</bdi>`)
}

// name is a name in its stored order, with its deceptive characters by their numbers.
func name(text string) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) { writeName(m, text) })
}
