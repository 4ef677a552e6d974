package handlers

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"officeconsole/locales"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	"officeconsole/settings"
	"officeconsole/views"
	policyviews "officeconsole/views/policy"
	settingviews "officeconsole/views/setting"
)

// policyPage returns the page for the policy that the URL names.
func (h *handlers) policyPage(r *http.Request) (policyviews.Edit, error) {
	page := policyviews.Edit{Kind: policyKind(r)}
	p, err := h.existingPolicy(r)
	if err != nil {
		return page, err
	}
	page.Policy, page.Form = &p, policyForm(p, h.versionToEdit(r, p))
	return page, nil
}

// showPolicy completes and renders the page, whatever its state.
func (h *handlers) showPolicy(w http.ResponseWriter, r *http.Request, status int, page policyviews.Edit) (err error) {
	ctx, companyID := r.Context(), person(r).CompanyID
	page.Frame, page.Address = h.frame(r), address(r)
	page.Frame.Path = "/policies/" + string(page.Kind)
	if page.Policy != nil {
		page.Frame.Path = policyPath(*page.Policy)
		if page.Versions, err = h.db.Policies.Versions(ctx, companyID, page.Policy.ID); err != nil {
			return err
		}
	}
	if err := h.addPast(r, &page); err != nil {
		return err
	}
	taken := page.Taken
	if page.Review != nil { // the confirmed form sends that they move
		taken = append(taken, page.Review.Preview.Taken...)
	}
	if page.Form.Targets, err = h.nameTargets(ctx, companyID, page.Form.Targets, taken); err != nil {
		return err
	}
	if page.Owners, err = h.policyOwners(ctx, r, page); err != nil {
		return err
	}
	if page.People, err = h.policyPeople(r, page); err != nil {
		return err
	}
	return h.renderStatus(w, r, status, policyviews.EditPage(page))
}

// nameTargets adds to the targets of a form their names, and the policies that
// they would leave.
func (h *handlers) nameTargets(ctx context.Context, companyID int64, targets []policyviews.FormTarget, taken []policy.TakenTarget) ([]policyviews.FormTarget, error) {
	plain := make([]policy.Target, len(targets))
	for i, t := range targets {
		plain[i] = t.Target
	}
	named, err := h.db.Policies.NameTargets(ctx, companyID, plain)
	if err != nil {
		return nil, err
	}
	all := make([]policyviews.FormTarget, len(named))
	for i, t := range named {
		all[i] = policyviews.FormTarget{Target: t, Taken: targets[i].Taken}
		for _, other := range taken {
			if other.Type == t.Type && other.ID == t.ID {
				all[i].Taken = &other
			}
		}
	}
	return all, nil
}

// policyOwners returns the possible owners of a policy: every administrator,
// the reader, the top-level departments and the current owner.
func (h *handlers) policyOwners(ctx context.Context, r *http.Request, page policyviews.Edit) ([]views.Option, error) {
	me := person(r)
	options := []views.Option{
		{Value: "", Text: locales.T(ctx, "policy.owner.everybody")},
		{Value: policyviews.OwnerValue(policy.Owner{UserID: me.ID}), Text: locales.T(ctx, "policy.owner.me", "Name", me.Name)},
	}
	departments, err := h.db.Policies.UpperDepartments(ctx, me.CompanyID)
	if err != nil {
		return nil, err
	}
	for _, d := range departments {
		options = append(options, views.Option{Value: policyviews.OwnerValue(policy.Owner{DepartmentID: d.ID}), Text: d.Name})
	}
	if page.Policy == nil {
		return options, nil
	}
	now := views.Option{Value: policyviews.OwnerValue(page.Policy.Owner), Text: page.Policy.Owner.Name}
	if !slices.ContainsFunc(options, func(o views.Option) bool { return o.Value == now.Value }) {
		options = append(options, now)
	}
	return options, nil
}

// policyPeople returns the names of the people in the page's settings,
// including those typed into the form and those named by a warning.
func (h *handlers) policyPeople(r *http.Request, page policyviews.Edit) (settingviews.People, error) {
	values, _ := page.Form.Settings.Values()
	ids := append(peopleOf(values), typedPeople(page.Kind, r.PostForm)...)
	for _, v := range page.Versions {
		ids = append(ids, peopleOf(v.Values(string(page.Kind)))...)
	}
	if page.Review != nil {
		ids = append(ids, warnedPeople(page.Review.Preview.Warnings)...)
	}
	return h.nameUsers(r, ids)
}

// policyDifferences returns how a change of the change log changed a policy, and
// the names of the people in its settings.
func (h *handlers) policyDifferences(r *http.Request, c audit.Change) (policy.Differences, settingviews.People, error) {
	_, d, err := c.PolicyDifferences()
	if err != nil {
		return d, nil, err
	}
	for i, f := range d.Fields {
		if d.Fields[i].Old, err = h.nameIfTargets(r, f.Old); err != nil {
			return d, nil, err
		}
		if d.Fields[i].New, err = h.nameIfTargets(r, f.New); err != nil {
			return d, nil, err
		}
	}
	var ids []int64
	for _, content := range []json.RawMessage{c.Old, c.New} {
		kind, version, err := policy.ReadRecord(content)
		if err != nil {
			return d, nil, err
		}
		if version != nil {
			ids = append(ids, peopleOf(version.Values(kind))...)
		}
	}
	people, err := h.nameUsers(r, ids)
	return d, people, err
}

// nameIfTargets returns a value of a field with the present names of its targets, which
// the change log does not store.
func (h *handlers) nameIfTargets(r *http.Request, value any) (any, error) {
	if targets, ok := value.([]policy.Target); ok {
		return h.db.Policies.NameTargets(r.Context(), person(r).CompanyID, targets)
	}
	return value, nil
}

func (h *handlers) nameUsers(r *http.Request, ids []int64) (settingviews.People, error) {
	targets := make([]policy.Target, len(ids))
	for i, id := range ids {
		targets[i] = policy.Target{Type: policy.UserTarget, ID: id}
	}
	named, err := h.db.Policies.NameTargets(r.Context(), person(r).CompanyID, targets)
	people := settingviews.People{}
	for _, t := range named {
		people[t.ID] = t.Name
	}
	return people, err
}

// typedPeople returns the ids of the people that a form lists, including those
// of a list with errors.
func typedPeople(kind settings.Kind, posted url.Values) []int64 {
	var ids []int64
	for _, s := range settings.Settings(kind) {
		if list, ok := s.Type.(settings.List); ok && list.Of == (settings.User{}) {
			for _, text := range settings.NewForm(kind, posted).Words(s.Key) {
				if id, err := rowID(text); err == nil {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

func peopleOf(values settings.Values) []int64 {
	var ids []int64
	for _, s := range settings.Settings(values.Kind()) {
		for _, item := range values.Value(s).Items {
			if item.Shape == settings.ShapeUser {
				ids = append(ids, item.Number)
			}
		}
	}
	return ids
}
