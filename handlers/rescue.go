package handlers

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5/middleware"
)

// rescue answers a panic as an unexpected error and logs it with its stack. If
// a part of the response is already sent, it closes the connection.
func (h *handlers) rescue(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			err := fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			if ww.Status() == 0 {
				h.fail(ww, r, err)
				return
			}
			explain(r, err)
			panic(http.ErrAbortHandler)
		}()
		next.ServeHTTP(ww, r)
	})
}

// sendTime is the maximum time to write and send a file.
const sendTime = 15 * time.Minute

// allowLongAnswer gives a response sendTime instead of the server's default
// timeout. A writer that does not support deadlines has no limit.
func allowLongAnswer(w http.ResponseWriter) {
	deadline := time.Now().Add(sendTime)
	controller := http.NewResponseController(w)
	_ = controller.SetWriteDeadline(deadline)
	_ = controller.SetReadDeadline(deadline) // at the end of it the request's context ends too
}
