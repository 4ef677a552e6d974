//go:build previous

package postgres

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"officeconsole/demo"
	"officeconsole/move"
	"officeconsole/queries/areas"
	"officeconsole/queries/migrations"
)

// previous is the major version that tools/postgres-previous has.
const previous = "17"

func TestUpgradesThePreviousMajor(t *testing.T) {
	dir := openDir(t)
	now := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)
	before := fillPrevious(t, dir, demo.Options{Employees: 300, Days: 20, Seed: 1, Today: now})

	s, err := Start(t.Context(), dir, WithUpgrade(func(ctx context.Context, from, to string) error {
		began := time.Now()
		r, err := move.Copy(ctx, from, to, func(move.Progress) {})
		t.Logf("%d rows of %d tables in %s", r.Rows, r.Tables, time.Since(began).Round(time.Millisecond))
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t, s)
	if got := text(t, s, "show server_version"); !strings.HasPrefix(got, Major+".") {
		t.Errorf("after the upgrade: %s", got)
	}
	if after := text(t, s, counts); after != before {
		t.Errorf("the tables had %s, and have %s", before, after)
	}
	db, err := areas.Open(t.Context(), s.URL(), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	companies, err := db.Directory.Companies(t.Context())
	if err != nil || len(companies) != 2 {
		t.Fatalf("%d companies, %v", len(companies), err)
	}
	for _, company := range companies {
		if v, err := db.Audit.Verify(t.Context(), company.ID); err != nil || v.Damage != "" {
			t.Errorf("change log of %s: %+v, %v", company.Host, v, err)
		}
	}
	removed, err := ConfirmUpgrade(dir)
	if err != nil || len(removed) != 1 || removed[0] != filepath.Join(dir, "data-"+previous) {
		t.Errorf("removed %v, %v", removed, err)
	}
}

const counts = "select concat_ws(' ', (select count(*) from users), (select count(*) from clock_events), (select count(*) from day_records), (select count(*) from changes))"

// fillPrevious makes dir one of a program with the previous major version, and returns
// how many rows its tables have.
func fillPrevious(t *testing.T, dir string, options demo.Options) (rows string) {
	t.Helper()
	h, err := openHome(dir)
	if err != nil {
		t.Fatal(err)
	}
	h.unpacked = h.path("server-previous")
	if err := extract(os.DirFS("../tools/postgres-previous"), h.unpacked); err != nil {
		t.Fatal(err)
	}
	if err := h.initCluster(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	s := newServer(WithoutSync())
	s.home = h
	if err := s.launch(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer stop(t, s)
	if got := text(t, s, "show server_version"); !strings.HasPrefix(got, previous+".") {
		t.Fatalf("the previous server is %s", got)
	}
	if err := migrations.Run(t.Context(), s.URL()); err != nil {
		t.Fatal(err)
	}
	db, err := areas.Open(t.Context(), s.URL(), func() time.Time { return options.Today })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := demo.Fill(t.Context(), db.DB, options, nil); err != nil {
		t.Fatal(err)
	}
	return text(t, s, counts)
}
