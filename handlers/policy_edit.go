package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/settings"
	"officeconsole/views"
)

// newPolicy is the page that makes a policy.
func (h *handlers) newPolicy(w http.ResponseWriter, r *http.Request) error {
	return h.showPolicy(w, r, http.StatusOK, views.PolicyPage{Kind: policyKind(r), Form: newPolicyForm(policyKind(r))})
}

// policy is the page of a policy.
func (h *handlers) policy(w http.ResponseWriter, r *http.Request) error {
	page, err := h.policyPage(r)
	if err != nil {
		return err
	}
	page.All = r.URL.Query().Get("history") == "all"
	return h.showPolicy(w, r, http.StatusOK, page)
}

// policyPage begins the page of the policy that an address names.
func (h *handlers) policyPage(r *http.Request) (views.PolicyPage, error) {
	page := views.PolicyPage{Kind: policyKind(r)}
	p, err := h.existingPolicy(r)
	if err != nil {
		return page, err
	}
	page.Policy, page.Form = &p, policyForm(p)
	return page, nil
}

// existingPolicy is the policy that an address names, of its kind and company.
func (h *handlers) existingPolicy(r *http.Request) (queries.Policy, error) {
	id, err := policyID(r)
	if err != nil {
		return queries.Policy{}, err
	}
	p, err := h.db.Policy(r.Context(), person(r).CompanyID, id)
	if err == nil && p.Kind != string(policyKind(r)) {
		err = queries.NotFound
	}
	return p, err
}

// showPolicy fills in what every state of the page needs.
func (h *handlers) showPolicy(w http.ResponseWriter, r *http.Request, status int, page views.PolicyPage) (err error) {
	ctx, companyID := r.Context(), person(r).CompanyID
	page.Frame, page.Address = h.frame(r), address(r)
	page.Frame.Path = "/policies/" + string(page.Kind)
	if page.Policy != nil {
		page.Frame.Path += "/" + strconv.FormatInt(page.Policy.ID, 10)
		if page.Versions, err = h.db.PolicyVersions(ctx, companyID, page.Policy.ID); err != nil {
			return err
		}
	}
	if page.Form.Targets, err = h.nameTargets(ctx, companyID, page.Form.Targets, page.Taken); err != nil {
		return err
	}
	if page.Owners, err = h.policyOwners(ctx, r, page); err != nil {
		return err
	}
	if page.People, err = h.policyPeople(r, page); err != nil {
		return err
	}
	return h.renderStatus(w, r, status, views.Policy(page))
}

// nameTargets gives the targets of a form their names, and the policies that
// they would leave.
func (h *handlers) nameTargets(ctx context.Context, companyID int64, targets []views.FormTarget, taken []queries.TakenTarget) ([]views.FormTarget, error) {
	plain := make([]queries.Target, len(targets))
	for i, t := range targets {
		plain[i] = t.Target
	}
	named, err := h.db.NamedTargets(ctx, companyID, plain)
	if err != nil {
		return nil, err
	}
	all := make([]views.FormTarget, len(named))
	for i, t := range named {
		all[i] = views.FormTarget{Target: t, TakenID: targets[i].TakenID, TakenName: targets[i].TakenName}
		for _, other := range taken {
			if other.Type == t.Type && other.ID == t.ID {
				all[i].TakenID, all[i].TakenName = other.PolicyID, other.PolicyName
			}
		}
	}
	return all, nil
}

// policyOwners are who can own a policy: every administrator, whoever looks at
// it, the upper departments, and whoever owns it now.
func (h *handlers) policyOwners(ctx context.Context, r *http.Request, page views.PolicyPage) ([]views.Option, error) {
	me := person(r)
	options := []views.Option{
		{Value: "", Text: locales.T(ctx, "policy.owner.everybody")},
		{Value: ownerWord(queries.Owner{UserID: me.ID}), Text: locales.T(ctx, "policy.owner.me", "Name", me.Name)},
	}
	departments, err := h.db.UpperDepartments(ctx, me.CompanyID)
	if err != nil {
		return nil, err
	}
	for _, d := range departments {
		options = append(options, views.Option{Value: ownerWord(queries.Owner{DepartmentID: d.ID}), Text: d.Name})
	}
	if page.Policy == nil {
		return options, nil
	}
	now := views.Option{Value: ownerWord(page.Policy.Owner), Text: page.Policy.Owner.Name}
	if !slices.ContainsFunc(options, func(o views.Option) bool { return o.Value == now.Value }) {
		options = append(options, now)
	}
	return options, nil
}

// policyPeople names those whom the settings on the page list, those who were
// typed among them, and those whom a warning is about.
func (h *handlers) policyPeople(r *http.Request, page views.PolicyPage) (views.People, error) {
	values, _ := page.Form.Settings.Values()
	ids := append(peopleOf(values), typedPeople(page.Kind, r.PostForm)...)
	for _, v := range page.Versions {
		ids = append(ids, peopleOf(v.Values(string(page.Kind)))...)
	}
	if page.Review != nil {
		for _, w := range page.Review.Preview.Warnings {
			ids = append(ids, w.UserIDs...)
		}
	}
	targets := make([]queries.Target, len(ids))
	for i, id := range ids {
		targets[i] = queries.Target{Type: queries.UserTarget, ID: id}
	}
	named, err := h.db.NamedTargets(r.Context(), person(r).CompanyID, targets)
	people := views.People{}
	for _, t := range named {
		people[t.ID] = t.Name
	}
	return people, err
}

// typedPeople are those that a form lists, also where its list is refused.
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

// savePolicy answers the form of a policy, a new one or an existing one: its
// action is to look at what a change would do, to apply it, to go on typing,
// to search without scripts, or to put the change on top of somebody else's.
func (h *handlers) savePolicy(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	page := views.PolicyPage{Kind: policyKind(r)}
	if chi.URLParam(r, "policy") != "" {
		p, err := h.existingPolicy(r)
		if err != nil {
			return err
		}
		page.Policy = &p
	}
	var err error
	if page.Form, err = typedPolicyForm(r, page.Kind); err != nil {
		return err
	}
	if page.Policy != nil && page.Policy.IsDefault {
		page.Form.Enabled = true // its switch is not sent
	}
	switch r.PostForm.Get("action") {
	case "edit":
		return h.showPolicy(w, r, http.StatusOK, page)
	case "find":
		return h.findTargets(w, r, page)
	case "merge":
		return h.mergePolicy(w, r, page)
	case "apply":
		return h.applyPolicy(w, r, page)
	}
	return h.reviewPolicy(w, r, page)
}

// reviewPolicy shows what a change would do, and asks whether to apply it.
func (h *handlers) reviewPolicy(w http.ResponseWriter, r *http.Request, page views.PolicyPage) error {
	draft, refused := policyDraft(page.Form, page.Kind, r.PostForm)
	review, err := h.previewPolicy(r, page, draft)
	if err == nil && len(refused) > 0 {
		err = &queries.DraftErrors{}
	}
	if err == nil && len(review.Preview.Taken) > 0 && !draft.Move {
		err = &queries.TargetConflict{Taken: review.Preview.Taken}
	}
	if err != nil {
		return h.refusePolicy(w, r, page, refused, err)
	}
	page.Review = &review
	return h.showPolicy(w, r, http.StatusOK, page)
}

// applyPolicy saves what somebody has looked at; anything else is looked at
// first.
func (h *handlers) applyPolicy(w http.ResponseWriter, r *http.Request, page views.PolicyPage) error {
	draft, refused := policyDraft(page.Form, page.Kind, r.PostForm)
	if len(refused) > 0 || searchesPerson(r) || r.PostForm.Get("reviewed") != seal(draft, page.Form.LastNo) {
		return h.reviewPolicy(w, r, page)
	}
	var saved queries.Policy
	var err error
	if page.Policy == nil {
		saved, err = h.db.CreatePolicy(r.Context(), actor(r), draft)
	} else {
		saved, err = h.db.UpdatePolicy(r.Context(), actor(r), page.Policy.ID, max(page.Form.LastNo, 1), draft)
	}
	if err != nil {
		return h.refusePolicy(w, r, page, nil, err)
	}
	return h.savedPolicy(w, r, page, saved)
}

// savedPolicy leads to the list, or back to the page where there is still
// something to do or to look at.
func (h *handlers) savedPolicy(w http.ResponseWriter, r *http.Request, before views.PolicyPage, saved queries.Policy) error {
	path := "/policies/" + string(before.Kind) + "/" + strconv.FormatInt(saved.ID, 10)
	planned := saved.Plan != nil && saved.Plan.No == saved.LastNo
	switch {
	case before.Policy == nil:
		if !saved.Version.Unconfirmed() {
			path = "/policies/" + string(before.Kind) + "/management"
		}
		return h.done(w, r, path, "policy.created")
	case planned:
		return h.done(w, r, path, "policy.planned")
	}
	return h.done(w, r, path, "policy.saved")
}

// refusePolicy shows the form again with why it was refused, and with all that
// was typed.
func (h *handlers) refusePolicy(w http.ResponseWriter, r *http.Request, page views.PolicyPage, refused settings.Errors, err error) error {
	page.Settings = refused
	var draft *queries.DraftErrors
	var fields queries.FieldErrors
	var taken *queries.TargetConflict
	var edited *queries.EditConflict
	var lockOut *queries.LockOut
	switch {
	case errors.As(err, &edited):
		return h.showEdit(w, r, page, edited)
	case errors.As(err, &taken):
		page.Taken = taken.Taken
		return h.showPolicy(w, r, http.StatusConflict, page)
	case errors.As(err, &lockOut):
		return h.askAgain(w, r, page)
	case errors.As(err, &draft):
		page.Fields = draft.Fields
		if len(refused) == 0 {
			page.Settings = draft.Settings
		}
	case errors.As(err, &fields):
		page.Fields = fields
	default:
		return err
	}
	return h.showPolicy(w, r, http.StatusUnprocessableEntity, page)
}

// askAgain repeats the question that was not answered with yes.
func (h *handlers) askAgain(w http.ResponseWriter, r *http.Request, page views.PolicyPage) error {
	draft, _ := policyDraft(page.Form, page.Kind, r.PostForm)
	review, err := h.previewPolicy(r, page, draft)
	if err != nil {
		return err
	}
	review.Unconfirmed = true
	page.Review = &review
	return h.showPolicy(w, r, http.StatusUnprocessableEntity, page)
}

// previewPolicy tells what a draft would do. It refuses as saving would, but
// for targets that other policies hold and for who would be locked out.
func (h *handlers) previewPolicy(r *http.Request, page views.PolicyPage, draft queries.PolicyDraft) (views.PolicyReview, error) {
	ctx := r.Context()
	review := views.PolicyReview{Seal: seal(draft, page.Form.LastNo)}
	before := queries.Version{Enabled: true}
	var id int64
	if p := page.Policy; p != nil {
		if page.Form.LastNo != p.LastNo {
			return review, &queries.EditConflict{LastNo: p.LastNo}
		}
		id, before = p.ID, p.Version
		review.OwnerFrom = p.Owner.Name
	}
	var err error
	if review.Preview, err = h.db.PreviewPolicy(ctx, actor(r), draft, id); err != nil {
		return review, err
	}
	if review.Reason, err = h.draftReason(r, page, draft, review.Preview.At); err != nil {
		return review, err
	}
	review.Later = review.Preview.At.After(h.db.Now())
	if page.Policy != nil && page.Policy.Plan != nil {
		review.PlanFrom = page.Policy.Plan.EffectiveFrom
	}
	targets, err := h.db.NamedTargets(ctx, person(r).CompanyID, draft.Targets)
	if err != nil {
		return review, err
	}
	after := queries.Version{
		Name: draft.Name, Description: draft.Description, Enabled: draft.Enabled, Targets: targets, Settings: draft.Settings, EffectiveFrom: before.EffectiveFrom,
	}
	review.Changes = queries.Compare(string(page.Kind), before, after)
	if page.Policy == nil {
		values := after.Values(string(page.Kind))
		review.NoTargets, review.NoSettings = len(targets) == 0, values.Equal(settings.Defaults(page.Kind))
		review.Changes.Fields = slices.DeleteFunc(review.Changes.Fields, func(f queries.FieldDifference) bool { return f.Field == "name" || f.Field == "description" })
	}
	owners, err := h.policyOwners(ctx, r, page)
	review.OwnerFrom, review.OwnerTo = ownerText(owners, ownerOfPolicy(page.Policy)), ownerText(owners, page.Form.Owner)
	return review, err
}

func ownerOfPolicy(p *queries.Policy) string {
	if p == nil {
		return ""
	}
	return ownerWord(p.Owner)
}

func ownerText(owners []views.Option, word string) string {
	at := slices.IndexFunc(owners, func(o views.Option) bool { return o.Value == word })
	if at < 0 {
		return word
	}
	return owners[at].Text
}
