package handlers_test

import (
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// While a policy is edited, the page asks whom saving it would affect. Nothing is saved.
func TestPolicyReach(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	admin.get(standardPath).want(200).shows(`data-reach="`+standardPath+`/reach"`, `popovertarget="reach"`)
	admin.get("/en/policies/communication").want(200).shows(`data-reach="/en/policies/communication/reach"`, "Who is affected when you save")
	f := admin.formOf(standardPath).with("file_save.mobile", "view_only", "session_time_sec", "20")
	counted := admin.post(standardPath+"/reach", f...).want(200)
	counted.shows(`id="reach-text"`, `id="reach-body"`, "3명 저장 불가", `class="cover"`, `class="lose" x=`, "영업본부", "그 밖의 부서", "파일 저장", "세션 유지 시간").hides("style=", "<html")
	counted.shows(`data-reach-view="saving"`, "7명 중 3명이 파일을", "일부 저장 불가", `data-reach-view="moving"`, "7명 중 0명에게 다른 정책이", "이동 없음") // every view of the map
	counted.shows("3명이 파일을 더 이상 저장할 수 없습니다. 명단 보기", "<bdi>김서연</bdi>").hides("외 ")
	admin.get(standardPath).want(200).shows(`name="reach-view" value="saving"`, "정책 이동")
	admin.post("/en"+standardPath+"/reach", f...).want(200).shows("3 cannot save", "Other departments", "Areas are proportional to people")
	admin.post("/ja"+standardPath+"/reach", f...).want(200).shows("3人が保存不可", "その他の部署")
	// The review has the same counts.
	admin.post(standardPath, append(f, "action", "review")...).want(200).shows("3명의 적용 내용이 바뀝니다", "설정 변경 3명 · 3명 저장 불가")
	admin.post(standardPath+"/reach", admin.formOf(standardPath)...).want(200).shows("바뀌는 사람 없음").hides(`class="lose" x=`)

	created := newForm.with("targets", `[{"type":"department","id":3,"include_children":true}]`, "session_time_sec", "30")
	admin.post("/policies/communication/reach", created...).want(200).shows("새로 적용 1명") // the targets of others would move
	admin.post(standardPath+"/reach", f.with("name", "", "description", strings.Repeat("가", 201), "owner", "user:x")...).want(200).shows("3명 저장 불가")
	for _, wrong := range []form{f.with("session_time_sec", "1"), f.with("session_time_sec", "x")} {
		admin.htmx().post(standardPath+"/reach", wrong...).want(422).shows(`"code":`)
	}
	admin.post("/policies/communication/99/reach", f...).want(404)
	admin.post("/policies/workingattitude/1/reach", f...).want(404)
	if n := s.count("select count(*) from policy_versions where policy_id = 1"); n != 1 {
		t.Errorf("there are %d versions", n)
	}
	s.as(queriestest.Employee).post(standardPath+"/reach", f...).leads(employeeHome)
}
