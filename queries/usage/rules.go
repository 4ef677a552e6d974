package usage

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/workday"
)

// Rules say who may install which client, which versions may be used, and what an
// outdated client shows.
type Rules struct {
	Clients []ClientRule `json:"clients"` // one for each of Systems, in their order
	Notice  Notice       `json:"notice"`
}

// ClientRule are the rules for the client of a system. Versions are as ParseVersion
// reads them, "" for none.
type ClientRule struct {
	System     string       `json:"system"`
	Allowed    bool         `json:"allowed"`
	Targets    RuleTargets  `json:"targets"`     // who may install it, where it is allowed
	Version    string       `json:"version"`     // the newest release
	URL        string       `json:"url"`         // where the release is downloaded
	SHA256     string       `json:"sha256"`      // of the download, hexadecimal in lower case
	Size       int64        `json:"size"`        // of the download in bytes, 0 if it is not known
	RequiresOS string       `json:"requires_os"` // the lowest version of the system that takes the release
	Minimum    string       `json:"minimum"`     // an older version is outdated
	ForcedFrom workday.Date `json:"forced_from"` // from when an outdated client cannot sign in; 0 for never
}

// RuleTargets are who may install a client: everyone, or departments with those below
// them, and people.
type RuleTargets struct {
	Everyone    bool    `json:"everyone"`
	Departments []int64 `json:"departments"`
	Users       []int64 `json:"users"`
}

// Notice is what an outdated client shows, by language. {date} is replaced by
// the date from which it cannot sign in.
type Notice struct {
	Ko string `json:"ko"`
	En string `json:"en"`
	Ja string `json:"ja"`
}

// The limits of rules.
const (
	MaxNotice      = 80 // characters
	maxURL         = 2000
	maxSize        = 1 << 40 // bytes
	maxRuleTargets = 500
)

// defaultRules are the rules of a company that has saved none.
func defaultRules() Rules {
	rules := Rules{Notice: Notice{
		Ko: "{date}부터는 새 버전에서만 쓸 수 있습니다. 지금 업데이트해 주세요.",
		En: "From {date} only newer versions can sign in. Please update now.",
		Ja: "{date}以降は新しいバージョンでのみ利用できます。更新してください。",
	}}
	for _, system := range Systems {
		rules.Clients = append(rules.Clients, ClientRule{System: system, Allowed: true, Targets: RuleTargets{Everyone: true}})
	}
	return rules
}

// Of returns the rules for a system; the zero rule for an unknown one.
func (r Rules) Of(system string) ClientRule {
	at := slices.IndexFunc(r.Clients, func(c ClientRule) bool { return c.System == system })
	if at < 0 {
		return ClientRule{System: system}
	}
	return r.Clients[at]
}

// minimum returns the lowest version of a system that is not outdated, 0 for any.
func (c ClientRule) minimum() Version {
	v, _ := ParseVersion(c.Minimum)
	return v
}

// hasTargets reports whether only some departments and people may install the client.
func (c ClientRule) hasTargets() bool { return c.Allowed && !c.Targets.Everyone }

// requires returns the lowest version of the system that takes the release, 0 for
// any.
func (c ClientRule) requires() Version {
	v, _ := ParseVersion(c.RequiresOS)
	return v
}

// InstallationRules are the rules of a company as they are stored. VersionNo is 0 if
// it has saved none.
type InstallationRules struct {
	Rules
	VersionNo     int32
	UpdatedAt     time.Time
	UpdatedByName string
}

// InstallationRules returns the rules of a company.
func (s *Store) InstallationRules(ctx context.Context, companyID int64) (InstallationRules, error) {
	return readRules(ctx, s.Queries.storedRules, companyID)
}

func readRules(ctx context.Context, read func(context.Context, int64) (StoredRules, error), companyID int64) (InstallationRules, error) {
	stored, err := read(ctx, companyID)
	if errors.Is(err, queries.NotFound) {
		return InstallationRules{Rules: defaultRules()}, nil
	}
	return InstallationRules{stored.Rules, stored.VersionNo, stored.UpdatedAt, stored.UpdatedByName}, err
}

var noticeLanguages = []string{"ko", "en", "ja"}

// In returns the notice in a language.
func (n Notice) In(language string) string {
	switch language {
	case "en":
		return n.En
	case "ja":
		return n.Ja
	}
	return n.Ko
}

// check returns rules as they are stored, or FieldErrors by the names of the form's
// fields, such as "windows.minimum". A date in the past is refused unless the rules
// before have it.
func (r Rules) check(before Rules, today workday.Date) (Rules, error) {
	refused := queries.FieldErrors{}
	checked := Rules{Notice: r.Notice}
	for _, system := range Systems {
		c := r.Of(system)
		for field, why := range c.normalize().refusals(before.Of(system), today) {
			refused[system+"."+field] = why
		}
		checked.Clients = append(checked.Clients, c.normalize())
	}
	for _, language := range noticeLanguages {
		text := r.Notice.In(language)
		switch {
		case strings.TrimSpace(text) == "":
			refused["notice."+language] = "installation.notice.required"
		case utf8.RuneCountInString(text) > MaxNotice:
			refused["notice."+language] = "installation.notice.long"
		case !isStorable(text) || IsDeceptive(text):
			refused["notice."+language] = "usage.character"
		}
	}
	if len(refused) > 0 {
		return checked, refused
	}
	return checked, nil
}

// normalize removes blanks and what has no effect.
func (c ClientRule) normalize() ClientRule {
	c.Version, c.Minimum, c.RequiresOS = strings.TrimSpace(c.Version), strings.TrimSpace(c.Minimum), strings.TrimSpace(c.RequiresOS)
	c.URL, c.SHA256 = strings.TrimSpace(c.URL), strings.ToLower(strings.TrimSpace(c.SHA256))
	if c.Targets.Everyone {
		c.Targets = RuleTargets{Everyone: true}
	}
	c.Targets.Departments, c.Targets.Users = compact(c.Targets.Departments), compact(c.Targets.Users)
	return c
}

// Unreadable returns the fields with versions that cannot be read, by the names of the
// form's fields: without them nobody can say whom the rules make update.
func (r Rules) Unreadable() queries.FieldErrors {
	refused := queries.FieldErrors{}
	for _, c := range r.Clients {
		for field, why := range c.normalize().unreadable() {
			refused[c.System+"."+field] = why
		}
	}
	return refused
}

func (c ClientRule) unreadable() queries.FieldErrors {
	refused := queries.FieldErrors{}
	for field, text := range map[string]string{"version": c.Version, "minimum": c.Minimum, "requires_os": c.RequiresOS} {
		if _, ok := ParseVersion(text); text != "" && !ok {
			refused[field] = "installation.version.invalid"
		}
	}
	return refused
}

var ruleHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// refusals returns why fields of a rule are refused.
func (c ClientRule) refusals(before ClientRule, today workday.Date) queries.FieldErrors {
	refused := c.unreadable()
	if c.URL != "" && !isDownload(c.URL) {
		refused["url"] = "installation.url.invalid"
	}
	if c.SHA256 != "" && !ruleHash.MatchString(c.SHA256) {
		refused["sha256"] = "installation.sha256.invalid"
	}
	if c.Size < 0 || c.Size > maxSize {
		refused["size"] = "installation.size.invalid"
	}
	newest, _ := ParseVersion(c.Version)
	switch {
	case refused["minimum"] != "" || refused["version"] != "" || c.Minimum == "":
	case c.Version == "":
		refused["minimum"] = "installation.minimum.unreleased"
	case c.minimum() > newest:
		refused["minimum"] = "installation.minimum.above"
	}
	switch {
	case c.ForcedFrom == 0:
	case c.Minimum == "":
		refused["forced_from"] = "installation.forced.without"
	case c.ForcedFrom < today && c.ForcedFrom != before.ForcedFrom:
		refused["forced_from"] = "installation.forced.past"
	}
	targets := len(c.Targets.Departments) + len(c.Targets.Users)
	switch {
	case c.Allowed && !c.Targets.Everyone && targets == 0:
		refused["targets"] = "installation.targets.required"
	case targets > maxRuleTargets:
		refused["targets"] = "installation.targets.many"
	}
	return refused
}

// isDownload reports whether a client may be downloaded from an address.
func isDownload(address string) bool {
	u, err := url.Parse(address)
	return err == nil && len(address) <= maxURL && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil && !IsDeceptive(address)
}
