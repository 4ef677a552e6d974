package queries

const (
	MessageDays  = messageDays
	ListenerName = listenerName
)

var ErrBusy = errBusy

var ErrUnavailable = errUnavailable
