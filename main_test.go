package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/blobs"
	"officeconsole/postgres"
	"officeconsole/queries/queriestest"
)

// asProgram is the environment variable with which the tests' executable is the program.
const asProgram = "OFFICECONSOLE_TEST_PROGRAM"

// TestMain runs the program, or the tests outside of the user's own data directory.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	dir, err := os.MkdirTemp("", "officeconsole")
	if err == nil {
		err = os.Setenv("OFFICECONSOLE_DATA_DIR", dir)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// output is a buffer that can be read while the program writes it.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
	more  chan struct{}
}

func newOutput() *output { return &output{more: make(chan struct{}, 1)} }

func (o *output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	select {
	case o.more <- struct{}{}:
	default:
	}
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// program runs a command to its end and returns its output.
func program(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), args, strings.NewReader(stdin), &out, &out)
	return out.String(), err
}

func must(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out, err := program(t, stdin, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// runningServer is a running serve command.
type runningServer struct {
	url  string
	out  *output
	log  *output
	stop func() error
}

func serve(t *testing.T, args ...string) runningServer {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, log, ended := newOutput(), newOutput(), make(chan error, 1)
	go func() {
		ended <- run(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), strings.NewReader(""), out, log)
	}()
	address := regexp.MustCompile(`https?://127\.0\.0\.1:\d+`)
	for {
		select {
		case err := <-ended:
			cancel()
			t.Fatalf("did not serve: %v\n%s", err, out)
		case <-out.more:
		}
		if at := address.FindString(out.String()); at != "" {
			s := runningServer{at, out, log, sync.OnceValue(func() error { cancel(); return <-ended })}
			t.Cleanup(func() {
				if err := s.stop(); err != nil {
					t.Errorf("stop: %v", err)
				}
			})
			return s
		}
	}
}

func status(t *testing.T, client *http.Client, address string) int {
	t.Helper()
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

func TestFirstStepsOfAnOperator(t *testing.T) {
	database := "--database-url=" + queriestest.EmptyURL(t)
	must(t, "", "migrate", database)
	must(t, "", "company", "create", database, "--name", "가나상사", "--host", "gana.example")
	if out := must(t, "", "company", "list", database); !strings.Contains(out, "gana.example") {
		t.Errorf("the company is not listed:\n%s", out)
	}
	people := filepath.Join(t.TempDir(), "people.csv")
	write := func(text string) {
		if err := os.WriteFile(people, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("employee_id,name,email,department_path\n1,이하나,hana@gana.example,가나상사/영업팀\n2,둘,not an address,가나상사/영업팀\n")
	if out, err := program(t, "", "import", "directory", people, database); exitCode(err) != 2 || !strings.Contains(out, "3") {
		t.Errorf("a bad row was imported: %v\n%s", err, out)
	}
	for _, options := range [][]string{{"--dry-run"}, {"--dry-run", "--skip-bad"}} {
		if out, err := program(t, "", append([]string{"import", "directory", people, database}, options...)...); exitCode(err) != 2 {
			t.Errorf("%v: %v\n%s", options, err, out)
		}
	}
	must(t, "", "import", "directory", people, database, "--skip-bad")
	write("employee_id,name,email,department_path\n1,이하나,hana@gana.example,가나상사/영업팀\n2,둘,dul@gana.example,가나상사/영업팀\n")
	must(t, "", "import", "directory", people, database, "--dry-run")
	must(t, "", "import", "directory", people, database)
	must(t, "", "user", "create", database, "--name", "나운영", "--email", "ops@gana.example")
	must(t, "", "user", "grant-admin", "ops@gana.example", database)
	if _, err := program(t, "short\n", "user", "set-password", "ops@gana.example", database); err == nil {
		t.Error("a bad password was taken")
	}
	must(t, "Gana!2026x\n", "user", "set-password", "ops@gana.example", database)
	if out := must(t, "", "token", "create", database, "--scope", "events,read"); len(strings.TrimSpace(out)) < 40 {
		t.Errorf("not a token: %q", out)
	}
	for _, bad := range [][]string{{"--scope", "everything"}, {"--scope", "read", "--expires", "soon"}, {"--scope", "read", "--expires", "2001-01-01"}, {"--scope", "read", "--address", "here"}} {
		if out, err := program(t, "", append([]string{"token", "create", database}, bad...)...); err == nil || out != "" {
			t.Errorf("%q was taken: %s", bad, out)
		}
	}
	must(t, "", "token", "create", database, "--name", "payroll", "--scope", "read", "--address", "203.0.113.0/24,198.51.100.5", "--expires", "2035-12-31")
	rotated := must(t, "", "token", "rotate", database, "2", "--overlap", "1h")
	if !strings.HasPrefix(rotated, "ocs_") {
		t.Errorf("not a token: %q", rotated)
	}
	if _, err := program(t, "", "token", "rotate", database, "2"); err == nil || !strings.Contains(err.Error(), "was replaced") {
		t.Errorf("rotated twice: %v", err)
	}
	must(t, "", "token", "revoke", database, "1")
	if _, err := program(t, "", "token", "revoke", database, "99"); err == nil {
		t.Error("a token that does not exist was revoked")
	}
	listed := must(t, "", "token", "list", database)
	for _, want := range []string{`1 +messenger +events,read +revoked +- +-`, `2 +payroll +read +rotated`, `3 +payroll +read +active +2035-12-31T15:00:00Z +- +203.0.113.0/24,198.51.100.5`} {
		if !regexp.MustCompile(want).MatchString(listed) {
			t.Errorf("%q is not in\n%s", want, listed)
		}
	}

	provisioning := must(t, "", "token", "create", database, "--name", "hr", "--scope", "scim")

	s := serve(t, database)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	answer, err := client.PostForm(s.url+"/login", url.Values{"email": {"ops@gana.example"}, "password": {"Gana!2026x"}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Request.URL.Path != "/policies/communication/management" {
		t.Errorf("signing in led to %s with %d", answer.Request.URL, answer.StatusCode)
	}
	for _, path := range []string{"/healthz", "/readyz", "/api/v1/openapi.json", "/api/v1/docs"} {
		if got := status(t, client, s.url+path); got != http.StatusOK {
			t.Errorf("%s: status %d", path, got)
		}
	}
	scim, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/scim/v2/Users?count=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	scim.Header.Set("Authorization", "Bearer "+strings.TrimSpace(provisioning))
	if answer, err = client.Do(scim); err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/scim+json" {
		t.Errorf("SCIM answers %d %s", answer.StatusCode, answer.Header.Get("Content-Type"))
	}
	if err := s.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	if line := regexp.MustCompile(`"path":"/readyz",.*"id":"[^"]+"`); !line.MatchString(s.log.String()) {
		t.Errorf("no log line of a request with its id:\n%s", s.log)
	}
	if _, err := client.Get(s.url + "/healthz"); err == nil {
		t.Error("it still answers after it was stopped")
	}
}

func TestImportOfARenamedDepartment(t *testing.T) {
	database := "--database-url=" + queriestest.EmptyURL(t)
	must(t, "", "company", "create", database, "--name", "가나상사", "--host", "gana.example")
	people := filepath.Join(t.TempDir(), "people.csv")
	write := func(rows ...string) {
		if err := os.WriteFile(people, []byte("name,email,department_path\n"+strings.Join(rows, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("이하나,hana@gana.example,가나상사/영업팀", "박두리,duri@gana.example,가나상사/영업팀", "김세나,sena@gana.example,가나상사/연구소")
	must(t, "", "import", "directory", people, database)
	write("이하나,hana@gana.example,가나상사/사업팀", "박두리,duri@gana.example,가나상사/사업팀", "이상해,not an address,가나상사")
	whole := filepath.Join(t.TempDir(), "report.txt")
	if out, err := program(t, "", "import", "directory", people, database, "--dry-run"); exitCode(err) != 2 {
		t.Errorf("a dry run: %v\n%s", err, out)
	}
	out, err := program(t, "", "import", "directory", people, database, "--skip-bad", "--report", whole)
	for _, want := range []string{"Nothing was saved.", "Probably renamed: 가나상사/영업팀 → 가나상사/사업팀.", "--rename '가나상사/영업팀=가나상사/사업팀'", "earlier one named them: 1", "김세나 · sena@gana.example · 가나상사/연구소", "not an address"} {
		if !strings.Contains(out, want) || exitCode(err) != 2 {
			t.Errorf("no %q in (%v)\n%s", want, err, out)
		}
	}
	if written, err := os.ReadFile(whole); err != nil || string(written) != out {
		t.Errorf("the report in the file is %q (%v)", written, err)
	}
	write("이하나,hana@gana.example,가나상사/사업팀", "박두리,duri@gana.example,가나상사/사업팀", "김세나,sena@gana.example,가나상사/연구소")
	out = must(t, "", "import", "directory", people, database, "--rename", "가나상사/영업팀=가나상사/사업팀")
	if !strings.Contains(out, "Renamed or moved: 가나상사/영업팀 → 가나상사/사업팀") {
		t.Errorf("not renamed:\n%s", out)
	}
	for name, want := range map[string]string{people: "is the file to import", filepath.Join(people, "report.txt"): "not a directory"} {
		if _, err := program(t, "", "import", "directory", people, database, "--report", name); exitCode(err) != 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("a report to %s ends with %v", name, err)
		}
	}
	write("이하나,hana@gana.example,가나상사/사업팀", "박두리,duri@gana.example,가나상사/사업팀")
	if out, err := program(t, "", "import", "directory", people, database, "--deactivate-missing"); exitCode(err) != 2 || !strings.Contains(out, "add --allow-many") {
		t.Errorf("a third of the people is deactivated: %v\n%s", err, out)
	}
	if out := must(t, "", "import", "directory", people, database, "--deactivate-missing", "--allow-many"); !strings.Contains(out, "Deactivated: 1\n") {
		t.Errorf("nobody is deactivated:\n%s", out)
	}
	must(t, "", "user", "reactivate", "sena@gana.example", database)
	if out, err := program(t, "", "import", "directory", people, database, "--rename", "가나상사/영업팀"); err == nil || exitCode(err) != 1 || !strings.Contains(err.Error(), "OLD=NEW") {
		t.Errorf("a rename without a new path: %v\n%s", err, out)
	}
}

func TestVerifyNamesAnAlteredChange(t *testing.T) {
	url := queriestest.EmptyURL(t)
	database := "--database-url=" + url
	for _, host := range []string{"gana.example", "dara.example"} {
		must(t, "", "company", "create", database, "--name", "가나상사", "--host", host)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	do := func(statement string) {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	do(`insert into changes (company_id, id, at, actor_name, action, object_type, object_id, object_name)
		select c.id, n, now(), '', 'test.done', 'test', n, '시험' from companies c, generate_series(11, 13) n where c.host = 'gana.example'`)
	if out := must(t, "", "verify", database); !regexp.MustCompile(`gana\.example: 4 changes, all .*[0-9a-f]{64}\n`).MatchString(out) || !strings.Contains(out, "dara.example: 1 changes") {
		t.Errorf("got %s", out)
	}
	do("set session_replication_role = replica")
	do("update changes set object_name = 'x' where id = 12")
	for _, of := range []string{"", "--company=gana.example"} {
		if out, err := program(t, "", strings.Fields("verify "+database+" "+of)...); err == nil || !strings.Contains(out, "gana.example: DAMAGED: change 12 was altered.") {
			t.Errorf("got %v, %s", err, out)
		}
	}
	must(t, "", "verify", database, "--company=dara.example")
	if _, err := program(t, "", "verify", database, "--company=none.example"); err == nil {
		t.Error("a company that does not exist was verified")
	}
}

// Every command that opens a database refuses one that was created before the
// first migration of this schema.
func TestDatabaseBeforeBaselineIsRefused(t *testing.T) {
	url := queriestest.EmptyURL(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "create table goose_db_version as select 22 as version_id"); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"serve --listen 127.0.0.1:0", "migrate", "demo", "company list", "user unhide a@b.example", "token create --scope read", "allow-ip reset"} {
		out, err := program(t, "", append(strings.Fields(command), "--database-url="+url)...)
		if err == nil || !strings.Contains(err.Error(), "early development version of officeconsole and cannot be migrated") || out != "" {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}

func TestServeDemoOnTheBuiltInDatabase(t *testing.T) {
	dir := filepath.Join(shortDir(t), "data")
	must(t, "", "demo", "--employees=20", "--days=0", "--data-dir="+dir) // the browser tests begin with serve --demo on an empty one
	s := serve(t, "--demo", "--data-dir", dir)
	if got := status(t, http.DefaultClient, s.url+"/readyz"); got != http.StatusOK {
		t.Errorf("ready: status %d", got)
	}
	if _, err := program(t, "", "serve", "--listen", "127.0.0.1:0", "--data-dir", dir); !errors.Is(err, postgres.ErrInUse) {
		t.Errorf("a second program on the same directory: %v", err)
	}
	port := strings.TrimPrefix(s.url, "http://")
	if _, err := program(t, "", "serve", "--listen", port, "--data-dir", dir); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a taken port: %v", err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if out, err := program(t, "", "demo", "--data-dir", dir); err == nil {
		t.Errorf("a demo beside a company: %s", out)
	}
}

// demoFiles is the number of files of the demo companies with different contents
// besides the pictures of people, which a larger company has more of: 24 banners of
// links, and 23 files of notices.
const demoFiles = 24 + 23

func countBlobs(t *testing.T, folder string) int {
	t.Helper()
	files, err := blobs.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, err := range files.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		count++
	}
	return count
}

func TestDemoStoresFiles(t *testing.T) {
	folder := t.TempDir()
	must(t, "", "demo", "--database-url="+queriestest.EmptyURL(t), "--employees=20", "--days=0", "--blob-url="+folder)
	if n := countBlobs(t, folder); n != demoFiles+19+23 {
		t.Errorf("%d files", n)
	}
}

// Files beside an external database create the data directory. The built-in
// database can use it later, although for root it runs as another user.
func TestBuiltInDatabaseAfterAnExternalOne(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	dir := filepath.Join(shortDir(t), "state", "officeconsole")
	must(t, "", "demo", "--database-url="+queriestest.EmptyURL(t), "--employees=20", "--days=0", "--data-dir="+dir)
	must(t, "", "migrate", "--data-dir="+dir)
}

// A command does not take a mistake in --data-dir for a new console.
func TestCommandsNeedADatabase(t *testing.T) {
	dir := filepath.Join(shortDir(t), "none")
	for _, line := range []string{
		"verify", "company list", "user create --name x --email x@x.example", "user unlock x@x.example", "token list", "provider list", "allow-ip reset",
		"import directory main.go", "import attendance main.go", "import list", "import revert 1", "secrets rotate", "backup",
	} {
		out, err := program(t, "", append(strings.Fields(line), "--data-dir", dir)...)
		if err == nil || exitCode(err) != 1 || err.Error() != "there is no built-in database in "+dir {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory was created: %v", err)
	}
}

func TestVerifyWithoutACompany(t *testing.T) {
	out, err := program(t, "", "verify", "--database-url="+queriestest.EmptyURL(t))
	if err == nil || exitCode(err) != 1 || !strings.Contains(err.Error(), "there is no company") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestInterruptedCommand(t *testing.T) {
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	err := run(interrupted, []string{"verify", "--database-url=" + queriestest.EmptyURL(t)}, strings.NewReader(""), io.Discard, io.Discard)
	if err == nil || exitCode(err) != 1 || err.Error() != "interrupted" {
		t.Errorf("%v", err)
	}
}

func TestCommandLine(t *testing.T) {
	if out := must(t, "", "version"); !strings.HasPrefix(out, "officeconsole ") {
		t.Errorf("got %q", out)
	} else if flag := must(t, "", "--version"); flag != out {
		t.Errorf("--version prints %q, want %q", flag, out)
	}
	licenses := must(t, "", "licenses")
	for _, component := range []string{"Go standard library", "github.com/jackc/pgx/v5", "react-dom", "PostgreSQL 18", "OpenSSL", "THE SOFTWARE IS PROVIDED \"AS IS\""} {
		if !strings.Contains(licenses, component) {
			t.Errorf("the licenses of %s are missing", component)
		}
	}
	if out := must(t, "", "--help"); !strings.Contains(out, "--data-dir") {
		t.Errorf("no help: %q", out)
	}
	for _, args := range [][]string{
		{"unknown"},
		{"serve", "--database-url", "nonsense://"},
		{"company", "create", "--name", "x"},
		{"import", "directory", "/does/not/exist.csv"},
		{"demo", "--today", "yesterday"},
	} {
		if out, err := program(t, "", args...); err == nil {
			t.Errorf("%q was accepted: %s", args, out)
		}
	}
}

// shortDir returns a new directory outside t.TempDir, which the built-in
// server's user cannot enter when the tests run as root.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "oc")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Attendance is imported, listed, replaced and reverted by command. What is refused ends
// with 2, in a dry run too.
func TestImportAttendanceByCommand(t *testing.T) {
	database := "--database-url=" + queriestest.EmptyURL(t)
	must(t, "", "company", "create", database, "--name", "가나상사", "--host", "gana.example")
	dir := t.TempDir()
	file := func(name string, lines ...string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	must(t, "", "import", "directory", file("people.csv", "employee_id,name,email,department_path", "A1,이하나,hana@gana.example,가나상사"), database)
	clock := file("clock.csv", "사번,날짜,출근,퇴근,메모,비고", "A1,2026. 3. 2.,오전 9:00,18:00,,", "A1,2026. 3. 3.,9:00,3:00,,")
	columns := []string{"--column", "메모=", "--column", "비고="}
	run := func(args ...string) (string, error) {
		return program(t, "", append([]string{"import", "attendance", database}, args...)...)
	}
	if out, err := run(clock); exitCode(err) != 2 || !strings.Contains(out, "메모, 비고") {
		t.Errorf("unknown columns: %v\n%s", err, out)
	}
	for _, option := range []string{"--dry-run", "--skip-bad"} {
		if out, err := run(append(columns, clock, option)...); exitCode(err) != 2 || !strings.Contains(out, "2 days of people: 1 created, 0 unchanged, 1 refused") || !strings.Contains(out, "do not cross midnight") {
			t.Errorf("%s: %v\n%s", option, err, out)
		}
	}
	if out, err := run("--wide-arrivals", clock, "--wide-departures", clock); exitCode(err) != 1 || !strings.Contains(err.Error(), "must be two files") {
		t.Errorf("the same file twice: %v\n%s", err, out)
	}
	for cells, want := range map[string]string{
		"2026-03-04,900,18:00": "Write it like 09:00. Option: --time-format.", "2026-03-32,9:00,18:00": "or choose the date format. Option: --date-format.",
		"3/4/2026,9:00,18:00": "Choose the date format. Option: --date-format, such as %d/%m/%Y.",
	} {
		if out, err := run(file("cells.csv", "사번,날짜,출근,퇴근", "A1,"+cells), "--dry-run"); exitCode(err) != 2 || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", cells, err, out)
		}
	}
	between := file("between.csv", "사번,날짜,출근,퇴근", "A1,2026-03-04,9:00,18:00", "A1,2026-03-06,9:00,18:00")
	if out, err := run(between, "--fill-days", "--dry-run"); err != nil || !strings.Contains(out, "2 days of people: 3 created") || !strings.Contains(out, "1 of the created days have no row") {
		t.Errorf("days without a row: %v\n%s", err, out)
	}
	if out := must(t, "", "import", "list", database); !strings.Contains(out, "clock.csv") || !strings.Contains(out, "done") {
		t.Errorf("imports:\n%s", out)
	}
	corrected := file("corrected.csv", "employee_id,work_date,arrival,departure", "A1,2026-03-02,09:10,18:00")
	if out, err := run(corrected, "--replace", "1", "--dry-run"); err != nil || !strings.Contains(out, "Import 1 would be reverted: 1 days of 1 people") {
		t.Errorf("a dry run of replacing:\n%s", out)
	}
	if out, err := run(corrected, "--replace", "1"); err != nil || !strings.Contains(out, "Import 1 was reverted: 1 days of 1 people") {
		t.Errorf("replaced: %v\n%s", err, out)
	}
	if out := must(t, "", "import", "revert", "2", database, "--dry-run"); !strings.Contains(out, "dry run") || !strings.Contains(out, "Import 2 would be reverted: 1 days of 1 people; 1 records would be gone") {
		t.Errorf("a dry run:\n%s", out)
	}
	if out := must(t, "", "import", "revert", "2", database); !strings.Contains(out, "1 records are gone") {
		t.Errorf("reverted:\n%s", out)
	}
	for id, want := range map[string]int{"2": 2, "9": 1} {
		if out, err := program(t, "", "import", "revert", id, database); exitCode(err) != want || strings.Contains(err.Error(), "report") {
			t.Errorf("import %s: %v\n%s", id, err, out)
		}
	}
}
