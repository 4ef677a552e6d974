package link

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/blobs"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/search"
)

// MaxLinks is how many links a company may have (spec §5).
const MaxLinks = 50

// RestoreTime is how long a deleted link can be restored (domain §9.12).
const RestoreTime = 30 * 24 * time.Hour

// Longest texts of a link, in characters.
const (
	longestName        = 50
	longestDescription = 100
)

// Draft is what somebody enters for a link.
type Draft struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	URL         string `json:"url"` // see checkURL
	Visible     bool   `json:"visible"`
	IconVisible bool   `json:"icon_visible"`
	Banner      string `json:"banner,omitempty"` // key of a blob of the company; "" for none
}

// Draft is the link as somebody would enter it.
func (l Link) Draft() Draft {
	return Draft{l.Name, l.Description, l.URL, l.Visible, l.IconVisible, l.Banner}
}

// Record is a link in the change log.
type Record struct {
	Draft
	VersionNo int32 `json:"version_no"`
}

// Create adds a link after the others. It refuses with FieldErrors of name,
// description and url, and with Invalid("link.limit") where there are MaxLinks.
func (s *Store) Create(ctx context.Context, by queries.Actor, d Draft) (id int64, err error) {
	err = s.change(ctx, by, func(ctx context.Context, q *Queries) (queries.Change, error) {
		if err := q.checkLimit(ctx, by.CompanyID); err != nil {
			return queries.Change{}, err
		}
		d, err := q.CheckDraft(ctx, by.CompanyID, d)
		if err != nil {
			return queries.Change{}, err
		}
		id, err = q.insertLink(ctx, insertLinkParams{
			CompanyID: by.CompanyID, Name: d.Name, Description: d.Description, URL: d.URL, Visible: d.Visible, IconVisible: d.IconVisible, Banner: d.Banner, Now: s.db.Now(),
		})
		return queries.Change{Action: "link.created", ObjectType: "link", ObjectID: id, ObjectName: d.Name, New: Record{d, 1}}, err
	})
	return id, err
}

// Update changes a link: edit gets what is stored and returns what is to be
// stored. It refuses as Create does, with NotFound, and with Conflict where
// ifMatch is neither 0 nor the link's VersionNo.
func (s *Store) Update(ctx context.Context, by queries.Actor, id int64, ifMatch int32, edit func(Draft) Draft) error {
	return s.change(ctx, by, func(ctx context.Context, q *Queries) (queries.Change, error) {
		old, err := q.matchLink(ctx, by.CompanyID, id, ifMatch)
		if err != nil {
			return queries.Change{}, err
		}
		d, err := q.checkDraft(ctx, by.CompanyID, edit(old.Draft()), old.Draft())
		if err != nil || d == old.Draft() {
			return queries.Change{}, err
		}
		err = q.updateLink(ctx, updateLinkParams{
			CompanyID: by.CompanyID, ID: id, Name: d.Name, Description: d.Description, URL: d.URL, Visible: d.Visible, IconVisible: d.IconVisible, Banner: d.Banner, Now: s.db.Now(),
		})
		return queries.Change{
			Action: "link.updated", ObjectType: "link", ObjectID: id, ObjectName: d.Name,
			Old: Record{old.Draft(), old.VersionNo}, New: Record{d, old.VersionNo + 1},
		}, err
	})
}

// Delete marks a link as deleted, and returns it. ifMatch is that of Update.
func (s *Store) Delete(ctx context.Context, by queries.Actor, id int64, ifMatch int32) (deleted Link, err error) {
	err = s.change(ctx, by, func(ctx context.Context, q *Queries) (queries.Change, error) {
		if deleted, err = q.matchLink(ctx, by.CompanyID, id, ifMatch); err != nil {
			return queries.Change{}, err
		}
		if err := q.deleteLink(ctx, deleteLinkParams{CompanyID: by.CompanyID, ID: id, Now: s.db.Now()}); err != nil {
			return queries.Change{}, err
		}
		rest, err := q.order(ctx, by.CompanyID)
		if err != nil {
			return queries.Change{}, err
		}
		change := queries.Change{Action: "link.deleted", ObjectType: "link", ObjectID: id, ObjectName: deleted.Name, Old: Record{deleted.Draft(), deleted.VersionNo}}
		return change, q.orderLinks(ctx, orderLinksParams{CompanyID: by.CompanyID, Ids: rest, Now: s.db.Now()})
	})
	return deleted, err
}

// Restore brings a deleted link back where it was, within RestoreTime. It
// refuses with Invalid("link.limit") where there are MaxLinks by now.
func (s *Store) Restore(ctx context.Context, by queries.Actor, id int64) error {
	return s.restore(ctx, by, id, 0)
}

// restore is Restore of a link with the VersionNo from; 0 for any.
func (s *Store) restore(ctx context.Context, by queries.Actor, id int64, from int32) error {
	return s.change(ctx, by, func(ctx context.Context, q *Queries) (queries.Change, error) {
		if err := q.checkLimit(ctx, by.CompanyID); err != nil {
			return queries.Change{}, err
		}
		others, err := q.order(ctx, by.CompanyID)
		if err != nil {
			return queries.Change{}, err
		}
		now := s.db.Now()
		n, err := q.restoreLink(ctx, restoreLinkParams{CompanyID: by.CompanyID, ID: id, Now: now, Since: now.Add(-RestoreTime)})
		if err == nil && n == 0 {
			err = queries.NotFound
		}
		if err != nil {
			return queries.Change{}, err
		}
		restored, err := q.Link(ctx, LinkParams{by.CompanyID, id})
		if err != nil {
			return queries.Change{}, err
		}
		if from != 0 && restored.VersionNo != from+1 {
			return queries.Change{}, errChanged
		}
		at := min(int(restored.Position)-1, len(others))
		if err := q.orderLinks(ctx, orderLinksParams{CompanyID: by.CompanyID, Ids: slices.Insert(others, at, id), Now: now}); err != nil {
			return queries.Change{}, err
		}
		return queries.Change{Action: "link.restored", ObjectType: "link", ObjectID: id, ObjectName: restored.Name, New: Record{restored.Draft(), restored.VersionNo}}, nil
	})
}

func (q *Queries) checkLimit(ctx context.Context, companyID int64) error {
	links, err := q.Links(ctx, companyID)
	if err == nil && len(links) >= MaxLinks {
		err = queries.Invalid("link.limit")
	}
	return err
}

// matchLink returns a link, unless somebody else has changed it.
func (q *Queries) matchLink(ctx context.Context, companyID, id int64, ifMatch int32) (Link, error) {
	l, err := q.Link(ctx, LinkParams{companyID, id})
	if err == nil && ifMatch != 0 && ifMatch != l.VersionNo {
		err = queries.Conflict("link.changed")
	}
	return l, err
}

// CheckDraft returns a draft as it is stored, or FieldErrors of name, description,
// url and banner.
func (q *Queries) CheckDraft(ctx context.Context, companyID int64, d Draft) (Draft, error) {
	return q.checkDraft(ctx, companyID, d, Draft{})
}

// checkDraft is CheckDraft of a draft that replaces another one. The characters of a
// text that stays as it is are not checked again, so that a link from before they were
// refused can still be switched.
func (q *Queries) checkDraft(ctx context.Context, companyID int64, d, old Draft) (Draft, error) {
	host, err := q.companyHost(ctx, companyID)
	if err != nil {
		return d, err
	}
	d.Name, d.Description, d.URL = oneLine(d.Name), oneLine(d.Description), strings.TrimSpace(d.URL)
	refused := queries.FieldErrors{}
	switch {
	case search.IsBlank(d.Name):
		refused["name"] = "link.name.required"
	case utf8.RuneCountInString(d.Name) > longestName:
		refused["name"] = "link.name.too_long"
	case d.Name != oneLine(old.Name) && !directory.PlainText(d.Name):
		refused["name"] = "link.name.invalid"
	}
	switch {
	case utf8.RuneCountInString(d.Description) > longestDescription:
		refused["description"] = "link.description.too_long"
	case d.Description != oneLine(old.Description) && !directory.PlainText(d.Description):
		refused["description"] = "link.description.invalid"
	}
	if refusal := checkURL(d.URL, host); refusal != "" {
		refused["url"] = refusal
	}
	if d.Banner != "" && !blobs.IsKey(companyID, d.Banner) {
		refused["banner"] = "link.banner.unknown"
	}
	if len(refused) > 0 {
		return d, refused
	}
	return d, nil
}

// oneLine is a text whose lines are joined by spaces.
func oneLine(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' })
	return strings.TrimSpace(strings.Join(lines, " "))
}

// ETag names the state of what the reader sees.
func (r ReaderRow) ETag() string {
	return fmt.Sprintf("\"%s-%d-%d\"", r.Host, r.Count, r.UpdatedAt.UnixMicro())
}
