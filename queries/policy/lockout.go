package policy

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/settings"
)

// Warning says that administrators, or the actor, could no longer use the
// console. Code is a message id.
type Warning struct {
	Code    string
	UserIDs []int64
}

// The codes of warnings.
const (
	WarnPlatform = "policy.warning.platform" // the web is not among the platforms
	WarnAddress  = "policy.warning.address"  // their address is not among the ranges
)

// Lockout refuses an unconfirmed change that would lock somebody out. It is an
// Invalid.
type Lockout struct {
	Warnings []Warning
}

func (e *Lockout) Error() string { return fmt.Sprintf("would lock out: %v", e.Warnings) }

// Unwrap returns the Invalid.
func (e *Lockout) Unwrap() error { return queries.Invalid("policy.lock_out") }

// lockedOut returns the administrators who can use the console by the timeline,
// but not by the one after: each with the address of the last activity, the
// actor with the present address. It does the same without the provisional
// versions, because these may revert while the change stays.
func (s *previewer) lockedOut(ctx context.Context, after *Timeline, at time.Time) ([]Warning, error) {
	if s.kind != "communication" {
		return nil, nil
	}
	people, err := s.administrators(ctx, administratorsParams{CompanyID: s.by.CompanyID, UserID: s.by.UserID})
	if err != nil {
		return nil, fmt.Errorf("administrators: %w", err)
	}
	byCode := map[string][]int64{}
	for _, person := range people {
		address := s.by.Address
		if person.ID != s.by.UserID {
			address, _ = netip.ParseAddr(person.Address) // the zero address if it is unknown
		}
		for _, compared := range [][2]*Timeline{{s.timeline, after}, {s.timeline.withoutProvisional(), after.withoutProvisional()}} {
			before := blockedBy(compared[0].resolve(person.ID, person.Ancestors, at), person.ID, address)
			if now := blockedBy(compared[1].resolve(person.ID, person.Ancestors, at), person.ID, address); now != "" && before == "" {
				byCode[now] = append(byCode[now], person.ID)
				break
			}
		}
	}
	var warnings []Warning
	for _, code := range []string{WarnPlatform, WarnAddress} {
		if len(byCode[code]) > 0 {
			warnings = append(warnings, Warning{code, byCode[code]})
		}
	}
	return warnings, nil
}

// mostConnections is how many connections to the console a preview looks at.
const mostConnections = 5000

// cutOff counts the users who use the console, and whom it would not let in from where
// they are after a change. isExact is false if there are more connections than it looks
// at.
func (s *previewer) cutOff(ctx context.Context, after *Timeline, at time.Time) (people int, isExact bool, err error) {
	if s.kind != "communication" {
		return 0, true, nil
	}
	rows, err := s.connections(ctx, connectionsParams{CompanyID: s.by.CompanyID, Now: s.now, Size: mostConnections + 1})
	if err != nil {
		return 0, false, fmt.Errorf("connections: %w", err)
	}
	cut := map[int64]bool{}
	for _, row := range rows {
		before := blockedBy(s.timeline.resolve(row.UserID, row.Ancestors, at), row.UserID, row.Address)
		if before == "" && blockedBy(after.resolve(row.UserID, row.Ancestors, at), row.UserID, row.Address) != "" {
			cut[row.UserID] = true
		}
	}
	return len(cut), len(rows) <= mostConnections, nil
}

// mergeWarnings adds the users of warnings to others with the same code.
func mergeWarnings(all, more []Warning) []Warning {
	for _, w := range more {
		at := slices.IndexFunc(all, func(other Warning) bool { return other.Code == w.Code })
		if at < 0 {
			all = append(all, w)
			continue
		}
		for _, id := range w.UserIDs {
			if !slices.Contains(all[at].UserIDs, id) {
				all[at].UserIDs = append(all[at].UserIDs, id)
			}
		}
	}
	return all
}

// blockedBy returns the code of what keeps a user from using the console, or
// "". An unknown address blocks nobody.
func blockedBy(d decision, userID int64, address netip.Addr) string {
	if d.Span == nil {
		return ""
	}
	switch d.Settings().Admits("web", address, userID) {
	case settings.PlatformRefused:
		return WarnPlatform
	case settings.AddressRefused:
		return WarnAddress
	}
	return ""
}

// checkConfirmer refuses to confirm versions that would not let the actor sign in now,
// by a browser and from the present address. Other versions that wait for their
// confirmation may revert or not, so that it is tried with and without them.
func (s *saveTx) checkConfirmer(ctx context.Context, confirmed []confirmVersionsRow) error {
	person, err := s.personWithAncestors(ctx, personWithAncestorsParams{CompanyID: s.by.CompanyID, UserID: s.by.UserID})
	if err != nil {
		return fmt.Errorf("who confirms: %w", err)
	}
	after := s.timeline.confirmed(confirmed)
	for _, t := range []*Timeline{after, after.withoutProvisional()} {
		switch blockedBy(t.resolve(s.by.UserID, person.Ancestors, s.now), s.by.UserID, s.by.Address) {
		case WarnPlatform:
			return queries.Invalid("policy.confirm.platform")
		case WarnAddress:
			return queries.Invalid("policy.confirm.address")
		}
	}
	return nil
}

// confirmed returns the timeline after versions have been confirmed.
func (t *Timeline) confirmed(versions []confirmVersionsRow) *Timeline {
	spans := t.Spans()
	for i, s := range spans {
		if slices.Contains(versions, confirmVersionsRow{s.PolicyID, s.No}) {
			row := s.policySpansRow
			row.Until, row.Unconfirmed = nil, false
			spans[i] = newSpan(t.kind, row, s.targets)
		}
	}
	return t.withSpans(spans)
}

// saved returns the timeline after a version has been saved and its targets
// have been released by their holders.
func (t *Timeline) saved(added *Span, held []taken) *Timeline {
	lost := map[int64][]node{}
	for _, h := range held {
		lost[h.by.PolicyID] = append(lost[h.by.PolicyID], h.target.node())
	}
	spans := []*Span{added}
	for _, id := range sortedKeys(lost) {
		in := t.inForce(id, added.EffectiveFrom)
		if in == nil {
			continue
		}
		row := in.policySpansRow
		row.No, row.EffectiveFrom, row.Until, row.Unconfirmed = t.byPolicy[id][0].No+1, added.EffectiveFrom, added.Until, added.Unconfirmed
		rest := slices.DeleteFunc(slices.Clone(in.targets), func(target Target) bool { return slices.Contains(lost[id], target.node()) })
		spans = append(spans, newSpan(t.kind, row, rest))
	}
	return t.with(spans...)
}

// checkLockout makes a version provisional if it may lock somebody out. finish
// then refuses it unless it is confirmed.
func (s *saveTx) checkLockout(ctx context.Context, v *Version, after *Timeline, confirmed bool) error {
	warnings, err := s.lockedOut(ctx, after, v.EffectiveFrom)
	if err != nil || len(warnings) == 0 {
		return err
	}
	if !confirmed {
		s.lockouts = mergeWarnings(s.lockouts, warnings)
	}
	end := v.EffectiveFrom.Add(ConfirmTime)
	v.ConfirmBy, v.Until = &end, &end
	return nil
}

// warnOfLockout lets finish refuse what would lock somebody out now by a timeline, unless it
// is confirmed.
func (s *saveTx) warnOfLockout(ctx context.Context, after *Timeline, confirmed bool) error {
	if confirmed {
		return nil
	}
	warnings, err := s.lockedOut(ctx, after, s.now)
	s.lockouts = mergeWarnings(s.lockouts, warnings)
	return err
}
