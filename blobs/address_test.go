package blobs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"relative":                            filepath.Join(dir, "relative"),
		filepath.Join(dir, "absolute"):        filepath.Join(dir, "absolute"),
		"file://" + dir + "/with%20space":     filepath.Join(dir, "with space"),
		"FILE://" + dir + "/upper":            filepath.Join(dir, "upper"),
		filepath.Join(dir, "a:b"):             filepath.Join(dir, "a:b"),
		filepath.Join(dir, "with ?query=1&#"): filepath.Join(dir, "with ?query=1&#"),
	} {
		store, err := Open(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if got := store.String(); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
		if _, err := os.Stat(want); err != nil {
			t.Error(err)
		}
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"", file, "file://host/path", "file:", "file://", "file:relative", "file:///x?y", "nul\x00"} {
		if store, err := Open(address); err == nil {
			t.Errorf("%q opened %s", address, store)
		}
	}
}

func TestOpenBucket(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "ENVKEY")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "ENVSECRET")
	for address, want := range map[string]string{
		"s3://KEY:hunter2@s3.example.com/bucket":                         "https://s3.example.com s3://s3.example.com/bucket/ KEY hunter2 ",
		"s3://KEY:hunter2@127.0.0.1:9000/bucket/?insecure=1":             "http://127.0.0.1:9000 s3://127.0.0.1:9000/bucket/ KEY hunter2 ",
		"s3://KEY:hunter2@[::1]:9000/bucket/a/b/?insecure=0":             "https://[::1]:9000 s3://[::1]:9000/bucket/a/b/ KEY hunter2 ",
		"S3://KEY:SE%2FCR%40ET@example.com/bucket/a?region=eu-central-1": "https://example.com s3://example.com/bucket/a/ KEY SE/CR@ET eu-central-1",
		"s3://example.com/bucket":                                        "https://example.com s3://example.com/bucket/ ENVKEY ENVSECRET ",
	} {
		store, err := Open(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		b := store.(*bucket)
		given, err := b.client.GetCreds()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join([]string{b.client.EndpointURL().String(), b.String(), given.AccessKeyID, given.SecretAccessKey, regionOf(t, address)}, " ")
		if strings.TrimSuffix(got, "/") != strings.TrimSuffix(want, "/") {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if printed := fmt.Sprintf(verb, store); strings.Contains(printed, given.SecretAccessKey) {
				t.Errorf("%s prints the secret: %s", verb, printed)
			}
		}
	}
}

func regionOf(t *testing.T, address string) string {
	t.Helper()
	_, query, _ := strings.Cut(address, "?")
	region, _, err := bucketOptions(query)
	if err != nil {
		t.Fatal(err)
	}
	return region
}

func TestOpenRefusesAddress(t *testing.T) {
	t.Chdir(t.TempDir()) // what is taken for a path must not show up here
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
	for _, address := range []string{
		"s3:", "s3://", "s3:///bucket", "s3:KEY:hunter2@host/bucket", "s3:/KEY:hunter2@host/bucket",
		"s3://KEY:hunter2@host", "s3://KEY:hunter2@host/", "s3://KEY:hunter2@host/B", "s3://KEY:hunter2@host/BUCKET",
		"s3://KEY:hunter2@host/bucket/../x", "s3://KEY:hunter2@host/bucket//x", "s3://KEY:hunter2@host/bucket/x y",
		"s3://KEY:hunter2@host/bucket#hunter2", "s3://KEY:hunter2@host/bucket?insecure=hunter2", "s3://KEY:hunter2@host/bucket?hunter2=1",
		"s3://KEY:hunter2@host/bucket?region=hunter2&region=b", "s3://KEY:hunter2@host/bucket?%hunter2",
		"s3://KEY:hunter2/@host/bucket", "s3://KEY:1/hunter2@host/bucket", "s3://KEY:%hunter2@host/bucket", "s3://KEY:hunter2@ho st/bucket",
		"s3://KEY:hunter2@host:99999999/bucket", "s3://hunter2@host/bucket", "s3://:hunter2@host/bucket", "s3://host/bucket",
		"https://KEY:hunter2@host/bucket", "hunter2://x", "://hunter2", ":hunter2",
	} {
		store, err := Open(address)
		if err == nil {
			t.Errorf("%s opened %s", address, store)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error quotes it: %v", address, err)
		}
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("opened a folder: %v, %v", entries, err)
	}
}
