package usage

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
)

// AccessEvent is something that happened at the door of the messenger, as it
// reports it (domain §7).
type AccessEvent struct {
	EventID    string
	UserID     int64  // 0 where only the email is known
	Email      string // as it was typed; without regard to UserID
	Kind       AccessKind
	Result     AccessResult // "" for the usual one of a kind, except for logins
	Reason     string
	Platform   string
	Address    netip.Addr
	UserAgent  string
	OccurredAt time.Time
}

// ReportedAccessKinds are the kinds that the messenger reports.
var ReportedAccessKinds = []AccessKind{
	AccessLogin, AccessLogout, AccessIdleEnd, AccessExpired, AccessAddressBlocked, AccessPlatformBlocked, AccessLocked, AccessUnlocked,
	AccessPasswordChanged, AccessPasswordReset, AccessSessionRevoked, AccessAdminEntry,
}

const maxReasonLength = 100 // characters

// Refusals of access events.
const (
	refusedAccessKind = "usage.access_kind"
	refusedResult     = "usage.result"
)

// TakeAccessEvents stores what the messenger reports about a company in one
// transaction, as takeEvents describes. Events of hidden users are stored like those
// of others. One that names nobody of the company is refused, except for a failed
// login with an email, which is stored with it.
func (s *Store) TakeAccessEvents(ctx context.Context, companyID int64, events []AccessEvent) ([]Result, error) {
	var batch accessReports
	return takeEvents(ctx, s, events, eventKind[AccessEvent]{
		key:  func(e AccessEvent) eventKey { return eventKey{e.EventID, e.OccurredAt.Truncate(time.Microsecond)} },
		user: func(e AccessEvent) eventUser { return batch.eventUser(e) },
		known: func(ctx context.Context, q *Queries, events []AccessEvent, since, until time.Time) ([]int32, error) {
			arg := knownAccessParams{CompanyID: companyID, Since: since, Until: until}
			for _, e := range events {
				arg.Ids, arg.UserIds = append(arg.Ids, e.EventID), append(arg.UserIds, batch.eventUser(e).id)
				arg.Accounts = append(arg.Accounts, e.account())
			}
			return q.knownAccess(ctx, arg)
		},
		open: func(ctx context.Context, q *Queries, events []AccessEvent) (func(AccessEvent) string, error) {
			var err error
			batch, err = openAccess(ctx, q, companyID, events)
			return batch.refusal, err
		},
		store: func(ctx context.Context, q *Queries, events []AccessEvent) error {
			rows := make([]Access, len(events))
			for i, e := range events {
				rows[i] = batch.row(e)
			}
			return RecordAccess(ctx, q.db, companyID, s.db.Now(), rows)
		},
	})
}

// accessReports is a batch of events that is being stored.
type accessReports struct {
	people  map[int64]bool
	byEmail map[string]int64
}

func openAccess(ctx context.Context, q *Queries, companyID int64, events []AccessEvent) (accessReports, error) {
	b := accessReports{people: map[int64]bool{}, byEmail: map[string]int64{}}
	ids, emails := []int64{}, []string{}
	for _, e := range events {
		if e.UserID != 0 {
			ids = append(ids, e.UserID)
		} else if isStorable(e.Email) {
			emails = append(emails, normalEmail(e.Email))
		}
	}
	people, err := q.accessUsers(ctx, accessUsersParams{CompanyID: companyID, Ids: compact(ids), Emails: emails})
	for _, p := range people {
		b.people[p.ID], b.byEmail[p.Email] = true, p.ID
	}
	return b, err
}

func normalEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// refusal returns why an event is refused, or "".
func (b accessReports) refusal(e AccessEvent) string {
	switch {
	case !slices.Contains(ReportedAccessKinds, e.Kind):
		return refusedAccessKind
	case e.Result == "" && e.Kind == AccessLogin, e.Result != "" && !slices.Contains(e.Kind.results(), e.Result):
		return refusedResult
	case !slices.Contains(Platforms, e.Platform):
		return refusedPlatform
	case utf8.RuneCountInString(e.Reason) > maxReasonLength || utf8.RuneCountInString(e.Email) > maxAccountLength:
		return refusedText
	case !isStorable(e.Reason) || !isStorable(e.Email) || !isStorable(e.UserAgent):
		return refusedCharacter
	case b.user(e) == 0 && (e.UserID != 0 || normalEmail(e.Email) == "" || e.Kind != AccessLogin || e.Result != AccessFailed):
		return refusedUser
	}
	return ""
}

// user returns the id of the person whom the event is about, 0 for nobody.
func (b accessReports) user(e AccessEvent) int64 {
	if e.UserID == 0 {
		return b.byEmail[normalEmail(e.Email)]
	}
	if !b.people[e.UserID] {
		return 0
	}
	return e.UserID
}

// eventUser returns whom an event is about, whether the company has them or not: an
// event that is sent again after its user was removed is a duplicate all the same.
func (b accessReports) eventUser(e AccessEvent) eventUser {
	if e.UserID != 0 {
		return eventUser{id: e.UserID}
	}
	if id := b.byEmail[normalEmail(e.Email)]; id != 0 {
		return eventUser{id: id}
	}
	return eventUser{account: e.account()}
}

// account returns the account by which an event without a user id is stored as long as
// the company has no such user, or "".
func (e AccessEvent) account() string {
	if e.UserID != 0 || !isStorable(e.Email) {
		return ""
	}
	return normalEmail(e.Email)
}

// storedReason returns the reason of the event. A login or a change of a password that has
// not failed has no reason to fail (domain §7): only how somebody signed in is stored.
func (e AccessEvent) storedReason() string {
	canFail := e.Kind == AccessLogin || e.Kind == AccessPasswordChanged
	if canFail && e.Result != AccessFailed && !slices.Contains(signInReasons, e.Reason) {
		return ""
	}
	return e.Reason
}

func (b accessReports) row(e AccessEvent) Access {
	a := Access{
		At: e.OccurredAt, EventID: e.EventID, UserID: queries.OrNil(b.user(e)), Kind: string(e.Kind), Result: string(e.Result), Reason: e.storedReason(),
		Source: string(AccessMessenger), Platform: e.Platform, Ip: AddressOf(e.Address), UserAgent: e.UserAgent,
	}
	if a.UserID == nil {
		a.Account = normalEmail(e.Email)
	}
	return a
}
