package views

import (
	"context"
	"strconv"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	"officeconsole/workday"
)

// Privacy is what the profile says about the person's privacy.
type Privacy struct {
	Reads     lists.Page[audit.ReadRow]       // what others read about the person, the latest first
	Positions []attendance.StoredPositionsRow // the latest first
	Consents  []attendance.ConsentsRow        // the latest first
}

// consentText says whether positions may be recorded, and since when.
func (p Privacy) consentText(ctx context.Context, f Frame) string {
	if len(p.Consents) == 0 {
		return locales.T(ctx, "privacy.consent.never")
	}
	id := "privacy.consent.withdrawn"
	if p.Consents[0].Given {
		id = "privacy.consent.given"
	}
	return locales.T(ctx, id, "Time", locales.DateTime(ctx, p.Consents[0].At.In(f.Now.Location())))
}

// storedText says how many positions are stored.
func (p Privacy) storedText(ctx context.Context) string {
	if len(p.Positions) == 0 {
		return locales.T(ctx, "privacy.positions.none")
	}
	return locales.N(ctx, "privacy.positions.stored", int(p.Positions[0].Total))
}

// readText says what somebody read about the person.
func readText(ctx context.Context, r audit.ReadRow) string {
	return locales.T(ctx, "read.kind."+string(r.Kind))
}

// recordPath is the page of the person's record of a time.
func recordPath(f Frame, at time.Time) string {
	return "/logs/workingattitude/day/" + attendance.RecordKey{UserID: f.Person.ID, Date: workday.DateOf(at.In(f.Now.Location()))}.String()
}

// coordinates are a position as people write it: latitude, longitude.
func coordinates(p attendance.StoredPositionsRow) string {
	return strconv.FormatFloat(p.Lat, 'f', 5, 64) + ", " + strconv.FormatFloat(p.Lng, 'f', 5, 64)
}
