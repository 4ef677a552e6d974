package attendance

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"officeconsole/importfile"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/workday"
)

// importer reads and writes the files of one import.
type importer struct {
	by      queries.Actor
	options ImportOptions
	id      int64 // of an import that was uploaded before; 0 for a new one
	*derivation
	plans    map[planKey]workday.Plan
	days     []clockedDay               // sorted by user and date, with those that fill adds
	counted  personDay                  // the last of the days to import
	people   []int64                    // user ids, by clockedDay.person
	words    []string                   // texts, by clockedDay.device and place
	codes    []string                   // employee ids, likewise
	texts    map[personDay]dayTexts     // see attendanceReader
	heading  func(column string) string // of a long file
	names    []string                   // of the files, by clockedDay.file
	files    []StoredFile
	broken   bool // a file cannot be read to its end
	refused  importfile.Refusals
	report   ImportReport
	progress atomic.Int64 // the days that are written
}

// run reads the files and takes their days. The report is complete even after an error.
func (im *importer) run(ctx context.Context, s *Store, files ImportFiles) error {
	ctx = queries.WithStatementTimeout(ctx, queries.BulkTimeout)
	err := im.read(ctx, s, files)
	if err == nil && len(im.days) > 0 && !im.broken {
		err = im.take(ctx, s)
	}
	im.finishReport()
	im.report.Written = err == nil && !im.nothing()
	return err
}

// finishReport sorts what was refused by file and line.
func (im *importer) finishReport() {
	im.report.RefusedRows, im.report.Refused, im.report.Reasons = im.refused.Count, im.refused.Listed, im.refused.Reasons()
	slices.SortStableFunc(im.report.Refused, func(a, b importfile.Refusal) int {
		return cmp.Or(cmp.Compare(slices.Index(im.names, a.File), slices.Index(im.names, b.File)), cmp.Compare(a.Line, b.Line))
	})
}

// nothing reports whether the import must not write.
func (im *importer) nothing() bool {
	return im.options.DryRun || im.broken || im.refused.Count > 0 && !im.options.SkipBad
}

// read reads the files, before the import locks anything.
func (im *importer) read(ctx context.Context, s *Store, files ImportFiles) error {
	company, err := s.directory.Company(ctx, im.by.CompanyID)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(company.TimeZone)
	if err != nil {
		return err
	}
	people, err := s.employeeIDs(ctx, im.by.CompanyID)
	if err != nil {
		return err
	}
	f := newAttendanceReader(im.options, people, zone, s.db.Now())
	f.refused = &im.refused
	sums := im.hashes(&files)
	if files.Long.Content != nil {
		err = f.long(files.Long)
	} else {
		err = f.wide(files.Arrivals, files.Departures)
	}
	for i := range sums {
		im.files[i].SHA256, im.files[i].Size = hex.EncodeToString(sums[i].Sum(nil)), sums[i].size
	}
	if len(im.files) == 2 && err == nil && im.files[0].SHA256 == im.files[1].SHA256 {
		im.refused = importfile.Refusals{}
		err = importfile.Unreadable{Refusal: importfile.Refuse(0, "", "", "import.attendance.same_file")}
	}
	im.days, im.words, im.texts, im.heading = f.sorted(), f.words, f.texts, f.heading
	im.report.Encodings = f.encodings
	im.people, im.codes = make([]int64, len(people)), make([]string, len(people))
	for i, p := range people {
		im.people[i], im.codes[i] = p.ID, p.EmployeeID
	}
	im.report.Rows = len(im.days) + im.refused.Count
	if im.options.FillDays && err == nil {
		err = im.fill(f.bad)
	}
	var broken importfile.Unreadable
	if errors.As(err, &broken) {
		im.broken = true
		im.refused.Add(broken.Refusal)
		return nil
	}
	return err
}

// sum is the hash and the size of a file.
type sum struct {
	hash.Hash
	size int64
}

func (s *sum) Write(p []byte) (int, error) { s.size += int64(len(p)); return s.Hash.Write(p) }

// hashes makes the readers of the files compute their hashes.
func (im *importer) hashes(files *ImportFiles) []*sum {
	var sums []*sum
	for _, file := range []*ImportFile{&files.Long, &files.Arrivals, &files.Departures} {
		if file.Content == nil {
			continue
		}
		one := &sum{Hash: sha256.New()}
		file.Content = io.TeeReader(file.Content, one)
		file.Name = strings.ToValidUTF8(file.Name, "�")
		sums, im.names = append(sums, one), append(im.names, file.Name)
		if len(im.files) < len(sums) {
			im.files = append(im.files, StoredFile{Name: file.Name})
		}
	}
	return sums
}

// take compares the days with what is stored, and writes the new ones.
func (im *importer) take(ctx context.Context, s *Store) error {
	if !im.nothing() {
		// Partitions are created in a transaction of their own, because it
		// locks the tables until it ends.
		first, last := datesOf(im.days)
		err := s.inTx(ctx, func(ctx context.Context, q *Queries) error {
			return queries.New(q.db).EnsurePartitionsBetween(ctx, (first - 1).Time(), (last + 2).Time())
		})
		if err != nil {
			return err
		}
	}
	err := s.inTx(ctx, func(ctx context.Context, q *Queries) error {
		var ids []int64
		for _, days := range im.portions() {
			ids = append(ids, im.idsOf(days)...)
		}
		var err error
		if im.derivation, err = s.derivation(ctx, q, im.by.CompanyID, ids); err != nil {
			return err
		}
		if im.options.ReplacesID != 0 {
			r, err := s.revertImport(ctx, q, reversal{by: im.by, id: im.options.ReplacesID, replaced: true})
			if err != nil {
				return err
			}
			im.report.Reverted = &r
		}
		if err := im.check(ctx); err != nil {
			return err
		}
		if im.nothing() {
			return directory.ErrNothingWritten
		}
		return im.store(ctx)
	})
	if errors.Is(err, directory.ErrNothingWritten) {
		return nil
	}
	return err
}

// store writes the import with its days, and the entry of the change log.
func (im *importer) store(ctx context.Context) error {
	var err error
	if im.id == 0 {
		if im.id, err = im.insert(ctx); err != nil {
			return err
		}
	}
	if err := im.write(ctx); err != nil {
		return err
	}
	im.finishReport()
	im.report.ID, im.report.Written = im.id, true
	report, err := im.report.stored()
	if err != nil {
		return err
	}
	for i := range im.files {
		im.files[i].Key = ""
	}
	files, err := json.Marshal(im.files)
	if err != nil {
		return err
	}
	first, last := im.report.dates()
	err = im.finishImport(ctx, finishImportParams{
		Files: files, Report: report, Days: int32(im.report.Created), People: int32(im.report.People), FirstDate: first, LastDate: last,
		Now: &im.Now, CompanyID: im.by.CompanyID, ID: im.id,
	})
	if err != nil {
		return err
	}
	return queries.New(im.db).RecordChange(ctx, im.by, im.Now, queries.Change{
		Action: "attendance.imported", ObjectType: "attendance_import", ObjectID: im.id, ObjectName: strings.Join(im.names, ", "),
		New: importRecord{im.report.Created, im.report.RefusedRows, im.report.First, im.report.Last, im.options.ReplacesID},
	})
}

// importRecord is an import as the change log shows it.
type importRecord struct {
	Days     int          `json:"imported_days"`
	Refused  int          `json:"refused_rows,omitempty"`
	First    workday.Date `json:"first_date,omitempty"`
	Last     workday.Date `json:"last_date,omitempty"`
	Replaces int64        `json:"replaces_id,omitempty"`
}

// insert stores a new import that is being written.
func (im *importer) insert(ctx context.Context) (int64, error) {
	return im.Queries.insertNewImport(ctx, im.by, "importing", im.Now, im.files, im.options)
}

func (q *Queries) insertNewImport(ctx context.Context, by queries.Actor, state string, now time.Time, stored []StoredFile, options ImportOptions) (int64, error) {
	files, err := json.Marshal(stored)
	if err != nil {
		return 0, err
	}
	how, err := json.Marshal(options)
	if err != nil {
		return 0, err
	}
	return q.insertImport(ctx, insertImportParams{
		CompanyID: by.CompanyID, State: state, CreatedAt: now, CreatedBy: queries.OrNil(by.UserID), CreatedByName: by.Name,
		Files: files, Options: how, ReplacesID: queries.OrNil(options.ReplacesID),
	})
}
