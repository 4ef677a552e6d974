package queries

import "time"

const (
	MessageDays  = messageDays
	ListenerName = listenerName
)

var ErrBusy = errBusy

// SetAnswerGrace sets how long a database may take longer than its own time-outs, until
// restore is called.
func SetAnswerGrace(d time.Duration) (restore func()) {
	before := answerGrace
	answerGrace = d
	return func() { answerGrace = before }
}

// DurationOf is durationOf.
var DurationOf = durationOf

var ErrUnavailable = errUnavailable
