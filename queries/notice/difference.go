package notice

import (
	"context"
	"reflect"
	"slices"
	"time"
)

// Record is a notice in the change log, which has the names of its files because
// they are deleted before it is.
type Record struct {
	Draft
	VersionNo int32    `json:"version_no"`
	FileNames []string `json:"file_names,omitempty"` // in the order of AttachmentIDs
}

// recordOf returns a notice as the change log stores it.
func (q *Queries) recordOf(ctx context.Context, n Notice) (Record, error) {
	targets, err := q.targetsOf(ctx, n)
	if err != nil {
		return Record{}, err
	}
	files, err := q.Attachments(ctx, AttachmentsParams{n.CompanyID, &n.ID})
	at := n.PublishAt.UTC()
	record := Record{Draft: Draft{Title: n.Title, Body: n.Body, Targets: targets, PublishAt: &at}, VersionNo: n.VersionNo}
	for _, f := range files {
		record.AttachmentIDs, record.FileNames = append(record.AttachmentIDs, f.ID), append(record.FileNames, f.Name)
	}
	record.Draft = record.normalized()
	return record, err
}

// newRecord returns a notice whose draft is known as the change log stores it.
func (q *Queries) newRecord(ctx context.Context, n Notice, d Draft) (Record, error) {
	record := Record{Draft: d, VersionNo: n.VersionNo}
	if len(d.AttachmentIDs) == 0 {
		return record, nil
	}
	files, err := q.AttachmentsByID(ctx, AttachmentsByIDParams{CompanyID: n.CompanyID, Ids: d.AttachmentIDs})
	for _, f := range files {
		record.FileNames = append(record.FileNames, f.Name)
	}
	return record, err
}

// Differences are what has changed in a notice: the names of fields in the API, in
// their order on the page. Before and After are only set with Fields.
type Differences struct {
	Fields        []string
	Before, After Record
}

// Compare returns how a notice has changed from one record to another.
func Compare(before, after Record) Differences {
	d := Differences{Before: before, After: after}
	for _, f := range []struct {
		name string
		same bool
	}{
		{"title", before.Title == after.Title},
		{"body", before.Body == after.Body},
		{"attachment_ids", slices.Equal(before.AttachmentIDs, after.AttachmentIDs)},
		{"targets", reflect.DeepEqual(before.Targets.normalized(), after.Targets.normalized())},
		{"publish_at", sameTime(before.PublishAt, after.PublishAt)},
	} {
		if !f.same {
			d.Fields = append(d.Fields, f.name)
		}
	}
	return d
}

// sameTime reports whether two times look the same: the form has no seconds, so
// that it cuts off those that a client of the API has set.
func sameTime(a, b *time.Time) bool {
	return a == b || a != nil && b != nil && a.Truncate(time.Minute).Equal(b.Truncate(time.Minute))
}

// TargetNames are the names of departments and users by their ids. One that no
// longer exists has none. Of those with the same name, Details has what tells them
// apart.
type TargetNames struct{ Departments, Users TargetTexts }

// TargetTexts are texts by the ids of departments or of users.
type TargetTexts struct{ Names, Details map[int64]string }

// TargetNames returns the names of the targets of some records.
func (s *Store) TargetNames(ctx context.Context, companyID int64, records ...Record) (TargetNames, error) {
	arg := knownTargetsParams{CompanyID: companyID}
	for _, r := range records {
		arg.DepartmentIds = append(arg.DepartmentIds, r.Targets.departmentIDs()...)
		arg.UserIds = append(arg.UserIds, r.Targets.UserIDs...)
	}
	if len(arg.DepartmentIds)+len(arg.UserIds) == 0 {
		return TargetNames{}, nil
	}
	rows, err := s.knownTargets(ctx, arg)
	departments := slices.DeleteFunc(slices.Clone(rows), func(row knownTargetsRow) bool { return row.UserID != 0 })
	return TargetNames{newTargetTexts(departments), newTargetTexts(rows[len(departments):])}, err
}

// newTargetTexts returns the texts of targets of one type. A namesake has their
// department, or the path of the department; where that is the same too, their employee
// id is added.
func newTargetTexts(rows []knownTargetsRow) TargetTexts {
	type place struct{ name, in string }
	namesakes, neighbors := map[string]int{}, map[place]int{}
	for _, row := range rows {
		namesakes[row.Name]++
		neighbors[place{row.Name, row.Path + row.Department}]++
	}
	texts := TargetTexts{map[int64]string{}, map[int64]string{}}
	for _, row := range rows {
		id, in := max(row.DepartmentID, row.UserID), row.Path+row.Department // one of each is empty
		texts.Names[id] = row.Name
		switch {
		case namesakes[row.Name] == 1 || in == "":
		case neighbors[place{row.Name, in}] > 1 && row.EmployeeID != "":
			texts.Details[id] = in + " · " + row.EmployeeID
		default:
			texts.Details[id] = in
		}
	}
	return texts
}
