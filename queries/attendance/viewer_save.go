package attendance

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/policy"
)

// The maximum numbers of individuals and of management departments of a registration
// (spec §5, domain §9.15).
const (
	MaxViewerPeople      = 2
	MaxViewerDepartments = 3
)

// The kinds of registration.
const (
	ViewerByPosition = "position"
	ViewerByPerson   = "person"
)

// ViewerDraft is the form of a registration of viewing-authority persons. Names
// of departments are ignored.
type ViewerDraft struct {
	By           string // ViewerByPosition or ViewerByPerson; the fields of the other kind are ignored
	RankID       int64  // the users of this rank or a higher one
	WholeCompany bool
	Within       []ViewerDepartment // unless WholeCompany
	UserIDs      []int64
	Departments  []ViewerDepartment
	MayEdit      bool
}

// Draft returns the registration as a form.
func (v Viewer) Draft() ViewerDraft {
	d := ViewerDraft{
		By: ViewerByPerson, RankID: v.RankID, WholeCompany: v.WholeCompany, Within: v.Within,
		Departments: v.Departments, MayEdit: v.MayEdit,
	}
	if v.RankID != 0 {
		d.By = ViewerByPosition
	}
	for _, p := range v.People {
		d.UserIDs = append(d.UserIDs, p.ID)
	}
	return d
}

// RegisterViewer registers viewing-authority persons. It refuses with
// FieldErrors of by, rank_id, within, user_ids and departments.
func (s *Store) RegisterViewer(ctx context.Context, by queries.Actor, d ViewerDraft) (Viewer, error) {
	return s.changeViewer(ctx, by, "viewer.registered", func(q *Queries, now time.Time) (int64, error) {
		d, err := q.checkViewer(ctx, by.CompanyID, 0, d)
		if err != nil {
			return 0, err
		}
		id, err := q.insertViewer(ctx, insertViewerParams{
			CompanyID: by.CompanyID, RankID: queries.OrNil(d.RankID), WholeCompany: d.WholeCompany, MayEdit: d.MayEdit, CreatedBy: queries.OrNil(by.UserID), Now: now,
		})
		if err != nil {
			return 0, err
		}
		return id, q.fillViewer(ctx, by.CompanyID, id, d)
	})
}

// UpdateViewer changes a registration and refuses as RegisterViewer does.
// ifMatch is the VersionNo that the actor has seen; it is a Conflict if there
// is a newer one, except for 0.
func (s *Store) UpdateViewer(ctx context.Context, by queries.Actor, id int64, ifMatch int32, d ViewerDraft) (Viewer, error) {
	return s.changeViewer(ctx, by, "viewer.updated", func(q *Queries, now time.Time) (int64, error) {
		if err := q.matchViewer(ctx, by.CompanyID, id, ifMatch); err != nil {
			return 0, err
		}
		d, err := q.checkViewer(ctx, by.CompanyID, id, d)
		if err != nil {
			return 0, err
		}
		n, err := q.updateViewer(ctx, updateViewerParams{
			CompanyID: by.CompanyID, ID: id, RankID: queries.OrNil(d.RankID), WholeCompany: d.WholeCompany, MayEdit: d.MayEdit, Now: now,
		})
		if err == nil && n == 0 {
			err = queries.NotFound
		}
		if err != nil {
			return 0, err
		}
		return id, q.fillViewer(ctx, by.CompanyID, id, d)
	}, id)
}

// DeleteViewer deletes a registration: its users see only what other
// registrations and permissions allow. ifMatch is that of UpdateViewer.
func (s *Store) DeleteViewer(ctx context.Context, by queries.Actor, id int64, ifMatch int32) error {
	_, err := s.changeViewer(ctx, by, "viewer.deleted", func(q *Queries, now time.Time) (int64, error) {
		if err := q.matchViewer(ctx, by.CompanyID, id, ifMatch); err != nil {
			return 0, err
		}
		n, err := q.deleteViewer(ctx, deleteViewerParams{CompanyID: by.CompanyID, ID: id, Now: now})
		if err == nil && n == 0 {
			err = queries.NotFound
		}
		return 0, err
	}, id)
	return err
}

// RestoreViewer restores a registration for thirty days after its deletion
// (domain §9.12). It is a Conflict if another registration repeats it by now.
// ifMatch is that of UpdateViewer.
func (s *Store) RestoreViewer(ctx context.Context, by queries.Actor, id int64, ifMatch int32) (Viewer, error) {
	return s.changeViewer(ctx, by, "viewer.restored", func(q *Queries, now time.Time) (int64, error) {
		if err := q.matchViewer(ctx, by.CompanyID, id, ifMatch); err != nil {
			return 0, err
		}
		n, err := q.restoreViewer(ctx, restoreViewerParams{CompanyID: by.CompanyID, ID: id, Now: now, Since: now.Add(-policy.RestoreTime)})
		if err == nil && n == 0 {
			err = queries.NotFound
		}
		if err != nil {
			return 0, err
		}
		if twin, err := q.viewerTwin(ctx, viewerTwinParams{by.CompanyID, id}); err != nil || twin {
			return 0, cmp.Or(err, error(queries.Conflict("viewer.restore.taken")))
		}
		return id, nil
	})
}

// changeViewer runs a change of a company's registrations, one at a time, and
// records it in the change log. id is the registration before the change, 0 for
// none; do returns its id after the change, 0 for none.
func (s *Store) changeViewer(ctx context.Context, by queries.Actor, action string, do func(*Queries, time.Time) (int64, error), before ...int64) (Viewer, error) {
	return inTx(ctx, s, func(ctx context.Context, q *Queries) (Viewer, error) {
		now := s.db.Now()
		if err := q.lockViewers(ctx, by.CompanyID); err != nil {
			return Viewer{}, err
		}
		note := queries.Change{Action: action, ObjectType: "viewer"}
		for _, id := range before {
			old, err := q.viewer(ctx, by.CompanyID, id)
			if err != nil {
				return Viewer{}, err
			}
			note.ObjectID, note.ObjectName, note.Old = id, old.label(), old.record()
		}
		id, err := do(q, now)
		if err != nil {
			return Viewer{}, err
		}
		var changed Viewer
		if id != 0 {
			if changed, err = q.viewer(ctx, by.CompanyID, id); err != nil {
				return Viewer{}, err
			}
			note.ObjectID, note.ObjectName, note.New = id, changed.label(), changed.record()
		}
		return changed, queries.New(q.db).RecordChange(ctx, by, now, note)
	})
}

// matchViewer refuses to change a registration that somebody else has changed
// in the meantime.
func (q *Queries) matchViewer(ctx context.Context, companyID, id int64, ifMatch int32) error {
	if ifMatch == 0 {
		return nil
	}
	no, err := q.viewerVersion(ctx, viewerVersionParams{companyID, id})
	if err == nil && no != ifMatch {
		err = queries.Conflict("viewer.changed")
	}
	return err
}

// fillViewer stores the users and departments of a registration, and refuses
// one that repeats another.
func (q *Queries) fillViewer(ctx context.Context, companyID, id int64, d ViewerDraft) error {
	if err := q.setViewerUsers(ctx, setViewerUsersParams{companyID, id, d.UserIDs}); err != nil {
		return err
	}
	arg := setViewerDepartmentsParams{CompanyID: companyID, ViewerID: id}
	add := func(scope bool, departments []ViewerDepartment) {
		for _, department := range departments {
			arg.Scopes = append(arg.Scopes, scope)
			arg.DepartmentIds = append(arg.DepartmentIds, department.ID)
			arg.IncludeChildren = append(arg.IncludeChildren, department.IncludeChildren)
		}
	}
	add(true, d.Within)
	add(false, d.Departments)
	if err := q.setViewerDepartments(ctx, arg); err != nil {
		return err
	}
	twin, err := q.viewerTwin(ctx, viewerTwinParams{companyID, id})
	if err != nil || !twin {
		return err
	}
	if d.By == ViewerByPosition {
		return queries.FieldErrors{"rank_id": "viewer.position.duplicate"}
	}
	return queries.FieldErrors{"user_ids": "viewer.person.duplicate"}
}

// label returns the registration's name in the change log: its individuals, or
// its rank.
func (v Viewer) label() string {
	if v.RankID != 0 {
		return v.RankName
	}
	var names []string
	for _, p := range v.everyone() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// everyone returns the individuals, with those who are hidden: the change log has them, so
// that a revert does not remove them.
func (v Viewer) everyone() []ViewerPerson { return slices.Concat(v.People, v.hidden) }

// ViewerRecord is a registration as the change log stores it.
type ViewerRecord struct {
	Rank         string             `json:"rank,omitempty"`
	RankID       int64              `json:"rank_id,omitempty"`
	WholeCompany bool               `json:"whole_company,omitempty"`
	Within       []ViewerDepartment `json:"within,omitempty"`
	People       []ViewerPerson     `json:"people,omitempty"`
	Departments  []ViewerDepartment `json:"departments"`
	MayEdit      bool               `json:"may_edit"`
	VersionNo    int32              `json:"version_no"`
}

func (v Viewer) record() ViewerRecord {
	return ViewerRecord{v.RankName, v.RankID, v.WholeCompany, v.Within, v.everyone(), v.Departments, v.MayEdit, v.VersionNo}
}

// Viewer returns the registration that was recorded.
func (r ViewerRecord) Viewer() Viewer {
	return Viewer{
		RankID: r.RankID, RankName: r.Rank, WholeCompany: r.WholeCompany, Within: r.Within, People: r.People,
		Departments: r.Departments, MayEdit: r.MayEdit, VersionNo: r.VersionNo,
	}
}
