package backup

import (
	"regexp"
	"time"
)

const nameLayout = "2006-01-02T150405Z"

// namePattern matches the names that Name returns.
var namePattern = regexp.MustCompile(`^officeconsole-(\d{4}-\d\d-\d\dT\d{6}Z)\.tar\.zst(\.age)?$`)

// Name returns the name of an archive of a time.
func Name(at time.Time, encrypted bool) string {
	name := "officeconsole-" + at.UTC().Format(nameLayout) + ".tar.zst"
	if encrypted {
		name += ".age"
	}
	return name
}
