package policy

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"officeconsole/queries"
	"officeconsole/settings"
)

// isSuperseded reports whether a policy of the set has a later version.
func (set changeSet) isSuperseded() bool {
	return slices.ContainsFunc(set, func(m changeSetMember) bool { return !m.isNewest() })
}

// revertsFields reports whether reverting a version sets back what it changed on top of
// later versions. A version that begins its policy, one that still waits for its time and
// one of the past are only reverted as a whole, before anything else is saved.
func (s *saveTx) revertsFields(set changeSet, v VersionReversal) bool {
	return v.Before != nil && set.isSuperseded() && !s.isOfPast(set) && !set[0].version.isPending(s.now) && !set.deletedFor(v.key())
}

// revertFields saves each policy of a change set with the fields that the set changed as
// they were before, and everything else as it is.
func (s *saveTx) revertFields(ctx context.Context, set changeSet, v VersionReversal) error {
	back, err := s.fieldsBack(set, v)
	if err != nil {
		return err
	}
	keys, err := s.planReplacedBy(ctx, back[0].history, Start{})
	if err != nil {
		return err
	}
	replaced, err := s.cancelAll(ctx, keys)
	if err != nil {
		return err
	}
	if err := s.restoreOwner(ctx, s.histories[v.PolicyID], v.Before.Owner); err != nil {
		return err
	}
	if err := s.saveEarlier(ctx, back, nil, v.Confirmed); err != nil {
		return err
	}
	return s.finishReplacement(ctx, replaced)
}

// fieldsBack returns what revertFields saves, as the earlier versions of those that a save
// would replace. It refuses with FieldConflict.
func (s *saveTx) fieldsBack(set changeSet, v VersionReversal) (back changeSet, err error) {
	for i, m := range set {
		switch {
		case m.history.DeletedAt != nil:
			return nil, queries.Conflict("change.revert.changed")
		case i > 0 && m.version.CancelledAt != nil:
			continue // its policy has released nothing
		}
		now := m.history.policy(s.now).ToEdit(s.now, s.zone)
		before, after := m.history.followedBy(m.version), m.version
		if m.history.id == v.PolicyID {
			before, after.Owner = v.Before, v.Owner
			now = *now.ownedBy(m.history.owner)
		}
		if before == nil {
			return nil, queries.Conflict("change.revert.changed")
		}
		change := compareContent(s.kind, *before, after)
		if i == 0 && change.isEmpty() {
			return nil, queries.Conflict("change.revert.changed")
		}
		reverted, changed := now.withFieldsOf(s.kind, *before, change, compareContent(s.kind, after, now))
		if !changed.isEmpty() {
			return nil, &FieldConflict{PolicyID: m.history.id, PolicyName: now.Name, Changed: changed}
		}
		back = append(back, changeSetMember{m.history, now, &reverted})
	}
	return back, nil
}

// compareContent is Compare without the start, which every version has of its own.
func compareContent(kind string, before, after Version) Differences {
	d := Compare(kind, before, after)
	d.Fields = slices.DeleteFunc(d.Fields, func(f FieldDifference) bool { return f.Field == "effective_from" })
	return d
}

func (d Differences) isEmpty() bool { return len(d.Fields)+len(d.Settings) == 0 }

// withFieldsOf returns the version with the fields that a change changed as they were
// before it, and what of them has changed since.
func (v *Version) withFieldsOf(kind string, before Version, change, since Differences) (reverted Version, changed Differences) {
	reverted = *v
	for _, f := range change.Fields {
		if at := slices.IndexFunc(since.Fields, func(other FieldDifference) bool { return other.Field == f.Field }); at >= 0 {
			changed.Fields = append(changed.Fields, since.Fields[at])
		}
		switch f.Field { // the owner is no part of a version: see restoreOwner
		case "name":
			reverted.Name = before.Name
		case "description":
			reverted.Description = before.Description
		case "enabled":
			reverted.Enabled = before.Enabled
		case "targets":
			reverted.Targets = before.Targets
		}
	}
	stored, earlier := completeSettings(kind, *v), completeSettings(kind, before)
	for _, c := range change.Settings {
		if at := slices.IndexFunc(since.Settings, func(other settings.Change) bool { return other.Path == c.Path }); at >= 0 {
			changed.Settings = append(changed.Settings, since.Settings[at])
		}
		setPart(stored, earlier, c.Path)
	}
	if len(change.Settings) > 0 {
		reverted.Settings = toJSON(stored)
	}
	return reverted, changed
}

// completeSettings returns the settings of a version by their keys.
func completeSettings(kind string, v Version) map[string]json.RawMessage {
	return parts(v.Values(kind).Complete())
}

// setPart sets a setting, or a part of it such as "file_save.web", to what it was.
func setPart(stored, earlier map[string]json.RawMessage, path string) {
	key, part, isPart := strings.Cut(path, ".")
	if !isPart {
		stored[key] = earlier[key]
		return
	}
	whole := parts(stored[key])
	whole[part] = parts(earlier[key])[part]
	stored[key] = toJSON(whole)
}

func parts(object json.RawMessage) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(object, &all); err != nil {
		panic(err) // the settings' own JSON
	}
	return all
}

func toJSON(object map[string]json.RawMessage) json.RawMessage {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err) // raw JSON that was read before
	}
	return text
}

// followedBy returns the version that a version of the policy followed, or nil.
func (h *history) followedBy(v Version) *Version {
	var found *Version
	for i := range h.versions {
		other := &h.versions[i]
		if other.No < v.No && other.covers(v.EffectiveFrom) && (found == nil || compareStarts(*other, *found) < 0) {
			found = other
		}
	}
	return found
}

// previewFields returns whom revertFields affects.
func (s *saveTx) previewFields(ctx context.Context, set changeSet, v VersionReversal) (Preview, error) {
	back, err := s.fieldsBack(set, v)
	if err != nil {
		return Preview{}, err
	}
	at, err := s.resolveStart(ctx, back[0].history.id, Start{})
	if err != nil {
		return Preview{}, err
	}
	replaced, err := s.planReplacedBy(ctx, back[0].history, Start{})
	if err != nil {
		return Preview{}, err
	}
	var added []*Span
	for _, m := range back {
		saved := *m.earlier
		saved.No, saved.EffectiveFrom, saved.Until, saved.ConfirmBy = m.history.lastNo()+1, at, nil, nil
		added = append(added, s.spanOf(m.history.id, &saved))
	}
	rest := s.timeline.without(func(span *Span) bool { return slices.Contains(replaced, VersionKey{span.PolicyID, span.No}) })
	p := Preview{At: at}
	return p, s.preview(ctx, &p, v.PolicyID, rest.with(added...))
}
