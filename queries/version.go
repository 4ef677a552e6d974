package queries

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Part is a part of a company's data of which processes cache something that
// neither policy_version nor directory_version covers.
type Part string

// The parts: records and requests for corrections, saved files, clients, and the bot
// with its tokens.
const (
	AttendancePart Part = "attendance"
	FilePart       Part = "files"
	ClientPart     Part = "clients"
	BotPart        Part = "bot"
)

// versions are those of data_versions that this process knows. What was cached while
// another version was known is outdated.
type versions struct {
	mutex sync.RWMutex
	known map[versionKey]int64
}

type versionKey struct {
	companyID int64
	part      Part
}

// Version returns the version of a part of a company's data that this process knows,
// 0 for none. Listen learns the versions that other processes reach.
func (db *DB) Version(companyID int64, part Part) int64 {
	db.versions.mutex.RLock()
	defer db.versions.mutex.RUnlock()
	return db.versions.known[versionKey{companyID, part}]
}

// reach notes versions. A lower one than is known arrived late and changes nothing.
func (v *versions) reach(reached ...DataVersion) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.known == nil {
		v.known = map[versionKey]int64{}
	}
	for _, r := range reached {
		key := versionKey{r.CompanyID, Part(r.Part)}
		v.known[key] = max(v.known[key], r.Version)
	}
}

// catchUp reads all versions, and lets followers look for messages: what was notified
// while this process did not listen is known by them.
func (db *DB) catchUp(ctx context.Context, from DBTX) error {
	all, err := New(from).dataVersions(ctx)
	if err != nil {
		return fmt.Errorf("read versions: %w", err)
	}
	db.versions.reach(all...)
	db.streams.signal(notification{})
	return nil
}

// parseVersion reads the payload of note_change.
func parseVersion(payload string) (reached DataVersion, err error) {
	company, rest, _ := strings.Cut(payload, ":")
	part, version, _ := strings.Cut(rest, ":")
	reached.Part = part
	if reached.CompanyID, err = strconv.ParseInt(company, 10, 64); err != nil {
		return reached, fmt.Errorf("notification %q: %w", payload, err)
	}
	if reached.Version, err = strconv.ParseInt(version, 10, 64); err != nil {
		return reached, fmt.Errorf("notification %q: %w", payload, err)
	}
	return reached, nil
}
