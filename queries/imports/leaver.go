package imports

import (
	"context"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/hiding"
)

// maxMissing is how much of the people of earlier imports, in percent, an import
// deactivates unless Options.AllowMany is set: a file without more people looks like
// that of a part of the company.
const maxMissing = 20

// Leavers is what an import does to the people who have left, and to those who are
// back.
type Leavers struct {
	Requested      bool                     // Options.DeactivateMissing
	Refused        bool                     // nobody is deactivated, because a refused row may be about one of them
	Deactivated    int                      // of ImportReport.Missing
	Absent         int                      // of ImportReport.Missing: hidden people and bots, who are not deactivated
	Administrators []directory.ImportedUser // who are not deactivated, because nobody else would be an administrator
	Reactivated    []directory.ImportedUser // whom an import has deactivated, and this file names
	Inactive       []directory.ImportedUser // whom the file names, but something else has deactivated
}

// writeLeavers reactivates and deactivates people after the directory has changed.
// formerly are the administrators before.
func (w *writer) writeLeavers(ctx context.Context, formerly []int64) error {
	l := &w.report.Leavers
	for _, user := range w.report.Inactive {
		if user.DeactivatedBy == string(hiding.Import) {
			l.Reactivated = append(l.Reactivated, user)
		} else {
			l.Inactive = append(l.Inactive, user)
		}
	}
	if len(l.Reactivated) > 0 {
		if _, err := hiding.ReactivateIn(ctx, w.tx, w.by, w.now, idsOf(l.Reactivated)); err != nil {
			return err
		}
	}
	administrators, err := directory.New(w.tx).AdministratorIDs(ctx, w.by.CompanyID)
	if err != nil {
		return err
	}
	if len(formerly) > 0 && len(administrators) == 0 {
		w.report.Stopped = append(w.report.Stopped, "import.stopped.administrators")
	}
	if !w.options.DeactivateMissing {
		return nil
	}
	return w.deactivate(ctx, administrators)
}

// deactivate deactivates the people who are missing but for bots, hidden people and
// the last administrators.
func (w *writer) deactivate(ctx context.Context, administrators []int64) error {
	l := &w.report.Leavers
	l.Requested = true
	var leavers []directory.ImportedUser
	for _, user := range w.report.Missing {
		if user.Hidden || user.Bot {
			l.Absent++
		} else {
			leavers = append(leavers, user)
		}
	}
	if l.Refused = w.report.RefusedRows+len(w.report.Refused) > 0; l.Refused {
		return nil
	}
	if len(leavers)*100 > w.plan.ImportedPeople()*maxMissing && !w.options.AllowMany {
		w.report.Stopped = append(w.report.Stopped, "import.stopped.many")
		return nil
	}
	isLeaver := make(map[int64]bool, len(leavers))
	for _, user := range leavers {
		isLeaver[user.ID] = true
	}
	if !slices.ContainsFunc(administrators, func(id int64) bool { return !isLeaver[id] }) {
		isAdministrator := func(user directory.ImportedUser) bool { return user.IsAdmin }
		for _, user := range leavers {
			if isAdministrator(user) {
				l.Administrators = append(l.Administrators, user)
			}
		}
		leavers = slices.DeleteFunc(leavers, isAdministrator)
	}
	l.Deactivated = len(leavers)
	_, err := hiding.DeactivateIn(ctx, w.tx, w.by, w.now, hiding.Deactivation{UserIDs: idsOf(leavers), Source: hiding.Import})
	return err
}

func idsOf(users []directory.ImportedUser) []int64 {
	ids := make([]int64, len(users))
	for i, user := range users {
		ids[i] = user.ID
	}
	return ids
}

// recordAdministrators adds everybody whom the import makes an administrator, or no
// longer one, to the change log.
func (w *writer) recordAdministrators(ctx context.Context) error {
	var changes []queries.Change
	for action, users := range map[string][]directory.ImportedUser{"user.admin_granted": w.report.Granted, "user.admin_revoked": w.report.Revoked} {
		for _, user := range users {
			changes = append(changes, queries.Change{Action: action, ObjectType: "user", ObjectID: user.ID, ObjectName: user.Name})
		}
	}
	return queries.New(w.tx).RecordChanges(ctx, w.by, w.now, changes)
}
