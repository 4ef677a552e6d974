package identity

import (
	"context"
	"errors"
	"slices"
	"time"

	"officeconsole/queries"
	"officeconsole/workday"
)

// RequiredOf says of whom a company requires a second factor.
type RequiredOf string

// Whom a company can require a second factor of. Administrators are among everybody.
const (
	RequiredOfNobody         RequiredOf = "nobody"
	RequiredOfAdministrators RequiredOf = "administrators"
	RequiredOfEverybody      RequiredOf = "everybody"
)

// RequiredOfAll lists the choices.
var RequiredOfAll = []RequiredOf{RequiredOfNobody, RequiredOfAdministrators, RequiredOfEverybody}

// MaxGraceDays is the longest time that people can be given to get a second factor.
const MaxGraceDays = 365

// FactorRuleDraft is the rule of a company about second factors as it is saved. The
// days of grace begin when the rule begins to apply to somebody. A trusted single
// sign-on, and the messenger, vouch for people without one.
type FactorRuleDraft struct {
	RequiredOf   RequiredOf
	GraceDays    int
	TrustsSignOn bool
}

// FactorRule is the rule of a company. The times are zero where the rule does not
// apply.
type FactorRule struct {
	FactorRuleDraft
	VersionNo                           int32 // 0 before the first change
	AdministratorsDueAt, EverybodyDueAt time.Time
	UpdatedAt                           time.Time
	UpdatedByName                       string
}

// FactorRuleRecord is the rule in the change log.
type FactorRuleRecord struct {
	VersionNo    int32      `json:"version_no"`
	RequiredOf   RequiredOf `json:"required_of"`
	GraceDays    int        `json:"grace_days"`
	TrustsSignOn bool       `json:"trusts_sign_on"`
}

func (r FactorRule) record() FactorRuleRecord {
	return FactorRuleRecord{r.VersionNo, r.RequiredOf, r.GraceDays, r.TrustsSignOn}
}

// Draft returns the rule as it is saved again.
func (r FactorRuleRecord) Draft() FactorRuleDraft {
	return FactorRuleDraft{r.RequiredOf, r.GraceDays, r.TrustsSignOn}
}

// FactorRule returns the rule of a company; without one, nobody needs a second factor.
func (s *Store) FactorRule(ctx context.Context, companyID int64) (FactorRule, error) {
	return s.Queries.factorRule(ctx, companyID)
}

func (q *Queries) factorRule(ctx context.Context, companyID int64) (FactorRule, error) {
	row, err := q.storedFactorRule(ctx, companyID)
	if errors.Is(err, queries.NotFound) {
		return FactorRule{FactorRuleDraft: FactorRuleDraft{RequiredOf: RequiredOfNobody, GraceDays: 14, TrustsSignOn: true}}, nil
	}
	r := FactorRule{
		FactorRuleDraft: FactorRuleDraft{RequiredOf(row.RequiredOf), int(row.GraceDays), row.TrustsSignOn}, VersionNo: row.VersionNo,
		UpdatedAt: row.UpdatedAt, UpdatedByName: row.UpdatedByName,
	}
	if row.AdministratorsDueAt != nil {
		r.AdministratorsDueAt = *row.AdministratorsDueAt
	}
	if row.EverybodyDueAt != nil {
		r.EverybodyDueAt = *row.EverybodyDueAt
	}
	return r, err
}

// FactorCounts are the people of a company who can sign in, and how many of them have no
// second factor.
type FactorCounts struct{ People, Lacking, Administrators, AdministratorsLacking int }

// CountFactors counts who has no second factor.
func (s *Store) CountFactors(ctx context.Context, companyID int64) (FactorCounts, error) {
	row, err := s.countWithoutFactor(ctx, companyID)
	return FactorCounts{int(row.People), int(row.Lacking), int(row.Administrators), int(row.AdministratorsLacking)}, err
}

// CountCutOff counts the people without a second factor to whom a rule would apply as
// soon as it is saved, without a day of grace; none where the stored rule does so.
func (s *Store) CountCutOff(ctx context.Context, companyID int64, draft FactorRuleDraft) (int, error) {
	stored, err := s.FactorRule(ctx, companyID)
	if err != nil || draft.GraceDays != 0 || stored.GraceDays == 0 && stored.RequiredOf == draft.RequiredOf {
		return 0, err
	}
	counts, err := s.CountFactors(ctx, companyID)
	switch draft.RequiredOf {
	case RequiredOfAdministrators:
		return counts.AdministratorsLacking, err
	case RequiredOfEverybody:
		return counts.Lacking, err
	}
	return 0, err
}

const errFactorRuleChanged = queries.Conflict("factor.rule.changed")

// SaveFactorRule changes the rule of a company. It refuses with FieldErrors by the
// names of the API, and with Conflict where ifMatch is not the VersionNo. The same rule
// changes nothing.
func (s *Store) SaveFactorRule(ctx context.Context, by queries.Actor, ifMatch int32, draft FactorRuleDraft) error {
	refused := queries.FieldErrors{}
	if !slices.Contains(RequiredOfAll, draft.RequiredOf) {
		refused["required_of"] = "factor.rule.required_of.invalid"
	}
	if draft.GraceDays < 0 || draft.GraceDays > MaxGraceDays {
		refused["grace_days"] = "factor.rule.grace_days.invalid"
	}
	if len(refused) > 0 {
		return refused
	}
	company, err := s.directory.Company(ctx, by.CompanyID)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(company.TimeZone)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		if err := t.lockFactorRule(ctx, by.CompanyID); err != nil {
			return err
		}
		stored, err := t.factorRule(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		if stored.VersionNo != ifMatch {
			return errFactorRuleChanged
		}
		if draft == stored.FactorRuleDraft {
			return nil
		}
		next := stored.next(draft, t.now.In(zone))
		if err := t.storeFactorRule(ctx, storeFactorRuleParams{
			CompanyID: by.CompanyID, RequiredOf: string(next.RequiredOf), GraceDays: int32(next.GraceDays), TrustsSignOn: next.TrustsSignOn,
			AdministratorsDueAt: timeOrNil(next.AdministratorsDueAt), EverybodyDueAt: timeOrNil(next.EverybodyDueAt),
			UpdatedAt: t.now, UpdatedBy: queries.OrNil(by.UserID), UpdatedByName: by.Name,
		}); err != nil {
			return err
		}
		return queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{
			Action: "factor_rule.updated", ObjectType: "factor_rule", ObjectID: by.CompanyID, Old: stored.record(), New: next.record(),
		})
	})
}

// next returns the rule after a change. Those to whom it applied before keep their
// time, unless the days of grace were changed.
func (r FactorRule) next(draft FactorRuleDraft, now time.Time) FactorRule {
	n := FactorRule{FactorRuleDraft: draft, VersionNo: r.VersionNo + 1}
	due := func(applies bool, before time.Time) time.Time {
		switch {
		case !applies:
			return time.Time{}
		case !before.IsZero() && draft.GraceDays == r.GraceDays:
			return before
		}
		return endOfGrace(now, draft.GraceDays)
	}
	n.AdministratorsDueAt = due(draft.RequiredOf != RequiredOfNobody, r.AdministratorsDueAt)
	n.EverybodyDueAt = due(draft.RequiredOf == RequiredOfEverybody, r.EverybodyDueAt)
	return n
}

// endOfGrace returns when the last day of grace ends in the company's time zone. Without
// any, the rule applies at once.
func endOfGrace(now time.Time, days int) time.Time {
	if days == 0 {
		return now
	}
	return workday.DateOf(now.AddDate(0, 0, days+1)).At(0, now.Location())
}

func timeOrNil(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}
