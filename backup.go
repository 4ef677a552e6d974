package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"officeconsole/backup"
	"officeconsole/blobs"
	"officeconsole/postgres"
)

type backupCommand struct {
	Create backupCreateCommand `cmd:"" default:"withargs" help:"Write the built-in database and its files into one archive, also while the console serves (default)."`
	Verify backupVerifyCommand `cmd:"" help:"Restore an archive into a scratch directory, and compare its tables, change logs and files with what was backed up."`
}

// recipientsOption is the option of what writes backups.
type recipientsOption struct {
	Recipients []string `name:"backup-recipient" env:"OFFICECONSOLE_BACKUP_RECIPIENT" placeholder:"KEY,…" help:"Encrypt backups with age, so that only the owners of these public keys (age1…) can read them."`
}

func (o recipientsOption) parse() ([]age.Recipient, error) {
	var all []age.Recipient
	for _, key := range o.Recipients {
		recipients, err := age.ParseRecipients(strings.NewReader(key))
		if err != nil {
			return nil, fmt.Errorf("--backup-recipient: %w", err)
		}
		all = append(all, recipients...)
	}
	return all, nil
}

// identityOption is the option of what reads backups.
type identityOption struct {
	Identity string `placeholder:"FILE" type:"existingfile" help:"The identity of a recipient (AGE-SECRET-KEY-…), for an encrypted archive."`
}

func (o identityOption) parse() ([]age.Identity, error) {
	if o.Identity == "" {
		return nil, nil
	}
	file, err := os.Open(o.Identity)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	identities, err := age.ParseIdentities(file)
	if err != nil {
		return nil, fmt.Errorf("--identity: %w", err)
	}
	return identities, nil
}

type backupCreateCommand struct {
	To            string `default:"." placeholder:"DIR|FILE" type:"path" help:"The new archive, or the directory in which it gets a name with the time. Default: the current directory."`
	WithSecretKey bool   `name:"with-secret-key" help:"Put the secret key file into the archive, too. Only into an encrypted one."`
	recipientsOption
	storeOption
}

func (b backupCreateCommand) Run(ctx context.Context, c *commands) error {
	recipients, err := b.parse()
	if err != nil {
		return err
	}
	if b.WithSecretKey && len(recipients) == 0 {
		return errors.New("--with-secret-key needs --backup-recipient: whoever has the key and the database has the secrets")
	}
	if c.DatabaseURL != "" {
		return errExternal
	}
	dir, err := c.dataDir()
	if err != nil {
		return err
	}
	if err := needCluster(dir); err != nil {
		return err
	}
	source, err := b.backupSource(c)
	if err != nil {
		return err
	}
	keys := c.SecretKeyFile
	if keys == "" {
		keys = filepath.Join(source.DataDir, keyFile)
	}
	if b.WithSecretKey {
		source.KeyFile = keys
	}
	to := b.To
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		to = filepath.Join(to, backup.Name(time.Now(), len(recipients) > 0))
	}
	_, stop, err := c.database(ctx)
	if err != nil {
		return err
	}
	defer stop()
	result, err := backup.Create(ctx, source, to, recipients)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "%s: %s, written in %s.\n", result.Path, megabytes(result.Size), result.Took.Round(100*time.Millisecond))
	fmt.Fprintf(c.stdout, "It contains the database (schema %d, %d tables with %d rows)%s.\n", result.Header.Schema, len(result.Summary.Tables), result.Summary.Rows(), describeFiles(result.Header, result.Summary))
	if !b.WithSecretKey {
		fmt.Fprintf(c.stdout, "It does not contain the secret key file: store a copy of %s apart from it.\n", keys)
	}
	return nil
}

var errExternal = errors.New("backup and restore are for the built-in database: back up an external one with PostgreSQL's own tools, such as pgBackRest (see Backup in docs/operating.md), and the files at --blob-url after it")

// scheduleOptions are the options of the server's own backups.
type scheduleOptions struct {
	BackupDir   string        `name:"backup-dir" env:"OFFICECONSOLE_BACKUP_DIR" placeholder:"DIR" type:"path" help:"Back up the built-in database and its files into this directory, which exists, best on another disk, and belongs to this console alone. Without it there are no backups."`
	BackupEvery time.Duration `name:"backup-every" env:"OFFICECONSOLE_BACKUP_EVERY" default:"24h" placeholder:"TIME" help:"The interval of backups."`
	BackupKeep  int           `name:"backup-keep" env:"OFFICECONSOLE_BACKUP_KEEP" default:"7" placeholder:"N" help:"How many backups stay."`
	recipientsOption
}

// schedule returns the schedule of backups, or nil if there are none.
func (o scheduleOptions) schedule(c *commands, store storeOption) (*backup.Schedule, error) {
	if o.BackupDir == "" {
		return nil, nil
	}
	if c.DatabaseURL != "" {
		return nil, fmt.Errorf("--backup-dir: %w", errExternal)
	}
	recipients, err := o.parse()
	if err != nil {
		return nil, err
	}
	source, err := store.backupSource(c)
	if err != nil {
		return nil, err
	}
	s := &backup.Schedule{Source: source, Dir: o.BackupDir, Every: o.BackupEvery, Keep: o.BackupKeep, Recipients: recipients, Now: c.now}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("--backup-dir: %w", err)
	}
	return s, nil
}

// backupSource returns what is backed up of a console with the built-in database.
func (o storeOption) backupSource(c *commands) (backup.Source, error) {
	dir, err := c.dataDir()
	if err != nil {
		return backup.Source{}, err
	}
	source := backup.Source{DataDir: dir, Program: version}
	if source.Blobs, err = o.openStore(c); err == nil && !blobs.InFolder(source.Blobs) {
		source.FilesIn = source.Blobs.String()
	}
	return source, err
}

func describeFiles(h backup.Header, s backup.Summary) string {
	if h.FilesIn != "" {
		return "; not the files, which are in " + h.FilesIn
	}
	return fmt.Sprintf(" and %d files", s.Files)
}

func megabytes(size int64) string { return fmt.Sprintf("%.1f MB", float64(size)/1e6) }

type backupVerifyCommand struct {
	File    string `arg:"" type:"existingfile" help:"The archive."`
	Scratch string `placeholder:"DIR" type:"existingdir" help:"Where there is room for the database. Default: the system's directory for temporary files."`
	identityOption
}

func (v backupVerifyCommand) Run(ctx context.Context, c *commands) error {
	identities, err := v.parse()
	if err != nil {
		return err
	}
	report, err := backup.Verify(ctx, v.File, identities, cmp.Or(v.Scratch, os.TempDir()))
	if err != nil {
		return err
	}
	c.reportBackup(v.File, report)
	fmt.Fprintln(c.stdout, "The backup can be restored.")
	return nil
}

func (c *commands) reportBackup(file string, r backup.Report) {
	fmt.Fprintf(c.stdout, "%s: of %s, by officeconsole %s.\n", file, r.Header.At.Format(time.RFC3339), r.Header.Program)
	fmt.Fprintf(c.stdout, "The database has all %d rows of %d tables, and %d changes, all as they were written.\n", r.Summary.Rows(), len(r.Summary.Tables), r.Changes)
	if r.Header.FilesIn != "" {
		fmt.Fprintf(c.stdout, "The files are not in it, but in %s.\n", r.Header.FilesIn)
		return
	}
	fmt.Fprintf(c.stdout, "All %d files have their hashes, and every file that a row refers to is there.\n", r.Summary.Files)
}

type restoreCommand struct {
	File string `arg:"" type:"existingfile" help:"The archive."`
	identityOption
	storeOption
}

func (r restoreCommand) Run(ctx context.Context, c *commands) error {
	if c.DatabaseURL != "" {
		return errExternal
	}
	identities, err := r.parse()
	if err != nil {
		return err
	}
	dir, err := c.dataDir()
	if err != nil {
		return err
	}
	report, err := backup.Restore(ctx, r.File, identities, backup.Destination{
		DataDir: dir,
		Blobs:   func() (blobs.Store, error) { return r.openStore(c) },
	})
	if errors.Is(err, context.Canceled) {
		return explainInterruption(dir)
	}
	if err != nil {
		return err
	}
	c.reportBackup(r.File, report)
	fmt.Fprintf(c.stdout, "It was restored into %s.\n", dir)
	if report.NeedsKeys && !report.HasKey && c.SecretKeyFile == "" {
		fmt.Fprintf(c.stdout, "Before you start the console, copy the secret key file to %s.\n", filepath.Join(dir, keyFile))
	}
	return nil
}

// explainInterruption is the error of a restore into dir that a signal has ended.
func explainInterruption(dir string) error {
	if has, err := postgres.HasCluster(dir); err != nil || has {
		return errors.Join(err, fmt.Errorf("the restore was interrupted: what was restored into %s was not compared with the backup", dir))
	}
	return fmt.Errorf("the restore was interrupted: nothing of it is left in %s", dir)
}
