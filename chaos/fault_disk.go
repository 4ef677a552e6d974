package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// diskSize is the size of a disk in bytes: that of the company, and some room.
const diskSize = 700 << 20

// disk is a small file system in a file.
type disk struct{ dir string }

// onDisk starts a console with its built-in database on a small disk of its own.
func (b *laboratory) onDisk(ctx context.Context, s *site) error {
	image, dir := b.newDir("disk")+".image", b.newDir("mounted")
	file, err := os.Create(image)
	if err != nil {
		return err
	}
	s.later(func() error { return os.Remove(image) })
	if err := errors.Join(file.Truncate(diskSize), file.Close(), os.Mkdir(dir, 0o755)); err != nil {
		return err
	}
	for _, command := range [][]string{{"mkfs.ext4", "-q", "-m", "0", image}, {"mount", "-o", "loop", image, dir}} {
		if err := execute(ctx, command...); err != nil {
			return err
		}
	}
	s.disk = &disk{dir}
	s.later(func() error { return execute(context.Background(), "umount", dir) })
	data := filepath.Join(dir, "console")
	if err := b.copyTo(ctx, data); err != nil {
		return err
	}
	return b.serve(ctx, s, data)
}

func execute(ctx context.Context, command ...string) error {
	output, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, output)
	}
	return nil
}

// fullTime is how long the disk is full.
const fullTime = 15 * time.Second

// fillDisk fills the disk to the last byte, again and again because the database frees
// some, and then makes room.
func fillDisk(ctx context.Context, s *site) error {
	path := filepath.Join(s.disk.dir, "filling")
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	block := make([]byte, 1<<20)
	for end := time.Now().Add(fullTime); time.Now().Before(end) && ctx.Err() == nil; {
		if _, err := file.Write(block); err != nil {
			if len(block) > 4096 {
				block = block[:len(block)/2]
				continue
			}
			wait(ctx, 100*time.Millisecond)
		}
	}
	return errors.Join(file.Close(), os.Remove(path))
}

const (
	slowTime    = 20 * time.Second
	frozenPart  = 1800 * time.Millisecond
	writingPart = 200 * time.Millisecond
)

// slowDisk lets nothing be written to the disk for nine tenths of the time.
func slowDisk(ctx context.Context, s *site) error {
	for end := time.Now().Add(slowTime); time.Now().Before(end) && ctx.Err() == nil; {
		if err := s.disk.freeze(frozenPart); err != nil {
			return err
		}
		time.Sleep(writingPart)
	}
	return nil
}

// freeze stops all writes to the disk for some time.
func (d *disk) freeze(lasting time.Duration) error {
	// Neither command may be cancelled: a disk that stays frozen stops whoever writes.
	if err := execute(context.Background(), "fsfreeze", "--freeze", d.dir); err != nil {
		return err
	}
	time.Sleep(lasting)
	return execute(context.Background(), "fsfreeze", "--unfreeze", d.dir)
}
