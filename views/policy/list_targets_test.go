package policy

import (
	"regexp"
	"strings"
	"testing"

	"officeconsole/locales"
	"officeconsole/queries/lists"
	"officeconsole/queries/policy"
	"officeconsole/views/viewstest"
)

func TestTargetsAreNamedWhole(t *testing.T) {
	named := func(names ...string) policy.Summary {
		p := policy.Summary{ID: 7, TargetCount: len(names)}
		for i, name := range names {
			p.Targets = append(p.Targets, policy.ListedTarget{DepartmentID: int64(i + 1), Name: name})
		}
		return p
	}
	for _, test := range []struct {
		policy              policy.Summary
		narrow, usual, wide int
	}{
		{named("인사팀"), 1, 1, 1},
		{named("국내영업팀", "해외영업팀"), 1, 2, 2},
		{named("메신저팀", "보안개발팀", "품질팀"), 1, 2, 3},
		{named("인사팀", "총무팀", "재무팀", "법무팀", "홍보팀"), 1, 2, 4},
		{named("Alexander Hamilton", "Benjamin Franklin"), 1, 1, 2},
		{named(strings.Repeat("긴", 60), "인사팀"), 1, 1, 1},
	} {
		for room, want := range []int{test.narrow, test.usual, test.wide} {
			if got := namedTargets(&test.policy, room); got != want {
				t.Errorf("%d of %v are named in room %d, want %d", got, test.policy.Targets, room, want)
			}
		}
	}
}

func TestOtherTargetsAreCountedForEachScreen(t *testing.T) {
	p := policy.Summary{ID: 7, Name: "P", TargetCount: 23}
	for _, name := range []string{"인사팀", "총무팀", "재무팀", "법무팀", "홍보팀"} {
		p.Targets = append(p.Targets, policy.ListedTarget{DepartmentID: 1, Name: name})
	}
	_, page := viewstest.Render(t, locales.English, listRows(List{Page: policy.ListPage{Page: lists.Page[policy.Summary]{Rows: []policy.Summary{p}}}}))
	var got []string
	for _, button := range regexp.MustCompile(`<button type="button" class="chip chip-more([^>]*?) popovertarget[^>]*>([^<]*)<`).FindAllStringSubmatch(page, -1) {
		got = append(got, button[2]+button[1])
	}
	if want := `+22 only-narrow", +21 not-wide" data-low, +19" data-high`; strings.Join(got, ", ") != want {
		t.Errorf("buttons %q, want %q", strings.Join(got, ", "), want)
	}
}
