package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"officeconsole/demo"
	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/queries/areas"
	"officeconsole/static"
)

const (
	policiesPath = "/policies/communication/management"
	profilePath  = "/profile"
)

// site is a server at a loopback address; cookie is the session cookie of the
// administrator.
type site struct {
	address, cookie string
	db              *areas.Areas
	close           func()
}

// newConsole serves the real handlers with a database.
func newConsole(ctx context.Context, database string) (*site, error) {
	assets, err := static.Load()
	if err != nil {
		return nil, err
	}
	db, err := areas.Open(ctx, database, time.Now)
	if err != nil {
		return nil, err
	}
	s, err := serve(handlers.New(db, handlers.Config{
		Version: "bench", Asset: assets.Path, Static: assets.Handler(), API: api.New(db, "bench", nil),
	}))
	if err != nil {
		db.Close()
		return nil, err
	}
	s.db = db
	end := s.close
	s.close = func() { end(); db.Close() }
	if s.cookie, err = signIn(ctx, s.address); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func serve(handler http.Handler) (*site, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Hour}
	go server.Serve(listener)
	return &site{address: listener.Addr().String(), close: func() { server.Close() }}, nil
}

// signIn returns the session's cookie, name=value.
func signIn(ctx context.Context, address string) (string, error) {
	form := url.Values{"email": {"admin@" + demo.Host}, "password": {demo.Password}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/login", strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	for _, c := range answer.Cookies() {
		if c.Name == "officeconsole_session" {
			return c.Name + "=" + c.Value, nil
		}
	}
	return "", fmt.Errorf("cannot sign in: status %s without a session cookie", answer.Status)
}
