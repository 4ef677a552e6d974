package exports

import (
	"encoding/json"
	"net/url"

	"officeconsole/queries/export"
)

// Record is what the change log knows of an export: the id of the message that names
// the list, and the list's filter as in its URL.
type Record struct {
	List   string
	Filter url.Values
}

// ReadRecord reads the request of an export as the change log stores it.
func ReadRecord(request json.RawMessage) (Record, error) {
	l, err := requestOf(export.Export{Request: request})
	if err != nil {
		return Record{}, err
	}
	read := l.read()
	if _, ok := l.(PolicyAtRequest); ok { // the log of reads counts it as the application status
		return Record{"export.sheet." + PoliciesAtList, read.Query}, nil
	}
	return Record{"read.kind." + string(read.Kind), read.Query}, nil
}
