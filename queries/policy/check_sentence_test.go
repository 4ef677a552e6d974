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
