package usage

import (
	"context"
	"slices"
	"strconv"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// RulesRecord are rules in the change log. Lines, the notices and the targets of the
// clients are what the log shows of them.
type RulesRecord struct {
	Rules
	VersionNo int32    `json:"version_no"`
	Lines     []string `json:"client_rules"` // such as "windows minimum=6.3.0"
	NoticeKo  string   `json:"notice_ko"`
	NoticeEn  string   `json:"notice_en"`
	NoticeJa  string   `json:"notice_ja"`
}

func (r InstallationRules) record() RulesRecord {
	record := RulesRecord{Rules: r.Rules, VersionNo: r.VersionNo, NoticeKo: r.Notice.Ko, NoticeEn: r.Notice.En, NoticeJa: r.Notice.Ja}
	for _, c := range r.Clients {
		add := func(field, value string) {
			if value != "" {
				record.Lines = append(record.Lines, c.System+" "+field+"="+value)
			}
		}
		add("allowed", strconv.FormatBool(c.Allowed))
		add("version", c.Version)
		add("url", c.URL)
		add("sha256", c.SHA256)
		if c.Size != 0 {
			add("size", strconv.FormatInt(c.Size, 10))
		}
		add("requires_os", c.RequiresOS)
		add("minimum", c.Minimum)
		if c.ForcedFrom != 0 {
			add("forced_from", c.ForcedFrom.String())
		}
	}
	return record
}

// RulesConflict is the Conflict of rules that somebody else has saved in the
// meantime: Stored.
type RulesConflict struct{ Stored InstallationRules }

func (e *RulesConflict) Error() string { return string(errRulesChanged) }

// Unwrap returns a Conflict.
func (e *RulesConflict) Unwrap() error { return errRulesChanged }

const errRulesChanged = queries.Conflict("installation.changed")

// SaveRules changes the rules of a company, unless they are the same. It refuses with
// FieldErrors, and with a RulesConflict where ifMatch is not the VersionNo.
func (s *Store) SaveRules(ctx context.Context, by queries.Actor, ifMatch int32, draft Rules) (saved InstallationRules, err error) {
	return s.saveRules(ctx, by, ifMatch, draft, func(stored InstallationRules) Rules { return stored.Rules })
}

// RevertRules saves rules that a company had before, whose dates may lie in the past and
// whose targets may be hidden.
// It refuses as SaveRules does.
func (s *Store) RevertRules(ctx context.Context, by queries.Actor, ifMatch int32, before Rules) error {
	_, err := s.saveRules(ctx, by, ifMatch, before, func(InstallationRules) Rules { return before })
	return err
}

// saveRules saves a draft, of which what the rules before have is not refused again.
func (s *Store) saveRules(ctx context.Context, by queries.Actor, ifMatch int32, draft Rules, before func(stored InstallationRules) Rules) (saved InstallationRules, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q, now := New(tx), s.db.Now()
		if err := q.lockRules(ctx, by.CompanyID); err != nil {
			return err
		}
		if saved, err = readRules(ctx, q.storedRules, by.CompanyID); err != nil {
			return err
		}
		if saved.VersionNo != ifMatch {
			return &RulesConflict{saved}
		}
		zone, err := q.timeZone(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		place, err := time.LoadLocation(zone)
		if err != nil {
			return err
		}
		former := before(saved)
		rules, err := draft.check(former, workday.DateOf(now.In(place)))
		if err != nil {
			return err
		}
		if err := q.checkTargets(ctx, by.CompanyID, rules, former); err != nil || isSameRules(saved.Rules, rules) {
			return err
		}
		if err := q.storeRules(ctx, storeRulesParams{by.CompanyID, rules, now, queries.OrNil(by.UserID), by.Name}); err != nil {
			return err
		}
		old := saved.record()
		saved = InstallationRules{rules, saved.VersionNo + 1, now, by.Name}
		change := queries.Change{Action: "installation.updated", ObjectType: "installation", ObjectID: by.CompanyID, Old: old, New: saved.record()}
		if err := queries.New(tx).RecordChange(ctx, by, now, change); err != nil {
			return err
		}
		return queries.New(tx).Publish(ctx, by.CompanyID, now, "installation.changed", map[string]int32{"version_no": saved.VersionNo})
	})
	return saved, err
}

func isSameRules(a, b Rules) bool {
	return a.Notice == b.Notice && slices.EqualFunc(a.Clients, b.Clients, func(a, b ClientRule) bool {
		same := slices.Equal(a.Targets.Departments, b.Targets.Departments) && slices.Equal(a.Targets.Users, b.Targets.Users) && a.Targets.Everyone == b.Targets.Everyone
		a.Targets, b.Targets = RuleTargets{}, RuleTargets{}
		return same && equalRules(a, b)
	})
}

// equalRules compares rules without their targets.
func equalRules(a, b ClientRule) bool {
	return a.System == b.System && a.Allowed == b.Allowed && a.Version == b.Version && a.URL == b.URL && a.SHA256 == b.SHA256 && a.Size == b.Size &&
		a.RequiresOS == b.RequiresOS && a.Minimum == b.Minimum && a.ForcedFrom == b.ForcedFrom
}

// checkTargets refuses targets that the company does not have, and hidden people whom the
// former rules for a client do not have.
func (q *Queries) checkTargets(ctx context.Context, companyID int64, rules, former Rules) error {
	refused := queries.FieldErrors{}
	for _, c := range rules.Clients {
		wanted := int64(len(c.Targets.Departments) + len(c.Targets.Users))
		if wanted == 0 {
			continue
		}
		known, err := q.knownTargets(ctx, knownTargetsParams{companyID, c.Targets.Departments, c.Targets.Users, compact(former.Of(c.System).Targets.Users)})
		if err != nil {
			return err
		}
		if known != wanted {
			refused[c.System+".targets"] = "installation.targets.unknown"
		}
	}
	if len(refused) > 0 {
		return refused
	}
	return nil
}

// PersonRule is what the rules say for a person about the client of a system.
type PersonRule struct {
	ClientRule
	Allowed bool // whether the person may install it
}

// RulesOf returns what the rules of a company say for a person. NotFound: there is no
// such person, or they are hidden.
func (s *Store) RulesOf(ctx context.Context, companyID, userID int64) (rules []PersonRule, stored InstallationRules, err error) {
	u, err := s.ruleUser(ctx, ruleUserParams{companyID, userID})
	if err != nil {
		return nil, stored, err
	}
	if stored, err = s.InstallationRules(ctx, companyID); err != nil {
		return nil, stored, err
	}
	for _, c := range stored.Clients {
		isTarget := c.Targets.Everyone || slices.Contains(c.Targets.Users, userID) ||
			slices.ContainsFunc(c.Targets.Departments, func(id int64) bool { return slices.Contains(u.Ancestors, id) })
		rules = append(rules, PersonRule{c, c.Allowed && isTarget})
	}
	return rules, stored, nil
}

// RuleTarget is a department or a person who may install a client.
type RuleTarget = targetNamesRow

// TargetNames returns the departments and people of rules, hidden people excluded.
func (s *Store) TargetNames(ctx context.Context, companyID int64, rules Rules) ([]RuleTarget, error) {
	var arg targetNamesParams
	arg.CompanyID = companyID
	for _, c := range rules.Clients {
		arg.Departments, arg.Users = append(arg.Departments, c.Targets.Departments...), append(arg.Users, c.Targets.Users...)
	}
	if len(arg.Departments)+len(arg.Users) == 0 {
		return nil, nil
	}
	return s.targetNames(ctx, arg)
}

// LoadRules stores the rules of a company that has none in a transaction, for filling a
// new company. It checks nothing and publishes nothing.
func LoadRules(ctx context.Context, tx queries.Tx, by queries.Actor, now time.Time, edit func(*ClientRule)) error {
	rules := defaultRules()
	old := InstallationRules{Rules: defaultRules()}.record()
	for i := range rules.Clients {
		edit(&rules.Clients[i])
	}
	if err := New(tx).storeRules(ctx, storeRulesParams{by.CompanyID, rules, now, queries.OrNil(by.UserID), by.Name}); err != nil {
		return err
	}
	change := queries.Change{
		Action: "installation.updated", ObjectType: "installation", ObjectID: by.CompanyID,
		Old: old, New: InstallationRules{rules, 1, now, by.Name}.record(),
	}
	return queries.New(tx).RecordChange(ctx, by, now, change)
}
