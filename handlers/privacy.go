package handlers

import (
	"net/http"

	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/views"
)

// shownPrivacy is how many readers, positions and consents the profile shows.
const shownPrivacy = 10

// privacy reads what the profile says about the person's privacy: who read about them,
// which positions are stored, and to what they agreed.
func (h *handlers) privacy(r *http.Request) (p views.Privacy, err error) {
	ctx, who := r.Context(), person(r)
	h.writeReads(ctx)
	if p.Reads, err = h.db.Audit.Reads(ctx, who.CompanyID, zone(who), audit.ReadsFilter{SubjectID: who.ID, Limit: shownPrivacy}); err != nil {
		return p, err
	}
	if p.Positions, err = h.db.Attendance.StoredPositions(ctx, attendance.StoredPositionsParams{CompanyID: who.CompanyID, UserID: who.ID, Size: shownPrivacy}); err != nil {
		return p, err
	}
	p.Consents, err = h.db.Attendance.Consents(ctx, attendance.ConsentsParams{CompanyID: who.CompanyID, UserID: who.ID, Size: shownPrivacy})
	return p, err
}
