package handlers

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"

	"officeconsole/queries/policy"
	"officeconsole/settings"
	policyviews "officeconsole/views/policy"
)

// showEdit shows what another administrator saved since the form was opened.
// The form still contains everything that was typed.
func (h *handlers) showEdit(w http.ResponseWriter, r *http.Request, page policyviews.Edit, conflict *policy.EditConflict) error {
	p, versions, err := h.policyNow(r)
	if err != nil {
		return err
	}
	newest := versions[0]
	saved := policyviews.Conflict{By: newest.CreatedByName, At: newest.CreatedAt, Changes: conflict.Changes}
	if base, ok := versionNo(versions, page.Form.BasedOn); ok {
		saved.Changes = policy.Compare(p.Kind, base, h.versionToEdit(r, p))
		saved.Changes.Fields = slices.DeleteFunc(saved.Changes.Fields, func(f policy.FieldDifference) bool { return f.Field == "effective_from" })
	}
	saved.Planned = p.Planned != nil && p.Planned.No > page.Form.LastNo
	page.Policy, page.Conflict = &p, &saved
	return h.showPolicy(w, r, http.StatusConflict, page)
}

// mergePolicy merges the form with what another administrator saved: fields
// changed in the form have the form's values, all others the saved ones.
func (h *handlers) mergePolicy(w http.ResponseWriter, r *http.Request, page policyviews.Edit) error {
	if page.Policy == nil {
		return errPageNotFound
	}
	p, versions, err := h.policyNow(r)
	if err != nil {
		return err
	}
	base, ok := versionNo(versions, page.Form.BasedOn)
	if !ok {
		return errPageNotFound
	}
	page.Policy = &p
	mine, refused := policyDraft(page.Form, page.Kind, r.PostForm)
	edited := h.versionToEdit(r, p)
	merged := merge(p.Kind, base, edited, mine)
	form := formOfVersion(p.Kind, merged)
	if len(refused) > 0 {
		form.Settings = page.Form.Settings // what is wrong cannot be merged, and is to be seen
	}
	form.Owner, form.When, form.At, form.Reason = page.Form.Owner, page.Form.When, page.Form.At, page.Form.Reason
	form.LastNo, form.BasedOn, form.Typed = p.LastNo, edited.No, true
	page.Form = form
	return h.reviewPolicy(w, r, page)
}

func (h *handlers) policyNow(r *http.Request) (policy.Policy, []policy.Version, error) {
	p, err := h.existingPolicy(r)
	if err != nil {
		return p, nil, err
	}
	versions, err := h.db.Policies.Versions(r.Context(), person(r).CompanyID, p.ID)
	return p, versions, err
}

func versionNo(versions []policy.Version, no int32) (policy.Version, bool) {
	at := slices.IndexFunc(versions, func(v policy.Version) bool { return v.No == no })
	if at < 0 {
		return policy.Version{}, false
	}
	return versions[at], true
}

// merge applies to theirs the changes that mine makes to base.
func merge(kind string, base, theirs policy.Version, mine policy.Draft) policy.Version {
	merged := theirs
	merged.Name = mergeValue(base.Name, theirs.Name, mine.Name)
	merged.Description = mergeValue(base.Description, theirs.Description, mine.Description)
	merged.Enabled = mergeValue(base.Enabled, theirs.Enabled, mine.Enabled)
	merged.Targets = mergeTargets(base.Targets, theirs.Targets, mine.Targets)
	complete := func(text json.RawMessage) map[string]json.RawMessage {
		values, _ := settings.Parse(settings.Kind(kind), text)
		var keys map[string]json.RawMessage
		if err := json.Unmarshal(values.Complete(), &keys); err != nil {
			panic(err) // the settings' own JSON
		}
		return keys
	}
	was, result := complete(base.Settings), complete(theirs.Settings)
	for key, value := range complete(mine.Settings) {
		if !bytes.Equal(value, was[key]) {
			result[key] = value
		}
	}
	text, err := json.Marshal(result)
	if err != nil {
		panic(err) // raw JSON that was read before
	}
	merged.Settings = text
	return merged
}

func mergeValue[T comparable](base, theirs, mine T) T {
	if mine == base {
		return theirs
	}
	return mine
}

func mergeTargets(base, theirs, mine []policy.Target) []policy.Target {
	find := func(list []policy.Target, t policy.Target) int {
		return slices.IndexFunc(list, func(other policy.Target) bool { return other.Type == t.Type && other.ID == t.ID })
	}
	var merged []policy.Target
	for _, t := range theirs {
		if find(base, t) >= 0 && find(mine, t) < 0 {
			continue // I took it away
		}
		if at := find(mine, t); at >= 0 {
			was := find(base, t)
			if was < 0 || base[was].IncludeChildren != mine[at].IncludeChildren {
				t.IncludeChildren = mine[at].IncludeChildren
			}
		}
		merged = append(merged, t)
	}
	for _, t := range mine {
		if find(base, t) < 0 && find(theirs, t) < 0 {
			merged = append(merged, t)
		}
	}
	return merged
}
