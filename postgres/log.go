package postgres

import (
	"errors"
	"os"
	"strings"
	"sync"
)

const (
	logLimit  = 10 << 20 // bytes of a file; one earlier file is kept
	tailLimit = 2 << 10
)

// rotatingLog is the server's log. Write never fails, because the server must
// go on when the log cannot be written.
type rotatingLog struct {
	path    string
	account account

	mutex sync.Mutex
	file  *os.File
	size  int64
	last  []byte
}

func openLog(path string, account account) (*rotatingLog, error) {
	log := &rotatingLog{path: path, account: account}
	return log, log.open()
}

func (l *rotatingLog) open() error {
	file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err := errors.Join(err, l.account.chown(l.path)); err != nil {
		return errors.Join(err, file.Close())
	}
	l.file, l.size = file, info.Size()
	return nil
}

// Write implements io.Writer.
func (l *rotatingLog) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.last = append(l.last, text...)
	l.last = l.last[max(0, len(l.last)-tailLimit):]
	if l.size > logLimit {
		l.rotate()
	}
	written, _ := l.file.Write(text)
	l.size += int64(written)
	return len(text), nil
}

// rotate starts a new file, or continues the old one if it cannot.
func (l *rotatingLog) rotate() {
	old := l.file
	if os.Rename(l.path, l.path+".1") == nil && l.open() == nil {
		_ = old.Close()
	}
}

// tail returns the last lines of the log, for an error message.
func (l *rotatingLog) tail() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.last) == 0 {
		return ""
	}
	return "\n" + strings.TrimSpace(string(l.last))
}

// Close closes the file.
func (l *rotatingLog) Close() error { return l.file.Close() }
