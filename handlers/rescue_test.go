package handlers_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"officeconsole/handlers"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
)

func TestPanicIsAnErrorPage(t *testing.T) {
	db := queriestest.New(t)
	var planted atomic.Bool
	server := httptest.NewServer(handlers.New(db, handlers.Config{
		Asset: func(name string) string {
			if planted.Swap(false) {
				panic("planted in a page")
			}
			return "/static/" + name
		},
		Static: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "half") {
				w.WriteHeader(http.StatusOK)
				w.(http.Flusher).Flush()
			}
			panic("planted outside of the pages")
		}),
		API: http.NotFoundHandler(),
	}))
	t.Cleanup(server.Close)
	s := &site{t: t, db: db, url: server.URL}
	admin := s.as(queriestest.Admin)
	planted.Store(true)
	page := admin.get("/en/profile")
	page.want(http.StatusInternalServerError)
	if !strings.Contains(page.body, "Failed to communicate with the server") || strings.Contains(page.body, "planted") {
		t.Errorf("not the error page: %s", page.body)
	}
	admin.get("/en/profile").want(http.StatusOK)
	admin.get("/static/anything").want(http.StatusInternalServerError)
	planted.Store(true)
	if answer := admin.htmx().get("/en/profile"); answer.status != http.StatusInternalServerError || !strings.Contains(answer.body, `"code":"error.unexpected"`) {
		t.Errorf("a script: %d %s", answer.status, answer.body)
	}
	if response, err := http.Get(s.url + "/static/half"); err == nil {
		response.Body.Close()
		if response.ContentLength >= 0 {
			t.Error("half an answer looks whole")
		}
	}
}

func TestBusyDatabase(t *testing.T) {
	address := queriestest.URL(t)
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	db, err := areas.Open(t.Context(), address+separator+"lock_timeout=50ms", func() time.Time { return queriestest.Now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	s := siteOn(t, db)
	admin := s.as(queriestest.Admin)
	for locale, text := range map[string]string{"": "지금은 요청이 많아", "/en": "The server is busy", "/ja": "混み合っています"} {
		holder, err := db.Pool().Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := holder.Exec(t.Context(), "lock table policy_versions"); err != nil {
			t.Fatal(err)
		}
		page := admin.get(locale + "/policies/communication/5")
		page.want(http.StatusServiceUnavailable)
		if page.header.Get("Retry-After") == "" || !strings.Contains(page.body, text) {
			t.Errorf("%s: %v %s", locale, page.header, page.body)
		}
		if answer := admin.htmx().get(locale + "/policies/communication/5"); !strings.Contains(answer.body, `"code":"server.busy"`) {
			t.Errorf("%s, a script: %d %s", locale, answer.status, answer.body)
		}
		if err := holder.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
		admin.get(locale + "/policies/communication/5").want(http.StatusOK)
	}
}

// Who leaves before the answer is no failure: neither of the log nor of the metrics.
func TestClientThatLeaves(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	before := slog.Default()
	defer slog.SetDefault(before)
	var log syncBuffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	holder, err := s.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Rollback(context.Background())
	if _, err := holder.Exec(t.Context(), "lock table policy_versions"); err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/policies/communication/5", nil)
	if err != nil {
		t.Fatal(err)
	}
	left := make(chan error)
	go func() {
		answer, err := admin.http.Do(request)
		if err == nil {
			answer.Body.Close()
		}
		left <- err
	}()
	eventually(t, "the page does not wait", func() bool {
		return s.count("select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") > 0
	})
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the client got %v", err)
	}
	eventually(t, "the request does not end", func() bool { return strings.Contains(log.String(), "msg=request ") })
	if strings.Contains(log.String(), "level=ERROR") {
		t.Error(log.String())
	}
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counted := false
	for _, family := range families {
		for _, m := range family.GetMetric() {
			for _, label := range m.GetLabel() {
				counted = counted || family.GetName() == "officeconsole_request_seconds" && label.GetName() == "status" && label.GetValue() == "499"
			}
		}
	}
	if !counted {
		t.Error("the metrics do not count it as left")
	}
}

// syncBuffer is a buffer for several writers.
type syncBuffer struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (b *syncBuffer) Write(text []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(text)
}

func (b *syncBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}

// siteOn returns a console on a database, with empty caches.
func siteOn(t *testing.T, db *areas.Areas) *site {
	t.Helper()
	server := httptest.NewServer(handlers.New(db, handlers.Config{
		Asset: func(name string) string { return "/static/" + name }, Static: http.NotFoundHandler(), API: http.NotFoundHandler(),
	}))
	t.Cleanup(server.Close)
	return &site{t: t, db: db, url: server.URL}
}

// The sign-in page of a console without a company shows how to create one.
func TestSignInWithoutCompany(t *testing.T) {
	db := queriestest.New(t)
	s := siteOn(t, db)
	const command = "officeconsole company create"
	if page := s.nobody().get("/en/login"); strings.Contains(page.body, command) {
		t.Error("a console with a company says how to make one")
	}
	s.exec("begin; set local session_replication_role = replica; truncate companies cascade; commit") // the change log refuses it otherwise
	s = siteOn(t, db)
	for path, text := range map[string]string{"/login": "아직 회사가 없습니다", "/en/login": "There is no company yet", "/ja/login": "会社がまだ登録されていません"} {
		page := s.nobody().with("Accept-Language", "ko").get(path)
		page.want(http.StatusOK)
		if !strings.Contains(page.body, command) || !strings.Contains(page.body, text) {
			t.Errorf("%s: %s", path, page.body)
		}
	}
}
