package main

import (
	"log/slog"
	"net/http"
	"time"
)

// The limits of a request. A page takes milliseconds; what lasts longer (files,
// whole lists, the event stream) extends its own deadlines. Before it writes, a
// request may wait for a connection and a lock of the database.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 30 * time.Second // headers and body
	writeTimeout      = 60 * time.Second // from the end of the headers to the end of the answer
	keepAliveTimeout  = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
)

// newServer returns a server that ends every connection on which a client is
// too slow or idle.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       keepAliveTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
}
