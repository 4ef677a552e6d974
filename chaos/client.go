package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// outcome is what a client knows after a request.
type outcome int

const (
	done    outcome = iota // answered with success
	refused                // answered with 4xx: nothing was changed
	unsent                 // no connection, or too many requests: nothing was changed
	unknown                // answered with 5xx or not at all: it may have been done
)

// answer is what came back for a request.
type answer struct {
	outcome outcome
	status  int // 0 without an answer
	header  http.Header
	body    []byte
	err     error
}

func (a answer) String() string {
	if a.err != nil {
		return a.err.Error()
	}
	text, _, _ := strings.Cut(string(a.body), "\n")
	if _, rest, isPage := strings.Cut(text, "<title>"); isPage {
		text, _, _ = strings.Cut(rest, "</title>")
		text = "page: " + text
	}
	return fmt.Sprintf("%d %.200s", a.status, text)
}

// code returns the code of a refusal by the API.
func (a answer) code() string {
	var problem struct{ Code string }
	_ = json.Unmarshal(a.body, &problem) // a page has none
	return problem.Code
}

// requestTimeout is how long a client waits for an answer.
const requestTimeout = 20 * time.Second

// mostBody is how many bytes of an answer are read.
const mostBody = 4 << 20

// client sends requests to one of the consoles, and to the next one after a failure.
type client struct {
	consoles []string
	current  int
	http     http.Client
	tally    *tally
}

func newClient(consoles []string, first int, t *tally) *client {
	return &client{consoles: consoles, current: first % len(consoles), tally: t, http: http.Client{
		Timeout:       requestTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: 3 * time.Second}).DialContext,
			MaxIdleConnsPerHost: 1,
			IdleConnTimeout:     time.Minute,
		},
	}}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// failOver chooses the next console.
func (c *client) failOver() { c.current = (c.current + 1) % len(c.consoles) }

// json sends a body as JSON.
func (c *client) json(ctx context.Context, method, path string, header http.Header, body any) answer {
	text, err := json.Marshal(body)
	if err != nil {
		return answer{outcome: refused, err: err}
	}
	header = header.Clone()
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json")
	return c.do(ctx, method, path, header, text)
}

// form sends a form as a browser does.
func (c *client) form(ctx context.Context, path string, header http.Header, values url.Values) answer {
	header = header.Clone()
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	return c.do(ctx, http.MethodPost, path, header, []byte(values.Encode()))
}

// do sends a request to the current console. Unless it is done or refused, the next
// request goes to the next console.
func (c *client) do(ctx context.Context, method, path string, header http.Header, body []byte) answer {
	a := c.send(ctx, method, path, header, body)
	c.tally.note(a)
	if a.outcome == unsent || a.outcome == unknown {
		c.failOver()
	}
	return a
}

func (c *client) send(ctx context.Context, method, path string, header http.Header, body []byte) answer {
	r, err := http.NewRequestWithContext(ctx, method, c.consoles[c.current]+path, bytes.NewReader(body))
	if err != nil {
		return answer{outcome: refused, err: err}
	}
	r.Header = header
	response, err := c.http.Do(r)
	if err != nil {
		var connecting *net.OpError
		if errors.As(err, &connecting) && connecting.Op == "dial" {
			return answer{outcome: unsent, err: err}
		}
		return answer{outcome: unknown, err: err}
	}
	defer response.Body.Close()
	a := answer{status: response.StatusCode, header: response.Header}
	a.body, err = io.ReadAll(io.LimitReader(response.Body, mostBody))
	switch {
	case err != nil:
		a.outcome, a.err = unknown, err
	case a.status >= 500:
		a.outcome = unknown
	case a.status == http.StatusTooManyRequests:
		a.outcome = unsent
	case a.status >= 400:
		a.outcome = refused
	}
	return a
}

// wait pauses between two requests, and reports whether the load goes on.
func wait(ctx context.Context, pause time.Duration) bool {
	if pause <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-time.After(pause):
		return true
	case <-ctx.Done():
		return false
	}
}
