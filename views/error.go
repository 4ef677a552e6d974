package views

import "net/http"

// InvalidAccess is the message id of the page for an invalid access (spec
// §2).
const InvalidAccess = "error.invalid_access"

// errorAdvice is the message id of what the reader can do after an error
// with the status.
func errorAdvice(status int) string {
	switch {
	case status == http.StatusNotFound:
		return "error.not_found.text"
	case status == http.StatusTooManyRequests:
		return "error.too_many.text"
	case status == http.StatusServiceUnavailable:
		return "server.busy.text"
	case status < http.StatusInternalServerError:
		return "error.invalid_access.text"
	}
	return "error.unexpected.text"
}
