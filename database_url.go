package main

import (
	"fmt"
	"net/netip"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
)

// requireTLS returns a database URL whose connections to other machines are
// encrypted. Without an sslmode, drivers try TLS and go on without it if the server,
// or somebody between, refuses it. An sslmode in the URL or in PGSSLMODE is the
// operator's choice. A URL that cannot be read is returned as it is, because opening
// it names its mistake.
func requireTLS(url string) string {
	if strings.Contains(url, "sslmode=") || os.Getenv("PGSSLMODE") != "" {
		return url
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return url
	}
	other := !isThisMachine(config.Host)
	for _, fallback := range config.Fallbacks {
		other = other || !isThisMachine(fallback.Host)
	}
	switch isAddress := strings.Contains(url, "://"); {
	case !other:
		return url
	case isAddress && strings.Contains(url, "?"):
		return url + "&sslmode=require"
	case isAddress:
		return url + "?sslmode=require"
	default: // keywords and values
		return url + " sslmode=require"
	}
}

// isThisMachine reports whether a host of a database URL is a socket or a loopback
// address.
func isThisMachine(host string) bool {
	if strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// explainTLS says how to go on where the database of another machine has no TLS.
func explainTLS(err error) error {
	if err == nil || !strings.Contains(err.Error(), "server refused TLS connection") {
		return err
	}
	return fmt.Errorf("%w (connections to other machines are encrypted: give the database a certificate or, on a network that nobody else reaches, add sslmode=disable to its URL)", err)
}
