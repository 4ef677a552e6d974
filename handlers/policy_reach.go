package handlers

import (
	"crypto/rand"
	"net/http"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries/policy"
	policyviews "officeconsole/views/policy"
)

// policyReach answers the script of a policy's form with whom saving the form as it is
// would affect. It saves nothing, and refuses what a save would refuse, except for texts,
// which affect nobody and may not be typed yet.
func (h *handlers) policyReach(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	saved := policy.Policy{Version: policy.Version{Name: rand.Text()}} // of a new policy
	if chi.URLParam(r, "policy") != "" {
		var err error
		if saved, err = h.existingPolicy(r); err != nil {
			return err
		}
	}
	form, err := typedPolicyForm(r, policyKind(r))
	if err != nil {
		return err
	}
	form.Name, form.Description, form.Reason, form.Owner = saved.Version.Name, "", "", ""
	form.Enabled = form.Enabled || saved.IsDefault // its switch is not sent
	draft, refused := policyDraft(form, policyKind(r), r.PostForm)
	if len(refused) > 0 {
		return withoutField(&policy.DraftErrors{Settings: refused})
	}
	reach, err := h.db.Policies.PreviewReach(r.Context(), person(r).Person, actor(r), draft, saved.ID)
	if err != nil {
		return withoutField(err)
	}
	return h.render(w, r, policyviews.ReachAnswer(reach))
}
