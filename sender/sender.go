// Package sender sends signed messages to the servers of others, as Standard
// Webhooks (https://www.standardwebhooks.com) describes it, and only to
// addresses that a Network allows.
package sender

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Timeout is how long an attempt may take, from resolving the name to the end of
// the answer.
const Timeout = 10 * time.Second

// Limits of what is read of an answer, in bytes.
const (
	maxAnswer = 1 << 10
	maxHeader = 16 << 10
)

// SecretPrefix begins the text form of every secret.
const SecretPrefix = "whsec_"

// secretBytes is the length of a secret; the specification asks for 24 to 64.
const secretBytes = 32

// NewSecret returns a random secret in its text form.
func NewSecret() string {
	key := make([]byte, secretBytes)
	rand.Read(key) // never fails
	return SecretPrefix + base64.StdEncoding.EncodeToString(key)
}

// Message is one attempt to send a message. Body is JSON. It is signed with each
// of the secrets, so that a receiver that knows one of them accepts it.
type Message struct {
	ID      string
	URL     string
	Body    []byte
	Secrets []string
	At      time.Time // of the attempt
}

// Answer is what a receiver answered. Text is the beginning of its body in one
// line.
type Answer struct {
	Status int
	Text   string
}

// Accepted reports whether the receiver has taken the message.
func (a Answer) Accepted() bool { return a.Status >= 200 && a.Status < 300 }

// Client sends messages. It is safe for concurrent use.
type Client struct {
	secure, plain *http.Client
	agent         string
}

// NewClient returns a client that reaches only the addresses that the network
// allows. Its requests name the agent. resolver may be nil.
func NewClient(network Network, resolver *net.Resolver, agent string) *Client {
	client := func(secure bool) *http.Client {
		return &http.Client{Transport: network.transport(secure, resolver), CheckRedirect: refuseRedirect}
	}
	return &Client{client(true), client(false), agent}
}

func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// transport returns what connects to the addresses that the network allows, with or
// without TLS. resolver may be nil.
func (n Network) transport(secure bool, resolver *net.Resolver) *http.Transport {
	dialer := net.Dialer{Timeout: Timeout, Resolver: resolver, Control: n.control(secure)}
	return &http.Transport{
		Proxy:                  nil, // it would be reached instead of the address that was checked
		DialContext:            dialer.DialContext,
		DisableKeepAlives:      true, // every attempt resolves the name and checks the address again
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
	}
}

// Send sends a message once. An error means that there was no answer.
func (c *Client) Send(ctx context.Context, m Message) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return Answer{}, err
	}
	signature, err := sign(m)
	if err != nil {
		return Answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", c.agent)
	request.Header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	request.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(m.At.Unix(), 10))
	request.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	client := c.plain
	if request.URL.Scheme == "https" {
		client = c.secure
	}
	response, err := client.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	// A body that breaks off does not change the status.
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return Answer{response.StatusCode, oneLine(body)}, nil
}

// sign returns the signatures of a message with each of its secrets.
func sign(m Message) (string, error) {
	signatures := make([]string, len(m.Secrets))
	for i, secret := range m.Secrets {
		signer, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return "", fmt.Errorf("secret of the webhook: %w", err)
		}
		if signatures[i], err = signer.Sign(m.ID, m.At, m.Body); err != nil {
			return "", fmt.Errorf("sign message: %w", err)
		}
	}
	return strings.Join(signatures, " "), nil
}

// oneLine returns a text that can be stored and shown in a line.
func oneLine(body []byte) string {
	text := strings.ToValidUTF8(string(body), "")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == utf8.RuneError || r == 0x7f }), " ")
}

// Failure is why there was no answer, as one of the words of Failures.
func Failure(err error) string {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.Is(err, ErrAddress):
		return "address"
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.As(err, &dns):
		return "name"
	case errors.As(err, &certificate), errors.Is(err, http.ErrSchemeMismatch):
		return "tls"
	}
	return "connection"
}

// Failures are the reasons why there can be no answer.
var Failures = []string{"address", "timeout", "name", "tls", "connection"}
