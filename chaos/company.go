package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
)

// company is the company under load.
type company struct {
	email, password string // of an administrator
	id, admin       int64
	users           []int64 // who clock in and out
	token           string  // service token of the scope events
}

// own is the path of the administrator's calls.
func (c *company) own() string { return fmt.Sprintf("/api/v1/companies/%d/users/%d", c.id, c.admin) }

// setUpTime is how long signing in and the first calls may take.
const setUpTime = time.Minute

// setUp reads who is in the company, and creates the service token of the load.
func (c *company) setUp(ctx context.Context, consoles []string, database string) error {
	ctx, cancel := context.WithTimeout(ctx, setUpTime)
	defer cancel()
	s := &session{client: newClient(consoles, 0, newTally(time.Now())), company: c}
	defer s.close()
	if err := s.signIn(ctx); err != nil {
		return err
	}
	var me struct {
		ID        int64
		CompanyID int64 `json:"company_id"`
	}
	a := s.do(ctx, http.MethodGet, "/api/v1/profile", s.header(), nil)
	if err := json.Unmarshal(a.body, &me); err != nil || a.outcome != done {
		return fmt.Errorf("read the profile: %v", a)
	}
	c.id, c.admin = me.CompanyID, me.ID
	if c.token == "" {
		issued, a := s.createToken(ctx, "chaos")
		if a.outcome != done {
			return fmt.Errorf("create a service token: %v", a)
		}
		c.token = issued
	}
	return c.readUsers(ctx, database)
}

func (c *company) readUsers(ctx context.Context, database string) error {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	rows, err := conn.Query(ctx, "select id from users where company_id = $1 and not bot and hidden_at is null order by id", c.id)
	if err != nil {
		return err
	}
	c.users, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	if err == nil && len(c.users) == 0 {
		err = fmt.Errorf("company %d has nobody who could clock in", c.id)
	}
	return err
}

// session is an administrator at a console, as a program and as a browser.
type session struct {
	*client
	*company
	access string // of the API
	cookie string // of pages
}

func (s *session) header() http.Header {
	return http.Header{"Authorization": {"Bearer " + s.access}, "Accept-Language": {"ko"}}
}

// retryPause is the pause after a failure.
const retryPause = 250 * time.Millisecond

// signIn signs in to the API, again and again until it succeeds or ctx ends.
func (s *session) signIn(ctx context.Context) error {
	for {
		a := s.json(ctx, http.MethodPost, "/api/v1/oauth/login", http.Header{"Accept-Language": {"ko"}}, map[string]string{"email": s.email, "password": s.password})
		var issued struct {
			AccessToken string `json:"access_token"`
		}
		if a.outcome == done && json.Unmarshal(a.body, &issued) == nil {
			s.access = issued.AccessToken
			return nil
		}
		if a.outcome == refused || !wait(ctx, retryPause) {
			return fmt.Errorf("sign in: %v", a)
		}
	}
}

// enter signs in as a browser.
func (s *session) enter(ctx context.Context) answer {
	a := s.form(ctx, "/login", browser(""), url.Values{"email": {s.email}, "password": {s.password}})
	r := http.Response{Header: a.header}
	for _, c := range r.Cookies() {
		if c.Name == "officeconsole_session" || c.Name == "__Host-officeconsole_session" {
			s.cookie = c.Name + "=" + c.Value
		}
	}
	return a
}

// browser returns the headers of a browser with a cookie.
func browser(cookie string) http.Header {
	all := "locale=ko"
	if cookie != "" {
		all += "; " + cookie
	}
	return http.Header{"Cookie": {all}, "Accept-Language": {"ko"}, "Accept": {"text/html"}}
}

// createToken creates a service token and returns its secret.
func (s *session) createToken(ctx context.Context, name string) (string, answer) {
	a := s.json(ctx, http.MethodPost, s.own()+"/security/tokens", s.header(), map[string]any{"name": name, "scopes": []string{"events"}})
	var issued struct{ Token string }
	if a.outcome == done {
		if err := json.Unmarshal(a.body, &issued); err != nil {
			a.outcome, a.err = unknown, err
		}
	}
	return issued.Token, a
}
