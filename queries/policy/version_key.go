package policy

import (
	"fmt"
	"strconv"
	"strings"

	"officeconsole/queries"
)

// VersionKey identifies a version of a policy.
type VersionKey struct {
	PolicyID int64
	No       int32
}

// String returns the key as addresses and forms have it: "5-2".
func (k VersionKey) String() string { return fmt.Sprintf("%d-%d", k.PolicyID, k.No) }

// ParseVersionKey reads what String wrote; anything else is NotFound.
func ParseVersionKey(text string) (VersionKey, error) {
	id, no, _ := strings.Cut(text, "-")
	policyID, err := strconv.ParseInt(id, 10, 64)
	number, noErr := strconv.ParseInt(no, 10, 32)
	if err != nil || noErr != nil || policyID <= 0 || number <= 0 {
		return VersionKey{}, fmt.Errorf("version %q: %w", text, queries.NotFound)
	}
	return VersionKey{policyID, int32(number)}, nil
}
