package cache

import "sync"

// Part is a part of a company's data of which processes cache something that
// neither its policy_version nor its directory_version covers.
type Part string

// The parts: records and requests for corrections, saved files, clients, and the bot
// with its tokens.
const (
	Attendance Part = "attendance"
	Files      Part = "files"
	Clients    Part = "clients"
	Bot        Part = "bot"
)

// Versions are the versions of parts that this process knows. What was cached while
// another version was known is outdated. The zero value knows none; it is safe for
// concurrent use.
type Versions struct {
	mutex sync.RWMutex
	known map[versionKey]int64
}

type versionKey struct {
	companyID int64
	part      Part
}

// Of returns the version of a part of a company's data, 0 for none.
func (v *Versions) Of(companyID int64, part Part) int64 {
	v.mutex.RLock()
	defer v.mutex.RUnlock()
	return v.known[versionKey{companyID, part}]
}

// Reach notes a version. A lower one than is known arrived late and changes nothing.
func (v *Versions) Reach(companyID int64, part Part, version int64) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.known == nil {
		v.known = map[versionKey]int64{}
	}
	key := versionKey{companyID, part}
	v.known[key] = max(v.known[key], version)
}
