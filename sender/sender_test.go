package sender

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"golang.org/x/net/dns/dnsmessage"
)

var loopback = Network{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}

// receiver answers with do, and counts its requests.
func receiver(t *testing.T, do http.HandlerFunc) (address string, requests *atomic.Int32) {
	t.Helper()
	requests = &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		do(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func message(address string) Message {
	return Message{ID: "msg_1", URL: address, Body: []byte(`{"type":"policy.changed"}`), Secrets: []string{NewSecret()}, At: time.Now()}
}

// The example of the specification's own libraries.
func TestSign(t *testing.T) {
	m := Message{ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", Body: []byte(`{"test": 2432232314}`), At: time.Unix(1614265330, 0), Secrets: []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}}
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	if got, err := sign(m); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	m.Secrets = append(m.Secrets, NewSecret())
	if got, err := sign(m); err != nil || !strings.HasPrefix(got, want+" v1,") || strings.Count(got, "v1,") != 2 {
		t.Errorf("with two secrets: %s, %v", got, err)
	}
	if got, err := sign(Message{Secrets: []string{"whsec_?"}}); err == nil {
		t.Errorf("with a broken secret: %s", got)
	}
}

func TestNewSecret(t *testing.T) {
	one, other := NewSecret(), NewSecret()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(one, "whsec_"))
	if err != nil || len(key) != 32 || one == other {
		t.Errorf("%s, %s: %v", one, other, err)
	}
}

func TestSend(t *testing.T) {
	var m Message
	var verified error
	address, _ := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.UserAgent() != "OfficeConsole/test" {
			t.Errorf("%s %v %v", r.Method, r.Header, err)
		}
		for _, secret := range m.Secrets {
			verifier, err := standardwebhooks.NewWebhook(secret)
			verified = errors.Join(verified, err, verifier.Verify(body, r.Header))
		}
		w.WriteHeader(http.StatusAccepted)
		io.WriteString(w, " taken\r\n\x00with "+strings.Repeat("가", 1000))
	})
	m = message(address)
	m.Secrets = append(m.Secrets, NewSecret())
	answer, err := NewClient(loopback, nil, "OfficeConsole/test").Send(t.Context(), m)
	if err != nil || verified != nil {
		t.Fatalf("%v; signature %v", err, verified)
	}
	if !answer.Accepted() || answer.Status != 202 || !strings.HasPrefix(answer.Text, "taken with 가가") || len(answer.Text) > 1<<10 || !strings.HasSuffix(answer.Text, "가") {
		t.Errorf("%+v", answer)
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	inner, reached := receiver(t, func(http.ResponseWriter, *http.Request) {})
	address, _ := receiver(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, inner, http.StatusTemporaryRedirect) })
	answer, err := NewClient(loopback, nil, "").Send(t.Context(), message(address))
	if err != nil || answer.Status != http.StatusTemporaryRedirect || answer.Accepted() || reached.Load() != 0 {
		t.Errorf("%+v, %v, %d requests", answer, err, reached.Load())
	}
}

func TestPrivateAddressIsNotReached(t *testing.T) {
	address, requests := receiver(t, func(http.ResponseWriter, *http.Request) {})
	named := strings.Replace(address, "127.0.0.1", "localhost", 1)
	for _, to := range []string{address, named, "https" + strings.TrimPrefix(address, "http")} {
		if _, err := NewClient(Network{}, nil, "").Send(t.Context(), message(to)); !errors.Is(err, ErrAddress) || Failure(err) != "address" {
			t.Errorf("%s: %v", to, err)
		}
	}
	if requests.Load() != 0 {
		t.Errorf("%d requests", requests.Load())
	}
}

// The environment must not lead around the check of the address.
func TestProxyOfTheEnvironmentIsNotUsed(t *testing.T) {
	proxy, requests := receiver(t, func(http.ResponseWriter, *http.Request) {})
	t.Setenv("HTTP_PROXY", proxy)
	t.Setenv("ALL_PROXY", proxy)
	if _, err := NewClient(loopback, nil, "").Send(t.Context(), message("http://192.0.2.1/")); !errors.Is(err, ErrAddress) || requests.Load() != 0 {
		t.Errorf("%v, %d requests", err, requests.Load())
	}
}

// A name that resolves to an allowed address first and to a private one later is
// refused at the attempt at which it does.
func TestRebinding(t *testing.T) {
	listener, err := net.Listen("tcp", "0.0.0.0:0") // both addresses
	if err != nil {
		t.Fatal(err)
	}
	requests := atomic.Int32{}
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) })}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	_, port, _ := net.SplitHostPort(listener.Addr().String())

	answers := atomic.Pointer[netip.Addr]{}
	resolver := fakeResolver(t, &answers)
	client := NewClient(Network{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}}, resolver, "")
	for i, test := range []struct {
		resolved string
		refused  bool
	}{{"127.0.0.2", false}, {"127.0.0.1", true}, {"127.0.0.2", false}} {
		address := netip.MustParseAddr(test.resolved)
		answers.Store(&address)
		_, err := client.Send(t.Context(), message("http://hooks.example:"+port+"/"))
		if errors.Is(err, ErrAddress) != test.refused || !test.refused && err != nil {
			t.Errorf("attempt %d, at %s: %v", i+1, test.resolved, err)
		}
	}
	if requests.Load() != 2 {
		t.Errorf("%d requests", requests.Load())
	}
}

// fakeResolver resolves every name to the address that is stored.
func fakeResolver(t *testing.T, address *atomic.Pointer[netip.Addr]) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		packet := make([]byte, 512)
		for {
			n, client, err := server.ReadFrom(packet)
			if err != nil {
				return
			}
			var query dnsmessage.Message
			if err := query.Unpack(packet[:n]); err != nil {
				t.Error(err)
				return
			}
			question := query.Questions[0]
			answer := dnsmessage.Message{Header: dnsmessage.Header{ID: query.ID, Response: true}, Questions: query.Questions}
			if question.Type == dnsmessage.TypeA {
				header := dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: question.Class}
				answer.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: address.Load().As4()}}}
			}
			content, err := answer.Pack()
			if err != nil {
				t.Error(err)
				return
			}
			server.WriteTo(content, client)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func TestFailure(t *testing.T) {
	released := make(chan struct{})
	slow, _ := receiver(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-released:
		case <-r.Context().Done():
		}
	})
	defer close(released)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	plain, _ := url.Parse(slow)
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	client := NewClient(loopback, nil, "")
	for want, address := range map[string]string{
		"timeout": slow, "connection": "http://" + closed.Addr().String(), "address": "http://127.0.0.3/", "tls": untrusted.URL,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if want == "timeout" {
			ctx, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
		}
		_, err := client.Send(ctx, message(address))
		if err == nil || Failure(err) != want {
			t.Errorf("%s is %q: %v", want, Failure(err), err)
		}
		cancel()
	}
	if _, err := client.Send(t.Context(), message("https://"+plain.Host)); err == nil || Failure(err) != "tls" {
		t.Errorf("TLS with a server without it is %v", err)
	}
	if got := Failure(&net.DNSError{Err: "no such host", IsNotFound: true}); got != "name" {
		t.Errorf("an unknown name is %q", got)
	}
}
