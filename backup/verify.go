package backup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"

	"officeconsole/postgres"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/migrations"
	"officeconsole/queries/notice"
)

// Report is what was found in a restored archive.
type Report struct {
	Header    Header
	Summary   Summary
	Changes   int64 // of all change logs
	HasKey    bool  // the secret key file was in the archive
	NeedsKeys bool  // secrets in the database are sealed
}

// Missing is the error of an archive in which something is missing or damaged, in
// sentences.
type Missing []string

// mostSentences is how many sentences the text of Missing has: an archive without its files
// has one for each of them.
const mostSentences = 5

// Error implements error.
func (m Missing) Error() string {
	text := "the backup is incomplete: " + strings.Join(m[:min(mostSentences, len(m))], " ")
	if len(m) > mostSentences {
		text += fmt.Sprintf(" And %d more.", len(m)-mostSentences)
	}
	return text
}

// Verify restores an archive into a new directory in scratch, verifies that nothing is
// missing, and removes the directory.
func Verify(ctx context.Context, archive string, identities []age.Identity, scratch string) (report Report, err error) {
	dir, err := os.MkdirTemp(scratch, "officeconsole-verify-")
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if os.Geteuid() == 0 { // the server runs as another user, who has to enter it
		if err := os.Chmod(dir, 0o755); err != nil {
			return report, err
		}
	}
	return Restore(ctx, archive, identities, Destination{
		DataDir: filepath.Join(dir, "restored"),
		Server:  []postgres.Option{postgres.WithoutSync()},
	})
}

// verifyTime limits the statements that read a whole table or change log.
const verifyTime = 2 * time.Hour

// verify starts a server on the restored cluster and compares it with the summary.
func (d *restored) verify(ctx context.Context) (report Report, err error) {
	report = Report{Header: d.header, Summary: d.summary, HasKey: d.hasKey}
	server, err := postgres.Start(ctx, d.to.DataDir, d.to.Server...)
	if err != nil {
		return report, fmt.Errorf("the restored database does not start: %w", err)
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	missing, err := d.compare(ctx)
	if err != nil {
		return report, err
	}
	if len(d.keys) != d.summary.Files {
		missing = append(missing, fmt.Sprintf("There are %d files of %d.", len(d.keys), d.summary.Files))
	}
	if err := migrations.Run(ctx, server.URL()); err != nil {
		return report, err
	}
	db, err := areas.Open(ctx, server.URL(), time.Now)
	if err != nil {
		return report, err
	}
	defer db.Close()
	if report.NeedsKeys, err = db.HasSecretKeys(ctx); err != nil {
		return report, err
	}
	damaged, err := report.verifyChanges(queries.WithStatementTimeout(ctx, verifyTime), db)
	if err != nil {
		return report, err
	}
	lost, err := d.findLostFiles(ctx)
	if missing = slices.Concat(missing, damaged, lost); err == nil && len(missing) > 0 {
		err = Missing(missing)
	}
	return report, err
}

// compare returns in which tables and change logs rows are missing.
func (d *restored) compare(ctx context.Context) (missing []string, err error) {
	now, err := takeSnapshot(ctx, d.to.DataDir)
	if err != nil {
		return nil, err
	}
	defer now.close()
	counts, err := now.countRows(ctx)
	if err != nil {
		return nil, err
	}
	for _, table := range slices.Sorted(maps.Keys(d.summary.Tables)) {
		want := d.summary.Tables[table]
		if got := counts[table]; got < want.Least || got > want.Most {
			missing = append(missing, fmt.Sprintf("The table %s has %d rows instead of %d.", table, got, want.Least))
		}
	}
	for _, chain := range d.summary.Chains {
		var hash string
		err := now.conn.QueryRow(ctx, "select encode(hash, 'hex') from change_hashes where company_id = $1 and no = $2", chain.Company, chain.No).Scan(&hash)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return nil, err
		}
		if hash != chain.Hash {
			missing = append(missing, fmt.Sprintf("The change log of company %d does not have the hash of change %d.", chain.Company, chain.No))
		}
	}
	return missing, nil
}

// verifyChanges verifies the change log of every company.
func (r *Report) verifyChanges(ctx context.Context, db *areas.Areas) (damaged []string, err error) {
	companies, err := db.Directory.Companies(ctx)
	if err != nil {
		return nil, err
	}
	for _, company := range companies {
		verified, err := db.Audit.Verify(ctx, company.ID)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", company.Host, err)
		}
		r.Changes += verified.Checked
		if verified.Damage != "" {
			damaged = append(damaged, fmt.Sprintf("The change log of %s is damaged (%s, change %d).", company.Host, verified.Damage, verified.ChangeID))
		}
	}
	return damaged, nil
}

// referredFiles are the keys of the files that somebody could open when the backup began.
const referredFiles = `
select banner from links where deleted_at is null and banner <> ''
union select image from bots where image <> ''
union select company_id || '/' || left(image_hash, 2) || '/' || image_hash from users where image_hash <> ''
union select a.blob from notice_attachments a join notices n on n.company_id = a.company_id and n.id = a.notice_id
where n.deleted_at is null and n.publish_at > $1`

// referringSchema is the migration since which files are named as in referredFiles.
const referringSchema = 11

// readReferredFiles returns the keys of the files that rows refer to in the database that
// runs in dir.
func readReferredFiles(ctx context.Context, dir string, header Header) ([]string, error) {
	if header.Schema < referringSchema {
		return nil, nil
	}
	conn, err := postgres.Connect(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	rows, err := conn.Query(ctx, referredFiles, header.At.Add(-notice.DownloadTime))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// findLostFiles returns which files rows refer to that are not in the archive.
func (d *restored) findLostFiles(ctx context.Context) (lost []string, err error) {
	if d.header.FilesIn != "" {
		return nil, nil
	}
	keys, err := readReferredFiles(ctx, d.to.DataDir, d.header)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if !d.keys[key] {
			lost = append(lost, fmt.Sprintf("The file %s is not there.", key))
		}
	}
	return lost, nil
}
