package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"officeconsole/queries"
)

// Damage is what is wrong with the change log of a company; "" for nothing.
type Damage string

// Every kind of damage, with what the id of a verification names.
const (
	Altered   Damage = "altered"   // the row, which is not what was written
	Removed   Damage = "removed"   // the row, which is missing, or its time was altered, by which it is found
	Gap       Damage = "gap"       // the row before which rows are missing with their hashes
	Added     Damage = "added"     // the row, which was written without a hash
	Truncated Damage = "truncated" // nothing: the latest rows are missing with their hashes
	Rewritten Damage = "rewritten" // nothing: the hashes are not those of the verification before
)

// Verification is what was found when the change log of a company was verified.
type Verification struct {
	At       time.Time
	Checked  int64  // number of rows
	LastHash string // in hexadecimal digits; "" of an empty log
	Damage   Damage
	ChangeID int64 // the damaged row, see Damage
}

// LastVerification returns what was found last, or NotFound.
func (s *Store) LastVerification(ctx context.Context, companyID int64) (Verification, error) {
	row, err := s.verification(ctx, companyID)
	found := Verification{At: row.At, Checked: row.Checked, LastHash: hex.EncodeToString(row.LastHash), Damage: Damage(row.BrokenHow)}
	if row.BrokenID != nil {
		found.ChangeID = *row.BrokenID
	}
	return found, err
}

// Verify compares every row of a company's change log with the hash that it got
// when it was written, and the hashes with those of the last verification that
// found no damage. It reads the whole log.
func (s *Store) Verify(ctx context.Context, companyID int64) (Verification, error) {
	before, err := s.verification(ctx, companyID)
	if err != nil && !errors.Is(err, queries.NotFound) {
		return Verification{}, err
	}
	end, err := s.chainEnd(ctx, companyID)
	if err != nil && !errors.Is(err, queries.NotFound) {
		return Verification{}, err
	}
	found := Verification{At: s.db.Now(), Checked: end.No, LastHash: hex.EncodeToString(end.Hash)}
	if found.Damage, found.ChangeID, err = s.damage(ctx, companyID, before, end); err != nil {
		return Verification{}, err
	}
	sound := chainEndRow{end.No, end.Hash}
	if found.Damage != "" {
		sound = chainEndRow{before.Checked, before.LastHash}
	}
	return found, s.storeVerification(ctx, storeVerificationParams{
		CompanyID: companyID, At: found.At, Checked: sound.No, LastHash: append([]byte{}, sound.Hash...), BrokenID: queries.OrNil(found.ChangeID), BrokenHow: string(found.Damage),
	})
}

func (s *Store) damage(ctx context.Context, companyID int64, before ChangeVerification, end chainEndRow) (Damage, int64, error) {
	broken, err := s.firstBroken(ctx, companyID)
	if !errors.Is(err, queries.NotFound) {
		return Damage(broken.How), broken.ChangeID, err
	}
	id, err := s.firstUnchained(ctx, companyID)
	if !errors.Is(err, queries.NotFound) {
		return Added, id, err
	}
	if before.Checked == 0 {
		return "", 0, nil
	}
	if end.No < before.Checked {
		return Truncated, 0, nil
	}
	hash, err := s.hashAt(ctx, hashAtParams{companyID, before.Checked})
	if err == nil && !bytes.Equal(hash, before.LastHash) {
		return Rewritten, 0, nil
	}
	return "", 0, err
}

// ErrDamaged is the error of VerifyAll for a damaged change log.
var ErrDamaged = errors.New("a row of the change log was altered or removed; officeconsole verify names it")

// verifiedFor is how long a verification counts for VerifyAll, which several
// servers run.
const verifiedFor = 23 * time.Hour

// VerifyAll verifies the change logs of the companies for which this was not done
// within verifiedFor. It returns ErrDamaged if one is damaged, and the errors of
// those that could not be verified.
func (s *Store) VerifyAll(ctx context.Context) error {
	companies, err := s.unverified(ctx, s.db.Now().Add(-verifiedFor))
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range companies {
		found, err := s.Verify(ctx, id)
		if err == nil && found.Damage != "" {
			err = ErrDamaged
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("company %d: %w", id, err))
		}
	}
	return errors.Join(failed...)
}
