package sender

import (
	"errors"
	"io"
	"net/http"
)

// ErrTooLarge is the error of an answer that is longer than it may be.
var ErrTooLarge = errors.New("answer is too large")

// HTTPClient returns a client for short answers, such as the documents of a
// provider of single sign-on. It reaches only the addresses that the network
// allows, follows no redirects, and takes at most Timeout for a request. Reading
// more than maxAnswer bytes of an answer fails with ErrTooLarge.
func (n Network) HTTPClient(maxAnswer int64) *http.Client {
	return &http.Client{
		Transport:     bounded{secure: n.transport(true, nil), plain: n.transport(false, nil), maxAnswer: maxAnswer},
		CheckRedirect: refuseRedirect,
		Timeout:       Timeout,
	}
}

type bounded struct {
	secure, plain *http.Transport
	maxAnswer     int64
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	transport := b.plain
	if r.URL.Scheme == "https" {
		transport = b.secure
	}
	response, err := transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = &boundedBody{response.Body, b.maxAnswer}
	return response, nil
}

// boundedBody is a body of which at most left bytes remain to be read.
type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}
