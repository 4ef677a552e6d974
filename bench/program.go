package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// program is the real binary in a process of its own.
type program struct {
	site
	command *exec.Cmd
	ready   time.Duration // from its start to the first 200 of /readyz
}

// startProgram starts the program of the bench and returns once it is ready.
// Settings are environment variables, NAME=value.
func (b *bench) startProgram(ctx context.Context, settings ...string) (*program, error) {
	return startProgram(ctx, b.binary, settings...)
}

// startProgram starts a program and returns once it is ready.
func startProgram(ctx context.Context, binary string, settings ...string) (*program, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p := &program{site: site{address: address}, command: exec.Command(binary, "serve", "--listen", address)}
	p.command.Env = append(os.Environ(), settings...)
	p.command.Stdout, p.command.Stderr = log, log
	began := time.Now()
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("%w (make build makes it)", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.command.Wait() }()
	p.close = func() {
		p.command.Process.Signal(syscall.SIGTERM)
		<-ended
	}
	if err := p.waitUntilReady(ctx, ended); err != nil {
		p.command.Process.Kill()
		return nil, err
	}
	p.ready = time.Since(began)
	return p, nil
}

func (p *program) waitUntilReady(ctx context.Context, ended chan error) error {
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	late := time.After(time.Minute)
	for {
		select {
		case <-poll.C:
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return errors.New("the program ended before it was ready")
		case <-late:
			return errors.New("the program did not become ready in time")
		}
		answer, err := http.Get("http://" + p.address + "/readyz")
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return nil
		}
	}
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// memory returns the resident memory of the process, and the part of it that is
// not backed by files, in MiB.
func (p *program) memory() (resident, own float64, err error) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.command.Process.Pid) + "/status")
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		kilobytes, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 64)
		switch name {
		case "VmRSS":
			resident = kilobytes / 1024
		case "RssAnon":
			own = kilobytes / 1024
		}
	}
	return resident, own, nil
}

// waitUntilIdle waits for the work after a start, such as the records of a new
// day, to finish: until the program uses almost no processor time for three
// seconds.
func (p *program) waitUntilIdle(ctx context.Context) error {
	for before := time.Duration(-1); ; {
		select {
		case <-time.After(3 * time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
		used, err := p.processorTime()
		if errors.Is(err, os.ErrNotExist) {
			return nil // not Linux
		}
		if err != nil {
			return err
		}
		if before >= 0 && used-before < 50*time.Millisecond {
			return nil
		}
		before = used
	}
}

// processorTime returns the processor time of the program so far.
func (p *program) processorTime() (time.Duration, error) {
	return processorTimeOf(p.command.Process.Pid, false)
}

// processorTimeOf returns the processor time of a process so far, to a
// hundredth of a second, on request with that of its children that have ended.
func processorTimeOf(pid int, withEnded bool) (time.Duration, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[11:15] // user and system, of itself and of ended children
	if !withEnded {
		fields = fields[:2]
	}
	var hundredths int
	for _, field := range fields {
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0, err
		}
		hundredths += n
	}
	return time.Duration(hundredths) * 10 * time.Millisecond, nil
}
