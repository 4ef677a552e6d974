package views

import (
	"net/url"
	"strconv"
	"time"
)

// Export is a file of a list that is written in the background.
type Export struct {
	FileName    string
	State       string // waiting, running, done or failed
	Rows, Bytes int64
	Total       int64 // the number of rows that it will have; 0 if unknown
	ExpiresAt   time.Time
	Path, List  string // addresses of its page and of the list
}

// exportAddress is the address of a list as a file, with the same filters.
func exportAddress(address, format string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	query := u.Query()
	query.Set("format", format)
	return u.Path + "/export?" + query.Encode()
}

// percent is the percentage of the rows that are written, at most 99 until the file
// is complete.
func (e Export) percent() string { return strconv.FormatInt(min(e.Rows*100/e.Total, 99), 10) }
