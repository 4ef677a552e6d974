package main

import (
	"errors"
	"strings"
	"testing"
)

func TestDatabaseOfAnotherMachineNeedsTLS(t *testing.T) {
	for url, want := range map[string]string{
		"postgres://c:s@db.example/console":                     "postgres://c:s@db.example/console?sslmode=require",
		"postgres://c:s@db.example/console?pool_max_conns=20":   "postgres://c:s@db.example/console?pool_max_conns=20&sslmode=require",
		"host=db.example dbname=console":                        "host=db.example dbname=console sslmode=require",
		"postgres://c:s@127.0.0.1,10.1.2.3/console":             "postgres://c:s@127.0.0.1,10.1.2.3/console?sslmode=require",
		"postgres://c:s@db.example/console?sslmode=verify-full": "postgres://c:s@db.example/console?sslmode=verify-full",
		"postgres://c:s@db.example/console?sslmode=disable":     "postgres://c:s@db.example/console?sslmode=disable",
		"postgres://c:s@127.0.0.1:5433/console":                 "postgres://c:s@127.0.0.1:5433/console",
		"postgres://c:s@[::1]/console":                          "postgres://c:s@[::1]/console",
		"postgres://c:s@localhost/console":                      "postgres://c:s@localhost/console",
		"postgres://console@/console?host=/var/run/postgresql":  "postgres://console@/console?host=/var/run/postgresql",
		"host=/var/run/postgresql dbname=console":               "host=/var/run/postgresql dbname=console",
		"nonsense://": "nonsense://",
	} {
		t.Setenv("PGSSLMODE", "")
		if got := requireTLS(url); got != want {
			t.Errorf("%s becomes %s", url, got)
		}
		t.Setenv("PGSSLMODE", "prefer")
		if got := requireTLS(url); got != url {
			t.Errorf("%s becomes %s despite PGSSLMODE", url, got)
		}
	}
}

func TestDatabaseWithoutTLSIsExplained(t *testing.T) {
	if err := explainTLS(errors.New("reach database: tls error: server refused TLS connection")); !strings.Contains(err.Error(), "sslmode=disable") {
		t.Error(err)
	}
	if err := explainTLS(errors.New("reach database: no password")); strings.Contains(err.Error(), "sslmode") {
		t.Error(err)
	}
}
