package notice

import (
	"context"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"officeconsole/locales"
	"officeconsole/markdown"
	"officeconsole/queries"
	"officeconsole/queries/notice"
	"officeconsole/views"
)

// NewPath is the address of the page on which a notice is written, without
// language prefix.
const NewPath = Path + "/new"

// DuplicateURL is the address of that page with a copy of a notice.
func DuplicateURL(id int64) string { return NewPath + "?from=" + strconv.FormatInt(id, 10) }

// Edit is the page on which a notice is written or a reservation changed.
type Edit struct {
	Frame      views.Frame
	ID         int64 // 0 for a new notice
	Form       Form
	Files      []notice.Attachment  // of the form, in their order
	Targets    []notice.NamedTarget // of the form
	Searched   bool                 // for targets, without scripts
	Found      []notice.NamedTarget // by that search
	Recipients int                  // whom the form's targets would reach
	Refused    queries.FieldErrors  // by the names in the API, and find
	Conflict   *Conflict            // why nothing was saved; nil for no conflict
	Lost       int                  // how many files of a copied notice can no longer be downloaded
}

// Conflict is what somebody else did to a reservation while it was being edited.
type Conflict struct {
	Message string // id: "notice.edited", "notice.gone" or "notice.published"
	By      string // "" for an operator
	At      time.Time
	Changes notice.Differences // of "notice.edited"
	Names   notice.TargetNames
	Restore bool // of "notice.gone": whether it can be restored and saved
}

// isOver reports whether the form can only be saved as a new notice, or by
// restoring its own.
func (c *Conflict) isOver() bool { return c != nil && c.Message != "notice.edited" }

// Actions of the form besides saving.
const (
	ActionCopy    = "copy"    // saves it as a new notice
	ActionRestore = "restore" // restores its deleted notice and saves it
)

// Form is what is entered.
type Form struct {
	Version       int32 // that the form was filled with; 0 for a new notice
	Title, Body   string
	Targets       notice.Targets
	Reserved      bool
	Date, Clock   string // of a reservation, as entered
	AttachmentIDs []int64
	Find          string // the search for targets without scripts
	Typed         bool   // whether it holds unsaved input
}

func (e Edit) title(ctx context.Context) string {
	if e.ID == 0 {
		return locales.T(ctx, "notice.new")
	}
	return locales.T(ctx, "notice.edit")
}

// action is the address that the form is sent to.
func (e Edit) action() string {
	if e.ID == 0 {
		return Path
	}
	return Action(e.ID, "")
}

// Path is the address of the page.
func (e Edit) Path() string {
	if e.ID == 0 {
		return NewPath
	}
	return Action(e.ID, "edit")
}

// inputs are the fields that can be refused, in their order on the page.
func (e Edit) inputs(ctx context.Context) []views.Input {
	inputs := []views.Input{{Name: "title"}, {Name: "body"}, {Name: "attachment_ids"}, {Name: "targets"}, {Name: "publish_at"}, {Name: "find"}}
	for i := range inputs {
		inputs[i].Error = views.Refusal(ctx, e.Refused, inputs[i].Name)
	}
	return inputs
}

// conflictTitle says who did what to the reservation and when.
func (e Edit) conflictTitle(ctx context.Context) string {
	c := e.Conflict
	time := momentOf(ctx, c.At, e.Frame)
	switch {
	case c.Message == "notice.published":
		return locales.T(ctx, "notice.published.at", "Time", time)
	case c.Message == "notice.gone" && c.By == "":
		return locales.T(ctx, "notice.gone.nobody", "Time", time)
	case c.Message == "notice.gone":
		return locales.T(ctx, "notice.gone", "Name", c.By, "Time", time)
	case c.By == "":
		return locales.T(ctx, "notice.edited.nobody", "Time", time)
	}
	return locales.T(ctx, "notice.edited.by", "Name", c.By, "Time", time)
}

// preview is the body as readers see it.
func (e Edit) preview() templ.Component { return templ.Raw(markdown.HTML(e.Form.Body)) }

// picker are the properties of the island in which targets are chosen.
func (e Edit) picker(ctx context.Context) views.PickerProps {
	props := views.PickerProps{
		Name: "targets", Targets: []views.PickerTarget{}, Max: notice.MaxTargets,
		DepartmentsURL: views.OrganizationURL(e.Frame.Person, "departments"), UsersURL: views.OrganizationURL(e.Frame.Person, "users"),
		Texts: views.PickerTexts(ctx, "notice.targets.choose", "notice.targets.text", "notice.targets.empty"),
	}
	for _, t := range e.Targets {
		target := views.PickerTarget{Type: "user", ID: t.UserID, Name: targetName(ctx, t), Path: targetPlace(t), IncludeChildren: true}
		if t.DepartmentID != 0 {
			target.Type, target.ID, target.IncludeChildren = "department", t.DepartmentID, t.IncludeChildren
		}
		props.Targets = append(props.Targets, target)
	}
	return props
}

// targetKey identifies a target in the form without scripts: "department:5".
func targetKey(t notice.NamedTarget) string {
	if t.UserID != 0 {
		return "user:" + strconv.FormatInt(t.UserID, 10)
	}
	return "department:" + strconv.FormatInt(t.DepartmentID, 10)
}

// unchosen are the found targets that are not chosen yet.
func (e Edit) unchosen() []notice.NamedTarget {
	chosen := map[string]bool{}
	for _, t := range e.Targets {
		chosen[targetKey(t)] = true
	}
	var fresh []notice.NamedTarget
	for _, t := range e.Found {
		if !chosen[targetKey(t)] {
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// Summary says whom the form reaches, when, and how far away that is by the
// clock of the server.
func (e Edit) Summary(ctx context.Context) string {
	if !e.Form.Reserved {
		return locales.N(ctx, "notice.summary.now", e.Recipients)
	}
	at, err := notice.ParseReservation(e.Form.Date, e.Form.Clock, e.Frame.Zone())
	switch {
	case err != nil:
		return locales.N(ctx, "notice.summary.unknown", e.Recipients)
	case !at.After(e.Frame.Now):
		return locales.T(ctx, "notice.publish_at.past")
	}
	return locales.N(ctx, "notice.summary.reserved", e.Recipients, "Date", locales.LongDate(ctx, at), "Time", locales.Time(ctx, at), "Ahead", locales.Ahead(ctx, at, e.Frame.Now))
}

// uploadTexts are the texts of the list of files for its script.
func uploadTexts(ctx context.Context) map[string]string {
	texts := map[string]string{}
	for _, word := range []string{"waiting", "checking", "sending", "done", "retry", "remove", "too_large", "empty", "too_many", "md5", "failed", "unfinished", "count", "progress"} {
		texts[word] = locales.T(ctx, "notice.upload."+word)
	}
	return texts
}

// uploadsURL is the address to which the page's script sends files.
func (e Edit) uploadsURL() string { return views.UserURL(e.Frame.Person) + "/uploads" }

// A tool is a button above the text. Its script puts the marks around the
// selection, or before each of its lines.
type tool struct{ name, symbol string }

var tools = []tool{{"heading", "heading"}, {"bold", "bold"}, {"list", "list"}, {"quote", "quote"}, {"link", "link"}, {"table", "table"}}

// today is the first date that the field for a reservation offers, and yearAhead
// the last.
func (e Edit) today() string { return e.Frame.Now.Format(time.DateOnly) }

func (e Edit) yearAhead() string { return e.Frame.Now.AddDate(1, 0, 0).Format(time.DateOnly) }

// invalid marks a field that was refused.
func invalid(id, refused string) templ.Attributes {
	if refused == "" {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": id + "-error"}
}

// texts is a list of one text, or of none for "".
func texts(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
