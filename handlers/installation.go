package handlers

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"officeconsole/queries"
	"officeconsole/queries/usage"
	usageviews "officeconsole/views/usage"
	"officeconsole/workday"
)

// installation shows the rules of installation with what they change.
func (h *handlers) installation(w http.ResponseWriter, r *http.Request) error {
	stored, err := h.db.Usage.InstallationRules(r.Context(), person(r).CompanyID)
	if err != nil {
		return err
	}
	return h.showInstallation(w, r, http.StatusOK, usageviews.Rules{Stored: stored, Typed: stored.Rules, Version: stored.VersionNo})
}

// previewInstallation shows what the rules of a form would change. It stores nothing.
func (h *handlers) previewInstallation(w http.ResponseWriter, r *http.Request) error {
	page, err := h.readInstallation(r)
	if err != nil {
		return err
	}
	maps.Copy(page.Refused, page.Typed.Unreadable())
	if len(page.Refused) > 0 {
		return h.showInstallation(w, r, http.StatusUnprocessableEntity, page)
	}
	return h.showInstallation(w, r, http.StatusOK, page)
}

// effectOfInstallation answers the page's script with what the rules of a form would
// change. Versions that cannot be read, such as one that is being typed, are refused.
func (h *handlers) effectOfInstallation(w http.ResponseWriter, r *http.Request) error {
	page, err := h.readInstallation(r)
	if err != nil {
		return err
	}
	if refused := page.Typed.Unreadable(); len(refused) > 0 {
		return refused.First()
	}
	if page.Effect, err = h.db.Usage.Effect(r.Context(), person(r).Person, page.Typed); err != nil {
		return err
	}
	return h.render(w, r, usageviews.RulesEffect(page))
}

// saveInstallation saves the rules of a form. A refused form is shown again with
// everything in it; after somebody else has saved, saving again replaces that.
func (h *handlers) saveInstallation(w http.ResponseWriter, r *http.Request) error {
	page, err := h.readInstallation(r)
	if err != nil {
		return err
	}
	if len(page.Refused) > 0 {
		return h.showInstallation(w, r, http.StatusUnprocessableEntity, page)
	}
	_, err = h.db.Usage.SaveRules(r.Context(), actor(r), page.Version, page.Typed)
	var conflict *usage.RulesConflict
	switch {
	case errors.As(err, &page.Refused):
		return h.showInstallation(w, r, http.StatusUnprocessableEntity, page)
	case errors.As(err, &conflict):
		page.Stored, page.Version, page.Conflict = conflict.Stored, conflict.Stored.VersionNo, true
		return h.showInstallation(w, r, http.StatusConflict, page)
	case err != nil:
		return err
	}
	return h.redirectWithToast(w, r, usageviews.RulesPath, "installation.saved")
}

// showInstallation shows a form with what its rules would change.
func (h *handlers) showInstallation(w http.ResponseWriter, r *http.Request, status int, page usageviews.Rules) error {
	ctx, p := r.Context(), person(r)
	var err error
	if page.Effect, err = h.db.Usage.Effect(ctx, p.Person, page.Typed); err != nil {
		return err
	}
	if page.Names, err = h.db.Usage.TargetNames(ctx, p.CompanyID, page.Typed); err != nil {
		return err
	}
	page.Frame = h.frame(r)
	return h.renderStatus(w, r, status, usageviews.RulesPage(page))
}

// readInstallation reads the form. What cannot be a value of its field is refused by
// its name.
func (h *handlers) readInstallation(r *http.Request) (page usageviews.Rules, err error) {
	if err := readForm(r); err != nil {
		return page, err
	}
	form := r.PostForm
	if page.Stored, err = h.db.Usage.InstallationRules(r.Context(), person(r).CompanyID); err != nil {
		return page, err
	}
	version, err := strconv.ParseInt(form.Get("version"), 10, 32)
	if err != nil {
		return page, queries.Invalid("error.unreadable")
	}
	page.Version, page.Refused, page.Unread = int32(version), queries.FieldErrors{}, map[string]string{}
	page.Typed.Notice = usage.Notice{Ko: form.Get("notice.ko"), En: form.Get("notice.en"), Ja: form.Get("notice.ja")}
	for _, system := range usage.Systems {
		value := func(field string) string { return form.Get(usageviews.Field(system, field)) }
		rule := usage.ClientRule{
			System: system, Allowed: value("allowed") != "", Version: value("version"), URL: value("url"), SHA256: value("sha256"),
			RequiresOS: value("requires_os"), Minimum: value("minimum"),
		}
		unread := func(field string, why queries.Invalid) {
			name := usageviews.Field(system, field)
			page.Refused[name], page.Unread[name] = why, value(field)
		}
		if text := value("forced_from"); text != "" {
			if rule.ForcedFrom, err = workday.ParseDate(text); err != nil {
				unread("forced_from", "installation.forced.invalid")
			}
		}
		if text := value("size"); text != "" {
			if rule.Size, err = strconv.ParseInt(text, 10, 64); err != nil {
				unread("size", "installation.size.invalid")
			}
		}
		var wrong []string
		if rule.Targets, wrong, err = ruleTargets(form, system); err != nil {
			return page, err
		}
		for _, field := range wrong {
			unread(field, "installation.targets.invalid")
		}
		page.Typed.Clients = append(page.Typed.Clients, rule)
	}
	return page, nil
}

// ruleTargets reads who may install a client. The picker sends JSON, its fallback ids in
// two fields, of which those with other text are wrong.
func ruleTargets(form url.Values, system string) (to usage.RuleTargets, wrong []string, err error) {
	to.Everyone = form.Get(usageviews.Field(system, "everyone")) != ""
	if field := usageviews.Field(system, "targets"); form.Has(field) {
		var targets []struct {
			Type string
			ID   int64
		}
		if json.Unmarshal([]byte(form.Get(field)), &targets) != nil {
			return to, nil, queries.Invalid("error.unreadable")
		}
		for _, t := range targets {
			if t.Type == "department" {
				to.Departments = append(to.Departments, t.ID)
			} else {
				to.Users = append(to.Users, t.ID)
			}
		}
		return to, nil, nil
	}
	for field, ids := range map[string]*[]int64{"departments": &to.Departments, "users": &to.Users} {
		var words []string
		if *ids, words = typedIDs(form.Get(usageviews.Field(system, field))); len(words) > 0 {
			wrong = append(wrong, field)
		}
	}
	return to, wrong, nil
}
