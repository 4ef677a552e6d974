package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// alive answers 200 as long as the process runs.
func alive(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

// ready answers 200 once the database is reachable and migrated, until the program is
// about to stop. A schema that is newer than the program is that of a newer program, which
// replaces this one soon; until then it goes on.
func (h *handlers) ready(w http.ResponseWriter, r *http.Request) {
	if h.isStopping() {
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	if err := h.db.Ready(ctx); err != nil {
		slog.WarnContext(ctx, "not ready: the database is unreachable or not migrated", "err", err)
		http.Error(w, "not ready", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// isStopping reports whether the program is about to stop.
func (h *handlers) isStopping() bool {
	select {
	case <-h.Stopping:
		return true
	default:
		return false
	}
}

// endConnections closes the connections of clients after their responses while the
// program is about to stop. Otherwise a reverse proxy would send the next request on one
// that is closed at that moment.
func (h *handlers) endConnections(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.isStopping() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
