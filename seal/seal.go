// Package seal encrypts secrets that a database stores, with keys that it does not
// have.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// KeyBytes is the length of a key of AES-256.
const KeyBytes = 32

// Mark begins every sealed text. It is followed by the id of the key, a colon, and the
// nonce and the encrypted secret in Base64.
const Mark = "sealed:1:"

// The reasons why a sealed text cannot be opened.
var (
	ErrUnknownKey = errors.New("no key of the secret key file has sealed it")
	ErrAltered    = errors.New("it was altered, or belongs to another row")
)

// Field is where a secret is stored. A text that was sealed for a field opens in no
// other one. RowID is 0 in a table with one row for a company.
type Field struct {
	Table, Column    string
	CompanyID, RowID int64
}

// String returns the field for a message: providers.client_secret of company 1, row 2.
func (f Field) String() string {
	return fmt.Sprintf("%s.%s of company %d, row %d", f.Table, f.Column, f.CompanyID, f.RowID)
}

// Keys seal and open secrets: the first key seals, all open. They are safe for
// concurrent use.
type Keys struct {
	keys    []key
	missing error // why there are none
}

type key struct {
	id   string
	aead cipher.AEAD
}

// New returns keys of KeyBytes each; at least one.
func New(secrets ...[]byte) (*Keys, error) {
	if len(secrets) == 0 {
		return nil, errors.New("there is no key")
	}
	k := &Keys{}
	for i, secret := range secrets {
		if len(secret) != KeyBytes {
			return nil, fmt.Errorf("key %d has %d bytes instead of %d", i+1, len(secret), KeyBytes)
		}
		block, err := aes.NewCipher(secret)
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		k.keys = append(k.keys, key{idOf(secret), aead})
	}
	return k, nil
}

// Missing returns keys that refuse everything with an error, for commands that may not
// need any.
func Missing(err error) *Keys { return &Keys{missing: err} }

// idOf returns by what a key is known. It says nothing about the key.
func idOf(secret []byte) string {
	sum := sha256.Sum256(append([]byte("officeconsole key id\x00"), secret...))
	return hex.EncodeToString(sum[:8])
}

// Current returns the id of the key that seals.
func (k *Keys) Current() (string, error) {
	if k.missing != nil {
		return "", k.missing
	}
	return k.keys[0].id, nil
}

// Has reports whether one of the keys has an id.
func (k *Keys) Has(id string) bool {
	_, found := k.find(id)
	return found
}

func (k *Keys) find(id string) (key, bool) {
	for _, one := range k.keys {
		if one.id == id {
			return one, true
		}
	}
	return key{}, false
}

// Seal encrypts a secret for a field.
func (k *Keys) Seal(f Field, secret string) (string, error) {
	if k.missing != nil {
		return "", k.missing
	}
	current := k.keys[0]
	nonce := make([]byte, current.aead.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return "", err
	}
	sealed := current.aead.Seal(nonce, nonce, []byte(secret), f.bound())
	return Prefix(current.id) + base64.RawStdEncoding.EncodeToString(sealed), nil
}

// Open returns the secret of a text that was sealed for a field. The error says of
// which field, and is ErrUnknownKey or ErrAltered.
func (k *Keys) Open(f Field, text string) (string, error) {
	if k.missing != nil {
		return "", k.missing
	}
	secret, err := k.open(f, text)
	if err != nil {
		return "", fmt.Errorf("cannot open the secret %s: %w", f, err)
	}
	return secret, nil
}

func (k *Keys) open(f Field, text string) (string, error) {
	rest, isSealed := strings.CutPrefix(text, Mark)
	id, encoded, found := strings.Cut(rest, ":")
	if !isSealed || !found {
		return "", ErrAltered
	}
	by, known := k.find(id)
	if !known {
		return "", fmt.Errorf("key %q: %w", id, ErrUnknownKey)
	}
	sealed, err := base64.RawStdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(sealed) < by.aead.NonceSize() {
		return "", ErrAltered
	}
	secret, err := by.aead.Open(nil, sealed[:by.aead.NonceSize()], sealed[by.aead.NonceSize():], f.bound())
	if err != nil {
		return "", ErrAltered
	}
	return string(secret), nil
}

// bound is the data that binds a sealed text to its field.
func (f Field) bound() []byte {
	return fmt.Appendf(nil, "%s\x00%s\x00%d\x00%d", f.Table, f.Column, f.CompanyID, f.RowID)
}

// IsSealed reports whether a text was sealed; one that was stored earlier is not.
func IsSealed(text string) bool { return strings.HasPrefix(text, Mark) }

// Prefix is the beginning of all texts that the key with an id has sealed.
func Prefix(id string) string { return Mark + id + ":" }
