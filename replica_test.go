package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/queriestest"
)

// console is a serve command in a process of its own.
type console struct {
	command *exec.Cmd
	url     *url.URL
	log     *output
	ended   chan error
}

func startConsole(t *testing.T, args ...string) *console {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &console{log: newOutput(), ended: make(chan error, 1)}
	out := newOutput()
	c.command = exec.Command(own, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	c.command.Env = append(os.Environ(), asProgram+"=1")
	c.command.Stdout, c.command.Stderr = out, c.log
	if err := c.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.ended <- c.command.Wait() }()
	t.Cleanup(func() { c.command.Process.Kill() })
	for {
		select {
		case err := <-c.ended:
			t.Fatalf("did not serve: %v\n%s", err, c.log)
		case <-out.more:
		}
		if at := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(out.String()); at != "" {
			if c.url, err = url.Parse(at); err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
}

// stop ends a console as a service manager does.
func (c *console) stop(t *testing.T) {
	t.Helper()
	if err := c.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-c.ended; err != nil {
		t.Errorf("stop: %v\n%s", err, c.log)
	}
}

// eventually fails unless a condition comes true.
func eventually(t *testing.T, what string, isTrue func() bool) {
	t.Helper()
	deadline, look := time.After(time.Minute), time.NewTicker(5*time.Millisecond)
	defer look.Stop()
	for !isTrue() {
		select {
		case <-deadline:
			t.Fatal(what)
		case <-look.C:
		}
	}
}

// balancer is a reverse proxy that sends requests in turn to the consoles that are
// ready, as they say every few milliseconds.
type balancer struct {
	mutex    sync.Mutex
	consoles []*console
	ready    []*console
	turn     int
	answers  map[*console]int
}

func (b *balancer) add(c *console) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.consoles = append(b.consoles, c)
}

// next returns the console for the next request.
func (b *balancer) next() *console {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if len(b.ready) == 0 {
		return nil
	}
	b.turn++
	c := b.ready[b.turn%len(b.ready)]
	b.answers[c]++
	return c
}

func (b *balancer) isReady(c *console) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return slices.Contains(b.ready, c)
}

// check asks all consoles whether they are ready, until ctx ends.
func (b *balancer) check(ctx context.Context) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for look := time.NewTicker(20 * time.Millisecond); ctx.Err() == nil; <-look.C {
		b.mutex.Lock()
		consoles := slices.Clone(b.consoles)
		b.mutex.Unlock()
		var ready []*console
		for _, c := range consoles {
			answer, err := client.Get(c.url.String() + "/readyz")
			if err != nil {
				continue
			}
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				ready = append(ready, c)
			}
		}
		b.mutex.Lock()
		b.ready = ready
		b.mutex.Unlock()
	}
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := b.next()
	if c == nil {
		http.Error(w, "no console is ready", http.StatusBadGateway)
		return
	}
	proxy := httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(c.url); p.Out.Host = r.Host }}
	proxy.ServeHTTP(w, r)
}

// Two consoles behind a load balancer are restarted one after the other. No request
// fails, although they come all the time.
func TestRollingRestart(t *testing.T) {
	database := "--database-url=" + queriestest.EmptyURL(t)
	must(t, "", "migrate", database)
	must(t, "", "company", "create", database, "--name", "가나상사", "--host", "gana.example")
	start := func() *console { return startConsole(t, database, "--shutdown-delay=2s") }
	b := &balancer{answers: map[*console]int{}}
	checking, stopChecking := context.WithCancel(t.Context())
	defer stopChecking()
	go b.check(checking)
	enter := func(c *console) {
		t.Helper()
		b.add(c)
		eventually(t, "a console is not ready", func() bool { return b.isReady(c) })
	}
	first, second := start(), start()
	enter(first)
	enter(second)
	site := httptest.NewServer(b)
	defer site.Close()

	var requests atomic.Int64
	failures := make(chan string, 1000)
	loading, stopLoading := context.WithCancel(t.Context())
	defer stopLoading()
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			for loading.Err() == nil {
				for _, request := range []struct{ method, path, form string }{
					{http.MethodGet, "/login", ""}, {http.MethodPost, "/locale", "locale=ja"}, {http.MethodGet, "/api/v1/openapi.json", ""},
				} {
					if failure := send(client, site.URL, request.method, request.path, request.form); failure != "" {
						failures <- failure
						return
					}
					requests.Add(1)
				}
			}
		})
	}
	var third, fourth *console
	for _, replaced := range []struct{ before, after **console }{{&first, &third}, {&second, &fourth}} {
		(*replaced.before).stop(t)
		*replaced.after = start()
		enter(*replaced.after)
	}
	for _, c := range []*console{third, fourth} {
		eventually(t, "a new console answers nothing", func() bool { return b.count(c) > 0 })
	}
	stopLoading()
	workers.Wait()
	close(failures)
	for failure := range failures {
		t.Error(failure)
	}
	t.Logf("%d requests", requests.Load())
	third.stop(t)
	fourth.stop(t)
}

func (b *balancer) count(c *console) int {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.answers[c]
}

// send returns why a request failed, or "".
func send(client *http.Client, site, method, path, form string) string {
	request, err := http.NewRequest(method, site+path, strings.NewReader(form))
	if err != nil {
		return err.Error()
	}
	if form != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := client.Do(request)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode >= http.StatusBadRequest {
		return fmt.Sprintf("%s %s: %d, %v", method, path, answer.StatusCode, err)
	}
	return ""
}

// A console that starts while another one migrates waits, and says so.
func TestStartWaitsForMigration(t *testing.T) {
	address := queriestest.EmptyURL(t)
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	const lock = 4097083626 // of the library that migrates
	if _, err := conn.Exec(t.Context(), "select pg_advisory_lock($1::bigint)", lock); err != nil {
		t.Fatal(err)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	log := newOutput()
	command := exec.CommandContext(t.Context(), own, "migrate", "--database-url="+address)
	command.Env, command.Stderr = append(os.Environ(), asProgram+"=1"), log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(log.String(), "waiting for another process that migrates the database") {
		select {
		case <-log.more:
		case <-time.After(time.Minute):
			t.Fatalf("nothing is said: %s", log)
		}
	}
	if _, err := conn.Exec(t.Context(), "select pg_advisory_unlock($1::bigint)", lock); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("%v\n%s", err, log)
	}
}

// A console with another store of files is refused.
func TestStoreOfFilesOfAnotherConsole(t *testing.T) {
	database := "--database-url=" + queriestest.EmptyURL(t)
	shared := "--blob-url=" + t.TempDir()
	s := serve(t, database, shared)
	serve(t, database, shared)
	other := t.TempDir()
	if out, err := program(t, "", "serve", "--listen=127.0.0.1:0", database, "--blob-url="+other); err == nil || !strings.Contains(err.Error(), "is not the store of the files of this database") || !strings.Contains(err.Error(), other) {
		t.Errorf("%v\n%s", err, out)
	}
	if got := status(t, http.DefaultClient, s.url+"/readyz"); got != http.StatusOK {
		t.Errorf("the other console: %d", got)
	}
}
