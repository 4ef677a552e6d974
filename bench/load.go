package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// connections is the number of clients that send requests at the same time.
const connections = 16

// outcome is the result of a load.
type outcome struct {
	perSecond float64
	p50, p99  time.Duration
	processor time.Duration // of this process per request, client and server together
	bytes     int           // of the last response body, as sent
}

// load requests a path over several connections, each of which sends its next
// request as soon as it has a response. Any status but 200 is an error.
func (s *site) load(ctx context.Context, path string, clients int, lasting time.Duration) (outcome, error) {
	took := make([][]time.Duration, clients)
	var bytes int
	began, used := time.Now(), processorTime()
	group, ctx := errgroup.WithContext(ctx)
	for i := range clients {
		group.Go(func() error {
			c, err := s.dial(ctx)
			if err != nil {
				return err
			}
			defer c.conn.Close()
			for sent := time.Now(); sent.Sub(began) < lasting && ctx.Err() == nil; {
				n, err := c.get(path)
				if err != nil {
					return err
				}
				now := time.Now()
				took[i] = append(took[i], now.Sub(sent))
				sent = now
				if i == 0 {
					bytes = n
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return outcome{}, err
	}
	lasted, used := time.Since(began), processorTime()-used
	all := slices.Concat(took...)
	slices.Sort(all)
	return outcome{
		perSecond: float64(len(all)) / lasted.Seconds(),
		p50:       all[len(all)/2], p99: all[len(all)*99/100],
		processor: used / time.Duration(len(all)),
		bytes:     bytes,
	}, nil
}

// client sends requests over one connection with as little work as possible,
// because it shares the processors with the server under test.
type client struct {
	conn   net.Conn
	in     *bufio.Reader
	out    []byte
	host   string
	cookie string
	header string // further lines of each request
}

func (s *site) dial(ctx context.Context) (*client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, err
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), host: s.address, cookie: s.cookie}, nil
}

// get requests a page with compression and returns the length of the response
// body.
func (c *client) get(path string) (int, error) {
	c.out = fmt.Appendf(c.out[:0], "GET %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nAccept-Encoding: gzip\r\nAccept-Language: ko\r\n%s\r\n", path, c.host, c.cookie, c.header)
	if _, err := c.conn.Write(c.out); err != nil {
		return 0, err
	}
	status, err := c.line()
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		return 0, fmt.Errorf("GET %s: %s", path, status)
	}
	length := -1 // -1 for a chunked body
	for {
		line, err := c.line()
		if err != nil {
			return 0, err
		}
		if len(line) == 0 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		}
	}
	if length >= 0 {
		return c.in.Discard(length)
	}
	return c.chunks()
}

func (c *client) chunks() (total int, err error) {
	for {
		line, err := c.line()
		if err != nil {
			return total, err
		}
		length, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil {
			return total, err
		}
		if _, err := c.in.Discard(int(length) + len("\r\n")); err != nil {
			return total, err
		}
		if length == 0 {
			return total, nil
		}
		total += int(length)
	}
}

func (c *client) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// time returns the median time of a request when there is only one client.
func (c *client) time(path string, times int) (time.Duration, error) {
	took := make([]time.Duration, times)
	for i := range took {
		began := time.Now()
		if _, err := c.get(path); err != nil {
			return 0, err
		}
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return took[times/2], nil
}

// processorTime returns the processor time of this process so far.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // it can only fail for other arguments
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return strings.TrimPrefix(text, ",")
}
