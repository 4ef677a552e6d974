package views

import "net/http"

// InvalidAccess is the message of the page of an invalid access (spec §2).
const InvalidAccess = "error.invalid_access"

// errorAdvice is the id of what to do after a status.
func errorAdvice(status int) string {
	switch {
	case status == http.StatusNotFound:
		return "error.not_found.text"
	case status == http.StatusServiceUnavailable:
		return "server.busy.text"
	case status < http.StatusInternalServerError:
		return "error.invalid_access.text"
	}
	return "error.unexpected.text"
}
