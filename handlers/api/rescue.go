package api

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5/middleware"
)

// rescue answers a panic as an unexpected error and logs it with its stack.
// Where a part of the answer is sent already, it breaks the connection off.
func rescue(next http.Handler) http.Handler {
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
			slog.ErrorContext(r.Context(), "call panicked", "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			if ww.Status() != 0 {
				panic(http.ErrAbortHandler)
			}
			answerProblem(ww, r, http.StatusInternalServerError, "api.unexpected")
		}()
		next.ServeHTTP(ww, r)
	})
}

// sendTime is how long a file or a whole list may take to be sent.
const sendTime = 15 * time.Minute

// allowLongAnswer gives an answer more time than the server gives a call.
func allowLongAnswer(ctx huma.Context) {
	deadline := time.Now().Add(sendTime)
	setDeadlines(ctx, deadline, deadline)
}

// setDeadlines replaces those of the server for one answer; zero is none. At
// the end of reading the context of the call ends too. A writer without
// deadlines, as tests have, has none to replace.
func setDeadlines(ctx huma.Context, read, write time.Time) {
	_, w := humachi.Unwrap(ctx)
	controller := http.NewResponseController(w)
	_ = controller.SetReadDeadline(read)
	_ = controller.SetWriteDeadline(write)
}
