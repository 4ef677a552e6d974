package seal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"officeconsole/seal"
)

var (
	first  = bytes.Repeat([]byte{1}, seal.KeyBytes)
	second = bytes.Repeat([]byte{2}, seal.KeyBytes)
	field  = seal.Field{Table: "providers", Column: "client_secret", CompanyID: 1, RowID: 2}
)

func keys(t *testing.T, secrets ...[]byte) *seal.Keys {
	t.Helper()
	k, err := seal.New(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func sealed(t *testing.T, k *seal.Keys, secret string) string {
	t.Helper()
	text, err := k.Seal(field, secret)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSeal(t *testing.T) {
	k := keys(t, first)
	for _, secret := range []string{"", "whsec_abc", strings.Repeat("비밀", 1000), "\x00"} {
		text := sealed(t, k, secret)
		if !seal.IsSealed(text) || seal.IsSealed(secret) || secret != "" && strings.Contains(text, secret) || text == sealed(t, k, secret) {
			t.Errorf("%q is sealed as %q", secret, text)
		}
		if got, err := k.Open(field, text); got != secret || err != nil {
			t.Errorf("%q opens as %q, %v", secret, got, err)
		}
	}
}

// A text opens in its own field only, and only as it was sealed.
func TestSealedTextsAreBound(t *testing.T) {
	k := keys(t, first)
	text := sealed(t, k, "secret")
	for _, f := range []seal.Field{
		{Table: "webhooks", Column: "client_secret", CompanyID: 1, RowID: 2},
		{Table: "providers", Column: "secret", CompanyID: 1, RowID: 2},
		{Table: "providers", Column: "client_secret", CompanyID: 2, RowID: 2},
		{Table: "providers", Column: "client_secret", CompanyID: 1, RowID: 1},
		{Table: "providers", Column: "client_secret", CompanyID: 12},
	} {
		if got, err := k.Open(f, text); got != "" || !errors.Is(err, seal.ErrAltered) {
			t.Errorf("in %s: %q, %v", f, got, err)
		}
	}
	for i := range text {
		altered := []byte(text)
		altered[i] ^= 4
		if got, err := k.Open(field, string(altered)); got != "" || err == nil {
			t.Errorf("with another character %d: %q", i, got)
		}
		if got, err := k.Open(field, text[:i]); got != "" || err == nil {
			t.Errorf("cut at %d: %q", i, got)
		}
	}
	if _, err := k.Open(field, "plain"); !errors.Is(err, seal.ErrAltered) {
		t.Errorf("a plain text: %v", err)
	}
}

func TestRotation(t *testing.T) {
	before := keys(t, first)
	text := sealed(t, before, "secret")
	both := keys(t, second, first)
	if got, err := both.Open(field, text); got != "secret" || err != nil {
		t.Errorf("the text of the earlier key: %q, %v", got, err)
	}
	newer := sealed(t, both, "secret")
	if _, err := before.Open(field, newer); !errors.Is(err, seal.ErrUnknownKey) || !strings.Contains(err.Error(), "providers.client_secret of company 1, row 2") {
		t.Errorf("the text of an unknown key: %v", err)
	}
	current, err := both.Current()
	if err != nil || !strings.HasPrefix(newer, seal.Prefix(current)) || strings.HasPrefix(text, seal.Prefix(current)) || !both.Has(current) || before.Has(current) {
		t.Errorf("the current key %q, %v", current, err)
	}
}

func TestMissingKeys(t *testing.T) {
	reason := errors.New("no file")
	k := seal.Missing(reason)
	_, sealing := k.Seal(field, "secret")
	_, opening := k.Open(field, "sealed:1:x:y")
	_, current := k.Current()
	for _, err := range []error{sealing, opening, current} {
		if !errors.Is(err, reason) {
			t.Error(err)
		}
	}
	if _, err := seal.New(); err == nil {
		t.Error("keys without a key")
	}
}

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.key")
	if _, err := seal.Load(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	created, err := seal.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	text := sealed(t, created, "secret")
	for _, load := range []func(string) (*seal.Keys, error){seal.Load, seal.Create} { // creating leaves an existing file
		k, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := k.Open(field, text); got != "secret" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := seal.Load(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that others can read: %v", err)
	}
	for _, none := range []string{t.TempDir(), os.DevNull} {
		if _, err := seal.Load(none); err == nil || !strings.Contains(err.Error(), none+" is not a file") {
			t.Errorf("what is no file: %v", err)
		}
	}
	for content, says := range map[string]string{
		"":                         "there is no key",
		"# a comment\n\n":          "there is no key",
		"AAAA\n":                   "line 1",
		"\n# x\nnot base64 at all": "line 3",
	} {
		bad := filepath.Join(t.TempDir(), "secret.key")
		if err := os.WriteFile(bad, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := seal.Load(bad); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "not base64 at all") {
			t.Errorf("%q: %v", content, err)
		}
	}
}
