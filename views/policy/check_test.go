package policy

import (
	"testing"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/settings"
)

// The sentence of a check as its name says nothing more, also while people whom it names
// are hidden.
func TestIsCheckSentence(t *testing.T) {
	named := func(names ...string) (d policy.CheckDraft) {
		d = policy.CheckDraft{Quantifier: policy.Every, Expectation: settings.Expectation{Relation: settings.IsNot, Key: "file_save", Part: settings.Mobile, Value: "allow"}}
		for i, name := range names {
			d.Targets = append(d.Targets, policy.Target{Type: policy.UserTarget, ID: int64(i + 1), Name: name})
		}
		return d
	}
	for _, l := range locales.All() {
		name := named("김철수", "이(영희)").Sentence("communication", l)
		for _, test := range []struct {
			draft policy.CheckDraft
			name  string
			want  bool
		}{
			{named("김철수", "이(영희)"), name, true},
			{named(policy.HiddenName, "이(영희)"), name, true},
			{named(policy.HiddenName, policy.HiddenName), name, true},
			{named("이영희", policy.HiddenName), name, false},
			{named("김철수", "이(영희)"), "모바일 저장 금지", false},
			{named(policy.HiddenName, "이(영희)"), "모바일 저장 금지", false},
		} {
			test.draft.Name = test.name
			if got := IsCheckSentence(settings.Communication, test.draft); got != test.want {
				t.Errorf("%q of %v: got %t", test.name, test.draft.Targets, got)
			}
		}
	}
}
