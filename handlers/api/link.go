package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/link"
	"officeconsole/queries/lists"
)

// registerLinks registers the operations of common links.
func (c *calls) registerLinks(middlewares huma.Middlewares) {
	const all, one = u + "/links", u + "/links/{link_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Links"
		return d.operation(middlewares)
	}
	unreadable := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	conflicts := []int{http.StatusConflict, http.StatusPreconditionRequired}
	huma.Register(c.api, describe(call{id: "links", path: all, summary: "Common links in their order",
		description: "What every person finds among the messenger's shortcuts. {host} in a url stands for the company's host; address is where it leads. " +
			"Those that were deleted in the last thirty days have only an id, name, description and deleted_at."}), c.links)
	huma.Register(c.api, describe(call{id: "create-link", method: http.MethodPost, path: all, status: http.StatusCreated, errors: unreadable,
		summary: "Add a link after the others", description: "At most 50. url is an address of the web or contains {host}, which in the host of an address must be the whole host or its end."}), c.createLink)
	huma.Register(c.api, describe(call{id: "order-links", method: http.MethodPut, path: all + "/order", errors: unreadable,
		summary: "Put links in an order", description: "Links that are not among ids, such as one that was just added, follow in the order that they have."}), c.orderLinks)
	huma.Register(c.api, describe(call{id: "link", path: one, summary: "One link",
		description: "ETag is its version, for If-Match. 404 once it is deleted."}), c.link)
	huma.Register(c.api, describe(call{id: "update-link", method: http.MethodPatch, path: one, errors: append(conflicts, unreadable...),
		summary: "Change a link", description: "What is left out stays as it is. With If-Match, 409 when somebody else changed it in between."}), c.updateLink)
	huma.Register(c.api, describe(call{id: "move-link", method: http.MethodPut, path: one + "/position", errors: append([]int{http.StatusConflict}, unreadable...),
		summary: "Put a link directly after another one", description: "So two people who move different links at the same time both get what they did. Answers every link in its order; 409 when the other one has been deleted."}), c.moveLink)
	huma.Register(c.api, describe(call{id: "delete-link", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: conflicts,
		summary: "Delete a link", description: "It can be restored for thirty days."}), c.deleteLink)
	huma.Register(c.api, describe(call{id: "restore-link", method: http.MethodPost, path: one + "/restoration", errors: []int{http.StatusUnprocessableEntity},
		summary: "Restore a deleted link", description: "Where it was, with everything that it had."}), c.restoreLink)
	banner := describe(call{id: "set-link-banner", method: http.MethodPut, path: one + "/banner", errors: append([]int{http.StatusRequestEntityTooLarge}, unreadable...),
		summary: "Give a link a banner", description: "A PNG, JPEG or BMP under 5 MB, 126×80 recommended; larger ones are scaled down and lose their metadata."})
	banner.MaxBodyBytes = 2 * link.MaxBannerBytes
	huma.Register(c.api, banner, c.setLinkBanner)
	huma.Register(c.api, describe(call{id: "delete-link-banner", method: http.MethodDelete, path: one + "/banner",
		summary: "Take the banner from a link", description: "Answers the link without it."}), c.deleteLinkBanner)
	huma.Register(c.api, pictureOf(describe(call{id: "link-banner", path: one + "/banner", summary: "The banner of a link", description: "A PNG or JPEG. 404 where the link has none."})), c.linkBanner)
}

type linkRow struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	URL         string `json:"url" doc:"As it was entered."`
	Address     string `json:"address" doc:"Where it leads."`
	Visible     bool   `json:"visible" doc:"Whether the messenger shows it among the shortcuts."`
	IconVisible bool   `json:"icon_visible" doc:"Whether it is also among the icons above the conversations."`
	BannerURL   string `json:"banner_url,omitempty" doc:"Where its banner is; another banner has another URL. Missing where it has none."`

	DeletedAt *time.Time `json:"deleted_at,omitempty" doc:"Missing where it is not deleted."`
}

func newLink(who caller, l link.Link) linkRow {
	row := linkRow{
		ID: l.ID, Name: l.Name, Description: l.Description, URL: l.URL, Address: link.Resolve(l.URL, who.CompanyHost), Visible: l.Visible, IconVisible: l.IconVisible,
	}
	if l.Banner != "" {
		row.BannerURL = fmt.Sprintf("%s/companies/%d/users/%d/links/%d/banner?v=%.8s", base, who.CompanyID, who.ID, l.ID, link.BannerHash(l.Banner))
	}
	return row
}

// LinksInput is the input of the list of links.
type LinksInput struct {
	OwnPath
	Status string `query:"status" enum:"deleted" doc:"Those that can be restored, the latest deletion first; without it those that exist."`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before, of deleted links."`
}

type linksOutput struct{ Body list[linkRow] }

func (c *calls) links(ctx context.Context, in *LinksInput) (*linksOutput, error) {
	if in.Status == "deleted" {
		page, err := c.db.Links.Deleted(ctx, in.CompanyID, link.Filter{Deleted: true, Cursor: in.Cursor.Cursor}, link.MaxLinks)
		if err != nil {
			return nil, err
		}
		return &linksOutput{listed(page, newDeletedLink)}, nil
	}
	links, err := c.db.Links.Links(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	out := &linksOutput{list[linkRow]{Data: make([]linkRow, len(links))}}
	for i, l := range links {
		out.Body.Data[i] = newLink(callerOf(ctx), l)
	}
	return out, nil
}

func newDeletedLink(l lists.Deleted) linkRow {
	return linkRow{ID: l.ID, Name: l.Name, Description: l.Description, DeletedAt: inUTC(&l.DeletedAt)}
}

// LinkPath is the path of a link.
type LinkPath struct {
	OwnPath
	LinkID int64 `path:"link_id"`
}

type linkOutput struct {
	ETag string `header:"ETag"`
	Body linkRow
}

func (c *calls) link(ctx context.Context, in *LinkPath) (*linkOutput, error) {
	return c.linkByID(ctx, in.LinkID)
}

func (c *calls) linkByID(ctx context.Context, id int64) (*linkOutput, error) {
	who := callerOf(ctx)
	l, err := c.db.Links.Link(ctx, link.LinkParams{CompanyID: who.CompanyID, ID: id})
	if err != nil {
		return nil, err
	}
	return &linkOutput{versionTag(l.VersionNo), newLink(who, l)}, nil
}

// LinkBody is a link to save; nil leaves a field unchanged.
type LinkBody struct {
	Name        *string `json:"name,omitempty" doc:"At most 50 characters."`
	Description *string `json:"description,omitempty" doc:"At most 100 characters."`
	URL         *string `json:"url,omitempty"`
	Visible     *bool   `json:"visible,omitempty" doc:"True for a new link where it is left out."`
	IconVisible *bool   `json:"icon_visible,omitempty"`
}

// into applies the fields that were sent to a draft.
func (b LinkBody) into(d link.Draft) link.Draft {
	replace(&d.Name, b.Name)
	replace(&d.Description, b.Description)
	replace(&d.URL, b.URL)
	replace(&d.Visible, b.Visible)
	replace(&d.IconVisible, b.IconVisible)
	return d
}

// NewLink is a new link to save.
type NewLink struct {
	LinkBody `needs:"name,url"`
}

type createLinkInput struct {
	OwnPath
	Body NewLink
}

func (c *calls) createLink(ctx context.Context, in *createLinkInput) (*linkOutput, error) {
	id, err := c.db.Links.Create(ctx, actor(ctx), in.Body.into(link.Draft{Visible: true}))
	if err != nil {
		return nil, err
	}
	return c.linkByID(ctx, id)
}

type updateLinkInput struct {
	LinkPath
	IfMatch string `header:"If-Match" doc:"The ETag of the link as the client has seen it; without it whatever there is is changed."`
	Body    LinkBody
}

func (c *calls) updateLink(ctx context.Context, in *updateLinkInput) (*linkOutput, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := c.db.Links.Update(ctx, actor(ctx), in.LinkID, seen, in.Body.into); err != nil {
		return nil, err
	}
	return c.linkByID(ctx, in.LinkID)
}

type deleteLinkInput struct {
	LinkPath
	IfMatch string `header:"If-Match" doc:"The ETag of the link as the client has seen it; without it whatever there is is deleted."`
}

func (c *calls) deleteLink(ctx context.Context, in *deleteLinkInput) (*struct{}, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	_, err = c.db.Links.Delete(ctx, actor(ctx), in.LinkID, seen)
	return nil, err
}

func (c *calls) restoreLink(ctx context.Context, in *LinkPath) (*linkOutput, error) {
	if err := c.db.Links.Restore(ctx, actor(ctx), in.LinkID); err != nil {
		return nil, err
	}
	return c.linkByID(ctx, in.LinkID)
}

type orderLinksInput struct {
	OwnPath
	Body struct {
		IDs []int64 `json:"ids" nullable:"false"`
	}
}

func (c *calls) orderLinks(ctx context.Context, in *orderLinksInput) (*linksOutput, error) {
	if err := c.db.Links.Order(ctx, actor(ctx), in.Body.IDs); err != nil {
		return nil, err
	}
	return c.links(ctx, &LinksInput{OwnPath: in.OwnPath})
}

type moveLinkInput struct {
	LinkPath
	Body struct {
		AfterID int64 `json:"after_id" doc:"0 puts the link first."`
	}
}

func (c *calls) moveLink(ctx context.Context, in *moveLinkInput) (*linksOutput, error) {
	if _, err := c.db.Links.Move(ctx, actor(ctx), in.LinkID, in.Body.AfterID); err != nil {
		return nil, err
	}
	return c.links(ctx, &LinksInput{OwnPath: in.OwnPath})
}

type shortcutsInput struct {
	CompanyPath
	UserID      int64    `path:"user_id"`
	IfNoneMatch []string `header:"If-None-Match" doc:"ETag of the answer as it is known; if it is still so, the answer is 304."`
}

type shortcuts struct {
	Links    []shortcut        `json:"links" nullable:"false" doc:"The visible links in their order."`
	Services []shortcutService `json:"services" nullable:"false" doc:"The services that are visible anywhere, in their order."`
}

type shortcut struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Address     string `json:"address"`
	Icon        bool   `json:"icon" doc:"Whether it is also among the icons above the conversations."`
	BannerURL   string `json:"banner_url,omitempty" doc:"Where its banner is, by a service token; another banner has another URL."`
}

type shortcutService struct {
	ID        string   `json:"id"`
	Platforms []string `json:"platforms" nullable:"false" enum:"pc,web,mobile" doc:"Where it is visible."`
}

type shortcutsOutput struct {
	Status int
	ETag   string `header:"ETag"`
	Body   *shortcuts
}

// shortcuts returns what the messenger shows a person: the same for everybody
// of the company who is not hidden.
func (c *calls) shortcuts(ctx context.Context, in *shortcutsInput) (*shortcutsOutput, error) {
	reader, err := c.db.Links.Reader(ctx, link.ReaderParams{CompanyID: in.CompanyID, UserID: in.UserID})
	if err != nil {
		return nil, err
	}
	out := &shortcutsOutput{Status: http.StatusOK, ETag: reader.ETag()}
	if matches(in.IfNoneMatch, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	links, err := c.db.Links.Links(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	services, err := c.db.Links.Services(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	out.Body = &shortcuts{[]shortcut{}, []shortcutService{}}
	for _, l := range links {
		if l.Visible {
			row := shortcut{l.ID, l.Name, l.Description, link.Resolve(l.URL, reader.Host), l.IconVisible, ""}
			if l.Banner != "" {
				row.BannerURL = fmt.Sprintf("%s/companies/%d/banners/%s", base, in.CompanyID, link.BannerHash(l.Banner))
			}
			out.Body.Links = append(out.Body.Links, row)
		}
	}
	for _, s := range services {
		if len(s.Visible) > 0 {
			out.Body.Services = append(out.Body.Services, shortcutService{s.ID, slices.Clone(s.Visible)})
		}
	}
	return out, nil
}
