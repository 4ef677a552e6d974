package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"

	"officeconsole/postgres"
	"officeconsole/queries/areas"
	"officeconsole/seal"
)

// keyFile is the secret key file in the data directory, where no other is named.
const keyFile = "secret.key"

// openKeys gives the database the keys of its secrets. The server refuses to start
// without them; a command that finds none fails where it needs one.
func (c *commands) openKeys(ctx context.Context, db *areas.Areas) error {
	keys, err := c.loadKeys(ctx, db)
	if err == nil {
		err = db.AdmitKeys(ctx, keys)
	}
	if err != nil {
		err = fmt.Errorf("secret key: %w", err)
		keys = seal.Missing(err)
	}
	db.UseKeys(keys)
	if !c.serving {
		return nil
	}
	if err != nil {
		return err
	}
	sealed, err := db.SealPlain(ctx)
	if sealed > 0 {
		slog.InfoContext(ctx, "secrets that were stored as they are have been sealed", "secrets", sealed)
	}
	return err
}

// loadKeys reads the secret key file. Without one, a new database gets one: in the
// data directory, by the server or beside the built-in database. A database whose
// secrets are sealed never does.
func (c *commands) loadKeys(ctx context.Context, db *areas.Areas) (*seal.Keys, error) {
	path := c.SecretKeyFile
	if path == "" {
		dir, err := c.dataDir()
		if err != nil {
			return nil, err
		}
		path = filepath.Join(dir, keyFile)
	}
	keys, err := seal.Load(path)
	if !errors.Is(err, fs.ErrNotExist) || c.SecretKeyFile != "" {
		return keys, err
	}
	sealed, err := db.HasSecretKeys(ctx)
	if err != nil {
		return nil, err
	}
	if sealed || c.DatabaseURL != "" && !c.serving {
		return nil, fmt.Errorf("%s does not exist: copy it from the server that uses this database, or name it with --secret-key-file", path)
	}
	if err := postgres.MakeDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if keys, err = seal.Create(path); err != nil {
		return nil, err
	}
	slog.InfoContext(ctx, "a key for the secrets in the database was created: store a copy of it, apart from the backups of the database", "file", path)
	if c.DatabaseURL != "" {
		slog.WarnContext(ctx, "other servers and commands that use this database need a copy of the key", "file", path)
	}
	return keys, nil
}

type secretsCommand struct {
	Rotate secretsRotateCommand `cmd:"" help:"Seal every secret in the database with the first key of the secret key file, after which the others can be removed from it."`
}

type secretsRotateCommand struct{}

func (secretsRotateCommand) Run(ctx context.Context, c *commands) error {
	return c.with(ctx, func(db *areas.Areas) error {
		sealed, err := db.RotateSecrets(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%d secrets were sealed with the first key. No other key is needed any more. A server that was started without this key cannot open them: restart it.\n", sealed)
		return nil
	})
}
