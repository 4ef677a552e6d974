package usage

import "officeconsole/queries/directory"

// DisclosurePath is the address of the form about what viewers see, without language
// prefix.
const DisclosurePath = "/manage/security/disclosure"

// Disclosure is the form about which personal data viewers see. Typed is what it shows,
// which Stored may differ from.
type Disclosure struct {
	Stored, Typed directory.Disclosure
	Conflict      bool // whether somebody else has saved Stored in the meantime
}
