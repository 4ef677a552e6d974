package webhook

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/sender"
)

// Draft is what somebody enters for a webhook.
type Draft struct {
	URL     string   `json:"url"`
	Types   []string `json:"types"` // those of the messages that are sent; nil for all
	Enabled bool     `json:"enabled"`
}

// Draft is the webhook as somebody would enter it.
func (e Endpoint) Draft() Draft {
	d := Draft{URL: e.URL, Enabled: e.Enabled}
	if len(e.Types) > 0 {
		d.Types = e.Types
	}
	return d
}

// Record is a webhook in the change log. It has no secret.
type Record struct {
	Draft
	VersionNo int32 `json:"version_no"`
}

func (e Endpoint) record() Record { return Record{e.Draft(), e.VersionNo} }

// errExists is the refusal of a second webhook.
const errExists = queries.Conflict("webhook.changed")

// Create gives a company its webhook, and returns the secret, which nothing
// returns later. It refuses with FieldErrors of url and types, and with Conflict
// where the company has one.
func (s *Store) Create(ctx context.Context, by queries.Actor, d Draft) (secret string, err error) {
	d, err = s.Check(d)
	if err != nil {
		return "", err
	}
	secret = sender.NewSecret()
	sealed, err := s.db.SealSecret(ctx, secretField(by.CompanyID), secret)
	if err != nil {
		return "", err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		now := s.db.Now()
		version, err := New(tx).insertEndpoint(ctx, insertEndpointParams{by.CompanyID, d.URL, notNil(d.Types), d.Enabled, sealed, now})
		if errors.Is(err, queries.NotFound) {
			return errExists
		}
		if err != nil {
			return err
		}
		return recordChange(ctx, tx, by, now, queries.Change{Action: "webhook.created", ObjectName: Host(d.URL), New: Record{d, version}})
	})
	return secret, err
}

// Update changes the webhook, which ends a pause. Enabled again, it begins with
// the messages from now on; what waits goes on. It refuses as Create does, with
// NotFound, and with Conflict where ifMatch is neither 0 nor the VersionNo.
func (s *Store) Update(ctx context.Context, by queries.Actor, ifMatch int32, d Draft) error {
	d, err := s.Check(d)
	if err != nil {
		return err
	}
	return s.update(ctx, by, ifMatch, func(Draft) Draft { return d })
}

// Disable stops sending, also to a URL that would be refused by now. ifMatch is
// that of Update.
func (s *Store) Disable(ctx context.Context, by queries.Actor, ifMatch int32) error {
	return s.update(ctx, by, ifMatch, func(d Draft) Draft {
		d.Enabled = false
		return d
	})
}

func (s *Store) update(ctx context.Context, by queries.Actor, ifMatch int32, edit func(Draft) Draft) error {
	return s.change(ctx, by, func(ctx context.Context, q *Queries, e Endpoint, now time.Time) (queries.Change, error) {
		if err := e.match(ifMatch); err != nil {
			return queries.Change{}, err
		}
		d := edit(e.Draft())
		if e.URL == d.URL && e.Enabled == d.Enabled && slices.Equal(e.Types, d.Types) {
			return queries.Change{}, nil
		}
		err := q.updateEndpoint(ctx, updateEndpointParams{CompanyID: by.CompanyID, URL: d.URL, Types: notNil(d.Types), Enabled: d.Enabled, Now: now})
		if err != nil {
			return queries.Change{}, err
		}
		change := queries.Change{Action: "webhook.updated", ObjectName: Host(d.URL), Old: e.record(), New: Record{d, e.VersionNo + 1}}
		return change, q.wakeWaiting(ctx, wakeWaitingParams{now, by.CompanyID})
	})
}

// Delete removes the webhook with its log and what waits. ifMatch is that of
// Update.
func (s *Store) Delete(ctx context.Context, by queries.Actor, ifMatch int32) error {
	return s.change(ctx, by, func(ctx context.Context, q *Queries, e Endpoint, _ time.Time) (queries.Change, error) {
		if err := e.match(ifMatch); err != nil {
			return queries.Change{}, err
		}
		return queries.Change{Action: "webhook.deleted", ObjectName: Host(e.URL), Old: e.record()}, q.deleteEndpoint(ctx, by.CompanyID)
	})
}

// Resume ends the wait of a paused webhook: the next attempt is made now. It does
// nothing where there is no pause.
func (s *Store) Resume(ctx context.Context, companyID int64) error {
	if _, err := s.endpoint(ctx, companyID); err != nil {
		return err
	}
	return s.resume(ctx, resumeParams{s.db.Now(), companyID})
}

func (e Endpoint) match(ifMatch int32) error {
	if ifMatch != 0 && ifMatch != e.VersionNo {
		return queries.Conflict("webhook.changed")
	}
	return nil
}

// Check returns a draft as it is stored, or FieldErrors of url and types.
func (s *Store) Check(d Draft) (Draft, error) {
	refused := queries.FieldErrors{}
	d.URL = strings.TrimSpace(d.URL)
	if refusal := checkURL(d.URL, s.network); refusal != "" {
		refused["url"] = refusal
	}
	types, refusal := checkTypes(d.Types)
	if refusal != "" {
		refused["types"] = refusal
	}
	if len(refused) > 0 {
		return d, refused
	}
	d.Types = types
	return d, nil
}

// notNil returns types for a column that is not null.
func notNil(types []string) []string {
	if types == nil {
		return []string{}
	}
	return types
}

// ErrDisabled is the refusal to send something with a webhook that is disabled.
const ErrDisabled = queries.Invalid("webhook.disabled")

// enabled returns the webhook of a company that can send.
func (s *Store) enabled(ctx context.Context, companyID int64) error {
	e, err := s.endpoint(ctx, companyID)
	if err == nil && !e.Enabled {
		err = ErrDisabled
	}
	return err
}
