package usage

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/queries/cache"
	"officeconsole/search"
	"officeconsole/workday"
)

// FileEvent is a saved file as the messenger reports it (domain §7).
type FileEvent struct {
	EventID     string
	UserID      int64 // the sender, who saved the file
	ReceiverIDs []int64
	Room        string
	Folder      string
	Name        string
	Size        int64  // bytes; negative for one that cannot be a size
	SHA256      string // hexadecimal; "" if unknown
	Platform    string
	SavedAt     time.Time
	Address     netip.Addr
}

// Platforms are the clients that save files.
var Platforms = []string{"pc", "web", "mobile", "mobile_web"}

// The limits of a file event.
const (
	maxNameLength = 1000 // characters
	maxRoomLength = 300  // characters of rooms and folders
	maxReceivers  = 500
	maxFileSize   = 1 << 44 // bytes: 16 TiB, far beyond what any policy allows (file_max_mb)
)

// Refusals of file events.
const (
	refusedName      = "usage.name"
	refusedSize      = "usage.size"
	refusedHash      = "usage.sha256"
	refusedReceivers = "usage.receivers"
	refusedReceiver  = "usage.receiver"
	refusedCharacter = "usage.character"
)

// TakeFileEvents stores saved files of a company in one transaction, as takeEvents
// describes. Files of hidden users are stored like those of others, because they
// were saved. A receiver whom the company does not have refuses the event.
func (s *Store) TakeFileEvents(ctx context.Context, companyID int64, events []FileEvent) ([]Result, error) {
	var files fileBatch
	return takeEvents(ctx, s, events, eventKind[FileEvent]{
		key:  func(e FileEvent) eventKey { return eventKey{e.EventID, e.SavedAt.Truncate(time.Microsecond)} },
		user: func(e FileEvent) eventUser { return eventUser{id: e.UserID} },
		known: func(ctx context.Context, q *Queries, events []FileEvent, since, until time.Time) ([]int32, error) {
			arg := knownFilesParams{CompanyID: companyID, Since: since, Until: until}
			for _, e := range events {
				arg.UserIds, arg.Ids = append(arg.UserIds, e.UserID), append(arg.Ids, e.EventID)
			}
			return q.knownFiles(ctx, arg)
		},
		open: func(ctx context.Context, q *Queries, events []FileEvent) (func(FileEvent) string, error) {
			var err error
			files, err = openFiles(ctx, q, companyID, s.db.Now(), events)
			return files.refusal, err
		},
		store: func(ctx context.Context, q *Queries, events []FileEvent) error {
			if err := files.store(ctx, q, events); err != nil {
				return err
			}
			return q.noteChange(ctx, noteChangeParams{companyID, string(cache.Files)})
		},
	})
}

// fileBatch is a batch of files that is being stored.
type fileBatch struct {
	companyID   int64
	now         time.Time
	zone        *time.Location
	departments map[int64]int64 // of the people among the senders
	known       map[int64]bool  // the users among the receivers
}

func openFiles(ctx context.Context, q *Queries, companyID int64, now time.Time, events []FileEvent) (fileBatch, error) {
	b := fileBatch{companyID: companyID, now: now, departments: map[int64]int64{}, known: map[int64]bool{}}
	var senders, receivers []int64
	for _, e := range events {
		senders = append(senders, e.UserID)
		receivers = append(receivers, e.ReceiverIDs[:min(len(e.ReceiverIDs), maxReceivers)]...)
	}
	zone, err := q.timeZone(ctx, companyID)
	if err != nil {
		return b, err
	}
	if b.zone, err = time.LoadLocation(zone); err != nil {
		return b, err
	}
	people, err := q.fileSenders(ctx, fileSendersParams{companyID, compact(senders)})
	if err != nil {
		return b, err
	}
	for _, p := range people {
		b.departments[p.ID] = p.DepartmentID
	}
	users, err := q.userIDs(ctx, userIDsParams{companyID, compact(receivers)})
	for _, id := range users {
		b.known[id] = true
	}
	return b, err
}

// compact returns the ids in order, each once.
func compact(ids []int64) []int64 { return slices.Compact(slices.Sorted(slices.Values(ids))) }

var hashForm = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)

// refusal returns why an event is refused, or "".
func (b fileBatch) refusal(e FileEvent) string {
	_, isPerson := b.departments[e.UserID]
	longest := max(utf8.RuneCountInString(e.Room), utf8.RuneCountInString(e.Folder))
	switch {
	case !isPerson:
		return refusedUser
	case e.Name == "":
		return refusedName
	case utf8.RuneCountInString(e.Name) > maxNameLength || longest > maxRoomLength:
		return refusedText
	case !isStorable(e.Name) || !isStorable(e.Room) || !isStorable(e.Folder):
		return refusedCharacter
	case e.Size < 0 || e.Size > maxFileSize:
		return refusedSize
	case e.SHA256 != "" && !hashForm.MatchString(e.SHA256):
		return refusedHash
	case !slices.Contains(Platforms, e.Platform):
		return refusedPlatform
	case len(e.ReceiverIDs) > maxReceivers:
		return refusedReceivers
	}
	for _, id := range e.ReceiverIDs {
		if !b.known[id] {
			return refusedReceiver
		}
	}
	return ""
}

func (b fileBatch) store(ctx context.Context, q *Queries, events []FileEvent) error {
	ids, err := q.newFileIDs(ctx, int32(len(events)))
	if err != nil {
		return err
	}
	var rows FileRows
	for i, e := range events {
		rows.Add(b.row(ids[i], e), b.zone)
	}
	return q.insertFiles(ctx, b.companyID, rows)
}

func (b fileBatch) row(id int64, e FileEvent) File {
	f := File{
		CompanyID: b.companyID, ID: id, SavedAt: e.SavedAt.Truncate(time.Microsecond), EventID: e.EventID, UserID: e.UserID,
		DepartmentID: b.departments[e.UserID], ReceiverIds: compact(e.ReceiverIDs), Room: e.Room, Folder: e.Folder, Name: e.Name,
		Size: e.Size, Sha256: e.SHA256, Platform: e.Platform, ReceivedAt: b.now,
	}
	if f.ReceiverIds == nil {
		f.ReceiverIds = []int64{}
	}
	if e.Address.IsValid() {
		address := e.Address.Unmap().WithZone("")
		f.Ip = &address
	}
	return f
}

// FileRows are the rows of all tables for some files.
type FileRows struct {
	files     []copyFilesParams
	receivers []copyFileReceiversParams
	days      map[fileDay]fileSum
}

type fileDay struct {
	day      workday.Date
	platform string
}

type fileSum struct{ files, bytes, deceptive int64 }

// Add adds a file of a company whose time zone is zone. It computes the columns
// that follow from the name.
func (r *FileRows) Add(f File, zone *time.Location) {
	f.Deceptive = IsDeceptive(f.Name) || IsDeceptive(f.Room) || IsDeceptive(f.Folder)
	f.SearchText, f.SearchGrams = search.NameKey(f.Name)
	r.files = append(r.files, copyFilesParams(f))
	for _, id := range f.ReceiverIds {
		r.receivers = append(r.receivers, copyFileReceiversParams{f.CompanyID, id, f.Platform, f.SavedAt, f.ID, f.Size})
	}
	if r.days == nil {
		r.days = map[fileDay]fileSum{}
	}
	key := fileDay{workday.DateOf(f.SavedAt.In(zone)), f.Platform}
	sum := r.days[key]
	sum.files++
	sum.bytes += f.Size
	if f.Deceptive {
		sum.deceptive++
	}
	r.days[key] = sum
}

// Len returns the number of files.
func (r *FileRows) Len() int { return len(r.files) }

func (q *Queries) insertFiles(ctx context.Context, companyID int64, rows FileRows) error {
	if _, err := q.copyFiles(ctx, rows.files); err != nil {
		return fmt.Errorf("write saved files: %w", err)
	}
	if _, err := q.copyFileReceivers(ctx, rows.receivers); err != nil {
		return fmt.Errorf("write receivers: %w", err)
	}
	days := addFileDaysParams{CompanyID: companyID}
	for key, sum := range rows.days {
		days.Days, days.Platforms = append(days.Days, key.day.Time()), append(days.Platforms, key.platform)
		days.Files, days.Bytes, days.Deceptive = append(days.Files, sum.files), append(days.Bytes, sum.bytes), append(days.Deceptive, sum.deceptive)
	}
	if err := q.addFileDays(ctx, days); err != nil {
		return fmt.Errorf("sum saved files: %w", err)
	}
	return nil
}

// LoadFiles stores rows of a company in a transaction, without asking whether they
// are stored already: for data that is made up.
func LoadFiles(ctx context.Context, tx queries.Tx, companyID int64, rows FileRows) error {
	return New(tx).insertFiles(ctx, companyID, rows)
}
