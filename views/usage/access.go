package usage

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/identity"
	"officeconsole/queries/lists"
	"officeconsole/queries/usage"
	"officeconsole/views"
	"officeconsole/workday"
)

// AccessPath is the address of the access history, without language prefix.
const AccessPath = "/manage/security/access"

// Access is the page with the access history.
type Access struct {
	Frame views.Frame
	usage.AccessFilter
	Refused string // id of the message why a filter is refused; "" if it is not
	List    usage.AccessList
	Counts  usage.AccessCounts
	Person  string // the name of the user of the filter
	Opened  *usage.AccessRow
	Panel   *AccessPerson
}

// AccessPerson is what a person has open at the moment.
type AccessPerson struct {
	ID          int64
	Name        string
	Email       string
	Department  string
	Hidden      bool
	Sessions    []identity.SignInsRow
	LockedUntil time.Time // zero if the account is not locked
	Sums        usage.AccessSums
	OwnSession  int64 // the reader's, 0 for another person
	Factors     identity.Factors
	Identities  []identity.IdentitiesRow

	Link *identity.PasswordLinkRow // with which the person can set a new password; nil without one
}

// mayGetLink reports whether the reader can make a password link for the person. Only
// bots have no email.
func (p AccessPerson) mayGetLink() bool { return p.OwnSession == 0 && !p.Hidden && p.Email != "" }

// PasswordLink is a new password link.
type PasswordLink struct {
	Name      string // of the person
	URL       string
	ExpiresAt time.Time
	Back      string // the page under the dialog
}

// hasPanel reports whether something is shown beside the list.
func (l Access) hasPanel() bool { return l.Panel != nil || l.Opened != nil }

// AccessOf is the address of the access history of a user, with what they have open.
func AccessOf(userID int64) string {
	return views.WithQuery(AccessPath, usage.AccessFilter{UserID: userID}.Values())
}

// AccessFrom is the address of the access history of an IP address.
func AccessFrom(address netip.Addr) string {
	return views.WithQuery(AccessPath, usage.AccessFilter{Query: address.String()}.Values())
}

// path is the address of the forms about a person's access.
func (p AccessPerson) path(what string) string {
	return AccessPath + "/people/" + views.IDText(p.ID) + what
}

// count writes a number of rows, with a plus where counting ended.
func (l Access) count(ctx context.Context, n int64) string {
	if n > usage.MostCounted {
		return locales.Number(ctx, usage.MostCounted) + "+"
	}
	return locales.Number(ctx, n)
}

func (l Access) pager(ctx context.Context) views.Pager {
	page := lists.Page[usage.AccessRow](l.List.Page)
	if l.Counts.All <= usage.MostCounted {
		page.Total = int(l.Counts.All)
	}
	return views.NewPager(ctx, page, "access.range", func(cursor string) string {
		return views.ListURL(AccessPath, l.Values(), "cursor", cursor)
	}).Exported()
}

// without is the address of the list without one of its filters.
func (l Access) without(name string) string { return views.ListURL(AccessPath, l.Values(), name, "") }

// patternURL is the address of the rows of the selection with a pattern.
func (l Access) patternURL(pattern usage.AccessPattern) string {
	return views.ListURL(AccessPath, l.Values(), "pattern", string(pattern))
}

// here is the address of the page of the list, where the reader returns to.
func (l Access) here() string {
	query := l.Values()
	if cursor := l.Cursor.String(); cursor != "" {
		query.Set("cursor", cursor)
	}
	return views.WithQuery(AccessPath, query)
}

// rowURL is the page of the list with a row opened.
func (l Access) rowURL(a usage.AccessRow) string {
	return l.openURL(a.Key().String())
}

// openURL is the page of the list with something opened.
func (l Access) openURL(what string) string {
	query := l.Values()
	if cursor := l.Cursor.String(); cursor != "" {
		query.Set("cursor", cursor)
	}
	query.Set("open", what)
	return views.WithQuery(AccessPath, query)
}

// reopenURL is the page of the list as it is, with what is open.
func (l Access) reopenURL() string {
	if l.Opened != nil {
		return l.rowURL(*l.Opened)
	}
	return l.here()
}

// resetURL is the page of the list as it is, with the question before the second factors
// of its person are removed.
func (l Access) resetURL() string { return l.reopenURL() + "&reset=1" }

// MayResetFactors reports whether the person is another one with second factors.
func (l Access) MayResetFactors() bool {
	return l.Panel != nil && l.Panel.OwnSession == 0 && l.Panel.Factors.Exist()
}

// unlinkURL is the page of the list as it is, with the question before the accounts of
// providers of its person are unlinked.
func (l Access) unlinkURL() string { return l.reopenURL() + "&unlink=1" }

// MayUnlink reports whether the person is another one who is linked to a provider.
func (l Access) MayUnlink() bool {
	return l.Panel != nil && l.Panel.OwnSession == 0 && len(l.Panel.Identities) > 0
}

func (l Access) isOpen(a usage.AccessRow) bool { return l.Opened != nil && l.Opened.Key() == a.Key() }

func (l Access) kinds(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "access.kind.any")}}
	for _, kind := range usage.AccessKinds {
		options = append(options, views.Option{Value: string(kind), Text: locales.T(ctx, "access.kind."+string(kind))})
	}
	return options
}

func (l Access) results(ctx context.Context) []views.Option {
	options := []views.Option{{Value: "", Text: locales.T(ctx, "access.result.any")}}
	for _, result := range usage.AccessResults {
		options = append(options, views.Option{Value: string(result), Text: locales.T(ctx, "access.result."+string(result))})
	}
	return options
}

func (l Access) at(t time.Time) time.Time { return t.In(l.Frame.Zone()) }

// beginsDay reports whether a row is the first of its day on the page.
func (l Access) beginsDay(i int) bool {
	return i == 0 || workday.DateOf(l.at(l.List.Rows[i].At)) != workday.DateOf(l.at(l.List.Rows[i-1].At))
}

// accessBadge returns the look of what happened.
func accessBadge(a *usage.AccessRow) (tone, icon string) {
	if a.Result == string(usage.AccessFailed) {
		return "danger", "x"
	}
	switch usage.AccessKind(a.Kind) {
	case usage.AccessLogin:
		return "success", "check"
	case usage.AccessAddressBlocked, usage.AccessPlatformBlocked, usage.AccessTokenRefused:
		return "danger", "lock"
	case usage.AccessLocked:
		return "warning", "lock"
	case usage.AccessIdleEnd, usage.AccessExpired:
		return "", "clock"
	case usage.AccessPasswordChanged, usage.AccessPasswordReset, usage.AccessPasswordLink:
		return "", "edit"
	case usage.AccessTokenCreated, usage.AccessTokenRevoked, usage.AccessAdminEntry:
		return "", "shield"
	case usage.AccessUnlocked:
		return "", "undo"
	}
	return "", "logout"
}

func accessText(ctx context.Context, a *usage.AccessRow) string {
	if a.Result == string(usage.AccessFailed) {
		return locales.T(ctx, "access.failed."+a.Kind)
	}
	return locales.T(ctx, "access.kind."+a.Kind)
}

// reasonText is a reason in the reader's language; "" for one that is shown as it
// was reported.
func reasonText(ctx context.Context, reason string) string {
	if !slices.Contains(usage.AccessReasons, reason) {
		return ""
	}
	return locales.T(ctx, "access.reason."+reason)
}

// clientText is the client of a row: the source or platform, and the device.
func clientText(ctx context.Context, a usage.AccessRow) string {
	var parts []string
	if a.Source == string(usage.AccessMessenger) && a.Platform != "" {
		parts = append(parts, locales.T(ctx, "access.messenger", "Platform", platformText(ctx, a.Platform)))
	} else {
		parts = append(parts, locales.T(ctx, "access.source."+a.Source))
	}
	if a.UserAgent != "" && a.Source != string(usage.AccessMessenger) {
		parts = append(parts, views.Device(ctx, a.UserAgent))
	}
	return strings.Join(parts, " · ")
}

// isAlarming reports whether somebody tries to get into an account.
func (p AccessPerson) isAlarming() bool { return !p.LockedUntil.IsZero() }

// noAccessText says how to find more.
func noAccessText(ctx context.Context, l Access) string {
	if l.HasPartOfAddress() {
		return locales.T(ctx, "access.empty.address")
	}
	return locales.T(ctx, "access.empty.filtered.text")
}
