package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"officeconsole/queries"
	"officeconsole/search"
	"officeconsole/settings"
)

// Check is something that has to be true of the policies that apply to people. Saving
// policies and changing the directory are held against the checks of a company.
type Check struct {
	ID   int64
	Kind string
	CheckDraft
	VersionNo     int32
	CreatedByName string
	UpdatedAt     time.Time
	UpdatedByName string
}

// CheckDraft is what an administrator says about a check.
type CheckDraft struct {
	Name       string   // 1 to 200 characters
	Targets    []Target // departments, always with those below them, and people; none for everybody
	Quantifier Quantifier
	settings.Expectation
	Severity Severity
}

// Quantifier says for how many of its people a check expects something.
type Quantifier string

// The quantifiers.
const (
	Every Quantifier = "every"
	Some  Quantifier = "some" // at least one of them
)

// Severity is what a check does to a change that breaks it.
type Severity string

// The severities.
const (
	Stop Severity = "stop"
	Warn Severity = "warn"
)

// The limits of checks: the characters of a name, the targets of one, and how many a
// company may have for a kind of policies.
const (
	maxCheckName     = 200
	MostCheckTargets = 20
	mostChecks       = 50
)

// Checks returns the checks of a company for a kind of policies, with the names of their
// targets.
func (q *Queries) Checks(ctx context.Context, companyID int64, kind string) ([]Check, error) {
	rows, err := q.policyChecks(ctx, policyChecksParams{companyID, kind})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	checks := newChecks(rows)
	return checks, q.nameCheckTargets(ctx, companyID, checks)
}

// Check returns a check of a company for a kind of policies, or NotFound.
func (q *Queries) Check(ctx context.Context, companyID int64, kind string, id int64) (Check, error) {
	row, err := q.policyCheck(ctx, policyCheckParams{companyID, id})
	if err == nil && row.Kind != kind {
		err = queries.NotFound
	}
	if err != nil {
		return Check{}, err
	}
	checks := []Check{newCheck(row)}
	return checks[0], q.nameCheckTargets(ctx, companyID, checks)
}

func newChecks(rows []PolicyCheck) []Check {
	checks := make([]Check, len(rows))
	for i, row := range rows {
		checks[i] = newCheck(row)
	}
	return checks
}

func newCheck(row PolicyCheck) Check {
	c := Check{ID: row.ID, Kind: row.Kind, VersionNo: row.VersionNo, CreatedByName: row.CreatedByName, UpdatedAt: row.UpdatedAt, UpdatedByName: row.UpdatedByName}
	c.Name, c.Quantifier, c.Severity = row.Name, Quantifier(row.Quantifier), Severity(row.Severity)
	c.Expectation = settings.Expectation{Relation: settings.Relation(row.Relation), Key: row.Setting, Part: row.Part, Value: row.Value}
	for _, id := range row.DepartmentIds {
		c.Targets = append(c.Targets, Target{Type: DepartmentTarget, ID: id, IncludeChildren: true})
	}
	for _, id := range row.UserIds {
		c.Targets = append(c.Targets, Target{Type: UserTarget, ID: id, IncludeChildren: true})
	}
	return c
}

// nameCheckTargets sets the names of the targets of checks, which share their targets
// with copies of them. A target that has gone, or is hidden, since it was named has the
// name it had.
func (q *Queries) nameCheckTargets(ctx context.Context, companyID int64, checks []Check) error {
	var nodes []node
	for _, c := range checks {
		for _, t := range c.Targets {
			nodes = append(nodes, t.node())
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	names, err := q.nodeNames(ctx, companyID, nodes)
	for _, c := range checks {
		for i, t := range c.Targets {
			if name := names[t.node()].name; t.Name == "" || name != "" && name != HiddenName {
				c.Targets[i].Name = name
			}
		}
	}
	return err
}

// ids returns the departments and the users of the check.
func (d CheckDraft) ids() (departments, users []int64) {
	departments, users = []int64{}, []int64{}
	for _, t := range d.Targets {
		if t.Type == DepartmentTarget {
			departments = append(departments, t.ID)
		} else {
			users = append(users, t.ID)
		}
	}
	return departments, users
}

// covers reports whether the check is about a user, or about the users of a department,
// by the ancestors of the department.
func (d CheckDraft) covers(userID int64, ancestors []int64) bool {
	if len(d.Targets) == 0 {
		return true
	}
	return slices.ContainsFunc(d.Targets, func(t Target) bool {
		if t.Type == UserTarget {
			return t.ID == userID
		}
		return slices.Contains(ancestors, t.ID)
	})
}

// tidy returns the draft as it is stored.
func (d CheckDraft) tidy() CheckDraft {
	d.Name = norm.NFC.String(strings.Join(strings.Fields(d.Name), " "))
	d.Value = strings.TrimSpace(d.Value)
	if d.Relation == settings.SignIn {
		if r, refusal := settings.ParseRange(d.Value); refusal == "" {
			d.Value = r.Text
		}
	}
	d.Targets = slices.Clone(d.Targets)
	for i := range d.Targets {
		d.Targets[i].IncludeChildren = true
	}
	return d
}

// check refuses with FieldErrors what a check of policies of a kind cannot be. names are
// those of its targets.
func (d CheckDraft) check(kind string, names nodeNames) error {
	refused := checkTargets(d.Targets, names)
	if len(d.Targets) > MostCheckTargets {
		refused = queries.FieldErrors{"targets": "check.targets.too_many"}
	}
	if refused == nil {
		refused = queries.FieldErrors{}
	}
	if d.Quantifier != Every && d.Quantifier != Some {
		refused["quantifier"] = "check.quantifier.unknown"
	}
	if d.Severity != Stop && d.Severity != Warn {
		refused["severity"] = "check.severity.unknown"
	}
	if field, refusal := d.Check(settings.Kind(kind)); refusal != "" {
		refused[field] = queries.Invalid(refusal)
	}
	switch {
	case search.IsBlank(d.Name) && len(refused) == 0: // a client may leave it to the sentence, which needs the rest
		refused["name"] = "check.name.required"
	case utf8.RuneCountInString(d.Name) > maxCheckName || !utf8.ValidString(d.Name) || strings.ContainsRune(d.Name, 0):
		refused["name"] = "check.name.too_long"
	}
	if len(refused) > 0 {
		return refused
	}
	return nil
}

// CheckRefusal refuses a change that breaks checks. It is an Invalid.
type CheckRefusal struct {
	Broken []BrokenCheck
}

func (e *CheckRefusal) Error() string { return fmt.Sprintf("breaks %d checks", len(e.Broken)) }

// Unwrap returns the Invalid.
func (e *CheckRefusal) Unwrap() error { return queries.Invalid("check.broken") }
