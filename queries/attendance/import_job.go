package attendance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"officeconsole/background"
	"officeconsole/blobs"
	"officeconsole/queries"
	"officeconsole/queries/replica"
)

// unfinishedTime is how long an import is stored that nobody goes on with.
const unfinishedTime = 24 * time.Hour

// DeleteOldImports deletes the uploads of every company that nobody imported within a
// day. It is a job.
func (s *Store) DeleteOldImports(ctx context.Context) error {
	return s.DeleteUnfinishedImports(ctx, s.db.Now().Add(-unfinishedTime))
}

// Times of the job of imports: between two reports of its progress, and without a report
// after which its process is considered dead.
const (
	importReports = 2 * time.Second
	importLost    = time.Minute
)

// RunImports works on the imports that wait for it, one after the other: it is a job. An
// import is one transaction, so one whose process has died is begun again.
func (s *Store) RunImports(ctx context.Context, files blobs.Store) error {
	for {
		now := s.db.Now()
		row, err := s.claimImport(ctx, claimImportParams{&now, now.Add(-importLost)})
		if errors.Is(err, queries.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		err = background.Protect(func() error { return s.runImport(ctx, row, files) })
		if ctx.Err() != nil {
			return ctx.Err() // it is begun again
		}
		if err != nil {
			slog.ErrorContext(ctx, "import failed", "import", row.ID, "err", err)
			if err := s.failImport(ctx, row, err); err != nil {
				return err
			}
		}
	}
}

// failImport ends the work on an import that could not be done. A refusal is part of its
// report.
func (s *Store) failImport(ctx context.Context, row Import, cause error) error {
	if row.State == ImportReverting {
		return s.stopReversal(ctx, stopReversalParams{row.CompanyID, row.ID})
	}
	report := ImportReport{}
	var refused queries.Invalid
	if errors.As(cause, &refused) {
		report = refusedReport(string(refused))
	}
	content, err := report.stored()
	if err != nil {
		return err
	}
	return s.finishRun(ctx, finishRunParams{State: ImportFailed, Report: content, CompanyID: row.CompanyID, ID: row.ID})
}

func (s *Store) runImport(ctx context.Context, row Import, files blobs.Store) error {
	ctx = replica.WithUser(ctx, replica.User{CompanyID: row.CompanyID})
	by := queries.Actor{CompanyID: row.CompanyID, Name: row.CreatedByName}
	if row.CreatedBy != nil {
		by.UserID = *row.CreatedBy
	}
	im := &importer{by: by, options: row.ImportOptions(), id: row.ID, files: row.StoredFiles()}
	im.options.DryRun = row.State == ImportChecking
	stop := s.reportProgress(ctx, row, im)
	defer stop()
	if row.State == ImportReverting {
		if by.UserID, by.Name = 0, row.RevertedByName; row.RevertedBy != nil {
			by.UserID = *row.RevertedBy
		}
		_, err := s.RevertImport(ctx, by, row.ID)
		return err
	}
	opened, closeAll, err := openImport(ctx, row, files)
	if err != nil {
		return err
	}
	defer closeAll()
	if err := im.run(ctx, s, opened); err != nil {
		return err
	}
	if im.report.Written && im.report.ID != 0 {
		return nil
	}
	stop() // so that nothing writes the row at the same time
	report, err := im.report.stored()
	if err != nil {
		return err
	}
	first, last := im.report.dates()
	return s.finishRun(ctx, finishRunParams{
		State: ImportChecked, Report: report, Days: int32(im.report.Created), People: int32(im.report.People), FirstDate: first, LastDate: last,
		CompanyID: row.CompanyID, ID: row.ID,
	})
}

// openImport opens the files of an import.
func openImport(ctx context.Context, row Import, files blobs.Store) (opened ImportFiles, closeAll func(), err error) {
	var all []io.Closer
	closeAll = func() {
		for _, one := range all {
			_ = one.Close()
		}
	}
	stored := row.StoredFiles()
	into := []*ImportFile{&opened.Long}
	if len(stored) == 2 {
		into = []*ImportFile{&opened.Arrivals, &opened.Departures}
	}
	for i, file := range stored {
		content, _, err := files.Open(ctx, file.Key)
		if err != nil {
			closeAll()
			return opened, nil, fmt.Errorf("file of import %d: %w", row.ID, err)
		}
		all = append(all, content)
		*into[i] = ImportFile{Name: file.Name, Content: content}
	}
	return opened, closeAll, nil
}

// reportProgress stores how far an import is until stop is called, in a transaction of
// its own, so that other processes know that it is worked on and its page can say so.
func (s *Store) reportProgress(ctx context.Context, row Import, im *importer) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	background.Go("report an import", func() {
		defer close(ended)
		ticker := time.NewTicker(importReports)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			now := s.db.Now()
			err := s.noteImportProgress(ctx, noteImportProgressParams{int32(im.progress.Load()), &now, row.CompanyID, row.ID})
			if err != nil && ctx.Err() == nil {
				slog.DebugContext(ctx, "progress of an import is not stored", "import", row.ID, "err", err) // its transaction holds the row at its end
			}
		}
	})
	return func() {
		cancel()
		<-ended
	}
}
