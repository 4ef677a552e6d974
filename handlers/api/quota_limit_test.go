package api

// SetMostCalls changes how many calls a person may make at the same time, until
// restore is called.
func SetMostCalls(most int) (restore func()) {
	before := mostCalls
	mostCalls = most
	return func() { mostCalls = before }
}
