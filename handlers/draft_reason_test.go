package handlers_test

import (
	"fmt"
	"testing"

	"officeconsole/queries/queriestest"
)

// draftFor is a form that replaces the sales policy's target 해외영업팀 by 영업본부 with
// its subtree.
var draftFor = newForm.with("target", "department:2", "session_time_sec", "30", "action", "review")

func TestDraftReason(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const create = "/policies/communication"
	asked := admin.post(create, draftFor...).want(200).
		shows("사람별로 적용 이유 확인", "이 변경의 영향을 받는 사람 중 일부입니다.", "박지민", "최유진").hides("Olivia Martin", "김철수", "이준호", `open class="draft-reason"`)
	if got := asked.steps(); len(got) > 0 {
		t.Errorf("nobody was chosen, but the way is %q", got)
	}

	of := func(user int64) answer {
		return admin.post(create, draftFor.with("person", fmt.Sprint(user))...).want(200).shows("정책을 만드시겠습니까?", `name="reviewed"`)
	}
	gains := of(queriestest.Viewer).shows("저장하면 박지민 님에게 적용되는 정책", "기본 정책 (기본)", "새 정책 (상속됨 · 영업본부)", "세션 유지 시간", "이 부서에 적용한 정책을 상속합니다.")
	if got := fmt.Sprint(gains.steps()); got != "[박지민 영업본부]" {
		t.Errorf("the way is %s", got)
	}
	stays := of(queriestest.Kim).shows("영업본부 외근 정책 (상속됨 · 국내영업팀)", "이 사람의 설정은 바뀌지 않습니다.").hides("새 정책 (상속됨")
	if got := fmt.Sprint(stays.steps()); got != "[김철수 국내영업팀]" {
		t.Errorf("the way is %s", got)
	}
	admin.post(create, draftFor.with("person", "11")...).want(404) // user of another company
	admin.post(create, draftFor.with("person", fmt.Sprint(queriestest.Bot))...).want(404)
	admin.post(create, draftFor.with("person", "x")...).want(404)

	find := func(text string) answer { return admin.post(create, draftFor.with("person_q", text)...).want(200) }
	const opens = `value="edit" data-dismiss autofocus>` // the review opens on going back to the form
	asked.shows(opens)
	gains.hides(opens)
	find("철수").hides(opens).shows("찾은 사람입니다.", "김철수", "국내영업팀").hides("박지민")
	find("없는사람").shows("찾은 사람이 없습니다.")
	find("철").shows("2자 이상", `value="철"`)
	find("공지봇").shows("찾은 사람이 없습니다.")
	admin.post("/en"+create, draftFor.with("person", "3")...).want(200).shows("What applies to 박지민 once this is saved", "새 정책 (Inherited · 영업본부)")
	admin.post("/ja"+create, draftFor.with("person", "3")...).want(200).shows("保存後に박지민さんに適用されるポリシー")
}

// A planned draft is explained at its start, and a change of an existing policy
// is compared with the current one.
func TestDraftReasonOfAPlan(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	f := admin.formOf(salesPath).with("session_time_sec", "20", "when", "time", "at", "2026-12-01T09:00", "action", "review", "person", fmt.Sprint(queriestest.Kim))
	admin.post(salesPath, f...).want(200).shows("영업본부 외근 정책 (상속됨 · 국내영업팀)", "10분", "20분").hides("아직 해당하지 않습니다")
}

// Enter in the search for a person searches; it does not apply the draft.
func TestEnterLooksForAPerson(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	asked := admin.post("/policies/communication", draftFor...).want(200)
	yes := draftFor.with("action", "apply", "reviewed", asked.field("reviewed"))
	admin.post("/policies/communication", yes.with("person_q", "철수", "person_searched", "")...).want(200).shows("김철수", "정책을 만드시겠습니까?")
	admin.post("/policies/communication", yes.with("person_q", "철수", "person_searched", "철수")...).leads(policiesPath)
}
