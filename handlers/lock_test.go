package handlers_test

import (
	"fmt"
	"testing"

	"officeconsole/queries/queriestest"
)

const locksPath = "/manage/security/locks"

func TestLocksPage(t *testing.T) {
	s := newSite(t)
	admin, other := s.as(queriestest.Admin), s.as(queriestest.OtherAdmin)
	admin.get(locksPath).want(200).shows("잠긴 계정이나 주소가 없습니다").hides("<table")
	for range 5 {
		s.fail("employee@hanbit.example")
	}
	admin.get(locksPath).want(200).shows("이준호", "employee@hanbit.example · <bdi>메신저팀", "5번", "10:10", "잠긴 주소가 없습니다", `href="/manage/security/access?user_id=2"`)
	other.get(locksPath).want(200).shows("잠긴 계정이나 주소가 없습니다").hides("이준호")
	for i := range 45 {
		s.fail(fmt.Sprintf("nobody%d@hanbit.example", i))
	}
	admin.get(locksPath).want(200).shows("127.0.0.1", "계정 46개에 실패 50번", `href="/manage/security/access?q=127.0.0.1"`)
	admin.get("/en"+locksPath).want(200).shows("50 failures, accounts: 46", "Unlock 이준호").hides("⟦")
	admin.get("/ja" + locksPath).want(200).shows("アカウント46件で失敗50回").hides("⟦")

	other.post(locksPath + "/people/2/delete").want(404)
	other.post(locksPath+"/addresses/delete", "address", "127.0.0.1").leads(locksPath)
	other.get(locksPath).shows("이미 잠금이 풀려 있습니다.")
	for _, address := range []string{"", "x", "127.0.0.0/8"} {
		admin.post(locksPath+"/addresses/delete", "address", address).want(404)
	}
	admin.get(locksPath).want(200).shows("127.0.0.1", "이준호")

	admin.post(locksPath + "/people/2/delete").leads(locksPath)
	admin.get(locksPath).want(200).shows("잠금을 해제했습니다.", "잠긴 계정이 없습니다", "127.0.0.1").hides("employee@hanbit.example")
	admin.post(locksPath + "/people/2/delete").leads(locksPath)
	admin.get(locksPath).shows("이미 잠금이 풀려 있습니다.")
	s.nobody().post("/login", "email", "employee@hanbit.example", "password", queriestest.Password).want(422).shows("잠")
	admin.post(locksPath+"/addresses/delete", "address", "127.0.0.1").leads(locksPath)
	admin.get(locksPath).want(200).shows("잠긴 계정이나 주소가 없습니다")
	s.as(queriestest.Employee)

	admin.get(accessPath+"?kind=unlocked").want(200).shows("127.0.0.1", "이준호", "IP 주소").hides("서비스 토큰</td>")
	admin.get("/manage/security/changes?object=address").want(200).shows("127.0.0.1", "잠금 해제")
}
