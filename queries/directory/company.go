package directory

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/search"
	"officeconsole/settings"

	"golang.org/x/text/unicode/norm"
)

// ProductSettings are the settings of one company that only an operator can
// change.
type ProductSettings struct {
	AdminManualURL string `json:"admin_manual_url,omitempty"`
	UserManualURL  string `json:"user_manual_url,omitempty"`
}

// NewCompany describes a company to create. Name and Host are required; the
// default time zone is Asia/Seoul.
type NewCompany struct {
	Name            string // 1 to 100 characters
	Host            string // a host name, unique across companies
	TimeZone        string // an IANA name
	OrganizationURL string
	ProductSettings ProductSettings
	MapLicenses     MapLicenses
}

// CreateCompany creates a company with its root department, of the same name,
// and the default policy of each kind, named by FirstNames and with FirstSettings. The
// company of by is the new one. It refuses with Invalid.
func (s *Store) CreateCompany(ctx context.Context, by queries.Actor, n NewCompany) (company Company, err error) {
	n = n.tidy()
	if err := n.check(); err != nil {
		return Company{}, err
	}
	now := s.db.Now()
	err = s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q := New(tx)
		company, err = q.InsertCompany(ctx, InsertCompanyParams(n))
		if constraint, ok := queries.ViolatedConstraint(err); ok && constraint == "companies_host_key" {
			return queries.Invalid("company.host.taken")
		}
		if err != nil {
			return err
		}
		if err := q.fillCompany(ctx, company, now); err != nil {
			return err
		}
		by.CompanyID = company.ID
		return queries.New(tx).RecordChange(ctx, by, now, queries.Change{
			Action: "company.created", ObjectType: "company", ObjectID: company.ID, ObjectName: company.Name,
			New: recordOf(company),
		})
	})
	if err != nil {
		return Company{}, fmt.Errorf("create company: %w", err)
	}
	return company, nil
}

// companyRecord is a company in the change log.
type companyRecord struct {
	Name     string `json:"name"`
	Host     string `json:"host"`
	TimeZone string `json:"time_zone"`

	OrganizationURL string `json:"organization_url,omitempty"`
}

func (q *Queries) fillCompany(ctx context.Context, c Company, now time.Time) error {
	root := rootName(c.Name)
	text, _ := search.Key(root)
	if _, err := q.insertDepartment(ctx, insertDepartmentParams{CompanyID: c.ID, Name: root, SearchText: text}); err != nil {
		return err
	}
	name := FirstNames(c.TimeZone).DefaultPolicy
	text, _ = search.Key(name)
	for _, kind := range []settings.Kind{settings.Communication, settings.WorkingAttitude} {
		err := q.insertDefaultPolicy(ctx, insertDefaultPolicyParams{
			CompanyID: c.ID, Kind: string(kind), Now: now, Name: name, Settings: FirstSettings(kind, c.TimeZone).Differences(), SearchText: text,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rootName returns the name that a company gives its root department. A slash would separate
// departments in a path.
func rootName(company string) string { return strings.ReplaceAll(company, "/", "·") }

// Names are what a new company begins with, until somebody renames it.
type Names struct{ DefaultPolicy, Bot string }

// FirstNames returns the names in the language of a company in a time zone. They
// are stored, so every reader sees the same ones.
func FirstNames(zone string) Names {
	switch HolidayCalendar(zone) {
	case "KR":
		return Names{DefaultPolicy: "기본 정책", Bot: "알림봇"}
	case "JP":
		return Names{DefaultPolicy: "既定のポリシー", Bot: "通知ボット"}
	}
	return Names{DefaultPolicy: "Default policy", Bot: "Notification bot"}
}

// FirstSettings returns the settings with which every policy of a company in a time
// zone begins.
func FirstSettings(kind settings.Kind, zone string) settings.Values {
	return settings.DefaultsAt(kind, zone, HolidayCalendar(zone))
}

// HolidayCalendar returns the public holidays that a company in a time zone
// begins with: KR, JP or none.
func HolidayCalendar(zone string) string {
	switch zone {
	case "Asia/Seoul", "ROK":
		return "KR"
	case "Asia/Tokyo", "Japan":
		return "JP"
	}
	return "none"
}

func (n NewCompany) tidy() NewCompany {
	n.Name = norm.NFC.String(strings.TrimSpace(n.Name))
	n.Host = strings.ToLower(strings.TrimSpace(n.Host))
	n.OrganizationURL = strings.TrimSpace(n.OrganizationURL)
	if n.TimeZone == "" {
		n.TimeZone = "Asia/Seoul"
	}
	if n.MapLicenses == nil {
		n.MapLicenses = MapLicenses{}
	}
	return n
}

func (n NewCompany) check() error {
	if !IsName(n.Name) {
		return queries.Invalid("company.name.invalid")
	}
	if !isHost(n.Host) {
		return queries.Invalid("company.host.invalid")
	}
	if _, err := time.LoadLocation(n.TimeZone); err != nil || n.TimeZone == "Local" {
		return queries.Invalid("company.time_zone.unknown")
	}
	if n.OrganizationURL == "" {
		return nil
	}
	if u, err := url.Parse(n.OrganizationURL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return queries.Invalid("company.organization_url.invalid")
	}
	return nil
}

// isHost reports whether a text is a host name in lower case (RFC 1123).
func isHost(s string) bool { return len(s) <= 253 && hostName.MatchString(s) }

var hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$`)

// PlainText reports whether a text can be stored and shown in one line: valid
// UTF-8 without characters that no name or title needs.
func PlainText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, isNeverPlain)
}

// isNeverPlain reports whether a character is a control character, no character at
// all, or shows the letters around it in another order. Joiners and the marks of a
// single direction (U+200C to U+200F) belong to some scripts and to emoji.
func isNeverPlain(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Noncharacter_Code_Point, r):
		return true
	case '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069': // embeddings, overrides and isolates
		return true
	}
	return r == utf8.RuneError || r == '\ufeff' // the byte order mark
}
