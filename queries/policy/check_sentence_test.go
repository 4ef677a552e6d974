package policy_test

import (
	"testing"

	"officeconsole/locales"
	"officeconsole/queries/policy"
	"officeconsole/queries/queriestest"
	"officeconsole/settings"
)

// A check of one person says nothing of "all of" them.
func TestSentenceOfOnePerson(t *testing.T) {
	kim := queriestest.UserTarget(queriestest.Kim)
	kim.Name = "김철수"
	lee := queriestest.UserTarget(queriestest.Japanese)
	lee.Name = "이영희"
	sales := queriestest.DepartmentTarget(queriestest.Sales)
	sales.Name = "영업본부"
	atMost := settings.Expectation{Relation: settings.AtMost, Key: "file_max_mb", Value: "100"}
	saving := settings.Expectation{Relation: settings.IsNot, Key: "file_save", Part: settings.Mobile, Value: "allow"}
	for _, test := range []struct {
		name       string
		draft      policy.CheckDraft
		ko, en, ja string
	}{
		{"every", policy.CheckDraft{Targets: []policy.Target{kim}, Quantifier: policy.Every, Expectation: atMost},
			"김철수 님에게 ‘파일 최대 크기(MB)’ 값이 100MB 이하여야 합니다.", "“Maximum file size” must be at most 100 MB for 김철수.", "김철수さんの「最大サイズ」は100MB以下でなければなりません。"},
		{"some", policy.CheckDraft{Targets: []policy.Target{kim}, Quantifier: policy.Some, Expectation: atMost},
			"김철수 님에게 ‘파일 최대 크기(MB)’ 값이 100MB 이하여야 합니다.", "“Maximum file size” must be at most 100 MB for 김철수.", "김철수さんの「最大サイズ」は100MB以下でなければなりません。"},
		{"none", policy.CheckDraft{Targets: []policy.Target{kim}, Quantifier: policy.Every, Expectation: saving},
			"김철수 님이 모바일에서 파일을 저장할 수 없어야 합니다.", "Saving files on Mobile must not be possible for 김철수.", "김철수さんは、モバイルでファイルを保存できない設定でなければなりません。"},
		{"two people", policy.CheckDraft{Targets: []policy.Target{kim, lee}, Quantifier: policy.Every, Expectation: saving},
			"김철수·이영희 전원이 모바일에서 파일을 저장할 수 없어야 합니다.", "Saving files on Mobile must not be possible for any of 김철수·이영희.", "김철수·이영희の全員は、モバイルでファイルを保存できない設定でなければなりません。"},
		{"one department", policy.CheckDraft{Targets: []policy.Target{sales}, Quantifier: policy.Some, Expectation: atMost},
			"영업본부 사람 중 한 명 이상에게 ‘파일 최대 크기(MB)’ 값이 100MB 이하여야 합니다.", "“Maximum file size” must be at most 100 MB for at least one person in 영업본부.", "영업본부のうち1人以上の「最大サイズ」は100MB以下でなければなりません。"},
	} {
		for i, want := range []string{test.ko, test.en, test.ja} {
			if got := test.draft.Sentence("communication", locales.All()[i]); got != want {
				t.Errorf("%s: got %q, want %q", test.name, got, want)
			}
		}
	}
}

// What a sentence does not name is counted as what it is.
func TestSentenceOfManyTargets(t *testing.T) {
	person := func(name string) policy.Target { return policy.Target{Type: policy.UserTarget, ID: 1, Name: name} }
	department := func(name string) policy.Target {
		return policy.Target{Type: policy.DepartmentTarget, ID: 1, Name: name}
	}
	saving := settings.Expectation{Relation: settings.IsNot, Key: "file_save", Value: "allow"}
	for _, test := range []struct {
		name       string
		targets    []policy.Target
		ko, en, ja string
	}{
		{"people", []policy.Target{person("가"), person("나"), person("다"), person("라"), person("마")},
			"가·나·다 외 2명 전원이 파일을 저장할 수 없어야 합니다.", "Saving files must not be possible for any of 가·나·다 and 2 more.", "가·나·다ほか2人の全員は、ファイルを保存できない設定でなければなりません。"},
		{"departments", []policy.Target{department("가"), department("나"), department("다"), department("라"), department("마")},
			"가·나·다 외 2개 부서의 모든 사람이 파일을 저장할 수 없어야 합니다.", "Saving files must not be possible for anyone in 가·나·다 and 2 more.", "가·나·다ほか2部署の全員は、ファイルを保存できない設定でなければなりません。"},
		{"people behind departments", []policy.Target{person("라"), department("가"), person("마"), department("나"), department("다")},
			"가·나·다 외 2명 전원이 파일을 저장할 수 없어야 합니다.", "Saving files must not be possible for any of 가·나·다 and 2 more.", "가·나·다ほか2人の全員は、ファイルを保存できない設定でなければなりません。"},
		{"both", []policy.Target{person("마"), department("가"), department("나"), department("다"), department("라")},
			"가·나·다 외 대상 2개 전원이 파일을 저장할 수 없어야 합니다.", "Saving files must not be possible for any of 가·나·다 and 2 more.", "가·나·다ほか2件の全員は、ファイルを保存できない設定でなければなりません。"},
	} {
		draft := policy.CheckDraft{Targets: test.targets, Quantifier: policy.Every, Expectation: saving}
		for i, want := range []string{test.ko, test.en, test.ja} {
			if got := draft.Sentence("communication", locales.All()[i]); got != want {
				t.Errorf("%s: got %q, want %q", test.name, got, want)
			}
		}
	}
}

// A check says the same when it is read as when its targets were chosen, in whatever
// order, so that a name taken from the sentence is recognized.
func TestSentenceOfAStoredCheck(t *testing.T) {
	db := queriestest.New(t)
	targets, err := db.Policies.NameTargets(t.Context(), queriestest.Hanbit, []policy.Target{
		queriestest.UserTarget(queriestest.Kim), queriestest.DepartmentTarget(queriestest.Research), queriestest.UserTarget(queriestest.Admin),
		queriestest.DepartmentTarget(queriestest.Domestic), queriestest.UserTarget(queriestest.Employee),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, targets := range [][]policy.Target{targets, {targets[4], targets[3], targets[2], targets[1], targets[0]}} {
		draft := policy.CheckDraft{Targets: targets, Quantifier: policy.Every, Severity: policy.Stop, Expectation: settings.Expectation{Relation: settings.IsNot, Key: "file_save", Value: "allow"}}
		draft.Name = draft.Sentence("communication", locales.All()[0])
		saved := saveCheck(t, db, policy.CheckChange{Kind: "communication", Draft: &draft})
		stored, err := db.Policies.Check(t.Context(), queriestest.Hanbit, "communication", saved.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []policy.Check{saved, stored} {
			if got := c.Sentence("communication", locales.All()[0]); got != c.Name {
				t.Errorf("says %q, was chosen as %q", got, c.Name)
			}
		}
	}
}
