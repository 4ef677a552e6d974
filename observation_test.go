package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"officeconsole/queries/queriestest"
)

// observed are the files for Prometheus and Grafana.
var observed = []string{"deploy/prometheus/officeconsole.rules.yml", "deploy/grafana/officeconsole.json"}

// collector is a collector of traces.
type collector struct {
	mutex sync.Mutex
	spans bytes.Buffer // as they were sent
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if r.Method == http.MethodPost && r.URL.Path == "/v1/traces" {
		io.Copy(&c.spans, r.Body)
	}
}

func get(t *testing.T, address string) string {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// requests returns how many requests of a series the metrics count.
func requests(t *testing.T, metrics, series string) int {
	t.Helper()
	line := regexp.MustCompile(`(?m)^officeconsole_request_seconds_count\{` + regexp.QuoteMeta(series) + `\} (\d+)$`)
	found := line.FindStringSubmatch(metrics)
	if found == nil {
		return 0
	}
	count, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return count
}

func TestMetricsAndTraces(t *testing.T) {
	var spans collector
	at := httptest.NewServer(&spans)
	defer at.Close()
	s := serve(t, "--database-url="+queriestest.EmptyURL(t), "--read-database-url=postgres://127.0.0.1:1/nowhere", "--metrics-listen", "127.0.0.1:0", "--profiles", "--trace-url", at.URL, "--trace-ratio", "1")
	answering := regexp.MustCompile(`"answering metrics","address":"([^"]+)"`)
	for !answering.MatchString(s.log.String()) {
		<-s.log.more
	}
	address := answering.FindStringSubmatch(s.log.String())
	before := get(t, "http://"+address[1]+"/metrics") // metrics are of the process: other tests are counted too
	get(t, s.url+"/en/login")
	get(t, s.url+"/api/v1/profile")
	get(t, s.url+"/en/nowhere")
	metrics := get(t, "http://"+address[1]+"/metrics")
	for series, want := range map[string]int{
		`method="GET",route="/login",status="200"`:          2, // also where the next one leads
		`method="GET",route="none",status="303"`:            1,
		`method="GET",route="/api/v1/profile",status="401"`: 1,
	} {
		if got := requests(t, metrics, series) - requests(t, before, series); got != want {
			t.Errorf("%s counts %d requests, want %d", series, got, want)
		}
	}
	for _, want := range []string{
		`officeconsole_pool_connections{pool="requests",state="idle"}`,
		"officeconsole_webhook_oldest_seconds 0",
		"officeconsole_event_streams 0",
		`officeconsole_replica_current{replica="127.0.0.1:1"} 0`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("%s is missing among\n%s", want, regexp.MustCompile(`(?m)^officeconsole_(webhook|pool|event|replica).*$`).FindAllString(metrics, -1))
		}
	}
	for _, file := range observed {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		named := regexp.MustCompile(`\b(?:officeconsole|go|process)_[a-z_]+`).FindAllString(string(text), -1)
		if len(named) < 8 {
			t.Errorf("%s names only %d metrics", file, len(named))
		}
		for _, name := range named {
			if name == "officeconsole_backup_last_success_timestamp_seconds" {
				continue // of consoles with a schedule of backups; see TestSchedule
			}
			if !strings.Contains(metrics, "\n"+name+"{") && !strings.Contains(metrics, "\n"+name+" ") {
				t.Errorf("%s: there is no metric %s", file, name)
			}
		}
	}
	if profiles := get(t, "http://"+address[1]+"/debug/pprof/"); !strings.Contains(profiles, "goroutine") {
		t.Errorf("not an index of profiles: %s", profiles)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"GET /login", "GET /api/v1/profile", "HasCompany", "job clean up", "officeconsole.company"} {
		if !bytes.Contains(spans.spans.Bytes(), []byte(want)) {
			t.Errorf("no span has %q", want)
		}
	}
	if !strings.Contains(s.log.String(), `"trace_id":"`) {
		t.Error("no line of the log has the id of a trace")
	}
}

func TestRefusedObservation(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, args := range [][]string{{"--profiles"}, {"--trace-ratio", "2"}, {"--trace-ratio", "NaN"}, {"--trace-url", "collector"}, {"--trace-url", "ftp://collector"}, {"--metrics-listen", taken.Addr().String()}} {
		if out, err := program(t, "", append([]string{"serve", "--listen", "127.0.0.1:0", "--database-url=postgres://127.0.0.1:1/none"}, args...)...); err == nil || !strings.Contains(err.Error(), args[0][2:7]) {
			t.Errorf("%q: %v %s", args, err, out)
		}
	}
}

func TestRefusedCollectorDoesNotShowItsPassword(t *testing.T) {
	for _, url := range []string{"collector:S3cret@host", "ftp://me:S3cret@collector", "http://me:S3cret@collector:port", "http://me:S3cret@127.0.0.1:1"} {
		if out, err := program(t, "", "serve", "--listen", "127.0.0.1:0", "--database-url=postgres://127.0.0.1:1/none", "--trace-url", url); err == nil || strings.Contains(err.Error()+out, "S3cret") {
			t.Errorf("%s: %v %s", url, err, out)
		}
	}
}

// What to do about each alert is in the operator's manual.
func TestAlertsHaveRunbooks(t *testing.T) {
	rules, err := os.ReadFile(observed[0])
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	alerts := regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(rules), -1)
	if len(alerts) < 5 {
		t.Errorf("only %d alerts", len(alerts))
	}
	for _, alert := range alerts {
		if !strings.Contains(string(manual), "\n**"+alert[1]+".** ") {
			t.Errorf("docs/operating.md does not say what to do about %s", alert[1])
		}
	}
}
