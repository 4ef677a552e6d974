package queries

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"
)

// Warning says that administrators, or the one who saves, could not use the
// console any more. Code is a message id.
type Warning struct {
	Code    string
	UserIDs []int64
}

// The codes of warnings.
const (
	WarnPlatform = "policy.warning.platform" // the web is not among the platforms
	WarnAddress  = "policy.warning.address"  // their address is not among the ranges
)

// LockOut refuses what would lock somebody out, unless it is confirmed. It is
// an Invalid.
type LockOut struct {
	Warnings []Warning
}

func (e *LockOut) Error() string { return fmt.Sprintf("would lock out: %v", e.Warnings) }

// Unwrap is the Invalid that the refusal is.
func (e *LockOut) Unwrap() error { return Invalid("policy.lock_out") }

// ConfirmTime is how long a version that may lock somebody out counts before
// it ends by itself, unless a fresh request confirms it (domain §9.11).
const ConfirmTime = 5 * time.Minute

// lockOuts compares whom of the administrators the timeline lets in with whom
// the one after would, each by the address they were last seen at; the one who
// saves by the address they save from. It compares as well what remains if
// nobody confirms what is on probation, or a change on top of it would stay.
func (s *saving) lockOuts(ctx context.Context, after *timeline, at time.Time) ([]Warning, error) {
	if s.kind != "communication" {
		return nil, nil
	}
	people, err := s.administrators(ctx, administratorsParams{CompanyID: s.by.CompanyID, UserID: s.by.UserID})
	if err != nil {
		return nil, fmt.Errorf("administrators: %w", err)
	}
	shut := map[string][]int64{}
	for _, person := range people {
		address := s.by.Address
		if person.ID != s.by.UserID {
			address, _ = netip.ParseAddr(person.Address) // none: an unknown one
		}
		for _, compared := range [][2]*timeline{{s.timeline, after}, {s.timeline.settled(), after.settled()}} {
			before := barrier(compared[0].decide(person.ID, person.Lineage, at), person.ID, address)
			if now := barrier(compared[1].decide(person.ID, person.Lineage, at), person.ID, address); now != "" && before == "" {
				shut[now] = append(shut[now], person.ID)
				break
			}
		}
	}
	var warnings []Warning
	for _, code := range []string{WarnPlatform, WarnAddress} {
		if len(shut[code]) > 0 {
			warnings = append(warnings, Warning{code, shut[code]})
		}
	}
	return warnings, nil
}

// mergeWarnings adds the people of some warnings to others.
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

// barrier is what keeps a person from this console, "" for nothing. Of an
// unknown address nothing is said.
func barrier(d decision, userID int64, address netip.Addr) string {
	if d.span == nil {
		return ""
	}
	values := d.settings()
	switch {
	case !values.LoginAllowed("web"):
		return WarnPlatform
	case address.IsValid() && !values.AddressAllowed("web", address.Unmap(), userID):
		return WarnAddress
	}
	return ""
}

// saved is the timeline after a version has been saved and those who held its
// targets have released them.
func (t *timeline) saved(added *span, held []taken) *timeline {
	lost := map[int64][]node{}
	for _, h := range held {
		lost[h.by.PolicyID] = append(lost[h.by.PolicyID], h.target.node())
	}
	spans := []*span{added}
	for _, id := range sortedKeys(lost) {
		in := t.inForce(id, added.EffectiveFrom)
		if in == nil {
			continue
		}
		row := in.policySpansRow
		row.No, row.EffectiveFrom, row.Until, row.Unconfirmed = t.lines[id][0].No+1, added.EffectiveFrom, added.Until, added.Unconfirmed
		rest := slices.DeleteFunc(slices.Clone(in.targets), func(target Target) bool { return slices.Contains(lost[id], target.node()) })
		spans = append(spans, newSpan(t.kind, row, rest))
	}
	return t.with(spans...)
}

// weigh refuses a version that may lock somebody out, or lets it begin on
// probation if it is confirmed.
func (s *saving) weigh(ctx context.Context, v *Version, after *timeline, confirmed bool) error {
	warnings, err := s.lockOuts(ctx, after, v.EffectiveFrom)
	if err != nil || len(warnings) == 0 {
		return err
	}
	if !confirmed {
		return &LockOut{warnings}
	}
	end := v.EffectiveFrom.Add(ConfirmTime)
	v.ConfirmBy, v.Until = &end, &end
	return nil
}

// ConfirmVersion lets a version on probation stay, with those that other
// policies have because of it, or with the one that it goes with. It refuses
// before the version has begun, and after its time is over.
func (db *DB) ConfirmVersion(ctx context.Context, by Actor, id int64, no int32) (Policy, error) {
	return db.changePolicy(ctx, by, id, 0, func(s *saving, p Policy) error {
		versions, err := s.versions(ctx, by.CompanyID, id)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(versions, func(v Version) bool { return v.No == no })
		if at < 0 {
			return NotFound
		}
		v := versions[at]
		switch {
		case !v.Unconfirmed():
			return nil
		case s.now.Before(v.EffectiveFrom):
			return Invalid("policy.confirm.early")
		case !v.covers(s.now):
			return Conflict("policy.confirm.late")
		}
		leader := policyVersionKey{id, no}
		if v.movedFor != nil {
			leader = *v.movedFor
		}
		confirmed, err := s.confirmVersions(ctx, confirmVersionsParams{CompanyID: by.CompanyID, PolicyID: leader.policyID, No: leader.no, Now: s.now})
		if err != nil {
			return err
		}
		for _, c := range confirmed {
			s.messages = append(s.messages, policyChanged{s.kind, c.PolicyID, c.No, v.EffectiveFrom})
		}
		return s.note(ctx, "policy.confirmed", id, &v, &v)
	})
}
