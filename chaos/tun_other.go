//go:build !linux

package main

import (
	"errors"
	"os"
)

var errOnlyLinux = errors.New("only Linux has namespaces of the network")

func openTun(string) (*os.File, error) { return nil, errOnlyLinux }

func (n *namespace) do(func() error) error { return errOnlyLinux }
