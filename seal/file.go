package seal

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Load reads keys from a file: one a line, 32 bytes in Base64, the current one first.
// Empty lines, and those that begin with #, are none. Only its owner may be able to
// read the file.
func Load(path string) (*Keys, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&(fs.ModeDir|fs.ModeDevice) != 0 { // a pipe may have keys
		return nil, fmt.Errorf("%s is not a file", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("others can read %s: run chmod 600 %s", path, path)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var secrets [][]byte
	lines := bufio.NewScanner(bytes.NewReader(content))
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		secret, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(secret) != KeyBytes { // without the text, which may be most of a key
			return nil, fmt.Errorf("line %d of %s is not a key: %d bytes in Base64", n, path, KeyBytes)
		}
		secrets = append(secrets, secret)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	keys, err := New(secrets...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return keys, nil
}

// Create writes a file with a new key that only its owner can read, and loads it. A
// file that another process has created meanwhile is loaded instead.
func Create(path string) (*Keys, error) {
	secret := make([]byte, KeyBytes)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	// The file appears with its content, so that nobody loads a part of it.
	unfinished, err := os.CreateTemp(filepath.Dir(path), ".secret.key-*") // has mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(unfinished.Name())
	_, err = fmt.Fprintln(unfinished, base64.StdEncoding.EncodeToString(secret))
	if err := errors.Join(err, unfinished.Sync(), unfinished.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(unfinished.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return Load(path)
}
