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

// rescue answers a panic as an unexpected error and logs it with its stack. If
// a part of the response is already sent, it closes the connection.
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

// sendTime is the maximum time to send a file or a whole list.
const sendTime = 15 * time.Minute

// allowLongAnswer gives a response sendTime instead of the server's default
// timeout.
func allowLongAnswer(ctx huma.Context) {
	deadline := time.Now().Add(sendTime)
	setDeadlines(ctx, deadline, deadline)
}

// setDeadlines replaces the server's deadlines for one response; zero is none.
// The request's context ends at the read deadline. Writers without deadlines,
// as in tests, are ignored.
func setDeadlines(ctx huma.Context, read, write time.Time) {
	_, w := humachi.Unwrap(ctx)
	controller := http.NewResponseController(w)
	_ = controller.SetReadDeadline(read)
	_ = controller.SetWriteDeadline(write)
}
