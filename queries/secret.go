package queries

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"officeconsole/seal"
)

// secretColumn is a column whose texts are sealed. Row is its column of seal.Field's
// RowID, "0" in a table with one row for a company.
type secretColumn struct{ table, column, row string }

// secretColumns are all columns with sealed secrets. A new one needs a line here, so
// that its texts are sealed again when the key changes.
var secretColumns = []secretColumn{
	{"providers", "client_secret", "id"},
	{"webhooks", "secret", "0"},
	{"webhooks", "previous_secret", "0"},
	{"authenticator_apps", "secret", "user_id"},
}

// errSecret is the refusal of what needs a secret that cannot be opened.
const errSecret = Invalid("secret.unavailable")

// errNoKeys is the reason where UseKeys was not called.
var errNoKeys = errors.New("the program has no key for secrets")

// UseKeys sets the keys of the secrets in the database. It is called before the
// database is used.
func (db *DB) UseKeys(keys *seal.Keys) { db.keys = keys }

func (db *DB) secretKeyring() *seal.Keys {
	if db.keys == nil {
		return seal.Missing(errNoKeys)
	}
	return db.keys
}

// SealSecret returns a secret as it is stored in a field. It refuses with
// secret.unavailable where the program has no key.
func (db *DB) SealSecret(ctx context.Context, f seal.Field, secret string) (string, error) {
	text, err := db.secretKeyring().Seal(f, secret)
	return text, explainSecret(ctx, f, err)
}

// OpenSecret returns the secret that is stored in a field. It refuses with
// secret.unavailable what cannot be opened: without the key, and in another field than
// that for which it was sealed.
func (db *DB) OpenSecret(ctx context.Context, f seal.Field, text string) (string, error) {
	secret, err := db.secretKeyring().Open(f, text)
	return secret, explainSecret(ctx, f, err)
}

func explainSecret(ctx context.Context, f seal.Field, err error) error {
	if err == nil {
		return nil
	}
	slog.ErrorContext(ctx, "cannot use a secret: check --secret-key-file", "field", f.String(), "err", err)
	return errors.Join(errSecret, err)
}

// HasSecretKeys reports whether some key may have sealed secrets.
func (db *DB) HasSecretKeys(ctx context.Context) (bool, error) {
	ids, err := db.secretKeys(ctx)
	return len(ids) > 0, err
}

// AdmitKeys refuses keys that lack one with which secrets of the database are sealed,
// and otherwise stores that the current one may seal from now on. It forgets a key that
// has sealed nothing that is still stored.
func (db *DB) AdmitKeys(ctx context.Context, keys *seal.Keys) error {
	current, err := keys.Current()
	if err != nil {
		return err
	}
	return db.InTx(ctx, func(ctx context.Context, tx Tx) error {
		q := New(tx)
		if err := q.lockSecretKeys(ctx); err != nil {
			return err
		}
		ids, err := q.secretKeys(ctx)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if keys.Has(id) {
				continue
			}
			needed, err := isNeeded(ctx, tx, id)
			if err != nil {
				return err
			}
			if needed {
				return fmt.Errorf("the secrets of this database are sealed with the key %s, which is not among those of this program: "+
					"use the secret key file of the server that sealed them, or add its key as a further line", id)
			}
			if err := q.deleteSecretKey(ctx, id); err != nil {
				return err
			}
		}
		return q.insertSecretKey(ctx, insertSecretKeyParams{current, db.now()})
	})
}

// isNeeded reports whether a secret is sealed with a key.
func isNeeded(ctx context.Context, tx Tx, id string) (needed bool, err error) {
	for _, c := range secretColumns {
		statement := fmt.Sprintf("select exists (select from %[1]s where starts_with(%[2]s, $1))", c.table, c.column)
		if err := tx.QueryRow(ctx, statement, seal.Prefix(id)).Scan(&needed); err != nil || needed {
			return needed, err
		}
	}
	return false, nil
}

// secretBatch is the number of rows that are sealed in one transaction.
const secretBatch = 200

// SealPlain seals the secrets that were stored before there were keys. It returns how
// many. It can be interrupted and run again, and by several processes.
func (db *DB) SealPlain(ctx context.Context) (int, error) { return db.sealAll(ctx, seal.Mark) }

// RotateSecrets seals every secret with the current key, after which no other key is
// needed. It returns how many were sealed with another one.
func (db *DB) RotateSecrets(ctx context.Context) (int, error) {
	current, err := db.secretKeyring().Current()
	if err != nil {
		return 0, err
	}
	sealed, err := db.sealAll(ctx, seal.Prefix(current))
	if err != nil {
		return sealed, err
	}
	return sealed, db.deleteOtherSecretKeys(ctx, current)
}

// sealAll seals all secrets whose texts do not begin with a prefix.
func (db *DB) sealAll(ctx context.Context, prefix string) (sealed int, err error) {
	for _, column := range secretColumns {
		for {
			n := 0
			err := db.InTx(ctx, func(ctx context.Context, tx Tx) (err error) {
				n, err = db.sealBatch(ctx, tx, column, prefix)
				return err
			})
			if sealed += n; err != nil {
				return sealed, fmt.Errorf("seal %s.%s: %w", column.table, column.column, err)
			}
			if n < secretBatch {
				break
			}
		}
	}
	return sealed, nil
}

// storedSecret is a text of a secretColumn.
type storedSecret struct {
	companyID, rowID int64
	text             string
}

func (db *DB) sealBatch(ctx context.Context, tx Tx, c secretColumn, prefix string) (int, error) {
	statement := fmt.Sprintf("select company_id, %[3]s::bigint, %[2]s from %[1]s where %[2]s <> '' and not starts_with(%[2]s, $1) order by 1, 2 limit $2 for update", c.table, c.column, c.row)
	rows, err := tx.Query(ctx, statement, prefix, secretBatch)
	if err != nil {
		return 0, err
	}
	stored, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s storedSecret, err error) {
		return s, row.Scan(&s.companyID, &s.rowID, &s.text)
	})
	if err != nil {
		return 0, err
	}
	for _, s := range stored {
		field := seal.Field{Table: c.table, Column: c.column, CompanyID: s.companyID, RowID: s.rowID}
		secret := s.text
		if seal.IsSealed(s.text) {
			if secret, err = db.secretKeyring().Open(field, s.text); err != nil {
				return 0, err
			}
		}
		text, err := db.secretKeyring().Seal(field, secret)
		if err != nil {
			return 0, err
		}
		update := fmt.Sprintf("update %[1]s set %[2]s = $1 where company_id = $2 and %[3]s = $3", c.table, c.column, c.row)
		if _, err := tx.Exec(ctx, update, text, s.companyID, s.rowID); err != nil {
			return 0, err
		}
	}
	return len(stored), nil
}
