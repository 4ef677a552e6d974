package provisioning

import (
	"errors"
	"strings"
	"testing"
)

// FuzzFilter looks for filters that are neither read nor refused, or that become SQL
// with a text of their own.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{
		`userName eq "a"`, `not (active eq true) and (title pr or name.familyName co "김")`, `emails[type eq "work" and value ew "@x"]`, `groups.value eq "7"`,
		`urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber gt "1"`, `externalId eq null`, `meta.created ge "2026-01-01T00:00:00Z"`,
		`a eq 1e9`, `((((a pr))))`, `userName eq "';--"`, `userName eq "\""`, "\x00", `members[value eq "1"]`, `active eq "False" or active ne false`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParseFilter(text)
		if err != nil {
			if refused := (Refusal{}); !errors.As(err, &refused) || refused.Kind != InvalidFilter || refused.Why == "" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if parsed.expression == nil {
			return
		}
		for _, of := range []attributes{userAttributes, departmentAttributes} {
			s := statement{of, []any{int64(1)}}
			condition, err := s.condition(parsed.expression, false)
			if refused := (Refusal{}); err != nil && (!errors.As(err, &refused) || refused.Kind != InvalidFilter) {
				t.Fatalf("%q: %v", text, err)
			}
			if strings.Count(condition, "(") != strings.Count(condition, ")") || strings.Count(condition, "'")%2 != 0 || strings.ContainsAny(condition, ";\"\\") {
				t.Fatalf("%q: %s", text, condition)
			}
		}
	})
}

func FuzzPath(f *testing.F) {
	for _, seed := range []string{`members[value eq "1"]`, `name.familyName`, `emails[type eq "work"].value`, `urn:ietf:params:scim:schemas:core:2.0:User:name`, `a[`, "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParsePath(text); err != nil {
			if refused := (Refusal{}); !errors.As(err, &refused) || refused.Kind != InvalidPath {
				t.Fatalf("%q: %v", text, err)
			}
		}
	})
}

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a pr": 0, "(a pr)": 1, "a[(b pr)] and (c pr)": 2, `a eq "((("`: 0, `a eq "\"(" and (b pr)`: 1, "))((": 0} {
		if got := depth(text); got != want {
			t.Errorf("%s: %d, not %d", text, got, want)
		}
	}
}
