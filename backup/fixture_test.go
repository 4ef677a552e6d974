package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/blobs"
	"officeconsole/postgres"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/link"
	"officeconsole/queries/migrations"
)

// console is a built-in database that runs, with a company, people and files.
type console struct {
	dir     string
	db      *areas.Areas
	files   blobs.Store
	company int64
	banner  string // the key of a file that a row refers to
}

// running is the console of all tests of this package.
var running = sync.OnceValues(func() (console, error) {
	dir, err := os.MkdirTemp(folder, "console")
	if err != nil {
		return console{}, err
	}
	c := console{dir: dir}
	if err := os.Chmod(dir, 0o755); err != nil {
		return c, err
	}
	ctx := context.Background()
	server, err := postgres.Start(ctx, dir, postgres.WithoutSync())
	if err != nil {
		return c, err
	}
	stop = server.Stop
	if err := migrations.Run(ctx, server.URL()); err != nil {
		return c, err
	}
	if c.db, err = areas.Open(ctx, server.URL(), time.Now); err != nil {
		return c, err
	}
	if err := c.db.EnsurePartitions(ctx); err != nil {
		return c, err
	}
	if c.files, err = blobs.Open(filepath.Join(dir, "blobs")); err != nil {
		return c, err
	}
	return c, c.fill(ctx)
})

func (c *console) fill(ctx context.Context) error {
	company, err := c.db.Directory.CreateCompany(ctx, queries.Actor{Name: "test"}, directory.NewCompany{Name: "가나상사", Host: "gana.example", TimeZone: "Asia/Seoul"})
	if err != nil {
		return err
	}
	c.company = company.ID
	for i := range 20 {
		p := directory.NewUser{Name: fmt.Sprintf("김하나%d", i), Email: fmt.Sprintf("hana%d@gana.example", i)}
		if _, err := c.db.Directory.CreateUser(ctx, queries.Actor{CompanyID: c.company, Name: "test"}, p); err != nil {
			return err
		}
	}
	for i := range 3 {
		blob, err := c.files.Put(ctx, c.company, strings.NewReader(strings.Repeat(fmt.Sprint(i), 1000)), 1<<20)
		if err != nil {
			return err
		}
		c.banner = blob.Key
	}
	_, err = c.db.Links.Create(ctx, queries.Actor{CompanyID: c.company}, link.Draft{Name: "포털", URL: "{host}", Banner: c.banner})
	return err
}

func open(t *testing.T) console {
	t.Helper()
	c, err := running()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c console) source() Source {
	return Source{DataDir: c.dir, Blobs: c.files, Program: "test"}
}

var (
	folder string // of this package's tests; root's server may enter it
	stop   = func() error { return nil }
)

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "backup-test-"); err == nil {
		err = os.Chmod(folder, 0o755)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	if err := errors.Join(stop(), os.RemoveAll(folder)); err != nil {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}

// openDir returns a directory that root's server can enter.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(folder, "t")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// whole is an archive of the console, made once.
var whole = sync.OnceValues(func() ([]byte, error) {
	c, err := running()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "whole.tar.zst")
	if _, err := Create(context.Background(), c.source(), path, nil); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func archive(t *testing.T) []byte {
	t.Helper()
	content, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func save(t *testing.T, content []byte) string {
	t.Helper()
	path := filepath.Join(openDir(t), "archive")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// repack writes an archive again with other entries and its digest computed again, as
// somebody would who wants to deceive. Change returns nil for an entry that it drops.
func repack(t *testing.T, content []byte, change func(name string, content []byte) []byte) string {
	t.Helper()
	r, err := newReader(bytes.NewReader(content), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	var packed bytes.Buffer
	w, err := newWriter(&packed, nil, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for {
		header, err := r.tar.Next()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.tar)
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeDir {
			if err := w.writeEntry(header.Name, 0, nil); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if text = change(header.Name, text); text == nil {
			continue
		}
		if header.Name == summaryName {
			var summary Summary
			if err := errors.Join(json.Unmarshal(text, &summary), w.close(summary)); err != nil {
				t.Fatal(err)
			}
			return save(t, packed.Bytes())
		}
		if err := w.writeEntry(header.Name, int64(len(text)), bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
}

// edit returns a JSON text in which a function has changed the value.
func edit[T any](t *testing.T, text []byte, change func(*T)) []byte {
	t.Helper()
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	change(&value)
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// keepChanging changes rows until it is stopped, and returns the changes.
func (c console) keepChanging(t *testing.T) (end func() (changes int)) {
	t.Helper()
	ctx := t.Context()
	running, cancel := context.WithCancel(ctx)
	done, began := make(chan int), make(chan struct{})
	go func() {
		ctx, by, changes := context.WithoutCancel(ctx), queries.Actor{CompanyID: c.company}, 0
		for ; running.Err() == nil; changes++ {
			id, err := c.db.Links.Create(ctx, by, link.Draft{Name: "사내 소식", URL: "{host}"})
			if err == nil {
				_, err = c.db.Links.Delete(ctx, by, id, 0)
			}
			if err == nil {
				_, err = c.db.Directory.CreateUser(ctx, by, directory.NewUser{Name: "박둘", Email: fmt.Sprintf("dul%d@gana.example", time.Now().UnixNano())})
			}
			if err != nil {
				t.Error(err)
				break
			}
			if changes == 0 {
				close(began)
			}
		}
		done <- changes
	}()
	<-began
	return func() int { cancel(); return <-done }
}

func countIn(t *testing.T, dir, statement string) (count int) {
	t.Helper()
	server, err := postgres.Start(t.Context(), dir, postgres.WithoutSync())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	conn, err := pgx.Connect(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), statement).Scan(&count); err != nil {
		t.Fatal(err)
	}
	return count
}
