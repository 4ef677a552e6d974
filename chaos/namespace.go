package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// network is the range of all addresses in the namespaces. It is reserved for tests of
// networks (RFC 2544).
const network = "198.18.0.0/15"

// namespace is a network of its own, which stands for a host.
type namespace struct{ name string }

// newNamespace creates a namespace, whose name has the number of this process.
func newNamespace(ctx context.Context, host string) (*namespace, error) {
	n := &namespace{fmt.Sprintf("chaos-%d-%s", os.Getpid(), host)}
	if err := ip(ctx, "netns", "add", n.name); err != nil {
		return nil, err
	}
	return n, n.ip(ctx, "link", "set", "lo", "up")
}

// enter returns the beginning of a command that runs in the namespace.
func (n *namespace) enter() []string {
	if n == nil {
		return nil
	}
	return []string{"ip", "netns", "exec", n.name}
}

func (n *namespace) ip(ctx context.Context, arguments ...string) error {
	return ip(ctx, append([]string{"-n", n.name}, arguments...)...)
}

func (n *namespace) remove() error { return ip(context.Background(), "netns", "delete", n.name) }

func ip(ctx context.Context, arguments ...string) error {
	output, err := exec.CommandContext(ctx, "ip", arguments...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(arguments, " "), err, output)
	}
	return nil
}
