// Package bot holds the service bot of each company, and what programs send
// through it.
package bot

import (
	"context"
	"crypto/sha256"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/cache"
)

// Store runs the statements and rules of the area. It is safe for concurrent use.
type Store struct {
	*Queries
	db      database
	loading bool // whether changes are neither in the change log nor published
	queue   queue
	limits  limits
	senders *cache.Cache[[sha256.Size]byte, senderByHashRow] // nil for a Store of NewLoader
	version func(companyID int64, part cache.Part) int64     // queries.DB.Version
}

// sendersAge is how long who calls with a token is cached, where this process learns
// nothing of a change by another one.
const sendersAge = time.Second

// cachedSenders is how many tokens that are in use at the same time are cached.
const cachedSenders = 1_000

// database runs the transactions of the changes and gives their time.
type database interface {
	InTx(ctx context.Context, do func(ctx context.Context, tx queries.Tx) error) error
	Now() time.Time
}

// NewStore returns the area over a database.
func NewStore(db *queries.DB) *Store {
	s := &Store{Queries: New(db.Statements()), db: db, version: db.Version}
	s.limits.set(Rate, Burst)
	s.senders = cache.New[[sha256.Size]byte](cache.Options[senderByHashRow]{Name: "bot_senders", Size: cachedSenders, Now: db.Now, TTL: sendersAge})
	return s
}

// change runs do alone among the changes of a company's bot, and tells the
// messenger. do gets the bot, and returns what to write to the change log.
func (s *Store) change(ctx context.Context, by queries.Actor, do func(ctx context.Context, tx queries.Tx, bot Bot) (queries.Change, error)) error {
	if s.senders != nil {
		defer s.senders.Purge()
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		now := s.db.Now()
		bot, err := ensureBot(ctx, tx, by.CompanyID, now)
		if err != nil {
			return err
		}
		change, err := do(ctx, tx, bot)
		if err != nil || change.Action == "" || s.loading {
			return err
		}
		change.ObjectType, change.ObjectID = "bot", bot.ID
		if change.ObjectName == "" {
			change.ObjectName = bot.Name
		}
		if err := New(tx).noteChange(ctx, by.CompanyID); err != nil {
			return err
		}
		if err := queries.New(tx).RecordChange(ctx, by, now, change); err != nil {
			return err
		}
		return queries.New(tx).Publish(ctx, by.CompanyID, now, "bot.changed", struct{}{})
	})
}
