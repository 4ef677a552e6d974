package demo

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries/usage"
)

// savedFileBatch is the number of files that are written at once.
const savedFileBatch = 20_000

// savedFiles fills the log of saved files.
func (f *filler) savedFiles(ctx context.Context, c *Company) error {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return err
	}
	var rows usage.FileRows
	write := func() error {
		if rows.Len() == 0 {
			return nil
		}
		err := usage.LoadFiles(ctx, f.tx, f.companyID, rows)
		rows = usage.FileRows{}
		return err
	}
	for file := range c.SavedFiles() {
		f.savedFileIDs++
		receivers := make([]int64, len(file.Receivers))
		for i, number := range file.Receivers {
			receivers[i] = f.users + int64(number)
		}
		rows.Add(usage.File{
			CompanyID: f.companyID, ID: f.savedFileIDs, SavedAt: file.SavedAt.Truncate(time.Microsecond), EventID: fmt.Sprint("demo-", f.savedFileIDs),
			UserID: f.users + int64(file.Sender.Number), DepartmentID: f.departments + int64(file.Sender.Department), ReceiverIds: receivers,
			Room: file.Room, Folder: file.Folder, Name: file.Name, Size: file.Size, Sha256: file.SHA256, Platform: file.Platform, Ip: &file.Address,
			ReceivedAt: file.SavedAt.Add(2 * time.Second).Truncate(time.Microsecond),
		}, zone)
		if rows.Len() == savedFileBatch {
			if err := write(); err != nil {
				return err
			}
		}
	}
	return write()
}
