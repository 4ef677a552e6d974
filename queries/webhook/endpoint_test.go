package webhook_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/queriestest"
	"officeconsole/queries/webhook"
	"officeconsole/sender"
)

var admin = queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}

const address = "https://hooks.example/console"

// create gives the company a webhook and returns its secret.
func create(t *testing.T, db *areas.Areas) string {
	t.Helper()
	secret, err := db.Webhooks.Create(t.Context(), admin, webhook.Draft{URL: address, Enabled: true})
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func endpoint(t *testing.T, db *areas.Areas) webhook.Endpoint {
	t.Helper()
	e, err := db.Webhooks.Endpoint(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// publish publishes messages of a type to the company.
func publish(t *testing.T, db *areas.Areas, types ...string) {
	t.Helper()
	for _, messageType := range types {
		err := db.Publish(t.Context(), queriestest.Hanbit, db.Now(), messageType, map[string]string{"about": messageType})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestRefusedWebhook(t *testing.T) {
	db := queriestest.New(t)
	private := sender.Network{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.1.0.0/16")}}
	for _, test := range []struct {
		url     string
		network sender.Network
		want    queries.Invalid
	}{
		{"", sender.Network{}, "webhook.url.required"},
		{"https://hooks.example/" + strings.Repeat("a", 480), sender.Network{}, "webhook.url.too_long"},
		{"hooks.example", sender.Network{}, "webhook.url.invalid"},
		{"https://", sender.Network{}, "webhook.url.invalid"},
		{"https:hooks.example", sender.Network{}, "webhook.url.invalid"},
		{"https://:443/", sender.Network{}, "webhook.url.invalid"},
		{"https://hooks.example:/", sender.Network{}, "webhook.url.invalid"},
		{"https://hooks.example:99999/", sender.Network{}, "webhook.url.invalid"},
		{"https://hooks.example:0/", sender.Network{}, "webhook.url.invalid"},
		{"https://hooks.example/#part", sender.Network{}, "webhook.url.invalid"},
		{"https://hooks.exa mple/", sender.Network{}, "webhook.url.invalid"},
		{"https://hooks.example/\n", sender.Network{}, ""},
		{"javascript:alert(1)", sender.Network{}, "webhook.url.invalid"},
		{"ftp://hooks.example/", sender.Network{}, "webhook.url.scheme"},
		{"http://hooks.example/", sender.Network{}, "webhook.url.scheme"},
		{"https://user:secret@hooks.example/", sender.Network{}, "webhook.url.password"},
		{"https://127.0.0.1/", sender.Network{}, "webhook.url.private"},
		{"https://[::1]/", sender.Network{}, "webhook.url.private"},
		{"https://[::ffff:10.0.0.1]/", sender.Network{}, "webhook.url.private"},
		{"https://169.254.169.254/latest/", sender.Network{}, "webhook.url.private"},
		{"https://LOCALHOST/", sender.Network{}, "webhook.url.private"},
		{"https://a.localhost:8443/", sender.Network{}, "webhook.url.private"},
		{"https://10.2.0.1/", private, "webhook.url.private"},
		{"http://93.184.216.34/", private, "webhook.url.private"},
		{"http://10.1.2.3/", private, ""},
		{"http://localhost:8080/", private, ""},
		{"http://hooks.internal/", private, ""},
		{"https://93.184.216.34/", sender.Network{}, ""},
		{address + "?team=1", sender.Network{}, ""},
	} {
		db.Webhooks.Allow(test.network)
		_, err := db.Webhooks.Check(webhook.Draft{URL: test.url})
		var refused queries.FieldErrors
		if errors.As(err, &refused); refused["url"] != test.want {
			t.Errorf("%s: %v, want %q", test.url, err, test.want)
		}
	}
	db.Webhooks.Allow(sender.Network{})
	for want, types := range map[queries.Invalid][]string{
		"webhook.types.required": {}, "webhook.types.unknown": {"policy.changed", "policy.deleted"},
	} {
		_, err := db.Webhooks.Create(t.Context(), admin, webhook.Draft{URL: address, Types: types})
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || !maps.Equal(refused, queries.FieldErrors{"types": want}) {
			t.Errorf("%v: %v", types, err)
		}
	}
	if _, err := db.Webhooks.Endpoint(t.Context(), queriestest.Hanbit); !errors.Is(err, queries.NotFound) {
		t.Errorf("a refused webhook was stored: %v", err)
	}
}

func TestChangesOfWebhook(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	secret := create(t, db)
	if e := endpoint(t, db); e.Secret != secret || e.VersionNo != 1 || e.Draft().Types != nil {
		t.Errorf("%+v", e)
	}
	if _, err := db.Webhooks.Create(t.Context(), admin, webhook.Draft{URL: address}); err != queries.Conflict("webhook.changed") {
		t.Errorf("a second one: %v", err)
	}
	d := webhook.Draft{URL: " " + address + "/2 ", Types: []string{"link.changed", "policy.changed", "link.changed"}}
	if err := db.Webhooks.Update(t.Context(), admin, 9, d); err != queries.Conflict("webhook.changed") {
		t.Errorf("another version: %v", err)
	}
	for range 2 { // the second time there is nothing to change
		if err := db.Webhooks.Update(t.Context(), admin, 0, d); err != nil {
			t.Fatal(err)
		}
	}
	if e := endpoint(t, db); e.URL != address+"/2" || !slices.Equal(e.Types, []string{"policy.changed", "link.changed"}) || e.Enabled || e.VersionNo != 2 || e.Secret != secret {
		t.Errorf("%+v", e)
	}
	newer, err := db.Webhooks.RotateSecret(t.Context(), admin, time.Hour)
	if e := endpoint(t, db); err != nil || e.Secret != newer || newer == secret || e.PreviousSecretHint(db.Now()) == "" {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := db.Webhooks.RotateSecret(t.Context(), admin, time.Minute); err != queries.Conflict("webhook.overlap.running") || endpoint(t, db).Secret != newer {
		t.Errorf("during the overlap: %v", err)
	}
	clock.Advance(time.Hour)
	if e := endpoint(t, db); e.PreviousSecretHint(db.Now()) != "" {
		t.Errorf("after the overlap: %+v", e)
	}
	for _, overlap := range []time.Duration{-1, webhook.MaxOverlap + 1} {
		var refused queries.FieldErrors
		if _, err := db.Webhooks.RotateSecret(t.Context(), admin, overlap); !errors.As(err, &refused) || refused["overlap"] == "" {
			t.Errorf("an overlap of %v: %v", overlap, err)
		}
	}
	if _, err := db.Webhooks.RotateSecret(t.Context(), admin, webhook.MaxOverlap); err != nil {
		t.Error(err)
	}
	if _, err := db.Webhooks.RotateSecret(t.Context(), admin, 0); err != nil || endpoint(t, db).PreviousSecretHint(db.Now()) != "" {
		t.Errorf("all at once: %+v, %v", endpoint(t, db), err)
	}
	if _, err := db.Webhooks.RotateSecret(t.Context(), admin, webhook.MaxOverlap); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := db.Webhooks.EndPreviousSecret(t.Context(), admin); err != nil || endpoint(t, db).PreviousSecret != nil {
			t.Errorf("%+v, %v", endpoint(t, db), err)
		}
	}
	if err := db.Webhooks.Delete(t.Context(), admin, 1); err != queries.Conflict("webhook.changed") {
		t.Errorf("another version: %v", err)
	}
	if err := db.Webhooks.Delete(t.Context(), admin, 2); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"delete": db.Webhooks.Delete(t.Context(), admin, 0), "update": db.Webhooks.Update(t.Context(), admin, 0, webhook.Draft{URL: address}),
		"resume": db.Webhooks.Resume(t.Context(), queriestest.Hanbit), "end": db.Webhooks.EndPreviousSecret(t.Context(), admin),
	} {
		if !errors.Is(err, queries.NotFound) {
			t.Errorf("%s without a webhook: %v", name, err)
		}
	}
	const log = "select string_agg(action, ' ' order by id) from changes where object_type = 'webhook' and object_name = 'hooks.example'"
	const want = "webhook.created webhook.updated webhook.secret_rotated webhook.secret_rotated webhook.secret_rotated webhook.secret_rotated webhook.secret_ended webhook.deleted"
	if got := queriestest.LookUp(t, db, log); got != want {
		t.Errorf("change log: %s", got)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from changes where coalesce(old::text, '') || coalesce(new::text, '') ~ 'whsec'"); got != "0" {
		t.Errorf("%s changes have a secret", got)
	}
}

// What the console publishes can be chosen.
func TestTypesAreAllThatArePublished(t *testing.T) {
	var published []string
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			f, _ := declaration.(*ast.FuncDecl)
			ast.Inspect(declaration, func(node ast.Node) bool {
				if answer, ok := node.(*ast.ReturnStmt); ok && f != nil && f.Name.Name == "messageType" { // of PublishAll
					published = append(published, typesIn(answer.Results)...)
				}
				call, ok := node.(*ast.CallExpr)
				if !ok {
					return true
				}
				name, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || name.Sel.Name != "Publish" && name.Sel.Name != "publish" {
					return true
				}
				found := typesIn(call.Args)
				if len(found) == 0 && (f == nil || f.Name.Name != "publish") {
					t.Errorf("%s publishes a message whose type is not a literal", path)
				}
				published = append(published, found...)
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(published)
	if got, want := slices.Sorted(slices.Values(webhook.Types)), slices.Compact(published); !slices.Equal(got, want) {
		t.Errorf("types %v, published %v", got, want)
	}
}

// typesIn returns the types of messages among expressions.
func typesIn(args []ast.Expr) []string {
	var types []string
	for _, arg := range args {
		if literal, ok := arg.(*ast.BasicLit); ok {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				types = append(types, text)
			}
		}
	}
	return types
}
