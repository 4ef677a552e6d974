package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"officeconsole/postgres"
)

// tlsOptions are the options of a console that serves https itself.
type tlsOptions struct {
	Cert          string `name:"tls-cert" env:"OFFICECONSOLE_TLS_CERT" placeholder:"FILE" type:"path" help:"Serve https with this certificate and its chain (PEM). A changed file counts at once."`
	Key           string `name:"tls-key" env:"OFFICECONSOLE_TLS_KEY" placeholder:"FILE" type:"path" help:"The key of the certificate (PEM)."`
	Auto          string `name:"tls-auto" env:"OFFICECONSOLE_TLS_AUTO" placeholder:"HOST" help:"Serve https for this host name with certificates of Let's Encrypt, which must reach it at port 443."`
	AutoDirectory string `name:"tls-auto-directory" env:"OFFICECONSOLE_TLS_AUTO_DIRECTORY" placeholder:"URL" help:"ACME directory of another authority."`
}

// config returns nil where the console serves http.
func (o tlsOptions) config(c *commands) (*tls.Config, error) {
	switch {
	case (o.Cert == "") != (o.Key == ""):
		return nil, errors.New("--tls-cert and --tls-key belong together")
	case o.Cert != "" && o.Auto != "":
		return nil, errors.New("specify either --tls-cert and --tls-key, or --tls-auto")
	case o.Cert != "":
		files := &certificateFiles{cert: o.Cert, key: o.Key}
		if _, err := files.certificate(nil); err != nil {
			return nil, err
		}
		return &tls.Config{GetCertificate: files.certificate}, nil
	case o.Auto != "":
		return o.automatic(c)
	}
	return nil, nil
}

// automatic returns a configuration whose certificates are requested when they are
// first needed, and renewed a month before they expire.
func (o tlsOptions) automatic(c *commands) (*tls.Config, error) {
	dir, err := c.dataDir()
	if err != nil {
		return nil, err
	}
	if err := postgres.MakeDir(dir); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	manager := autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		HostPolicy: autocert.HostWhitelist(o.Auto),
		Cache:      autocert.DirCache(filepath.Join(dir, "certificates")),
	}
	if o.AutoDirectory != "" {
		manager.Client = &acme.Client{DirectoryURL: o.AutoDirectory}
	}
	return manager.TLSConfig(), nil
}

// certificateFiles is a certificate that is read again when its files have changed.
type certificateFiles struct {
	cert, key string

	mutex  sync.Mutex
	read   *tls.Certificate
	stamps [2]time.Time // of the files when they were last read
}

// certificate is for tls.Config. While the files cannot be read, or do not belong
// together, it returns what was read before.
func (f *certificateFiles) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var stamps [2]time.Time
	for i, name := range []string{f.cert, f.key} {
		if info, err := os.Stat(name); err == nil {
			stamps[i] = info.ModTime()
		}
	}
	if f.read != nil && stamps == f.stamps {
		return f.read, nil
	}
	f.stamps = stamps
	read, err := tls.LoadX509KeyPair(f.cert, f.key)
	switch {
	case err == nil:
		f.read = &read
	case f.read == nil:
		return nil, fmt.Errorf("certificate: %w", err)
	default:
		slog.Error("cannot read the changed certificate, serving the earlier one", "err", err)
	}
	return f.read, nil
}
