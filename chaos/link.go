package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"
)

// link is a connection between two namespaces that this process carries packet by
// packet, so that it can lose them: unlike netem of tc, that needs no module of the
// kernel besides tun.
type link struct {
	files [2]*os.File
	loss  atomic.Int64 // of a thousand packets
	delay atomic.Int64 // in nanoseconds, each way
}

// end is one end of a link.
type end struct {
	in      *namespace // nil for that of this process
	address string
}

// newLink connects two ends, each of which has the address of the other one as its peer.
func newLink(ctx context.Context, name string, ends [2]end) (*link, error) {
	l := &link{}
	for i, e := range ends {
		open := func() (err error) { l.files[i], err = openTun(name); return err }
		var err error
		if e.in == nil {
			err = open()
		} else {
			err = e.in.do(open)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open a tunnel: %w", err), l.close())
		}
		run := func(arguments ...string) error { return ip(ctx, arguments...) }
		if e.in != nil {
			run = func(arguments ...string) error { return e.in.ip(ctx, arguments...) }
		}
		if err := errors.Join(run("address", "add", e.address, "peer", ends[1-i].address, "dev", name), run("link", "set", name, "up")); err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	go l.carry(l.files[0], l.files[1])
	go l.carry(l.files[1], l.files[0])
	return l, nil
}

// carry moves packets from one end to the other until one of them is closed. A delay
// does not reorder them.
func (l *link) carry(from, to *os.File) {
	type packet struct {
		due  time.Time
		data []byte
	}
	waiting := make(chan packet, 1000) // more are lost, as in the queue of a router
	go func() {
		for p := range waiting {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.data); errors.Is(err, os.ErrClosed) {
				return
			}
		}
	}()
	defer close(waiting)
	buffer := make([]byte, 65536)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if rand.Int64N(1000) < l.loss.Load() {
			continue
		}
		select {
		case waiting <- packet{time.Now().Add(time.Duration(l.delay.Load())), append([]byte(nil), buffer[:n]...)}:
		default:
		}
	}
}

// set chooses what share of packets is lost, in thousandths, and how long each takes.
func (l *link) set(loss int64, delay time.Duration) {
	l.loss.Store(loss)
	l.delay.Store(int64(delay))
}

func (l *link) close() error {
	var errs []error
	for _, file := range l.files {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	return errors.Join(errs...)
}
