package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

// certificateFor makes a certificate that vouches for itself, and its key.
func certificateFor(t *testing.T, host string) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

func writeFile(t *testing.T, path string, content []byte) string {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// clientOf returns a client that trusts only the given certificate.
func clientOf(t *testing.T, cert []byte, host string) *http.Client {
	t.Helper()
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(cert)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, ServerName: host}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func TestServeWithCertificateFiles(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "console.crt"), filepath.Join(dir, "console.key")
	first, firstKey := certificateFor(t, "console.example")
	writeFile(t, certFile, first)
	writeFile(t, keyFile, firstKey)
	s := serve(t, "--database-url="+queriestest.URL(t), "--data-dir="+dir, "--tls-cert="+certFile, "--tls-key="+keyFile)
	if !strings.HasPrefix(s.url, "https://") {
		t.Fatalf("it announces %s", s.url)
	}
	answer, err := clientOf(t, first, "console.example").Get(s.url + "/login")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.ProtoMajor != 2 {
		t.Errorf("%s %s", answer.Proto, answer.Status)
	}

	second, secondKey := certificateFor(t, "console.example")
	writeFile(t, certFile, second)
	if _, err := clientOf(t, first, "console.example").Get(s.url + "/healthz"); err != nil {
		t.Errorf("between two files that do not belong together: %v", err)
	}
	writeFile(t, keyFile, secondKey)
	if _, err := clientOf(t, second, "console.example").Get(s.url + "/healthz"); err != nil {
		t.Errorf("the changed certificate: %v", err)
	}
}

// The authority is asked only for a certificate that is not stored, and never for
// another host.
func TestServeWithAutomaticCertificate(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificateFor(t, "console.example")
	if err := os.Mkdir(filepath.Join(dir, "certificates"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "certificates", "console.example"), append(key, cert...))
	s := serve(t, "--database-url="+queriestest.URL(t), "--data-dir="+dir, "--tls-auto=console.example", "--tls-auto-directory=https://127.0.0.1:1/")
	if got := status(t, clientOf(t, cert, "console.example"), s.url+"/healthz"); got != http.StatusOK {
		t.Errorf("status %d", got)
	}
	if _, err := clientOf(t, cert, "other.example").Get(s.url + "/healthz"); err == nil {
		t.Error("it answers for another host")
	}
}

func TestRefusedTLSOptions(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificateFor(t, "console.example")
	_, otherKey := certificateFor(t, "console.example")
	certOption := "--tls-cert=" + writeFile(t, filepath.Join(dir, "a.crt"), cert)
	keyOption := "--tls-key=" + writeFile(t, filepath.Join(dir, "a.key"), key)
	for says, options := range map[string][]string{
		"belong together": {certOption},
		"either":          {certOption, keyOption, "--tls-auto=console.example"},
		"no such file":    {certOption, "--tls-key=" + filepath.Join(dir, "none")},
		"does not match":  {certOption, "--tls-key=" + writeFile(t, filepath.Join(dir, "b.key"), otherKey)},
	} {
		if out, err := program(t, "", append([]string{"serve", "--listen=127.0.0.1:0"}, options...)...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v\n%s", options, err, out)
		}
	}
}
