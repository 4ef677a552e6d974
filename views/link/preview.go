package link

import "officeconsole/queries/link"

// visible returns those of some links that the messenger shows, with only those
// among its icons if icons is set.
func visible(links []link.Link, icons bool) []link.Link {
	var shown []link.Link
	for _, l := range links {
		if l.Visible && (l.IconVisible || !icons) {
			shown = append(shown, l)
		}
	}
	return shown
}

// initial is the first character of a name, which stands for a picture.
func initial(name string) string {
	for _, letter := range name {
		return string(letter)
	}
	return ""
}
