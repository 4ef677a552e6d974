package demo

import (
	"context"
	"fmt"
	"strings"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
)

// importAttendance imports the files of a company, the first one of Fill, as its head of
// personnel did. The company is stored by then: an import is a transaction of its own.
func importAttendance(ctx context.Context, db *queries.DB, c *Company) error {
	company, err := areas.Over(db).Directory.CompanyByHost(ctx, c.Host)
	if err != nil {
		return err
	}
	by := queries.Actor{CompanyID: company.ID, UserID: personnel, Name: c.Named(personnel), Address: officeAddress(personnel)}
	for _, file := range c.Imports() {
		files := attendance.ImportFiles{Long: attendance.ImportFile{Name: file.Name, Content: strings.NewReader(file.Text)}}
		report, err := areas.Over(db.At(file.At)).Attendance.Import(ctx, by, files, attendance.ImportOptions{SkipBad: true})
		if err == nil && !report.Written {
			err = fmt.Errorf("refused: %+v", report.Reasons)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return nil
}
