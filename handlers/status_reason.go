package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/views"
)

// statusReason explains which policy of a kind applies to a person, now or at
// the time in the address, and why.
func (h *handlers) statusReason(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(chi.URLParam(r, "user_id"), 10, 64)
	if err != nil {
		return errUnreachable
	}
	view := views.StatusReason{Frame: h.frame(r), Kind: chi.URLParam(r, "kind")}
	if view.At, view.Chosen, err = momentOf(r, view.Frame.Now); err != nil {
		return err
	}
	companyID := person(r).CompanyID
	if view.Person, err = h.db.Person(r.Context(), queries.PersonParams{CompanyID: companyID, ID: id}); err != nil {
		return err
	}
	if view.Person.Bot {
		return errUnreachable // bots have no policy
	}
	paths, err := h.db.DepartmentPaths(r.Context(), companyID, *view.Person.DepartmentID)
	if err != nil {
		return err
	}
	view.Department = paths[*view.Person.DepartmentID]
	if err := h.explainStatus(r, &view); err != nil {
		return err
	}
	return h.render(w, r, views.StatusReasonPage(view))
}

// explainStatus fills in the policy and the way to it, if the company had one
// at that time.
func (h *handlers) explainStatus(r *http.Request, view *views.StatusReason) error {
	companyID := view.Person.CompanyID
	effective, err := h.db.EffectivePolicy(r.Context(), companyID, view.Person.ID, view.Kind, view.At)
	if errors.Is(err, queries.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	view.Applies, view.Effective = true, effective
	for _, step := range effective.Chain {
		told := views.StatusStep{Step: step}
		if step.PolicyID != 0 {
			versions, err := h.db.PolicyVersions(r.Context(), companyID, step.PolicyID)
			if err != nil {
				return err
			}
			version := versionOf(versions, step, view.At)
			told.PolicyName, told.From = version.Name, version.EffectiveFrom
		}
		view.Steps = append(view.Steps, told)
	}
	return nil
}

// versionOf is the version that a step of a chain is about: the one in force,
// or the next one that lists the step's node.
func versionOf(versions []queries.Version, step queries.Step, at time.Time) queries.Version {
	later := step.Reason == queries.ReasonNotYet
	meant := slices.DeleteFunc(slices.Clone(versions), func(v queries.Version) bool {
		ended := v.Until != nil && (!v.Until.After(v.EffectiveFrom) || !later && !v.Until.After(at))
		return ended || v.EffectiveFrom.After(at) != later || later && !lists(v, step)
	})
	if len(meant) == 0 {
		return queries.Version{}
	}
	order := func(a, b queries.Version) int {
		return cmp.Or(a.EffectiveFrom.Compare(b.EffectiveFrom), cmp.Compare(a.No, b.No))
	}
	if later {
		return slices.MinFunc(meant, order)
	}
	return slices.MaxFunc(meant, order)
}

func lists(v queries.Version, step queries.Step) bool {
	return slices.ContainsFunc(v.Targets, func(t queries.Target) bool { return t.Type == step.Type && t.ID == step.ID })
}

// momentOf reads the time of an address, in the zone of now: a day, from its
// beginning on, or a day with a time. Without one it is now.
func momentOf(r *http.Request, now time.Time) (at time.Time, chosen bool, err error) {
	given := r.URL.Query().Get("at")
	if given == "" {
		return now, false, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04"} {
		at, err := time.ParseInLocation(layout, given, now.Location())
		if err == nil && at.Year() >= 1900 && at.Year() <= 2200 {
			return at, true, nil
		}
	}
	return time.Time{}, false, errUnreachable
}
