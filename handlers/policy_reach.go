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
	form, err := typedPolicyForm(r, policyKind(r))
	if err != nil {
		return err
	}
	id, name := int64(0), rand.Text()
	if chi.URLParam(r, "policy") != "" {
		p, err := h.existingPolicy(r)
		if err != nil {
			return err
		}
		id, name, form.Enabled = p.ID, p.Version.Name, form.Enabled || p.IsDefault // its switch is not sent
	}
	form.Name, form.Description, form.Reason, form.Owner = name, "", "", ""
	draft, refused := policyDraft(form, policyKind(r), r.PostForm)
	if len(refused) > 0 {
		return withoutField(&policy.DraftErrors{Settings: refused})
	}
	reach, err := h.db.Policies.PreviewReach(r.Context(), person(r).Person, actor(r), draft, id)
	if err != nil {
		return withoutField(err)
	}
	return h.render(w, r, policyviews.ReachAnswer(reach))
}
