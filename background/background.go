// Package background runs work whose panic must not end the program.
package background

import (
	"fmt"
	"log/slog"
	"runtime/debug"
)

// Go runs do in a goroutine of its own. A panic ends do alone and is logged by
// the name.
func Go(name string, do func()) {
	go func() {
		err := Protect(func() error { do(); return nil })
		if err != nil {
			slog.Error("background work panicked and has ended", "name", name, "err", err)
		}
	}()
}

// Protect returns what do returns, or its panic as an error with the stack.
func Protect(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}
