package handlers_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest"
)

func TestDeletedPolicies(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const deleted = policiesPath + "?status=deleted"
	admin.get(deleted).want(200).shows("삭제된 정책이 없습니다", "30일", `<option value="deleted" selected>삭제됨, 30일`).hides("<table")
	asked := admin.get(salesPath + "/delete").want(200)
	admin.post(salesPath+"/delete", "version_no", asked.field("version_no")).leads(policiesPath)
	admin.get(policiesPath) // takes the toast with its undo
	admin.get(deleted).want(200).shows("<bdi>영업본부 외근 정책", `action="`+salesPath+`/restore"`, "복원").hides("data-pick", "연구소 보안 정책")
	admin.get(policiesPath).hides("<bdi>영업본부 외근 정책")
	admin.get("/policies/workingattitude/management?status=deleted").want(200).hides("<bdi>영업본부 외근 정책")
	admin.get(deleted + "&q=영업").want(200).shows("<bdi>영업본부 외근 정책")
	admin.get(deleted + "&q=zzzz").want(200).shows("조건에 맞는 정책이 없습니다").hides("<table")
	admin.get("/en"+deleted).want(200).shows("Deleted policies", "Restore until")
	admin.get("/ja"+deleted).want(200).shows("削除したポリシー", "復元期限")
	for _, wrong := range []string{"gone", "deleted&cursor=x"} {
		admin.get(policiesPath + "?status=" + wrong).want(404)
	}

	s.clock.Advance(29 * 24 * time.Hour)
	s.as(queriestest.Admin).post(salesPath + "/restore").leads(policiesPath)
	admin = s.as(queriestest.Admin)
	admin.get(policiesPath).want(200).shows("<bdi>영업본부 외근 정책")
	admin.get(deleted).hides("<bdi>영업본부 외근 정책")

	s.exec("update policies set deleted_at = $1 where id = 5", s.clock.Now().Add(-30*24*time.Hour))
	admin.get(deleted).want(200).shows("삭제된 정책이 없습니다")
}

func TestDeletedLinks(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const deleted = linksPath + "?status=deleted"
	admin.get(linksPath).want(200).shows(`href="` + deleted + `"`)
	admin.get(deleted).want(200).shows("삭제된 링크가 없습니다", "30일").hides("<table")
	admin.addLinks("wiki", "mail", "shop")
	wiki := s.linkPath("wiki", "")
	admin.post(wiki + "/delete").leads(linksPath)
	admin.get(linksPath) // takes the toast with its undo
	admin.get(deleted).want(200).shows("<bdi>wiki", `action="`+wiki+`/restoration?back=%2Fmanage%2Flink%2Fcommon%3Fstatus%3Ddeleted"`, `<option value="deleted" selected>삭제됨, 30일`, "2</b>/50").hides("<bdi>mail", "data-order-handle")
	admin.get(deleted + "&visible=no").want(200).shows("<bdi>wiki") // the filter of the other list does not apply
	admin.get(deleted + "&q=wiki").want(200).shows("<bdi>wiki")
	admin.get(deleted + "&q=mail").want(200).shows("조건에 맞는 링크가 없습니다")
	admin.get("/en"+deleted).want(200).shows("Deleted links", "Restore until", "Restore wiki")
	admin.get("/ja"+deleted).want(200).shows("削除したリンク", "復元期限")
	for _, wrong := range []string{"gone", "deleted&cursor=x"} {
		admin.get(linksPath + "?status=" + wrong).want(404)
	}

	s.clock.Advance(29 * 24 * time.Hour)
	admin = s.as(queriestest.Admin)
	admin.post(wiki + "/restoration").leads(linksPath)
	if order := admin.order(); order != "wiki mail shop" {
		t.Errorf("the links are %s", order)
	}
	s.exec("update links set deleted_at = $1 where name = 'wiki'", s.clock.Now().Add(-30*24*time.Hour))
	admin.get(deleted).want(200).shows("삭제된 링크가 없습니다")
	admin.post(wiki + "/restoration").want(404)
}

func TestDeletedLinkPages(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	s.exec(`insert into links (company_id, position, name, description, url, visible, icon_visible, banner, updated_at, deleted_at)
		select $1, 1, 'link ' || lpad(n::text, 3, '0'), '', 'https://example.com/', true, false, '', $2::timestamptz, $2::timestamptz - make_interval(mins => n / 2)
		from generate_series(1, 120) n`, queriestest.Hanbit, s.clock.Now())
	first := admin.get(linksPath+"?status=deleted").want(200).shows("<bdi>link 001", "<bdi>link 051", "전체 120개 중 1–50").hides("<bdi>link 050") // of two at the same time the later one is first
	second := admin.get(first.next("next")).want(200).shows("전체 120개 중 51–100")
	third := admin.get(second.next("next")).want(200).shows("전체 120개 중 101–120")
	admin.get(second.next("prev")).want(200).shows("<bdi>link 001", "전체 120개 중 1–50")
	names := map[string]bool{}
	for _, page := range []answer{first, second, third} {
		for _, name := range regexp.MustCompile(`<bdi>(link \d+)`).FindAllStringSubmatch(page.body, -1) {
			names[name[1]] = true
		}
	}
	if len(names) != 120 {
		t.Errorf("the pages show %d links", len(names))
	}
	_, query, _ := strings.Cut(first.next("next"), "?")
	admin.get(policiesPath + "?" + query).want(404) // the cursor of another list
}
