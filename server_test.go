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
	server.ReadHeaderTimeout, server.ReadTimeout = 200*time.Millisecond, 400*time.Millisecond
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
		if i%2 == 0 { // the headers whole, the body never
			text += "Content-Length: 1000\r\n\r\n"
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		senders.Go(func() { // a byte at a time, until the server has had enough
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
	c := &commands{DatabaseURL: queriestest.URL(t), databaseLost: lost, stdout: &out, stderr: &log}
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
	db, err := queries.Open(t.Context(), address, time.Now)
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
