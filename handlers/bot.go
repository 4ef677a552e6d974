package handlers

import (
	"errors"
	"net/http"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"officeconsole/queries"
	"officeconsole/queries/bot"
	botviews "officeconsole/views/bot"
)

// botMessages is the number of messages on a page of the log.
const botMessages = 20

// serviceBot shows the service bot and its log. The filters of the log, the
// example of the test console, the message that it has sent, and the dialogs for
// the rotation of a token and for a message are in the URL.
func (h *handlers) serviceBot(w http.ResponseWriter, r *http.Request) error {
	p, err := h.botPage(r)
	if err != nil {
		return err
	}
	query, companyID := r.URL.Query(), person(r).CompanyID
	if query.Has("sent") {
		if p.Sent, err = h.botMessage(r, query.Get("sent")); err != nil {
			return err
		}
	}
	var opened *bot.Message
	if query.Has("delivery") {
		if opened, err = h.botMessage(r, query.Get("delivery")); err != nil {
			return err
		}
	}
	if p.Names, err = h.db.Bots.ReceiverNames(r.Context(), companyID, shownReceivers(p, opened)...); err != nil {
		return err
	}
	kind := bot.Kind(query.Get("rotate"))
	switch {
	case opened != nil:
		p.Frame.Dialog = botviews.MessageDialog(p, *opened)
	case query.Has("rotate") && kind.Prefix() == "":
		return errPageNotFound
	case query.Has("rotate"):
		p.Frame.Dialog = botviews.RotationDialog(p, kind)
	}
	return h.render(w, r, botviews.BotPage(p))
}

// botPage returns the page without the names of receivers.
func (h *handlers) botPage(r *http.Request) (p botviews.Page, err error) {
	ctx, companyID := r.Context(), person(r).CompanyID
	p = botviews.Page{Frame: h.frame(r), Base: h.baseURL(r), Example: bot.KindHook}
	if r.Method == http.MethodGet {
		if p.Filter, err = bot.ReadFilter(r.URL.Query()); err != nil {
			return p, errPageNotFound
		}
		if kind := bot.Kind(r.URL.Query().Get("example")); kind.Prefix() != "" {
			p.Example = kind
		}
	}
	p.Filter.Limit = botMessages
	if p.Bot, err = h.db.Bots.Bot(ctx, companyID); err != nil {
		return p, err
	}
	p.Form = botviews.NewForm(p.Bot)
	if p.Tokens, err = h.db.Bots.Tokens(ctx, bot.TokensParams{CompanyID: companyID, Now: h.db.Now()}); err != nil {
		return p, err
	}
	if p.Health, err = h.db.Bots.Health(ctx, companyID); err != nil {
		return p, err
	}
	p.Messages, err = h.db.Bots.Messages(ctx, companyID, p.Filter)
	return p, err
}

// shownReceivers are the receivers that a page names.
func shownReceivers(p botviews.Page, opened *bot.Message) []bot.Receivers {
	all := []bot.Receivers{p.Bot.HookReceivers, p.Form.Receivers}
	for _, m := range p.Messages.Rows {
		all = append(all, m.Receivers)
	}
	for _, m := range []*bot.Message{p.Sent, opened} {
		if m != nil {
			all = append(all, m.Receivers)
		}
	}
	return all
}

// showBot shows the page after a form, with a dialog unless it is nil. edit gets
// what somebody entered into the form.
func (h *handlers) showBot(w http.ResponseWriter, r *http.Request, status int, edit func(*botviews.Page) templ.Component) error {
	p, err := h.botPage(r)
	if err != nil {
		return err
	}
	p.Frame.Path = botviews.Path // the form has a URL of its own
	p.Frame.Dialog = edit(&p)
	if p.Names, err = h.db.Bots.ReceiverNames(r.Context(), person(r).CompanyID, shownReceivers(p, nil)...); err != nil {
		return err
	}
	return h.renderStatus(w, r, status, botviews.BotPage(p))
}

func (h *handlers) botMessage(r *http.Request, text string) (*bot.Message, error) {
	id, err := rowID(text)
	if err != nil {
		return nil, err
	}
	m, err := h.db.Bots.Message(r.Context(), bot.MessageParams{CompanyID: person(r).CompanyID, ID: id})
	return &m, err
}

// baseURL is the URL of the console as browsers reach it: the configured one, else by
// the host of the request.
func (h *handlers) baseURL(r *http.Request) string {
	if h.PublicURL != "" {
		return h.PublicURL
	}
	if h.Secure {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// botImage serves the bot's image by its hash, so its URL never changes its
// content. A form that was refused shows an image that is not the bot's yet.
func (h *handlers) botImage(w http.ResponseWriter, r *http.Request) error {
	return h.servePicture(w, r, chi.URLParam(r, "hash"))
}

// testBot sends a message as the example of the test console does.
func (h *handlers) testBot(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	kind := bot.Kind(r.PostForm.Get("example"))
	receipt, err := h.db.Bots.SendTest(r.Context(), actor(r), kind, exampleText(r))
	if refused := (bot.Refusal{}); errors.As(err, &refused) {
		return h.redirectWithToast(w, r, botviews.ExampleURL(kind, 0), refused.Code)
	}
	if err != nil {
		return err
	}
	return redirect(w, r, botviews.ExampleURL(kind, receipt.ID))
}

// resendBotMessage sends a message of the log again.
func (h *handlers) resendBotMessage(w http.ResponseWriter, r *http.Request) error {
	id, err := rowID(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	_, err = h.db.Bots.Resend(r.Context(), actor(r), id)
	var refused bot.Refusal
	var invalid queries.Invalid
	switch {
	case errors.As(err, &refused):
		return h.redirectWithToast(w, r, botviews.Path, refused.Code)
	case errors.As(err, &invalid):
		return h.redirectWithToast(w, r, botviews.Path, string(invalid))
	case err != nil:
		return err
	}
	return h.redirectWithToast(w, r, botviews.Path+"#log", "bot.resent")
}
