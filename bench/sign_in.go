package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"officeconsole/demo"
)

// The attack: attempts a second from the addresses of one network, in rounds that
// alternate with quiet ones, a minute in all. At most mostOpen attempts are open, so that
// a program that does not answer is not asked for ever more.
const (
	attackRate   = 1000
	attackRounds = 6
	attackTime   = 10 * time.Second
	quietTime    = 4 * time.Second
	mostOpen     = 4000
	signInPeople = 1000 // of the company
)

// signIns measures how long people wait for signing in while a program guesses passwords
// from another network, by the time that they wait without it.
func signIns(ctx context.Context, b *bench) error {
	database, err := b.server.url(ctx, signInPeople)
	if err != nil {
		return err
	}
	p, err := b.startProgram(ctx, "OFFICECONSOLE_DATABASE_URL="+database)
	if err != nil {
		return err
	}
	defer p.close()
	if err := p.waitUntilIdle(ctx); err != nil {
		return err
	}
	a := &attack{program: p}
	device, err := a.knownDevice(ctx)
	if err != nil {
		return err
	}
	var quiet, busy signInTimes
	for range attackRounds {
		if err := a.people(ctx, quietTime, device, &quiet); err != nil {
			return err
		}
		stop := a.begin(ctx)
		err := a.people(ctx, attackTime, device, &busy)
		stop()
		if err != nil {
			return err
		}
	}
	b.table.head(fmt.Sprintf("%d attempts to sign in a second from one network, %s", attackRate, attackRounds*attackTime))
	b.table.row("known device, of its usual time", "≤ 2", ratioOf(busy.known, quiet.known))
	b.table.row("new device elsewhere, of its usual time", "≤ 2", ratioOf(busy.strange, quiet.strange))
	b.table.row("known, new device usually, ms", "", fmt.Sprintf("%.0f; %.0f", milliseconds(median(quiet.known)), milliseconds(median(quiet.strange))))
	b.table.row("attempts sent; refused as too many; skipped; failed", "", fmt.Sprintf("%d; %d; %d; %d", a.sent.Load(), a.busy.Load(), a.skipped.Load(), a.failed.Load()))
	b.table.row("most memory meanwhile", "< 200 MiB", fmt.Sprintf("%.1f MiB", a.memory))
	return nil
}

// signInTimes are how long signing in took: with a device that the person
// has signed in with before, and with a new one in a network of its own.
type signInTimes struct{ known, strange []time.Duration }

// ratioOf is the ratio of the medians, with that of the 95th percentiles.
func ratioOf(busy, quiet []time.Duration) string {
	slices.Sort(busy)
	slices.Sort(quiet)
	ratio := milliseconds(median(busy)) / milliseconds(median(quiet))
	late := milliseconds(busy[len(busy)*95/100]) / milliseconds(quiet[len(quiet)*95/100])
	return fmt.Sprintf("%.2f (95th percentile %.2f, slowest %.0f ms)", ratio, late, milliseconds(busy[len(busy)-1]))
}

// attack sends attempts to the program from addresses of the loopback network.
type attack struct {
	program *program
	network int // of the next new device
	memory  float64

	sent, busy, skipped, failed, open atomic.Int64
}

// clientFrom returns a client with an address of its own.
func clientFrom(address string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &http.Client{
		Transport:     &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 50},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       time.Minute,
	}
}

func (a *attack) post(ctx context.Context, client *http.Client, email, password, cookie string) (*http.Response, error) {
	form := url.Values{"email": {email}, "password": {password}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+a.program.address+"/login", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if cookie != "" {
		request.Header.Set("Cookie", cookie)
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	return answer, answer.Body.Close()
}

// knownDevice signs the administrator in and returns the cookie of the device.
func (a *attack) knownDevice(ctx context.Context) (string, error) {
	answer, err := a.post(ctx, clientFrom("127.77.1.1"), "admin@"+demo.Host, demo.Password, "")
	if err != nil {
		return "", err
	}
	for _, c := range answer.Cookies() {
		if c.Name == "officeconsole_device" {
			return c.Name + "=" + c.Value, nil
		}
	}
	return "", fmt.Errorf("cannot sign in: %s", answer.Status)
}

// people signs in with the known device and with new ones in turns, as the only person.
func (a *attack) people(ctx context.Context, during time.Duration, device string, times *signInTimes) error {
	known := clientFrom("127.77.1.1")
	defer known.CloseIdleConnections()
	for began := time.Now(); time.Since(began) < during; {
		a.network++
		strange := clientFrom(fmt.Sprintf("127.%d.%d.1", 100+a.network/250%100, a.network%250))
		for _, turn := range []struct {
			client *http.Client
			cookie string
			times  *[]time.Duration
		}{{known, device, &times.known}, {strange, "", &times.strange}} {
			sent := time.Now()
			answer, err := a.post(ctx, turn.client, "admin@"+demo.Host, demo.Password, turn.cookie)
			if err != nil {
				return err
			}
			if answer.StatusCode != http.StatusSeeOther {
				return fmt.Errorf("a person cannot sign in: %s", answer.Status)
			}
			*turn.times = append(*turn.times, time.Since(sent))
		}
		strange.CloseIdleConnections()
		resident, _, err := a.program.memory()
		if err == nil {
			a.memory = max(a.memory, resident)
		}
	}
	return nil
}

// begin starts a round of the attack, from all addresses of a network and for accounts
// that exist or do not. It lasts until stop is called.
func (a *attack) begin(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var clients []*http.Client
	for i := range 250 {
		clients = append(clients, clientFrom(fmt.Sprintf("127.66.6.%d", i+1)))
	}
	var all sync.WaitGroup
	all.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			for range attackRate / 100 {
				n := a.sent.Add(1)
				if a.open.Add(1) > mostOpen {
					a.open.Add(-1)
					a.skipped.Add(1)
					continue
				}
				all.Go(func() {
					defer a.open.Add(-1)
					a.guess(ctx, clients[n%int64(len(clients))], n)
				})
			}
		}
	})
	return func() {
		cancel()
		all.Wait()
		for _, client := range clients {
			client.CloseIdleConnections()
		}
	}
}

func (a *attack) guess(ctx context.Context, client *http.Client, n int64) {
	answer, err := a.post(ctx, client, fmt.Sprintf("guess%d@%s", n, demo.Host), "Guess!2026", "")
	switch {
	case ctx.Err() != nil:
	case err != nil:
		a.failed.Add(1)
	case answer.StatusCode == http.StatusTooManyRequests:
		a.busy.Add(1)
	case answer.StatusCode != http.StatusUnprocessableEntity:
		a.failed.Add(1)
	}
}
