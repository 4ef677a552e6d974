package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
)

// proxy forwards the traffic between the console and its database. It counts
// the round trips: one for every simple query and every Sync, whatever the
// number of statements before it.
type proxy struct {
	url      string
	trips    atomic.Int64
	listener net.Listener
	target   string
	dir      string
}

// newProxy listens on a unix socket, like the database itself.
func newProxy(database string) (*proxy, error) {
	u, err := url.Parse(database)
	if err != nil {
		return nil, err
	}
	query := u.Query()
	socket := ".s.PGSQL." + query.Get("port")
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	p := &proxy{target: filepath.Join(query.Get("host"), socket), dir: dir}
	if p.listener, err = net.Listen("unix", filepath.Join(dir, socket)); err != nil {
		return nil, err
	}
	query.Set("host", dir)
	u.RawQuery = query.Encode()
	p.url = u.String()
	go p.accept()
	return p, nil
}

func (p *proxy) close() {
	p.listener.Close()
	os.RemoveAll(p.dir)
}

func (p *proxy) accept() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("unix", p.target)
		if err != nil {
			from.Close()
			continue
		}
		go func() {
			io.Copy(from, to)
			from.Close()
		}()
		go func() {
			p.forward(to, from)
			to.Close()
		}()
	}
}

// forward copies the messages of the frontend. Each has a type and a length,
// except the first, which has only a length.
func (p *proxy) forward(to io.Writer, from io.Reader) {
	in, out := bufio.NewReader(from), bufio.NewWriter(to)
	for first := true; ; first = false {
		header := make([]byte, 5)
		if first {
			header = header[1:]
		}
		if _, err := io.ReadFull(in, header); err != nil {
			return
		}
		kind := header[0]
		out.Write(header)
		length := int64(binary.BigEndian.Uint32(header[len(header)-4:])) - 4
		if _, err := io.CopyN(out, in, length); err != nil {
			return
		}
		if !first && (kind == 'Q' || kind == 'S') {
			p.trips.Add(1)
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return
			}
		}
	}
}
