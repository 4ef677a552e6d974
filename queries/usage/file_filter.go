package usage

import (
	"fmt"
	"net/url"
	"time"

	"officeconsole/queries/lists"
	"officeconsole/search"
	"officeconsole/workday"
)

// SearchField is what the search text of a list of files is compared with.
type SearchField string

// The fields. The zero value is the name of the file.
const (
	SearchName     SearchField = ""
	SearchSender   SearchField = "sender"
	SearchReceiver SearchField = "receiver"
)

// FileFilter is what somebody chose for the list of saved files.
type FileFilter struct {
	Query         string              `json:"q,omitempty"` // as typed
	Search        search.Search       `json:"-"`
	In            SearchField         `json:"in,omitempty"`
	SenderID      int64               `json:"sender_id,omitempty"`     // 0 for all
	ReceiverID    int64               `json:"receiver_id,omitempty"`   // 0 for all
	DepartmentIDs lists.DepartmentIDs `json:"department_id,omitempty"` // of the sender
	Platform      string              `json:"platform,omitempty"`      // "" for all
	Deceptive     bool                `json:"deceptive,omitempty"`     // only names with deceptive characters
	From          workday.Date        `json:"from,omitempty"`          // 0 for no limit
	To            workday.Date        `json:"to,omitempty"`            // 0 for no limit
	Cursor        *lists.Cursor       `json:"-"`
	Limit         int                 `json:"-"`

	// DirectoryVersion is that of the reader's company, by which names are cached; 0
	// to read them.
	DirectoryVersion int64 `json:"-"`
}

// ReadFileFilter reads the address of the list: q, in, sender_id, receiver_id,
// department_id, platform, deceptive, from, to and cursor. What cannot have been
// chosen is refused by FieldErrors; the rest is read all the same.
func ReadFileFilter(query url.Values) (FileFilter, error) {
	r := lists.AddressReader{Query: query}
	f := FileFilter{
		In:       lists.OneOf(&r, "in", []SearchField{SearchSender, SearchReceiver}),
		SenderID: r.Id("sender_id"), ReceiverID: r.Id("receiver_id"), DepartmentIDs: r.Departments("department_id"),
		Platform: lists.OneOf(&r, "platform", Platforms), Deceptive: r.Number("deceptive", []int{1}) == 1,
		Cursor: r.Cursor(fileList),
	}
	f.From, f.To = r.Period()
	f.Query, f.Search = r.Search("q")
	if !f.Cursor.IsStart() {
		if _, err := f.Cursor.Time(); err != nil {
			r.Refuse("cursor")
			f.Cursor = nil
		}
	}
	return f, r.Err()
}

// Values returns the address of the list as ReadFileFilter reads it, without the
// cursor.
func (f FileFilter) Values() url.Values {
	v := url.Values{}
	lists.SetText(v, "q", f.Query)
	lists.SetText(v, "in", string(f.In))
	lists.SetID(v, "sender_id", f.SenderID)
	lists.SetID(v, "receiver_id", f.ReceiverID)
	f.DepartmentIDs.Set(v, "department_id")
	lists.SetText(v, "platform", f.Platform)
	if f.Deceptive {
		v.Set("deceptive", "1")
	}
	for name, date := range map[string]workday.Date{"from": f.From, "to": f.To} {
		if date != 0 {
			v.Set(name, date.String())
		}
	}
	return v
}

// IsEmpty reports whether the filter selects every file.
func (f FileFilter) IsEmpty() bool { return len(f.Values()) == 0 }

// times returns the times that the filter selects: from the first, before the
// second.
func (f FileFilter) times(zone *time.Location) (from, before time.Time) {
	from, before = beginningOfTime, endOfTime
	if f.From != 0 {
		from = f.From.At(0, zone)
	}
	if f.To != 0 {
		before = (f.To + 1).At(0, zone)
	}
	return from, before
}

// The times between which every file was saved.
var (
	beginningOfTime = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	endOfTime       = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
)

// fileList is the list name of the cursors of files.
const fileList = "files"

// FileKey is the key that files are sorted by, the latest first, and by which a
// file is found.
type FileKey struct {
	SavedAt time.Time
	ID      int64
}

// Key returns the key of a file.
func (f File) Key() FileKey { return FileKey{f.SavedAt, f.ID} }

// String returns the key as a part of a URL.
func (k FileKey) String() string { return fmt.Sprintf("%d-%d", k.SavedAt.UnixMicro(), k.ID) }

// ParseFileKey reads what String writes.
func ParseFileKey(text string) (k FileKey, ok bool) {
	var micro int64
	if n, err := fmt.Sscanf(text, "%d-%d", &micro, &k.ID); n != 2 || err != nil {
		return k, false
	}
	k.SavedAt = time.UnixMicro(micro).UTC()
	return k, k.ID > 0 && k.SavedAt.After(beginningOfTime) && k.SavedAt.Before(endOfTime) && k.String() == text
}

// cursor returns the cursor next to a file.
func (k FileKey) cursor() lists.Cursor {
	return lists.TimeCursor(fileList, k.SavedAt, k.ID)
}
