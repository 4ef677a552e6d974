package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/postgres"
	"officeconsole/queries/migrations"
)

func TestCommandsBesideARunningServer(t *testing.T) {
	dir := filepath.Join(shortDir(t), "data")
	s := serve(t, "--data-dir", dir)
	files := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(files, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	people := write("people.csv", "employee_id,name,email,department_path\n1,이하나,hana@gana.example,가나상사/영업팀\n")
	times := write("times.csv", "employee_id,work_date,arrival,departure\n1,2026-03-02,09:00,18:00\n")
	for _, command := range []struct{ line, stdin, says string }{
		{"migrate", "", "up to date"},
		{"company create --name 가나상사 --host gana.example", "", "was created. Its attendance begins with the time zone Asia/Seoul and the public holidays of KR"},
		{"company list", "", "gana.example"},
		{"user create --admin --name 나운영 --email ops@gana.example", "", "was created"},
		{"user set-password ops@gana.example", "Gana!2026x\n", "was set"},
		{"user password-link ops@gana.example --public-url https://console.gana.example/", "", "https://console.gana.example/password?token="},
		{"user grant-admin ops@gana.example", "", "administrator"},
		{"token create --scope read", "", ""},
		{"allow-ip reset", "", "Policies changed: 0."},
		{"import directory " + people, "", "1"},
		{"import attendance " + times, "", "1"},
		{"verify", "", "all as they were written"},
	} {
		out := must(t, command.stdin, append(strings.Fields(command.line), "--data-dir="+dir)...)
		if !strings.Contains(out, command.says) {
			t.Errorf("%s: %s", command.line, out)
		}
	}
	for line, says := range map[string]string{
		"user unhide ops@gana.example":        "is not hidden",
		"user reactivate ops@gana.example":    "is not deactivated",
		"user unlock ops@gana.example":        "is not locked",
		"user reset-factors ops@gana.example": "has no second factor",
		"demo":                                "needs an empty database",
	} {
		if out, err := program(t, "", append(strings.Fields(line), "--data-dir="+dir)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
	if got := status(t, http.DefaultClient, s.url+"/readyz"); got != http.StatusOK {
		t.Errorf("the server after the commands: %d", got)
	}

	url, err := postgres.Running(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, schema := range []struct{ statement, says string }{
		{"insert into schema_migrations (version_id, is_applied) values (9999, true)", "newer than this program"},
		{"delete from schema_migrations where version_id = (select max(version_id) from schema_migrations where version_id < 9999) or version_id = 9999", "older than this program"},
	} {
		if _, err := conn.Exec(t.Context(), schema.statement); err != nil {
			t.Fatal(err)
		}
		if out, err := program(t, "", "company", "list", "--data-dir="+dir); err == nil || !strings.Contains(err.Error(), schema.says) {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// A command of an account that may not use the directory of a server says who may.
func TestCommandsOfAnotherAccount(t *testing.T) {
	if os.Geteuid() != 0 {
		return // only root can become another account
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	root := shortDir(t)
	executable, dir := filepath.Join(root, "officeconsole"), filepath.Join(root, "above", "data")
	if err := os.WriteFile(executable, image, 0o755); err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--data-dir", dir)
	for name, mode := range map[string]os.FileMode{dir: 0o755, filepath.Join(dir, "data"): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	expect := func(step string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), executable, "user", "set-password", "admin@hanbit.example", "--data-dir="+dir)
		command.Dir, command.Env = "/", []string{asProgram + "=1"}
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		output, err := command.CombinedOutput()
		if text := string(output); command.ProcessState.ExitCode() != 1 || strings.Count(text, "\n") != 1 || !strings.Contains(text, dir) || !strings.Contains(text, "run this as root, or as the user") {
			t.Errorf("%s: %v\n%s", step, err, text)
		}
	}
	expect("in a directory that it may only read")
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	expect("in a directory that it may write")
	if err := os.Chmod(filepath.Dir(dir), 0o750); err != nil {
		t.Fatal(err)
	}
	expect("below a directory that it may not enter")
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := status(t, http.DefaultClient, s.url+"/readyz"); got != http.StatusOK {
		t.Errorf("the server after the commands: %d", got)
	}
}

// A data directory of an earlier version belongs to the superuser, as which the
// program connected.
func TestDataDirectoryOfAnEarlierVersion(t *testing.T) {
	dir := filepath.Join(shortDir(t), "data")
	server, err := postgres.Start(t.Context(), dir, postgres.WithoutSync(), postgres.AsSuperuser())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	conn, err := pgx.Connect(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "reassign owned by console to officeconsole; drop role console"); err != nil {
		t.Fatal(err)
	}
	if err := migrations.Run(t.Context(), server.URL()); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	trust := "local all all trust\n"
	if err := os.WriteFile(filepath.Join(dir, "data", "pg_hba.conf"), []byte(trust), 0o644); err != nil {
		t.Fatal(err)
	}

	must(t, "", "demo", "--employees=20", "--days=1", "--data-dir="+dir)
	must(t, "", "verify", "--data-dir="+dir)
	server, err = postgres.Start(t.Context(), dir, postgres.WithoutSync())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	if conn, err = pgx.Connect(t.Context(), server.URL()); err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var foreign string
	err = conn.QueryRow(t.Context(), `select coalesce(string_agg(name, ' '), '') from (
		select relname as name from pg_class where relnamespace = 'public'::regnamespace and relowner <> current_user::regrole
		union all
		select oid::regprocedure::text from pg_proc p where pronamespace = 'public'::regnamespace and proowner <> current_user::regrole
			and not exists (select from pg_depend where objid = p.oid and deptype = 'e')) owned`).Scan(&foreign)
	if err != nil || foreign != "" {
		t.Errorf("the program does not own %s (%v)", foreign, err)
	}
}
