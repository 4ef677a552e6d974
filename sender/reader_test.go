package sender

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestHTTPClient(t *testing.T) {
	address, requests := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			io.WriteString(w, strings.Repeat("x", 1001))
		case "/moved":
			http.Redirect(w, r, "/exact", http.StatusFound)
		default:
			io.WriteString(w, strings.Repeat("x", 1000))
		}
	})
	client := loopback.HTTPClient(1000)
	for _, test := range []struct {
		path   string
		status int
		err    error
	}{{"/exact", 200, nil}, {"/large", 200, ErrTooLarge}, {"/moved", 302, nil}} {
		answer, err := client.Get(address + test.path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != test.status || !errors.Is(err, test.err) {
			t.Errorf("%s: %d, %v", test.path, answer.StatusCode, err)
		}
	}
	if requests.Load() != 3 {
		t.Errorf("%d requests", requests.Load())
	}
	if _, err := (Network{}).HTTPClient(1000).Get(address); !errors.Is(err, ErrAddress) {
		t.Errorf("private address: %v", err)
	}
}
