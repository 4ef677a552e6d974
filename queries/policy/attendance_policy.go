package policy

// FirstDefault is the oldest version of the default policy.
func (t *Timeline) FirstDefault() *Span {
	line := t.Lines[t.DefaultPolicy]
	if len(line) == 0 {
		return nil
	}
	return line[len(line)-1]
}
