package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"
)

// apart starts two consoles and their database, each in a network of its own. This
// process reaches the consoles by links that are never disturbed.
func (b *laboratory) apart(ctx context.Context, s *site) error {
	hosts := make([]*namespace, 3)
	for i, name := range []string{"database", "console1", "console2"} {
		n, err := newNamespace(ctx, name)
		if err != nil {
			return err
		}
		s.later(n.remove)
		hosts[i] = n
	}
	if err := b.database(ctx, s, &server{dir: b.newDir("database"), namespace: hosts[0], address: "0.0.0.0"}); err != nil {
		return err
	}
	for i, host := range hosts[1:] {
		address := func(part, end int) string { return fmt.Sprintf("198.18.%d.%d", 10*part+i, end) }
		back, err := newLink(ctx, fmt.Sprintf("back%d", i), [2]end{{hosts[0], address(1, 1)}, {host, address(1, 2)}})
		if err != nil {
			return err
		}
		s.later(back.close)
		front, err := newLink(ctx, fmt.Sprintf("oc%d-%d", os.Getpid(), i), [2]end{{nil, address(2, 1)}, {host, address(2, 2)}})
		if err != nil {
			return err
		}
		s.later(front.close)
		s.links = append(s.links, back)
		database := fmt.Sprintf("postgres://%s@%s:%s/%s?sslmode=disable", databaseRole, address(1, 1), databasePort, databaseName)
		if err := s.add(ctx, b.beside(s, address(2, 2)+":8080", database, host)); err != nil {
			return err
		}
	}
	return nil
}

const lossTime = 30 * time.Second

// losePackets loses packets between the database and all consoles.
func losePackets(ctx context.Context, s *site) error {
	for _, l := range s.links {
		l.set(200, 10*time.Millisecond)
	}
	wait(ctx, lossTime)
	for _, l := range s.links {
		l.set(0, 0)
	}
	return nil
}

// cutTime is how long a console is cut off.
const cutTime = 30 * time.Second

// cutConsole loses all packets between the database and the first console, which must
// say that it is not ready, while the other one goes on.
func cutConsole(ctx context.Context, s *site) error {
	s.links[0].set(1000, 0)
	defer s.links[0].set(0, 0)
	wait(ctx, cutTime/2)
	if status, err := readiness(s.programs[0]); err != nil || status != http.StatusServiceUnavailable {
		return fmt.Errorf("the console that was cut off answers /readyz with %d: %v", status, err)
	}
	if status, err := readiness(s.programs[1]); err != nil || status != http.StatusOK {
		return fmt.Errorf("the other console answers /readyz with %d: %v", status, err)
	}
	wait(ctx, cutTime/2)
	return nil
}

func readiness(p *program) (int, error) {
	c := http.Client{Timeout: requestTimeout}
	response, err := c.Get(p.url() + "/readyz")
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}
