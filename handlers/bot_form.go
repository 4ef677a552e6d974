package handlers

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"
	"golang.org/x/text/width"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/bot"
	botviews "officeconsole/views/bot"
)

func exampleText(r *http.Request) string { return locales.T(r.Context(), "bot.example.text") }

// updateBot saves the name and the image of the bot. A refused form is shown
// again with what was entered, an accepted image included.
func (h *handlers) updateBot(w http.ResponseWriter, r *http.Request) error {
	form, err := h.readBotForm(r)
	if err != nil {
		return err
	}
	if len(form.Refused) == 0 {
		err = h.db.Bots.Update(r.Context(), actor(r), form.Version, func(d bot.Draft) bot.Draft {
			d.Name = form.Name
			return d
		})
	}
	if err == nil && len(form.Refused) == 0 {
		err = h.db.Bots.SetImage(r.Context(), actor(r), form.Image)
	}
	if err == nil && len(form.Refused) > 0 {
		err = form.Refused
	}
	return h.savedBot(w, r, err, form)
}

func (h *handlers) readBotForm(r *http.Request) (botviews.Form, error) {
	if err := readMultipart(r); err != nil {
		return botviews.Form{}, err
	}
	defer r.MultipartForm.RemoveAll()
	f := url.Values(r.MultipartForm.Value)
	version, err := formVersion(f)
	if err != nil {
		return botviews.Form{}, err
	}
	form := botviews.Form{Sent: botviews.Profile, Version: version, Name: f.Get("name"), Image: f.Get("image_key")}
	if f.Get("image_removed") != "" {
		form.Image = ""
	}
	files := r.MultipartForm.File["image"]
	if len(files) == 0 || files[0].Filename == "" {
		return form, nil
	}
	file, err := files[0].Open()
	if err != nil {
		return form, err
	}
	defer file.Close()
	key, err := bot.StoreImage(r.Context(), h.Blobs, person(r).CompanyID, file, f.Get("image_md5"))
	var refused queries.Invalid
	if errors.As(err, &refused) {
		form.Refused = queries.FieldErrors{"image": refused}
		return form, nil
	}
	if err == nil {
		form.Image = key
	}
	return form, err
}

// enableBot switches the bot on or off.
func (h *handlers) enableBot(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	on, err := strconv.ParseBool(r.Form.Get("enabled"))
	if err != nil {
		return errPageNotFound
	}
	if err := h.db.Bots.Update(r.Context(), actor(r), 0, func(d bot.Draft) bot.Draft { d.Enabled = on; return d }); err != nil {
		return err
	}
	text := "bot.switched_off"
	if on {
		text = "bot.switched_on"
	}
	return h.redirectWithUndo(w, r, botviews.Path, locales.T(r.Context(), text), botviews.Action("enabling")+"?enabled="+strconv.FormatBool(!on))
}

// setBotAddresses saves the allowed addresses, one range a line.
func (h *handlers) setBotAddresses(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	form := botviews.Form{Sent: botviews.Addresses, Addresses: r.PostForm.Get("allowed_addresses")}
	var err error
	if form.Version, err = formVersion(r.PostForm); err != nil {
		return err
	}
	err = h.db.Bots.Update(r.Context(), actor(r), form.Version, func(d bot.Draft) bot.Draft {
		d.AllowedAddresses = filledLines(form.Addresses)
		return d
	})
	return h.savedBot(w, r, err, form)
}

// setBotReceivers saves who gets what comes by the hook address.
func (h *handlers) setBotReceivers(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	form := botviews.Form{Sent: botviews.HookTo}
	var err error
	if form.Version, err = formVersion(r.PostForm); err != nil {
		return err
	}
	if err := readReceivers(r.PostForm, &form); err != nil {
		return h.savedBot(w, r, err, form)
	}
	err = h.db.Bots.Update(r.Context(), actor(r), form.Version, func(d bot.Draft) bot.Draft { d.HookReceivers = form.Receivers; return d })
	return h.savedBot(w, r, err, form)
}

// savedBot leads back to the page, or shows a refused form with what was typed; after
// somebody else has saved, saving again replaces that.
func (h *handlers) savedBot(w http.ResponseWriter, r *http.Request, err error, form botviews.Form) error {
	status := http.StatusUnprocessableEntity
	errors.As(err, &form.Unknown)
	switch {
	case errors.As(err, &form.Refused):
	case errors.As(err, new(queries.Conflict)):
		stored, err := h.db.Bots.Bot(r.Context(), person(r).CompanyID)
		if err != nil {
			return err
		}
		if form.Earlier, err = h.savedFirst(r, botviews.Path, "bot", stored.ID, "bot.updated", "bot.image_changed"); err != nil {
			return err
		}
		form.Version, status = stored.VersionNo, http.StatusConflict
	case err != nil:
		return err
	default:
		return h.redirectWithToast(w, r, botviews.Path, "bot.saved")
	}
	return h.showBot(w, r, status, func(p *botviews.Page) templ.Component {
		p.Form = form.Over(p.Form)
		return nil
	})
}

// readReceivers reads who gets what comes by the hook address. The picker sends JSON,
// its fallback ids.
func readReceivers(f url.Values, form *botviews.Form) error {
	to := &form.Receivers
	to.Everyone = f.Get("everyone") != ""
	if f.Has("targets") {
		var targets []struct {
			Type string
			ID   int64
		}
		if json.Unmarshal([]byte(f.Get("targets")), &targets) != nil {
			return queries.Invalid("error.unreadable")
		}
		for _, t := range targets {
			if t.Type == "department" {
				to.Departments = append(to.Departments, t.ID)
			} else {
				to.Users = append(to.Users, t.ID)
			}
		}
		return nil
	}
	form.Users.Text, form.Departments.Text = f.Get("users"), f.Get("departments")
	to.Users, form.Users.Wrong = typedIDs(form.Users.Text)
	to.Departments, form.Departments.Wrong = typedIDs(form.Departments.Text)
	if len(form.Users.Wrong)+len(form.Departments.Wrong) > 0 {
		return queries.FieldErrors{"hook_receivers": "bot.receivers.unknown"}
	}
	return nil
}

// typedIDs reads ids like "7, 9", also in full width or one a line. The words that are
// no ids are wrong.
func typedIDs(text string) (ids []int64, wrong []string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",，、､", r) || unicode.IsSpace(r) }) {
		id, err := strconv.ParseInt(width.Narrow.String(word), 10, 64)
		if err != nil {
			wrong = append(wrong, word)
			continue
		}
		ids = append(ids, id)
	}
	return ids, wrong
}

// rotateBotToken replaces a token and shows the new one. The response is the only
// page that ever contains it, so the form does not redirect.
func (h *handlers) rotateBotToken(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(r.PostForm.Get("overlap"), 10, 32)
	if err != nil {
		return queries.Invalid("bot.overlap.invalid")
	}
	kind := bot.Kind(chi.URLParam(r, "kind"))
	secret, err := h.db.Bots.Rotate(r.Context(), actor(r), kind, time.Duration(seconds)*time.Second)
	if err != nil {
		return err
	}
	return h.showBot(w, r, http.StatusOK, func(p *botviews.Page) templ.Component { return botviews.SecretDialog(*p, kind, secret) })
}

// endBotToken ends a replaced token before its time.
func (h *handlers) endBotToken(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := h.db.Bots.EndToken(r.Context(), actor(r), id); err != nil {
		return err
	}
	return h.redirectWithToast(w, r, botviews.Path, "bot.token.ended_now")
}
