package views

import "net/url"

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
