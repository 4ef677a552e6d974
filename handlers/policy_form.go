package handlers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	policyviews "officeconsole/views/policy"
)

// policyKind returns the kind of policy that the URL names.
func policyKind(r *http.Request) settings.Kind { return settings.Kind(chi.URLParam(r, "kind")) }

// policyID returns the policy id in the URL, or errPageNotFound if it is not a
// number (domain §9.13).
func policyID(r *http.Request) (int64, error) { return rowID(chi.URLParam(r, "policy")) }

// rowID returns the id of a row, or errPageNotFound if it is not a number.
func rowID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != text {
		return 0, errPageNotFound
	}
	return id, nil
}

func rowIDs(texts []string) ([]int64, error) {
	ids := make([]int64, len(texts))
	for i, text := range texts {
		var err error
		if ids[i], err = rowID(text); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// policyForm returns the form for a policy, filled with the version to edit.
func policyForm(p policy.Policy, edited policy.Version) policyviews.Form {
	form := formOfVersion(p.Kind, edited)
	form.Owner, form.LastNo, form.BasedOn = policyviews.OwnerValue(p.Owner), p.LastNo, edited.No
	form.When = usualStart(settings.Kind(p.Kind))
	if p.PlannedNext != nil || p.Planned != nil && edited.No != p.Planned.No {
		form.When = string(policy.StartNow) // a second plan is refused
	}
	return form
}

// versionToEdit returns the version with which editing a policy begins.
func (h *handlers) versionToEdit(r *http.Request, p policy.Policy) policy.Version {
	return p.ToEdit(h.db.Now(), zone(person(r)))
}

func formOfVersion(kind string, v policy.Version) policyviews.Form {
	form := policyviews.Form{
		Name: v.Name, Description: v.Description, Enabled: v.Enabled,
		Settings: settings.FormOf(v.Values(kind)),
	}
	for _, t := range v.Targets {
		form.Targets = append(form.Targets, policyviews.FormTarget{Target: t})
	}
	return form
}

func newPolicyForm(r *http.Request) policyviews.Form {
	return policyviews.Form{Enabled: true, Settings: settings.FormOf(firstSettings(r)), When: usualStart(policyKind(r))}
}

// firstSettings returns the settings with which a new policy of the kind begins.
func firstSettings(r *http.Request) settings.Values {
	return directory.FirstSettings(policyKind(r), person(r).TimeZone)
}

func usualStart(kind settings.Kind) string {
	if kind == settings.WorkingAttitude {
		return string(policy.StartNextWorkDate)
	}
	return string(policy.StartNow)
}

// typedPolicyForm returns the form as it was submitted.
func typedPolicyForm(r *http.Request, kind settings.Kind) (policyviews.Form, error) {
	f := r.PostForm
	form := policyviews.Form{
		Name: f.Get("name"), Description: f.Get("description"), Owner: f.Get("owner"), Enabled: f.Get("enabled") == "true",
		Settings: settings.NewForm(kind, f), When: f.Get("when"), At: f.Get("at"), Reason: f.Get("reason"), Find: f.Get("find"), Typed: true,
	}
	for name, no := range map[string]*int32{"version_no": &form.LastNo, "based_on": &form.BasedOn} {
		n, err := strconv.ParseInt(f.Get(name), 10, 32)
		if err != nil && f.Get(name) != "" {
			return form, queries.Invalid("error.unreadable")
		}
		*no = int32(n)
	}
	targets, err := typedTargets(f)
	for _, t := range targets {
		form.Targets = append(form.Targets, policyviews.FormTarget{Target: t})
	}
	return form, err
}

// typedTargets reads targets as the dialog sends them, {type, id,
// include_children} in JSON, or the checkboxes of the form without scripts:
// target=department:5, and children=5 to include the departments below.
func typedTargets(f url.Values) ([]policy.Target, error) {
	var targets []policy.Target
	if f.Has("targets") {
		if err := json.Unmarshal([]byte(f.Get("targets")), &targets); err != nil {
			return nil, queries.Invalid("error.unreadable")
		}
		for i := range targets {
			targets[i].Name = ""
		}
		return targets, nil
	}
	for _, word := range f["target"] {
		if word == "" {
			continue
		}
		kind, text, _ := strings.Cut(word, ":")
		id, err := rowID(text)
		if err != nil {
			return nil, queries.Invalid("error.unreadable")
		}
		children := policy.TargetType(kind) == policy.UserTarget || slices.Contains(f["children"], text)
		targets = append(targets, policy.Target{Type: policy.TargetType(kind), ID: id, IncludeChildren: children})
	}
	return targets, nil
}

// policyDraft returns the draft that a form requests. The form's owner has the
// format that parseOwner reads.
func policyDraft(f policyviews.Form, kind settings.Kind, posted url.Values) (policy.Draft, settings.Errors) {
	values, refused := f.Settings.Values()
	start := policy.Start{When: policy.StartKind(f.When)}
	if start.When == policy.StartAt {
		start.Local = f.At
	}
	owner, _ := parseOwner(f.Owner)
	d := policy.Draft{
		Kind: string(kind), Name: f.Name, Description: f.Description, Enabled: f.Enabled, Settings: values.Differences(),
		EffectiveFrom: start, Reason: f.Reason, Owner: owner,
		Move: slices.Contains(posted["move"], "1"), Confirmed: posted.Get("confirmed") == "1",
	}
	for _, t := range f.Targets {
		d.Targets = append(d.Targets, t.Target)
	}
	return d, refused
}

// parseOwner reads what policyviews.OwnerValue writes. It refuses anything else as an owner
// that does not exist.
func parseOwner(word string) (policy.Owner, error) {
	if word == "" {
		return policy.Owner{}, nil
	}
	kind, text, _ := strings.Cut(word, ":")
	id, err := rowID(text)
	switch {
	case err == nil && kind == "department":
		return policy.Owner{DepartmentID: id}, nil
	case err == nil && kind == "user":
		return policy.Owner{UserID: id}, nil
	}
	return policy.Owner{}, queries.FieldErrors{"owner": "policy.owner.unknown"}
}

// draftDigest returns a digest of a draft and the version it was previewed
// against, so that a change is applied as it was previewed. It ignores the
// names of targets, which forms do not send.
func draftDigest(d policy.Draft, lastNo int32) string {
	d.Reason, d.Confirmed, d.Move = "", false, false
	d.Targets = slices.Clone(d.Targets)
	for i := range d.Targets {
		d.Targets[i].Name = ""
	}
	text, err := json.Marshal(struct {
		Draft  policy.Draft
		LastNo int32
	}{d, lastNo})
	if err != nil {
		panic(err) // texts, numbers and the settings' own JSON
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}
