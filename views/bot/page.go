// Package bot renders the page of the service bot.
package bot

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/bot"
	"officeconsole/queries/lists"
	"officeconsole/views"
)

// Path is the address of the page, without language prefix.
const Path = "/manage/use/webhook"

// imageSide is the width and height of the image on the page, in pixels.
const imageSide = "58"

// Page is the page of the service bot. A dialog is in the frame.
type Page struct {
	Frame    views.Frame
	Base     string // the console's URL: "https://console.example"
	Bot      bot.Bot
	Health   bot.Health
	Tokens   []bot.Token
	Names    bot.Names // of the receivers on the page
	Example  bot.Kind  // of the test console
	Sent     *bot.Message
	Filter   bot.Filter
	Messages lists.Page[bot.Message]
	Form     Form
}

// Form is what somebody entered in one of the forms, where it was refused.
type Form struct {
	Name               string // as typed
	Image              string // key of a blob, which is saved with the form
	Addresses          string // one range a line
	Receivers          bot.Receivers
	Users, Departments TypedIDs // of the receivers
	Unknown            bot.UnknownReceivers
	Version            int32 // that the form was filled with
	Refused            queries.FieldErrors
	Sent               Section           // the form that was refused; "" for none
	Earlier            *views.SavedFirst // who saved while it was open; nil for nobody
}

// TypedIDs are ids as they are typed without scripts.
type TypedIDs struct {
	Text  string   // empty where the picker was used
	Wrong []string // the entries that are no ids
}

// Section is one of the forms of the page.
type Section string

// The forms that are filled with what is stored.
const (
	Profile   Section = "profile"
	Addresses Section = "addresses"
	HookTo    Section = "receivers"
)

// isRefused reports whether a form was sent and refused.
func (f Form) isRefused(s Section) bool { return f.Sent == s }

// NewForm returns the forms as they are filled at first.
func NewForm(b bot.Bot) Form {
	return Form{Name: b.Name, Image: b.Image, Addresses: strings.Join(b.AllowedAddresses, "\n"), Receivers: b.HookReceivers, Version: b.VersionNo}
}

// Over returns the forms as they are stored, with what was sent in the refused one.
func (f Form) Over(stored Form) Form {
	switch f.Sent {
	case Profile:
		stored.Name, stored.Image = f.Name, f.Image
	case Addresses:
		stored.Addresses = f.Addresses
	case HookTo:
		stored.Receivers, stored.Users, stored.Departments, stored.Unknown = f.Receivers, f.Users, f.Departments, f.Unknown
	}
	stored.Sent, stored.Version, stored.Refused, stored.Earlier = f.Sent, f.Version, f.Refused, f.Earlier
	return stored
}

func (f Form) name(ctx context.Context) views.Input {
	return views.Input{
		Name: "name", Label: locales.T(ctx, "bot.name"), Value: f.Name, Required: true, Help: locales.T(ctx, "bot.name.help"),
		Error: views.Refusal(ctx, f.Refused, "name"), Attributes: templ.Attributes{"maxlength": "20"},
	}
}

func (f Form) users(ctx context.Context) views.Input {
	var unknown []string
	for _, id := range f.Unknown.Users {
		unknown = append(unknown, locales.T(ctx, "bot.receivers.user", "ID", strconv.FormatInt(id, 10)))
	}
	return f.Users.input(ctx, "users", locales.T(ctx, "bot.receivers.users"), f.Receivers.Users, unknown)
}

func (f Form) departments(ctx context.Context) views.Input {
	var unknown []string
	for _, id := range f.Unknown.Departments {
		unknown = append(unknown, locales.T(ctx, "bot.receivers.department", "ID", strconv.FormatInt(id, 10)))
	}
	return f.Departments.input(ctx, "departments", locales.T(ctx, "bot.receivers.departments"), f.Receivers.Departments, unknown)
}

// input is the field of ids, with what is wrong with them.
func (t TypedIDs) input(ctx context.Context, name, label string, all []int64, wrong []string) views.Input {
	for _, entry := range t.Wrong {
		wrong = append(wrong, locales.T(ctx, "bot.receivers.entry", "Text", entry))
	}
	return views.Input{
		Name: name, Label: label, Value: cmp.Or(t.Text, ids(all)), Error: strings.Join(wrong, " "), Attributes: templ.Attributes{"inputmode": "numeric"},
	}
}

// Action is the address of a form of the page.
func Action(action string) string { return Path + "/" + action }

// ImageURL is the address of an image on the pages of the console.
func ImageURL(key string) string { return Action("images/" + bot.ImageHash(key)) }

// MessageURL is the address of a message in the log.
func (p Page) MessageURL(id int64) string {
	query := p.Filter.Values()
	lists.SetText(query, "cursor", p.Filter.Cursor.String())
	lists.SetID(query, "delivery", id)
	return views.WithQuery(Path, query)
}

func (p Page) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, p.Messages, "bot.log.range", func(cursor string) string {
		return views.ListURL(Path, p.Filter.Values(), "cursor", cursor)
	})
}

// token is the current token of a kind; nil without one.
func (p Page) token(kind bot.Kind) *bot.Token {
	for i, t := range p.Tokens {
		if t.Kind == kind && t.EndsAt == nil {
			return &p.Tokens[i]
		}
	}
	return nil
}

// replaced are the tokens of a kind that still work.
func (p Page) replaced(kind bot.Kind) []bot.Token {
	var all []bot.Token
	for _, t := range p.Tokens {
		if t.Kind == kind && t.EndsAt != nil {
			all = append(all, t)
		}
	}
	return all
}

// ExampleURL is the address of an example of the test console, with the message
// that was sent; 0 for none.
func ExampleURL(kind bot.Kind, sent int64) string {
	query := url.Values{"example": {string(kind)}}
	lists.SetID(query, "sent", sent)
	return views.WithQuery(Path, query) + "#try"
}

func rotateURL(kind bot.Kind) string {
	return views.WithQuery(Path, url.Values{"rotate": {string(kind)}})
}

// curl is the command that sends a message. The secret is that of a token; without
// one the command reads it from a variable of the shell.
func curl(ctx context.Context, p Page, kind bot.Kind, secret string) string {
	text := locales.T(ctx, "bot.example.text")
	if kind == bot.KindHook {
		address := `"$HOOK_URL"`
		if secret != "" {
			address = "'" + p.Base + bot.Path(kind, p.Bot.ID, secret) + "'"
		}
		return fmt.Sprintf("curl -X POST %s \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"text\": \"%s\"}'", address, text)
	}
	authorization := `"Authorization: Bearer $BOT_TOKEN"`
	if secret != "" {
		authorization = "'Authorization: Bearer " + secret + "'"
	}
	return fmt.Sprintf("curl -X POST '%s%s' \\\n  -H %s \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"text\": \"%s\", \"to\": {\"users\": [%d]}}'",
		p.Base, bot.Path(kind, p.Bot.ID, ""), authorization, text, p.Frame.Person.ID)
}

// receiversText names the first of some receivers and how many others there are.
func receiversText(ctx context.Context, r bot.Receivers, names bot.Names) string {
	if r.Everyone {
		return locales.T(ctx, "bot.to.everyone")
	}
	var all []string
	for _, id := range r.Departments {
		all = append(all, nameOr(ctx, names.Departments[id]))
	}
	for _, id := range r.Users {
		all = append(all, nameOr(ctx, names.Users[id]))
	}
	switch len(all) {
	case 0:
		return locales.T(ctx, "bot.to.nobody")
	case 1:
		return all[0]
	}
	return locales.T(ctx, "bot.to.more", "Name", all[0], "Others", strconv.Itoa(len(all)-1))
}

func nameOr(ctx context.Context, name string) string {
	if name == "" {
		return locales.T(ctx, "bot.to.gone")
	}
	return name
}

// timeText is a time of today, or another date with its time.
func timeText(ctx context.Context, t, now time.Time) string {
	t = t.In(now.Location())
	if y, m, d := t.Date(); y == now.Year() && m == now.Month() && d == now.Day() {
		return t.Format("15:04:05")
	}
	return locales.FromContext(ctx).ShortestDateTime(t)
}

func moment(ctx context.Context, t, now time.Time) templ.Component {
	return views.Moment(t.In(now.Location()), timeText(ctx, t, now))
}

// took is a duration in milliseconds.
func took(microseconds int32) string {
	if microseconds < 10_000 {
		return strconv.FormatFloat(float64(microseconds)/1000, 'f', 1, 64) + "ms"
	}
	return strconv.Itoa(int(microseconds/1000)) + "ms"
}

// subject is the first line of a message, or why a call without one was refused.
func subject(ctx context.Context, m bot.Message) string {
	for line := range strings.Lines(m.Text) {
		if line = strings.TrimSpace(unmarked(line)); line != "" {
			return line
		}
	}
	return locales.T(ctx, m.Code)
}

var markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)\s]*\)`)

// unmarked is a line of Markdown without bold type and addresses of links.
func unmarked(line string) string {
	return strings.ReplaceAll(markdownLink.ReplaceAllString(line, "$1"), "**", "")
}

// counted is a number that is counted up to bot.MostCounted.
func counted(ctx context.Context, n int64) string {
	if n > bot.MostCounted {
		return locales.Number(ctx, bot.MostCounted) + "+"
	}
	return locales.Number(ctx, n)
}

// from is where a message came from: the address and the program.
func from(m bot.Message) string {
	if m.Address == nil {
		return m.Agent
	}
	return strings.TrimSuffix(m.Address.String()+" · "+m.Agent, " · ")
}

// receiversProps are the properties of the field for receivers. A department always
// stands for all below it, so there is no switch for that.
func (p Page) receiversProps(ctx context.Context) views.PickerProps {
	props := views.PickerProps{
		Name: "targets", Targets: []views.PickerTarget{}, Max: 500,
		DepartmentsURL: views.OrganizationURL(p.Frame.Person, "departments"), UsersURL: views.OrganizationURL(p.Frame.Person, "users"),
		Texts: views.PickerTexts(ctx, "bot.receivers", "bot.receivers.text", "bot.receivers.none"),
	}
	props.Texts["include"], props.Texts["include_of"] = "", ""
	for _, id := range p.Form.Receivers.Departments {
		props.Targets = append(props.Targets, views.PickerTarget{Type: "department", ID: id, Name: nameOr(ctx, p.Names.Departments[id]), IncludeChildren: true})
	}
	for _, id := range p.Form.Receivers.Users {
		props.Targets = append(props.Targets, views.PickerTarget{Type: "user", ID: id, Name: nameOr(ctx, p.Names.Users[id])})
	}
	return props
}

// ids writes ids for the field of a form without scripts: "7, 9".
func ids(all []int64) string {
	words := make([]string, len(all))
	for i, id := range all {
		words[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(words, ", ")
}
