package views

import "net/http"

// InvalidAccess is the message id of the page for an invalid access (spec
// §2).
const InvalidAccess = "error.invalid_access"

// DatabaseUnavailable is the message id of the page that is shown while no database
// answers.
const DatabaseUnavailable = "server.unavailable"

// ErrorAdvice returns the message id of what the reader can do after an error with
// the status and the message id.
func ErrorAdvice(status int, message string) string {
	switch {
	case message == DatabaseUnavailable:
		return "server.unavailable.text"
	case message == "notice.removed":
		return "notice.removed.text"
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
