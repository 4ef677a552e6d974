package usage

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"
)

// AccessKind is what happened: the column kind of the access history.
type AccessKind string

// The kinds. A login, a change or reset of a password and a proof are ok or failed; each other
// kind has one result.
const (
	AccessLogin           AccessKind = "login"
	AccessLogout          AccessKind = "logout"
	AccessIdleEnd         AccessKind = "idle_end"
	AccessExpired         AccessKind = "expired"
	AccessAddressBlocked  AccessKind = "ip_blocked"
	AccessPlatformBlocked AccessKind = "platform_blocked"
	AccessLocked          AccessKind = "locked"
	AccessUnlocked        AccessKind = "unlocked"
	AccessPasswordChanged AccessKind = "password_changed"
	AccessPasswordReset   AccessKind = "password_reset"
	AccessPasswordLink    AccessKind = "password_link"
	AccessSessionRevoked  AccessKind = "session_revoked"
	AccessProved          AccessKind = "proved"         // who they are, before a dangerous act
	AccessFactorChanged   AccessKind = "factor_changed" // by the person
	AccessFactorReset     AccessKind = "factor_reset"   // by somebody else
	AccessTokenCreated    AccessKind = "token_created"
	AccessTokenRevoked    AccessKind = "token_revoked"
	AccessTokenRefused    AccessKind = "token_refused"
	AccessAdminEntry      AccessKind = "admin_entry"
)

// AccessKinds are all kinds, in the order of the page.
var AccessKinds = []AccessKind{
	AccessLogin, AccessLogout, AccessIdleEnd, AccessExpired, AccessAddressBlocked, AccessPlatformBlocked, AccessLocked, AccessUnlocked,
	AccessPasswordChanged, AccessPasswordReset, AccessPasswordLink, AccessProved, AccessFactorChanged, AccessFactorReset, AccessSessionRevoked, AccessTokenCreated, AccessTokenRevoked, AccessTokenRefused, AccessAdminEntry,
}

// AccessResult is how it ended.
type AccessResult string

// The results.
const (
	AccessOK      AccessResult = "ok"
	AccessFailed  AccessResult = "failed"
	AccessRefused AccessResult = "refused"
)

// AccessResults are all results.
var AccessResults = []AccessResult{AccessOK, AccessFailed, AccessRefused}

// results returns the possible results of a kind.
func (k AccessKind) results() []AccessResult {
	switch k {
	case AccessLogin, AccessPasswordChanged, AccessPasswordReset, AccessProved:
		return []AccessResult{AccessOK, AccessFailed}
	case AccessAddressBlocked, AccessPlatformBlocked, AccessLocked, AccessTokenRefused:
		return []AccessResult{AccessRefused}
	}
	return []AccessResult{AccessOK}
}

// isEntry reports whether an event of the kind says from where somebody tried to
// get in.
func (k AccessKind) isEntry() bool {
	return slices.Contains([]AccessKind{AccessLogin, AccessAddressBlocked, AccessPlatformBlocked, AccessAdminEntry}, k)
}

// AccessSource is who reported an event.
type AccessSource string

// The sources.
const (
	AccessConsole   AccessSource = "console"
	AccessAPI       AccessSource = "api"
	AccessMessenger AccessSource = "messenger"
	AccessCommand   AccessSource = "command"
)

// AccessReasons are the reasons that the console records, and usual ones of the
// messenger: those that have words in every language.
var AccessReasons = []string{
	"password", "unknown_account", "locked", "hidden", "deactivated", "account", "address", "session", "self", "administrator", "password_changed", "password_reset", "token", "expired", "sso",
	"sso_expired", "sso_off", "sso_cancelled", "sso_provider", "sso_answer", "sso_email", "sso_taken", "handover", "handover_expired", "revoked", UnknownToken,
	"concurrent", "foreign_address", "link", "link_expired", "factor", "factor_required", "factor_expired", "factor_added", "factor_reset", "app", "passkey", "recovery",
	"app_added", "app_removed", "passkey_added", "passkey_removed", "codes_renewed",
}

// signInReasons are the reasons that say how somebody signed in.
var signInReasons = []string{"sso", "handover", "app", "passkey", "recovery"}

// UnknownToken is the reason of a token that nobody was ever given, or that ended long
// ago: such a row is about nobody.
const UnknownToken = "unknown_token"

// The rules of what is remarkable, as the page explains them: failures of a person
// and from an address within AccessWindow.
const (
	AccessWindow          = 10 * time.Minute
	ManyFailures          = 5
	ManyFailuresOfAnIP    = 10
	maxAgentLength        = 500 // characters
	maxAccountLength      = 320
	accessOriginOfAddress = "address:"
	accessOriginOfDevice  = "device:"
	maxDeviceOriginLength = 200
)

// RecordAccess stores what happened at times of the present, in the transaction of
// db or, where nothing else is stored, in one of its own. It fills in the company,
// the result of a kind where it is missing, and what is remarkable: an address or a
// device from which the user, who has signed in before, has never done so, and many
// failures. Of events that arrive late, only what was stored before them counts.
func RecordAccess(ctx context.Context, db DBTX, companyID int64, now time.Time, events []Access) error {
	for i := range events {
		e := &events[i]
		e.CompanyID, e.ReceivedAt = companyID, now
		if e.At.IsZero() {
			e.At = now
		}
		if e.Result == "" {
			e.Result = string(AccessKind(e.Kind).results()[0])
		}
		e.At = e.At.Truncate(time.Microsecond)
		e.UserAgent, e.Account = storable(e.UserAgent, maxAgentLength), storable(e.Account, maxAccountLength)
		if e.Ip != nil {
			address := e.Ip.Unmap().WithZone("")
			e.Ip = &address
		}
	}
	if len(events) == 0 {
		return nil
	}
	return New(db).insertAccess(ctx, companyID, events)
}

// AddressOf returns an address for a row, nil for an unknown one.
func AddressOf(address netip.Addr) *netip.Addr {
	if !address.IsValid() {
		return nil
	}
	return &address
}

// storable returns what the database can hold of a text, up to a number of
// characters.
func storable(text string, most int) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
	if characters := []rune(text); len(characters) > most {
		return string(characters[:most])
	}
	return text
}

// insertAccess decides what is remarkable and stores events.
func (q *Queries) insertAccess(ctx context.Context, companyID int64, events []Access) error {
	slices.SortStableFunc(events, func(a, b Access) int { return a.At.Compare(b.At) })
	origins, err := q.judge(ctx, companyID, events)
	if err != nil {
		return err
	}
	rows := make([]copyAccessParams, len(events))
	for i, e := range events {
		rows[i] = e.params()
	}
	if _, err := q.copyAccess(ctx, rows); err != nil {
		return fmt.Errorf("write access history: %w", err)
	}
	if len(origins.UserIds) == 0 {
		return nil
	}
	origins.CompanyID = companyID
	if err := q.addAccessOrigins(ctx, origins); err != nil {
		return fmt.Errorf("note where people sign in from: %w", err)
	}
	return nil
}

func (e Access) params() copyAccessParams {
	return copyAccessParams{
		e.CompanyID, e.At, e.EventID, e.UserID, e.Account, e.Kind, e.Result, e.Reason, e.Source, e.Platform, e.Ip, e.UserAgent, e.ActorID, e.ActorName, e.ReceivedAt,
		e.NewAddress, e.NewDevice, e.Failures, e.AddressFailures,
	}
}

// isFailure reports whether the event counts as a failed sign-in.
func (e Access) isFailure() bool {
	return AccessKind(e.Kind) == AccessLogin && AccessResult(e.Result) == AccessFailed
}

// userID returns the user's id, 0 for none.
func (e Access) userID() int64 {
	if e.UserID == nil {
		return 0
	}
	return *e.UserID
}

// judge sets the columns of what is remarkable. It returns the origins that are to
// be known from now on.
func (q *Queries) judge(ctx context.Context, companyID int64, events []Access) (added addAccessOriginsParams, err error) {
	var asked []int
	arg := accessHistoryParams{CompanyID: companyID}
	for i, e := range events {
		if AccessKind(e.Kind).isEntry() {
			asked = append(asked, i)
			arg.UserIds, arg.Failed = append(arg.UserIds, e.userID()), append(arg.Failed, e.isFailure())
			arg.Since, arg.Times = append(arg.Since, e.At.Add(-AccessWindow)), append(arg.Times, e.At)
			arg.Addresses, arg.Devices = append(arg.Addresses, addressOrigin(e)), append(arg.Devices, deviceOrigin(e))
		}
	}
	if len(asked) == 0 {
		return added, nil
	}
	history, err := q.accessHistory(ctx, arg)
	if err != nil {
		return added, fmt.Errorf("history of access: %w", err)
	}
	batch := accessBatch{events: events, seen: map[int64]bool{}, known: map[accessOrigin]bool{}}
	for n, i := range asked {
		for _, o := range batch.judge(i, history[n]) {
			added.UserIds, added.Origins, added.Times = append(added.UserIds, o.userID), append(added.Origins, o.origin), append(added.Times, events[i].At)
		}
	}
	return added, nil
}

// accessBatch judges events with regard to those before them in the same call.
type accessBatch struct {
	events   []Access
	failures []int // of the events
	seen     map[int64]bool
	known    map[accessOrigin]bool
}

type accessOrigin struct {
	userID int64
	origin string
}

// judge sets the columns of one event. It returns the origins that it adds.
func (b *accessBatch) judge(i int, history accessHistoryRow) (added []accessOrigin) {
	e := &b.events[i]
	if e.isFailure() {
		b.countFailures(e, history)
		b.failures = append(b.failures, i)
	}
	user := e.userID()
	if user == 0 {
		return nil
	}
	address, device := accessOrigin{user, addressOrigin(*e)}, accessOrigin{user, deviceOrigin(*e)}
	seen := history.Seen || b.seen[user]
	e.NewAddress = seen && address.origin != "" && !history.KnownAddress && !b.known[address]
	e.NewDevice = seen && device.origin != "" && !history.KnownDevice && !b.known[device]
	if AccessKind(e.Kind) != AccessLogin || AccessResult(e.Result) != AccessOK {
		return nil
	}
	b.seen[user] = true
	if address.origin != "" && !history.KnownAddress && !b.known[address] {
		added, b.known[address] = append(added, address), true
	}
	if device.origin != "" && !history.KnownDevice && !b.known[device] {
		added, b.known[device] = append(added, device), true
	}
	return added
}

// countFailures sets the numbers of failures where they pass the thresholds.
func (b *accessBatch) countFailures(e *Access, history accessHistoryRow) {
	ofUser, ofAddress := int32(history.Failures)+1, int32(history.AddressFailures)+1
	for _, j := range b.failures {
		other := b.events[j]
		if !other.At.After(e.At.Add(-AccessWindow)) {
			continue
		}
		if other.userID() == e.userID() {
			ofUser++
		}
		if other.Ip != nil && e.Ip != nil && *other.Ip == *e.Ip {
			ofAddress++
		}
	}
	if e.UserID != nil && ofUser >= ManyFailures {
		e.Failures = ofUser
	}
	if e.Ip != nil && ofAddress >= ManyFailuresOfAnIP {
		e.AddressFailures = ofAddress
	}
}

func addressOrigin(e Access) string {
	if e.Ip == nil {
		return ""
	}
	return accessOriginOfAddress + e.Ip.String()
}

var versions = regexp.MustCompile(`[0-9][0-9._]*`)

// deviceOrigin returns the kind of device: the client without its versions, so that
// an update is no new device. It is "" without a client.
func deviceOrigin(e Access) string {
	if e.UserAgent == "" {
		return ""
	}
	return storable(accessOriginOfDevice+e.Platform+" "+versions.ReplaceAllString(e.UserAgent, ""), maxDeviceOriginLength)
}
