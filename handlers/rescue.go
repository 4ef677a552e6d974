package handlers

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5/middleware"
)

// rescue answers a panic as an unexpected error, which is logged with its
// stack. Where a part of the answer is sent already, it breaks the connection
// off.
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

// sendTime is how long a file may take to be written and sent.
const sendTime = 15 * time.Minute

// allowLongAnswer gives an answer sendTime instead of what the server gives a
// page. What cannot be given more time has no limit.
func allowLongAnswer(w http.ResponseWriter) {
	deadline := time.Now().Add(sendTime)
	controller := http.NewResponseController(w)
	_ = controller.SetWriteDeadline(deadline)
	_ = controller.SetReadDeadline(deadline) // at the end of it the request's context ends too
}
