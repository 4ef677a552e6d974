package attendance

import (
	"context"
	"fmt"
	"io"

	"officeconsole/importfile"
	"officeconsole/queries"
	"officeconsole/workday"
)

// ImportFile is a file with clock times. The zero value is no file.
type ImportFile struct {
	Name    string
	Content io.Reader
}

// ImportFiles are the clock times of a company in spreadsheets
// (docs/import.md): either Long, with a row for each user and day, or Arrivals
// and Departures, with a row for each user and a column for each day.
type ImportFiles struct {
	Long                 ImportFile
	Arrivals, Departures ImportFile
}

// ImportOptions say how the files of an import are read, and how strict it is.
type ImportOptions struct {
	Encoding     string            `json:"encoding,omitempty"`    // see importfile.Reading
	Separator    string            `json:"separator,omitempty"`   // of one character
	Sheet        string            `json:"sheet,omitempty"`       // of a workbook
	DateFormat   string            `json:"date_format,omitempty"` // see importfile.Values
	TimeFormat   string            `json:"time_format,omitempty"`
	Columns      map[string]string `json:"columns,omitempty"` // see importfile.Columns.Chosen
	SkipBad      bool              `json:"skip_bad,omitempty"`
	AllowMissing bool              `json:"allow_missing,omitempty"` // people and dates may be in one of two wide files only
	Overnight    bool              `json:"overnight,omitempty"`     // departures earlier than arrivals are on the next day, whatever the hours of the policy
	FillDays     bool              `json:"fill_days,omitempty"`     // days without a row get a record, see importer.fill
	DryRun       bool              `json:"-"`
	ReplacesID   int64             `json:"-"` // the import that is reverted first; 0 for none
}

func (o ImportOptions) reading() importfile.Reading {
	r := importfile.Reading{Encoding: o.Encoding, Sheet: o.Sheet}
	for _, separator := range o.Separator {
		r.Separator = separator
		break
	}
	return r
}

// ImportReport is the result of an import of attendance, or of a dry run.
type ImportReport struct {
	ID          int64                `json:"-"`    // of the import; 0 if nothing was written
	Rows        int                  `json:"rows"` // days of users in the files
	Created     int                  `json:"created"`
	Leave       int                  `json:"leave,omitempty"`  // of the days, with leave that was granted
	Filled      int                  `json:"filled,omitempty"` // of the created days, without a row
	Unchanged   int                  `json:"unchanged"`        // how many of the days
	RefusedRows int                  `json:"refused"`
	People      int                  `json:"people"` // of the created days
	First       workday.Date         `json:"first"`  // of the created days; 0 without any
	Last        workday.Date         `json:"last"`
	Refused     []importfile.Refusal `json:"refusals"`            // in the order of the files, at most importfile.MostRefusals
	Reasons     []importfile.Reason  `json:"reasons"`             // of all of them, the most frequent first
	Encodings   []string             `json:"encodings,omitempty"` // of the files that are text
	Written     bool                 `json:"written"`             // false after a dry run and if everything was refused
	Reverted    *ReversalReport      `json:"reverted,omitempty"`
}

// Import stores past clock times as events and derives the records of their
// days. A day that already has other clock events is refused, because events
// are never replaced; importing a file twice therefore changes nothing. A day
// without any time gets a record too, such as an absence. One refused row
// refuses everything unless SkipBad is set, and files with more than ImportDays
// days are refused as a whole. What is wrong with the files is in the report;
// an error means that reading or the database failed, or that ReplacesID cannot be
// reverted.
func (s *Store) Import(ctx context.Context, by queries.Actor, files ImportFiles, options ImportOptions) (ImportReport, error) {
	im := &importer{by: by, options: options}
	if err := im.run(ctx, s, files); err != nil {
		return im.report, fmt.Errorf("import attendance: %w", err)
	}
	return im.report, nil
}

// ImportDays is the maximum number of days of users in an import. They are held
// in memory, about 50 bytes each.
const ImportDays = 2_000_000
