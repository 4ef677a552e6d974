package main

import "sync"

// kind is a kind of write.
type kind string

const (
	events   kind = "events"
	policies kind = "policies"
	notices  kind = "notices"
	tokens   kind = "tokens"
)

var kinds = []kind{events, policies, notices, tokens}

// ledger is what consoles have acknowledged, and what they may have done although no
// answer came. Every write has a name that no other write has: the id of an event, the
// description of a policy's version, the title of a notice, the name of a token.
type ledger struct {
	mu           sync.Mutex
	acknowledged map[kind]map[string]bool
	unknown      map[kind]map[string]bool
	versions     map[string]version // acknowledged ones, by their descriptions
	secrets      map[string]string  // of acknowledged tokens, by their names
}

// version is a version of a policy as its save was acknowledged.
type version struct {
	policy int64
	no     int
}

func newLedger() *ledger {
	l := &ledger{acknowledged: map[kind]map[string]bool{}, unknown: map[kind]map[string]bool{}, versions: map[string]version{}, secrets: map[string]string{}}
	for _, k := range kinds {
		l.acknowledged[k], l.unknown[k] = map[string]bool{}, map[string]bool{}
	}
	return l
}

// acknowledge adds writes that were answered with success. It forgets that an earlier
// attempt was not answered.
func (l *ledger) acknowledge(k kind, names ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		l.acknowledged[k][name] = true
		delete(l.unknown[k], name)
	}
}

func (l *ledger) acknowledgeVersion(name string, v version) {
	l.acknowledge(policies, name)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.versions[name] = v
}

func (l *ledger) acknowledgeToken(name, secret string) {
	l.acknowledge(tokens, name)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.secrets[name] = secret
}

// leaveOpen adds writes that may have been done.
func (l *ledger) leaveOpen(k kind, names ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		if !l.acknowledged[k][name] {
			l.unknown[k][name] = true
		}
	}
}

func (l *ledger) count(k kind) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.acknowledged[k])
}
