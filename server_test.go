package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func TestSlowSenders(t *testing.T) {
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			return
		}
		fmt.Fprint(w, "answered")
	}))
	if server.ReadHeaderTimeout == 0 || server.ReadTimeout == 0 || server.WriteTimeout == 0 || server.IdleTimeout == 0 || server.MaxHeaderBytes == 0 {
		t.Fatalf("a wait without an end: %+v", server)
	}
	server.ReadHeaderTimeout, server.ReadTimeout = 2*time.Second, 3*time.Second
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })

	var senders sync.WaitGroup
	for i := range 50 {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		text := "POST /login HTTP/1.1\r\nHost: x\r\n"
		if i%2 == 0 { // complete headers, but never a body
			text += "Content-Length: 1000\r\n\r\n"
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		senders.Go(func() { // one byte at a time, until the server closes the connection
			ticker := time.NewTicker(20 * time.Millisecond)
			defer ticker.Stop()
			for {
				<-ticker.C
				if _, err := io.WriteString(conn, "a"); err != nil {
					return
				}
			}
		})
	}
	response, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != "answered" {
		t.Errorf("beside slow senders: %q (%v)", body, err)
	}
	senders.Wait()
}

func TestLostDatabaseEndsTheProgram(t *testing.T) {
	lost := make(chan struct{})
	close(lost)
	var out, log bytes.Buffer
	c := &commands{DatabaseURL: queriestest.URL(t), DataDir: t.TempDir(), databaseLost: lost, stdout: &out, stderr: &log}
	err := serveCommand{Listen: "127.0.0.1:0"}.Run(t.Context(), c)
	if !errors.Is(err, errDatabaseLost) {
		t.Errorf("serve ended with %v", err)
	}
	if !strings.Contains(log.String(), "built-in database ended") {
		t.Errorf("the log: %s", &log)
	}
}

func TestServeWithoutCompany(t *testing.T) {
	address := queriestest.EmptyURL(t)
	must(t, "", "migrate", "--database-url="+address)
	db, err := areas.Open(t.Context(), address, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out bytes.Buffer
	if err := announceFirstSteps(t.Context(), &out, db); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"company create", "user create --admin", "user set-password"} {
		if !strings.Contains(out.String(), command) {
			t.Errorf("%s is missing:\n%s", command, &out)
		}
	}
	must(t, "", "company", "create", "--database-url="+address, "--name", "가나상사", "--host", "gana.example")
	out.Reset()
	if err := announceFirstSteps(t.Context(), &out, db); err != nil || out.Len() > 0 {
		t.Errorf("with a company: %q (%v)", &out, err)
	}
}

// Clock events are stored in transactions that need the policies. More clients
// than there are connections send events while every save invalidates the
// cached policies: all events and pages must be answered, without a deadlock
// over connections.
func TestClockEventsDuringPolicySaves(t *testing.T) {
	address := queriestest.URL(t)
	db, err := areas.Open(t.Context(), address, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	token, err := db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{identity.ScopeEvents}})
	if err != nil {
		t.Fatal(err)
	}
	// The limits of 60 s distinguish slow from stuck: on a busy machine an
	// event may take longer than the usual 5 to 15 s, but transactions that
	// wait for each other never finish.
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	s := serve(t, "--database-url="+address+separator+"pool_acquire_timeout=60s&lock_timeout=60s&statement_timeout=60s")
	post := func(event string) error {
		body := fmt.Sprintf(`{"events": [{"event_id": %q, "user_id": 6, "kind": "in", "occurred_at": %q, "platform": "pc"}]}`, event, time.Now().UTC().Format(time.RFC3339))
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/api/v1/companies/1/events/clock", strings.NewReader(body))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+token.Token)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusAccepted || !strings.Contains(string(answer), `"accepted"`) {
			return fmt.Errorf("%s: %d %s (%v)", event, response.StatusCode, answer, err)
		}
		return nil
	}
	const rounds = 3
	clients := 2 * int(db.Pool().Config().MaxConns)
	var group, saves sync.WaitGroup
	clocked := make(chan struct{})
	for client := range clients {
		group.Go(func() {
			for round := range rounds {
				if err := post(fmt.Sprint("load-", client, "-", round)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	by := queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}
	saves.Go(func() {
		for {
			if _, err := db.Policies.Duplicate(t.Context(), by, 5); err != nil {
				t.Error(err)
			}
			select {
			case <-clocked:
				return
			default:
			}
		}
	})
	saves.Go(func() {
		for {
			if got := status(t, http.DefaultClient, s.url+"/login"); got != http.StatusOK {
				t.Errorf("the sign-in page: %d", got)
			}
			select {
			case <-clocked:
				return
			default:
			}
		}
	})
	group.Wait()
	close(clocked)
	saves.Wait()
}
