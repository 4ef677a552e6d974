package handlers

import (
	"net/http"
	"slices"

	"officeconsole/queries"
	"officeconsole/queries/policy"
	"officeconsole/views"
	policyviews "officeconsole/views/policy"
)

// reviewPolicy shows the effects of a change and asks whether to apply it.
func (h *handlers) reviewPolicy(w http.ResponseWriter, r *http.Request, page policyviews.Edit) error {
	draft, refused := policyDraft(page.Form, page.Kind, r.PostForm)
	review, err := h.previewPolicy(r, page, draft)
	if err == nil && len(refused) > 0 {
		err = &policy.DraftErrors{}
	}
	if err == nil && len(review.Preview.Taken) > 0 && !draft.Move {
		err = &policy.TargetConflict{Taken: review.Preview.Taken}
	}
	if err != nil {
		return h.refusePolicy(w, r, page, refused, err)
	}
	page.Review = &review
	return h.showPolicy(w, r, http.StatusOK, page)
}

// askAgain shows the confirmation again if it was not answered with yes.
func (h *handlers) askAgain(w http.ResponseWriter, r *http.Request, page policyviews.Edit) error {
	draft, _ := policyDraft(page.Form, page.Kind, r.PostForm)
	review, err := h.previewPolicy(r, page, draft)
	if err != nil {
		return err
	}
	review.Unconfirmed = true
	page.Review = &review
	return h.showPolicy(w, r, http.StatusUnprocessableEntity, page)
}

// askForReason shows the confirmation again, which has the field of the refused
// reason.
func (h *handlers) askForReason(w http.ResponseWriter, r *http.Request, page policyviews.Edit, refused queries.FieldErrors) error {
	draft, _ := policyDraft(page.Form, page.Kind, r.PostForm)
	draft.Reason = ""
	review, err := h.previewPolicy(r, page, draft)
	if err != nil {
		return err
	}
	page.Review, page.Fields = &review, refused
	return h.showPolicy(w, r, http.StatusUnprocessableEntity, page)
}

// previewPolicy returns the effects of a draft. It returns the errors that
// saving would return, except for targets of other policies and lockouts.
func (h *handlers) previewPolicy(r *http.Request, page policyviews.Edit, draft policy.Draft) (policyviews.Review, error) {
	ctx := r.Context()
	review := policyviews.Review{Seal: draftDigest(draft, page.Form.LastNo)}
	before := policy.Version{Enabled: true, Settings: firstSettings(r).Differences()}
	var id int64
	ownerBefore := ""
	if p := page.Policy; p != nil {
		if page.Form.LastNo != p.LastNo {
			return review, &policy.EditConflict{LastNo: p.LastNo}
		}
		id, before, ownerBefore = p.ID, p.Version, policyviews.OwnerValue(p.Owner)
	}
	var err error
	if review.Preview, err = h.db.Policies.PreviewDraft(ctx, actor(r), draft, id); err != nil {
		return review, err
	}
	if review.Reason, err = h.draftReason(r, page, draft, review.Preview.At); err != nil {
		return review, err
	}
	if review.Preview.Past != nil {
		if before, err = h.previewPast(r, &review, page.Policy); err != nil {
			return review, err
		}
	}
	review.Later = review.Preview.At.After(h.db.Now())
	if page.Policy != nil && page.Policy.Planned != nil {
		review.PlanFrom = page.Policy.Planned.EffectiveFrom
		review.ReplacesPlan = review.Preview.At.Equal(review.PlanFrom)
	}
	targets, err := h.db.Policies.NameTargets(ctx, person(r).CompanyID, draft.Targets)
	if err != nil {
		return review, err
	}
	after := policy.Version{
		Name: draft.Name, Description: draft.Description, Enabled: draft.Enabled, Targets: targets, Settings: draft.Settings, EffectiveFrom: before.EffectiveFrom,
	}
	review.Changes = policy.Compare(string(page.Kind), before, after)
	if page.Policy == nil {
		values := after.Values(string(page.Kind))
		review.NoTargets, review.NoSettings = len(targets) == 0, values.Equal(firstSettings(r))
		review.Changes.Fields = slices.DeleteFunc(review.Changes.Fields, func(f policy.FieldDifference) bool { return f.Field == "name" || f.Field == "description" })
	}
	owners, err := h.policyOwners(ctx, r, page)
	review.OwnerFrom, review.OwnerTo = ownerText(owners, ownerBefore), ownerText(owners, page.Form.Owner)
	return review, err
}

func ownerText(owners []views.Option, word string) string {
	at := slices.IndexFunc(owners, func(o views.Option) bool { return o.Value == word })
	if at < 0 {
		return word
	}
	return owners[at].Text
}
