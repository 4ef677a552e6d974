package main

import (
	"errors"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// openTun creates a device that lasts until its file is closed.
func openTun(name string) (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	request, err := unix.NewIfreq(name)
	if err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(fd, unix.TUNSETIFF, request); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), name), nil
}

// do runs something on a thread that is in the namespace.
func (n *namespace) do(do func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		file, err := os.Open("/run/netns/" + n.name)
		if err == nil {
			err = errors.Join(unix.Setns(int(file.Fd()), unix.CLONE_NEWNET), file.Close())
		}
		if err == nil {
			err = do()
		}
		result <- err
	}()
	return <-result
}
