package identity

import (
	"context"
	"crypto/rand"
	"errors"

	"golang.org/x/crypto/argon2"

	"officeconsole/queries"
	"officeconsole/queries/directory"
)

// A recovery code has eight characters, without those that are easily mistaken for
// others, and is written in two groups: 4F7K-92QD. That is short enough to be typed
// from paper, but only 40 bits, so the hash is argon2id as that of a password is.
const (
	recoveryCodes      = 10
	recoveryCharacters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
	recoveryLength     = 8
)

// RenewCodes replaces a person's recovery codes by new ones, which are returned this
// once only. NotFound means that the person has no second factor.
func (s *Store) RenewCodes(ctx context.Context, in SignedIn, from Client) ([]string, error) {
	set, err := newRecoverySet(ctx)
	if err != nil {
		return nil, err
	}
	err = s.changeFactors(ctx, in, from, reasonCodesRenewed, func(ctx context.Context, t *transaction, before Factors) error {
		if !before.Exist() {
			return queries.NotFound
		}
		return t.replaceCodes(ctx, in, set)
	})
	if err != nil {
		return nil, err
	}
	return set.codes, nil
}

// recoverySet is the recovery codes of a person and what is stored of them. They share
// a salt, so that a typed code is hashed once.
type recoverySet struct {
	codes  []string
	salt   []byte
	hashes [][]byte
}

// newRecoverySet takes about as long as ten passwords, so it is made before a
// transaction begins.
func newRecoverySet(ctx context.Context) (recoverySet, error) {
	set := recoverySet{salt: make([]byte, hashParams.SaltLength)}
	rand.Read(set.salt)
	for range recoveryCodes {
		code := newRecoveryCode()
		hash, err := hashRecoveryCode(ctx, code, set.salt)
		if err != nil {
			return recoverySet{}, err
		}
		set.codes, set.hashes = append(set.codes, code[:recoveryLength/2]+"-"+code[recoveryLength/2:]), append(set.hashes, hash)
	}
	return set, nil
}

func (t *transaction) replaceCodes(ctx context.Context, of SignedIn, set recoverySet) error {
	if err := t.deleteRecoveryCodes(ctx, deleteRecoveryCodesParams{of.CompanyID, of.ID}); err != nil {
		return err
	}
	return t.insertRecoveryCodes(ctx, insertRecoveryCodesParams{CompanyID: of.CompanyID, UserID: of.ID, Salt: set.salt, Now: t.now, Hashes: set.hashes})
}

// newRecoveryCode returns a code. The characters are 32, so every byte gives each of
// them the same chance.
func newRecoveryCode() string {
	code := make([]byte, recoveryLength)
	rand.Read(code)
	for i, b := range code {
		code[i] = recoveryCharacters[int(b)%len(recoveryCharacters)]
	}
	return string(code)
}

func hashRecoveryCode(ctx context.Context, code string, salt []byte) ([]byte, error) {
	if err := hashing.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer hashing.Release(1)
	return argon2.IDKey([]byte(code), salt, hashParams.Iterations, hashParams.Memory, hashParams.Parallelism, hashParams.KeyLength), nil
}

// takeRecovery accepts a recovery code once.
func (s *Store) takeRecovery(ctx context.Context, of directory.Person, code string) error {
	salt, err := s.recoverySalt(ctx, recoverySaltParams{of.CompanyID, of.ID})
	if errors.Is(err, queries.NotFound) {
		return errCode
	}
	if err != nil {
		return err
	}
	hash, err := hashRecoveryCode(ctx, code, salt)
	if err != nil {
		return err
	}
	n, err := s.takeRecoveryCode(ctx, takeRecoveryCodeParams{CompanyID: of.CompanyID, UserID: of.ID, Hash: hash, Now: s.db.Now()})
	if err == nil && n == 0 {
		err = errCode
	}
	return err
}
