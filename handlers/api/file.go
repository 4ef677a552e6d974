package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/queries/usage"
)

// registerFiles registers the log of saved files, and what the messenger pushes to
// it with a service token of the scope events.
func (c *calls) registerFiles(administrators, events huma.Middlewares) {
	huma.Register(c.api, call{id: "saved-files", path: u + "/logs/communication/files", tag: "Usage", errors: []int{http.StatusUnprocessableEntity},
		summary: "Saved files, the latest first",
		description: "For administrators. A page of them; next_cursor leads to the next one. sums are those of the whole selection: where more is true, files and bytes are what was counted until counting ended, " +
			"and they are null where counting took too long, as it can for a search of names.",
	}.operation(append(administrators, c.fromReplica)), c.savedFiles)
	huma.Register(c.api, eventCall("file-events", "files", "Take in saved files",
		"An event without a user of the company as user_id, or with a receiver who is none, is refused; those of hidden users are stored. Events older than a year are refused.", events), c.fileEvents)
}

// fileEvent is a saved file as the messenger sends it (domain §7).
type fileEvent struct {
	EventID     string    `json:"event_id" minLength:"1" maxLength:"100" doc:"Known by the sender: a second event of the person with the same id is a duplicate."`
	UserID      int64     `json:"user_id" doc:"Who saved the file: the sender."`
	ReceiverIDs []int64   `json:"receiver_ids,omitempty" nullable:"false" maxItems:"500"`
	Room        string    `json:"room,omitempty" maxLength:"300"`
	Folder      string    `json:"folder,omitempty" maxLength:"300"`
	FileName    string    `json:"file_name" minLength:"1" maxLength:"1000" doc:"Stored as it is; characters that are invisible or change the direction of the text are marked on the pages."`
	Size        fileSize  `json:"size"`
	SHA256      string    `json:"sha256,omitempty" doc:"64 hexadecimal digits."`
	Platform    string    `json:"platform" enum:"pc,web,mobile,mobile_web"`
	SavedAt     time.Time `json:"saved_at"`
	IP          string    `json:"ip,omitempty"`
}

// fileSize is a size in bytes. A number that is none is negative, so that only its
// event is refused, with the code of a size.
type fileSize int64

// UnmarshalJSON decodes a size.
func (s *fileSize) UnmarshalJSON(text []byte) error {
	var number json.Number
	if err := json.Unmarshal(text, &number); err != nil {
		return err
	}
	n, err := strconv.ParseInt(number.String(), 10, 64)
	if err != nil {
		n = -1
	}
	*s = fileSize(n)
	return nil
}

// Schema describes a size.
func (fileSize) Schema(huma.Registry) *huma.Schema {
	zero := 0.0
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &zero, Description: "Bytes, at most 16 TiB."}
}

func (e fileEvent) decode() (usage.FileEvent, string) {
	f := usage.FileEvent{
		EventID: e.EventID, UserID: e.UserID, ReceiverIDs: e.ReceiverIDs, Room: e.Room, Folder: e.Folder, Name: e.FileName, Size: int64(e.Size),
		SHA256: e.SHA256, Platform: e.Platform, SavedAt: e.SavedAt,
	}
	if e.IP == "" {
		return f, ""
	}
	address, err := netip.ParseAddr(e.IP)
	if err != nil {
		return f, "event.unreadable"
	}
	f.Address = address
	return f, ""
}

// fileEvents stores a batch of saved files.
func (c *calls) fileEvents(ctx context.Context, in *EventsInput[fileEvent, usage.FileEvent]) (*eventResultsOutput, error) {
	return takeEvents(ctx, in, c.db.Usage.TakeFileEvents)
}

// FilesInput is the input of the list of saved files.
type FilesInput struct {
	OwnPath
	FileFilterInput
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

// FileFilterInput is the filter of the list of saved files.
type FileFilterInput struct {
	Q             string  `query:"q" json:"q,omitempty" doc:"At most three keywords of at least two characters, all of which must occur."`
	In            string  `query:"in" json:"in,omitempty" enum:"sender,receiver" doc:"Compare q with the names of senders or receivers instead of those of files; at most the first fifty people by name count."`
	SenderID      int64   `query:"sender_id" json:"sender_id,omitempty" minimum:"1"`
	ReceiverID    int64   `query:"receiver_id" json:"receiver_id,omitempty" minimum:"1"`
	DepartmentID  int64   `json:"department_id,omitempty" minimum:"1" doc:"One, as department_ids."`
	DepartmentIDs []int64 `query:"department_id,explode" json:"department_ids,omitempty" nullable:"false" maxItems:"3" doc:"Up to three, each with those below it: of the sender when the file was saved."`
	Platform      string  `query:"platform" json:"platform,omitempty" enum:"pc,web,mobile,mobile_web"`
	Deceptive     bool    `query:"deceptive" json:"deceptive,omitempty" doc:"Only names with characters that make them look like others."`
	From          string  `query:"from" json:"from,omitempty" format:"date" doc:"By the company's clocks, this day included."`
	To            string  `query:"to" json:"to,omitempty" format:"date" doc:"By the company's clocks, this day included."`
}

// fileFilter validates a filter like the page does. Users and departments of other
// companies are NotFound.
func (c *calls) fileFilter(ctx context.Context, in FileFilterInput, at string) (usage.FileFilter, error) {
	query := url.Values{
		"q": {in.Q}, "in": {in.In}, "sender_id": {idWord(in.SenderID)}, "receiver_id": {idWord(in.ReceiverID)}, "department_id": idWords(append(lists.OneDepartment(in.DepartmentID), in.DepartmentIDs...)...),
		"platform": {in.Platform}, "from": {in.From}, "to": {in.To}, "cursor": {at},
	}
	if in.Deceptive {
		query.Set("deceptive", "1")
	}
	filter, err := usage.ReadFileFilter(query)
	if err != nil {
		return filter, err
	}
	for _, id := range []int64{in.SenderID, in.ReceiverID} {
		if id == 0 {
			continue
		}
		if _, err := c.db.Directory.Person(ctx, directory.PersonParams{CompanyID: callerOf(ctx).CompanyID, ID: id}); err != nil {
			return filter, err
		}
	}
	return filter, nil
}

// SavedFile is a file in the list.
type SavedFile struct {
	ID         int64          `json:"id"`
	SavedAt    time.Time      `json:"saved_at"`
	Sender     fileUser       `json:"sender"`
	Receivers  []fileUser     `json:"receivers" nullable:"false"`
	Department departmentName `json:"department" doc:"Of the sender when the file was saved, by its name as it is now; empty for one that no longer exists."`
	Room       string         `json:"room"`
	Folder     string         `json:"folder"`
	FileName   string         `json:"file_name"`
	Deceptive  bool           `json:"deceptive" doc:"Whether a name has characters that are invisible or change the direction of the text."`
	Size       int64          `json:"size" doc:"Bytes."`
	SHA256     string         `json:"sha256"`
	Platform   string         `json:"platform" enum:"pc,web,mobile,mobile_web"`
	IP         *string        `json:"ip"`
	ReceivedAt time.Time      `json:"received_at"`
}

type fileUser struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" doc:"As it is now; empty for somebody who no longer exists."`
	Hidden bool   `json:"hidden,omitempty"`
}

func newFileUser(u usage.FileUser) fileUser { return fileUser{u.ID, u.Name, u.HiddenAt != nil} }

func newSavedFile(f usage.FileRow, departments policy.Tree) SavedFile {
	out := SavedFile{
		ID: f.ID, SavedAt: f.SavedAt.UTC(), Sender: newFileUser(f.Sender), Receivers: make([]fileUser, len(f.Receivers)), Department: departmentName{ID: f.DepartmentID},
		Room: f.Room, Folder: f.Folder, FileName: f.Name, Deceptive: f.Deceptive, Size: f.Size, SHA256: f.Sha256, Platform: f.Platform, ReceivedAt: f.ReceivedAt.UTC(),
	}
	if d := departments.Department(f.DepartmentID); d != nil {
		out.Department.Name = d.Name
	}
	for i, u := range f.Receivers {
		out.Receivers[i] = newFileUser(u)
	}
	if f.Ip != nil {
		text := f.Ip.String()
		out.IP = &text
	}
	return out
}

// FileSums are the sums of a selection.
type FileSums struct {
	Files int64 `json:"files"`
	Bytes int64 `json:"bytes"`
	More  bool  `json:"more" doc:"Whether counting ended at these numbers."`
}

type filesMeta struct {
	NextCursor *string   `json:"next_cursor" doc:"Where the next page begins; null on the last one."`
	Notes      []note    `json:"notes,omitempty" nullable:"false" doc:"What a reader of the list should know. Missing where there is nothing."`
	Sums       *FileSums `json:"sums" doc:"Null where counting took too long."`
}

type filesOutput struct {
	Body struct {
		Data []SavedFile `json:"data" nullable:"false"`
		Meta filesMeta   `json:"meta"`
	}
}

// savedFiles lists saved files.
func (c *calls) savedFiles(ctx context.Context, in *FilesInput) (*filesOutput, error) {
	filter, err := c.fileFilter(ctx, in.FileFilterInput, in.Cursor.String())
	if err != nil {
		return nil, err
	}
	filter.Limit = in.Limit
	zone, err := time.LoadLocation(callerOf(ctx).TimeZone)
	if err != nil {
		return nil, err
	}
	list, err := c.db.Usage.Files(ctx, in.CompanyID, zone, filter)
	if err != nil {
		return nil, err
	}
	sums, err := c.db.Usage.FileSumsOf(ctx, in.CompanyID, zone, filter, list)
	if err != nil {
		return nil, err
	}
	departments, err := c.db.Policies.Tree(ctx, callerOf(ctx).Person)
	if err != nil {
		return nil, err
	}
	c.noteRead(ctx, audit.Read{Kind: audit.ReadFiles, Query: filter.Values(), Rows: len(list.Rows)})
	out := &filesOutput{}
	out.Body.Data = make([]SavedFile, len(list.Rows))
	for i, row := range list.Rows {
		out.Body.Data[i] = newSavedFile(row, departments)
	}
	out.Body.Meta.NextCursor, out.Body.Meta.Notes = metaOf(list.Next).NextCursor, searchNotes(ctx, in.Q)
	if !sums.Unknown {
		out.Body.Meta.Sums = &FileSums{sums.Files, sums.Bytes, sums.More}
	}
	return out, nil
}

// exportOfFiles validates the request of an export like the list does.
func (c *calls) exportOfFiles(ctx context.Context, asked exportRequest) (exports.List, error) {
	r := exports.FileRequest{List: exports.FilesList, Format: asked.Format, Locale: locales.FromContext(ctx)}
	if !callerOf(ctx).IsAdmin {
		return r, refusal{http.StatusForbidden, "api.administrators_only"}
	}
	in := FileFilterInput{Q: asked.Q, DepartmentID: asked.DepartmentID, DepartmentIDs: asked.DepartmentIDs}
	if asked.Files != nil {
		in = *asked.Files
	}
	var err error
	if r.FileFilter, err = c.fileFilter(ctx, in, ""); err != nil {
		return r, err
	}
	return r, nil
}
