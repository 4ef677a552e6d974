package identity

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/saml"
	"officeconsole/sender"
)

// Trial is what came of testing a provider, step by step until one failed.
type Trial struct {
	At     time.Time    `json:"at"`
	Steps  []TrialStep  `json:"steps"`
	Claims []TrialClaim `json:"claims"` // of the administrator who tested
}

// TrialStep is a step of a trial. Name is one of TrialSteps. A step whose Warning is
// not "" succeeded, too.
type TrialStep struct {
	Name    string        `json:"name"`
	Value   string        `json:"value"`   // that the step found
	Warning string        `json:"warning"` // the id of a message
	Refusal string        `json:"refusal"` // the id of the message why it failed; "" where it did not
	Detail  string        `json:"detail"`  // of a failure, in the words of a program
	Took    time.Duration `json:"took"`
}

// TrialSteps are the steps in their order. Those from authorization on need a
// browser in which somebody signs in at the provider.
var TrialSteps = []string{"discovery", "keys", "authorization", "person", "sign_out"}

// TrialClaim is a claim and what it becomes in the console: any of "subject",
// "email", "name", "department", "rank" and "admin".
type TrialClaim struct {
	Name   string   `json:"name"`
	Value  string   `json:"value"`
	Fields []string `json:"fields"`
}

// OK reports whether no step failed.
func (t Trial) OK() bool {
	return !slices.ContainsFunc(t.Steps, func(s TrialStep) bool { return s.Refusal != "" })
}

// run adds a step, unless one has failed before. do returns what it found.
func (t *Trial) run(name string, do func(*TrialStep) error) {
	if !t.OK() {
		return
	}
	step, began := TrialStep{Name: name}, time.Now()
	err := do(&step)
	step.Took = time.Since(began)
	if err != nil {
		step.Refusal, step.Detail = "error.unexpected", strings.TrimSpace(cut(describe(err), 500))
		var refused queries.Invalid
		if errors.As(err, &refused) {
			step.Refusal, step.Detail = string(refused), strings.TrimPrefix(step.Detail, string(refused)+": ")
		}
	}
	t.Steps = append(t.Steps, step)
}

// describe returns the text of an error, without what is of no concern to a company: the
// resolver of the operator's network and the addresses that names have there.
func describe(err error) string {
	var dns *net.DNSError
	switch {
	case errors.Is(err, sender.ErrAddress):
		return sender.ErrAddress.Error()
	case errors.As(err, &dns):
		return "lookup " + dns.Name + ": " + dns.Err
	}
	return err.Error()
}

// TryProvider tests what can be tested without a browser: what the provider says
// about itself, and its keys.
func (s *Store) TryProvider(ctx context.Context, companyID, id int64) (Trial, error) {
	p, err := s.Provider(ctx, ProviderParams{companyID, id})
	if err != nil {
		return Trial{}, err
	}
	return s.tryProvider(ctx, p), nil
}

func (s *Store) tryProvider(ctx context.Context, p Provider) Trial {
	t := Trial{At: s.db.Now()}
	if p.Kind == SAML {
		s.tryMetadata(ctx, p, &t)
		return t
	}
	var d *discovery
	t.run("discovery", func(step *TrialStep) (err error) {
		if d, err = s.readDiscovery(ctx, p); err != nil {
			return err
		}
		s.discoveries.Put(p.Issuer, d)
		if !slices.Contains(d.challenges, "S256") {
			step.Warning = "provider.trial.warning.pkce"
		}
		return nil
	})
	t.run("keys", func(step *TrialStep) error {
		n, err := s.countKeys(ctx, p, d)
		step.Value = strconv.Itoa(n)
		return err
	})
	return t
}

// soon is how long before a certificate ends a trial warns.
const soon = 30 * 24 * time.Hour

// tryMetadata tests what a provider of SAML says about itself.
func (s *Store) tryMetadata(ctx context.Context, p Provider, t *Trial) {
	var known saml.Provider
	t.run("discovery", func(step *TrialStep) (err error) {
		if known, err = s.rereadMetadata(ctx, p); err == nil && known.WantsSignedRequests {
			step.Warning = "provider.trial.warning.signed_requests"
		}
		return err
	})
	t.run("keys", func(step *TrialStep) error {
		step.Value = strconv.Itoa(len(known.Certificates))
		if !slices.ContainsFunc(known.Certificates, func(c *x509.Certificate) bool { return t.At.Add(soon).Before(c.NotAfter) && t.At.After(c.NotBefore) }) {
			step.Warning = "provider.trial.warning.certificate"
		}
		return nil
	})
}

// countKeys returns the number of keys with which a provider signs.
func (s *Store) countKeys(ctx context.Context, p Provider, d *discovery) (int, error) {
	ctx, cancel := s.toProvider(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.keysURL, nil)
	if err != nil {
		return 0, err
	}
	response, err := s.outside.Do(request)
	if err != nil {
		return 0, providerError(ctx, p, err)
	}
	defer response.Body.Close()
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.NewDecoder(response.Body).Decode(&set); err != nil {
		return 0, providerError(ctx, p, err)
	}
	if response.StatusCode != http.StatusOK || len(set.Keys) == 0 {
		return 0, providerError(ctx, p, errors.New("no keys: "+response.Status))
	}
	return len(set.Keys), nil
}

// BeginTrial sends the browser of an administrator to a provider, which need not be
// enabled. The visit is zero where the trial has failed before.
func (s *Store) BeginTrial(ctx context.Context, by queries.Actor, id int64, r SignOnRequest) (Visit, Trial, error) {
	p, err := s.Provider(ctx, ProviderParams{by.CompanyID, id})
	if err != nil {
		return Visit{}, Trial{}, err
	}
	t := s.tryProvider(ctx, p)
	if !t.OK() {
		return Visit{}, t, nil
	}
	visit, err := s.visit(ctx, p, r, by.UserID)
	return visit, t, err
}

// finishTrial tests the rest when the administrator comes back. It signs nobody in
// and changes nothing.
func (s *Store) finishTrial(ctx context.Context, p Provider, visit ProviderVisit, r ProviderAnswer) *Trial {
	t := s.tryProvider(ctx, p)
	var a answer
	t.run("authorization", func(*TrialStep) (err error) {
		a, err = s.readAnswer(ctx, p, visit, r)
		return err
	})
	t.Claims = trialClaims(p, a.claims)
	t.run("person", func(step *TrialStep) error {
		person, _, err := s.matchPerson(ctx, p, a)
		if step.Value = person.Name; err == nil && person.ID == 0 {
			step.Warning = "provider.trial.warning.created"
		}
		return err
	})
	t.run("sign_out", func(step *TrialStep) error {
		if p.Kind == SAML {
			step.Warning = "provider.trial.warning.sign_out"
			return nil
		}
		d, err := s.discover(ctx, p)
		if err == nil && d.endSession == "" {
			step.Warning = "provider.trial.warning.sign_out"
		}
		return err
	})
	return &t
}

// trialClaims returns the claims by name, each with what it becomes.
func trialClaims(p Provider, c claims) []TrialClaim {
	fields := map[string][]string{"sub": {"subject"}, "email": {"email"}, "name": {"name"}}
	fields[p.DepartmentClaim] = append(fields[p.DepartmentClaim], "department")
	fields[p.RankClaim] = append(fields[p.RankClaim], "rank")
	fields[p.AdminClaim] = append(fields[p.AdminClaim], "admin")
	var all []TrialClaim
	for _, name := range slices.Sorted(maps.Keys(c)) {
		value, isText := c[name].(string)
		if !isText {
			encoded, _ := json.Marshal(c[name]) // decoded from JSON, so it cannot fail
			value = string(encoded)
		}
		all = append(all, TrialClaim{cut(name, 100), cut(value, 300), fields[name]})
	}
	return all
}
