package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// restartPause is how long a program that ended stays away, as with a service manager.
const restartPause = 500 * time.Millisecond

// program is the real binary in a process group of its own. Whenever it ends it is
// started again, until stop.
type program struct {
	binary, dir string
	log         string // file to which it writes
	address     string // host and port
	metrics     string
	namespace   *namespace // nil for that of this process
	settings    []string   // of its environment, NAME=value

	mu      sync.Mutex
	offset  time.Duration // of its clock, from the next start on
	process *os.Process
	starts  int
	ends    bool
	ended   chan struct{} // closed after stop
}

func (p *program) url() string { return "http://" + p.address }

// start starts the program and waits until it is ready.
func (p *program) start(ctx context.Context) error {
	p.ended = make(chan struct{})
	if err := p.launch(); err != nil {
		close(p.ended)
		return err
	}
	if err := p.waitUntilReady(ctx, time.Minute); err != nil {
		return errors.Join(err, p.stop())
	}
	return nil
}

// launch starts the program, and a loop that starts it again.
func (p *program) launch() error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	command, err := p.spawn(log)
	if err != nil {
		return errors.Join(err, log.Close())
	}
	go func() {
		defer close(p.ended)
		defer log.Close()
		for {
			err := command.Wait()
			if p.isEnding() {
				return
			}
			fmt.Fprintf(log, "chaos: the program ended: %v\n", err)
			time.Sleep(restartPause)
			if command, err = p.spawn(log); err != nil {
				fmt.Fprintf(log, "chaos: %v\n", err)
				return
			}
		}
	}()
	return nil
}

func (p *program) isEnding() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ends
}

func (p *program) spawn(log *os.File) (*exec.Cmd, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	arguments := append(p.namespace.enter(), p.binary, "serve", "--listen", p.address)
	if p.metrics != "" {
		arguments = append(arguments, "--metrics-listen", p.metrics)
	}
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Env = environment(append(p.settings, "OFFICECONSOLE_DATA_DIR="+p.dir, "OFFICECONSOLE_CLOCK_OFFSET="+p.offset.String())...)
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("%w (make build makes the program)", err)
	}
	p.process = command.Process
	p.starts++
	return command, nil
}

// waitUntilReady waits for the program to answer that it is ready.
func (p *program) waitUntilReady(ctx context.Context, patience time.Duration) error {
	c := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for deadline := time.Now().Add(patience); ; {
		response, err := c.Get(p.url() + "/readyz")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
			err = fmt.Errorf("status %d", response.StatusCode)
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the program was not ready in %v: %w (%s)", patience, err, p.log)
		}
		if !wait(ctx, 50*time.Millisecond) {
			return ctx.Err()
		}
	}
}

// pid returns the process of the program as it is now.
func (p *program) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.process.Pid
}

// signal sends a signal to the program alone.
func (p *program) signal(signal syscall.Signal) error { return syscall.Kill(p.pid(), signal) }

// shiftClock changes the clock of the program at its next start.
func (p *program) shiftClock(offset time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.offset = offset
}

// stopTime is how long the program may take to finish what is running (the contract
// says 30 seconds) and to stop its database.
const stopTime = 45 * time.Second

// stop ends the program for good.
func (p *program) stop() error {
	p.mu.Lock()
	p.ends = true
	process := p.process
	p.mu.Unlock()
	if process == nil {
		return nil
	}
	_ = process.Signal(syscall.SIGTERM) // an error means that it has ended
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopTime):
	}
	killAll(append(descendants(process.Pid), process.Pid))
	<-p.ended
	return fmt.Errorf("the program did not stop within %v and was killed", stopTime)
}

// environment returns the environment of this process with settings of the program
// instead of those that it may have.
func environment(settings ...string) []string {
	own := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "OFFICECONSOLE_") || strings.HasPrefix(variable, "DATABASE_URL=")
	})
	return append(own, settings...)
}

// freeAddress returns an address of the loopback interface at which nobody listens.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
