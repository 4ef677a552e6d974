// Package link renders the pages of common links and convenience services.
package link

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/link"
	"officeconsole/queries/lists"
	"officeconsole/views"
)

// Addresses of the pages, without language prefix.
const (
	CommonPath  = "/manage/link/common"
	ServicePath = "/manage/link/convenience"
)

// LinkList is the page of common links. Links are those that the filter
// leaves, Count is how many there are in all.
type LinkList struct {
	Frame   views.Frame
	Filter  link.Filter
	Refused string // id of the message why the search is refused; "" if it is not
	Links   []link.Link
	Count   int
	Deleted lists.Page[lists.Deleted] // instead of Links, if the filter chooses deleted links
	ReadAt  time.Time                 // when the links were read
}

// canOrder reports whether the links on the page are all there are, so that
// their neighbors are known, and more than one.
func (l LinkList) canOrder() bool { return l.Count == len(l.Links) && l.Count > 1 }

// deleted is the list of deleted links.
func (l LinkList) deleted(ctx context.Context) views.DeletedList {
	return views.DeletedList{
		Label: locales.T(ctx, "deleted.links"), Page: l.Deleted, Now: l.Frame.Now, RestoreTime: link.RestoreTime,
		Path: CommonPath, Restoration: views.WithQuery("restoration", l.back()),
		Address: func(cursor string) string { return listURL(l.Filter, "cursor", cursor) },
	}
}

// action is the address of a form that changes a link and leads back to the list.
func (l LinkList) action(id int64, action string) string {
	return views.WithQuery(Action(id, action), l.back())
}

// moveAction is the address of the form that moves a link. It says how old the
// list is, so that the response can name what somebody else has moved since.
func (l LinkList) moveAction(id int64) string {
	query := l.back()
	query.Set("seen", strconv.FormatInt(l.ReadAt.UnixMicro(), 10))
	return views.WithQuery(Action(id, "position"), query)
}

// back is the parameter of a form's address that leads back to the list; none if it
// has no filter.
func (l LinkList) back() url.Values {
	query := url.Values{}
	if list := listURL(l.Filter, "", ""); list != CommonPath {
		query.Set("back", list)
	}
	return query
}

// listURL is the address of the list with a filter and one more parameter, which
// opens a dialog above it; "" for none.
func listURL(f link.Filter, name, value string) string {
	return views.ListURL(CommonPath, f.Values(), name, value)
}

// EditURL opens the dialog of a link. The id is the first parameter, because the menu of
// the rows replaces the first number, see views.RowMenu.
func EditURL(f link.Filter, id int64) string { return listURL(f, "edit", views.IDText(id)) }

// LinkForm is the dialog in which somebody enters or changes a link.
type LinkForm struct {
	ID       int64 // 0 for a new link
	Version  int32 // that the form was filled with
	Draft    link.Draft
	Host     string              // of the company
	Refused  queries.FieldErrors // also of banner
	Conflict string              // id of the message why nothing was saved; "" for none
	Hidden   []link.Link         // links that could be deleted instead, if there are MaxLinks
	Gone     *Gone               // nil unless somebody has deleted the link
	Earlier  *views.SavedFirst   // nil unless somebody has changed the link
	Changes  link.Differences    // of Earlier, from the version that the form was filled with
	Frame    views.Frame         // of Earlier
}

// Gone is the deletion of a link whose form was sent.
type Gone struct {
	Text       string // who deleted it and when
	CanRestore bool
}

// The actions of a form whose link is gone.
const (
	ActionCreate  = "create"
	ActionRestore = "restore"
)

// NewLinkForm returns the dialog for a link that follows others, which says at
// once when the company has as many as it may have.
func NewLinkForm(links []link.Link, host string) LinkForm {
	f := LinkForm{Draft: link.Draft{Visible: true}, Host: host}
	if len(links) < link.MaxLinks {
		return f
	}
	f.Conflict = "link.limit"
	for _, l := range links {
		if !l.Visible {
			f.Hidden = append(f.Hidden, l)
		}
	}
	return f
}

func (f LinkForm) title(ctx context.Context) string {
	if f.ID == 0 {
		return locales.T(ctx, "link.new")
	}
	return locales.T(ctx, "link.edit")
}

func (f LinkForm) action() string {
	if f.ID == 0 {
		return CommonPath
	}
	return Action(f.ID, "")
}

// inputs are the fields that can be refused, in their order in the dialog.
func (f LinkForm) inputs(ctx context.Context) []views.Input {
	inputs := []views.Input{
		{Name: "banner", Label: locales.T(ctx, "link.banner")},
		{Name: "name", Label: locales.T(ctx, "link.name"), Value: f.Draft.Name, Required: true, Attributes: templ.Attributes{"maxlength": "50", "autofocus": len(f.Refused) == 0 && f.Gone == nil && f.Earlier == nil}},
		{Name: "description", Label: locales.T(ctx, "link.description"), Value: f.Draft.Description, Attributes: templ.Attributes{"maxlength": "100"}},
		{Name: "url", Label: locales.T(ctx, "link.url"), Value: f.Draft.URL, Required: true, Help: locales.T(ctx, "link.url.help", "Host", f.Host), Attributes: templ.Attributes{"maxlength": "500", "inputmode": "url", "autocapitalize": "off", "spellcheck": "false"}},
	}
	for i := range inputs {
		inputs[i].Error = views.Refusal(ctx, f.Refused, inputs[i].Name)
	}
	return inputs
}

// Action is the address of a form about a link; "" for the link itself.
func Action(id int64, action string) string {
	path := CommonPath + "/" + strconv.FormatInt(id, 10)
	if action != "" {
		path += "/" + action
	}
	return path
}

// BannerURL is the address of a banner on the pages of the console.
func BannerURL(key string) string {
	return CommonPath + "/banners/" + link.BannerHash(key)
}

// markedURL is a URL with every {host} marked.
func markedURL(text string) templ.Component {
	return views.MarkupFunc(func(m *views.Markup) {
		for i, part := range strings.Split(text, link.Host) {
			if i > 0 {
				m.Wrap("<mark>", link.Host, "</mark>")
			}
			m.Text(part)
		}
	})
}

func linkIDs(links []link.Link) []string {
	ids := make([]string, len(links))
	for i, l := range links {
		ids[i] = strconv.FormatInt(l.ID, 10)
	}
	return ids
}

// describedBanner lists the ids of the texts below the field of the banner.
func describedBanner(input views.Input) string {
	if input.Error != "" {
		return "banner-help banner-error"
	}
	return "banner-help"
}
