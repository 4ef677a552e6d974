package views

import "net/url"

// FirstSteps are the commands that create the first company and
// administrator in an empty database.
const FirstSteps = `officeconsole company create --name NAME --host HOST
officeconsole user create --admin --name NAME --email EMAIL
officeconsole user set-password EMAIL`

// withNext adds to the address of a page where to go after signing in; "" is the
// home page.
func withNext(path, next string) string {
	if next == "" {
		return path
	}
	return path + "?next=" + url.QueryEscape(next)
}
