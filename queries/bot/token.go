package bot

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"officeconsole/queries"
)

// Kind is what a token is for.
type Kind string

// Kinds of tokens. What comes by the hook address is a message.
const (
	KindNotification Kind = "notification"
	KindMessage      Kind = "message"
	KindHook         Kind = "hook" // the address that takes the payload of Slack's incoming webhooks
)

// Kinds lists all kinds.
var Kinds = []Kind{KindNotification, KindMessage, KindHook}

// prefixes tell people and secret scanners what a secret is.
var prefixes = map[Kind]string{KindNotification: "ocn_", KindMessage: "ocm_", KindHook: "och_"}

// Prefix returns what the secrets of the kind begin with.
func (k Kind) Prefix() string { return prefixes[k] }

// Path returns the path of the URL that a token is used at; only that of a hook
// contains the secret.
func Path(kind Kind, botID int64, secret string) string {
	switch kind {
	case KindNotification:
		return fmt.Sprintf("/api/v1/bots/%d/notifications", botID)
	case KindMessage:
		return fmt.Sprintf("/api/v1/bots/%d/messages", botID)
	}
	return "/hooks/" + secret
}

// MaxOverlap is how long a rotated token can be valid at most.
const MaxOverlap = 7 * 24 * time.Hour

// endedTokenTime is how long a token that has ended is told apart from one that
// never was.
const endedTokenTime = 90 * 24 * time.Hour

// endingLength is how many characters of a secret are stored, to recognize it.
const endingLength = 4

// TokenRecord is a token in the change log.
type TokenRecord struct {
	Kind   Kind       `json:"kind"`
	Ending string     `json:"ending"`
	EndsAt *time.Time `json:"ends_at,omitempty"` // of a rotated token
}

// Rotate replaces the token of a kind, or creates the first one, and returns the
// secret, which is not stored. The token before is valid for the overlap, from 0
// to MaxOverlap.
func (s *Store) Rotate(ctx context.Context, by queries.Actor, kind Kind, overlap time.Duration) (secret string, err error) {
	if prefixes[kind] == "" {
		return "", queries.NotFound
	}
	if overlap < 0 || overlap > MaxOverlap {
		return "", queries.Invalid("bot.overlap.invalid")
	}
	secret = kind.Prefix() + rand.Text()
	ending := secret[len(secret)-endingLength:]
	return secret, s.change(ctx, by, func(ctx context.Context, tx queries.Tx, bot Bot) (queries.Change, error) {
		q, now := New(tx), s.db.Now()
		endsAt := now.Add(overlap)
		change := queries.Change{Action: "bot.token_created", New: TokenRecord{Kind: kind, Ending: ending}}
		old, err := q.rotateToken(ctx, rotateTokenParams{CompanyID: by.CompanyID, Kind: kind, EndsAt: endsAt})
		if err != nil {
			return queries.Change{}, err
		}
		if len(old) > 0 {
			change.Action, change.Old = "bot.token_rotated", TokenRecord{kind, old[0], &endsAt}
		}
		_, err = q.insertToken(ctx, insertTokenParams{CompanyID: by.CompanyID, Kind: kind, Hash: hashSecret(secret), Ending: ending, Now: now})
		return change, err
	})
}

// EndToken ends a rotated token before its time. NotFound: there is no such token,
// or it has ended, or nothing has replaced it.
func (s *Store) EndToken(ctx context.Context, by queries.Actor, id int64) error {
	return s.change(ctx, by, func(ctx context.Context, tx queries.Tx, bot Bot) (queries.Change, error) {
		ended, err := New(tx).endToken(ctx, endTokenParams{CompanyID: by.CompanyID, ID: id, Now: s.db.Now()})
		return queries.Change{Action: "bot.token_ended", Old: TokenRecord{Kind: ended.Kind, Ending: ended.Ending}, New: TokenRecord{ended.Kind, ended.Ending, ended.EndsAt}}, err
	})
}

func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
