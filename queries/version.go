package queries

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"officeconsole/queries/cache"
)

// Version returns the version of a part of a company's data that this process knows,
// 0 for none. Listen learns the versions that other processes reach.
func (db *DB) Version(companyID int64, part cache.Part) int64 { return db.versions.Of(companyID, part) }

// catchUp reads all versions, and lets followers look for messages: what was notified
// while this process did not listen is known by them.
func (db *DB) catchUp(ctx context.Context, from DBTX) error {
	all, err := New(from).dataVersions(ctx)
	if err != nil {
		return fmt.Errorf("read versions: %w", err)
	}
	for _, v := range all {
		db.versions.Reach(v.CompanyID, cache.Part(v.Part), v.Reached)
	}
	db.streams.signal(notification{})
	return nil
}

// reach notes the version in a payload of note_change.
func (db *DB) reach(payload string) error {
	company, rest, _ := strings.Cut(payload, ":")
	part, text, _ := strings.Cut(rest, ":")
	companyID, err := strconv.ParseInt(company, 10, 64)
	if err != nil {
		return fmt.Errorf("notification %q: %w", payload, err)
	}
	version, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fmt.Errorf("notification %q: %w", payload, err)
	}
	db.versions.Reach(companyID, cache.Part(part), version)
	return nil
}
