package handlers_test

import (
	"strconv"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestMapServices(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const page = "/manage/use/map"
	s.exec("update companies set map_licenses = '[]'")
	admin.get(page).want(200).shows("지도 서비스", `name="0.key"`, `<option value="VWorld" selected`).hides("미리보기", `name="1.key"`, `name="0.delete"`)
	admin.get("/en"+page).want(200).shows("Map services", "Another service").hides("⟦")
	admin.get("/ja" + page).want(200).shows("地図サービス").hides("⟦")
	s.as(queriestest.Manager).get(page).leads("/logs/workingattitude/day")

	// A service that the console knows needs a key only.
	admin.post(page, "version", "0", "0.service", "VWorld", "0.key", "AB12-CD34").leads(page)
	admin.get(page).want(200).shows("지도 서비스를 저장했습니다.", `value="AB12-CD34"`, "미리보기", `data-island="map"`, "req/wmts/1.0.0/AB12-CD34/Base", `name="1.key"`)
	if csp := admin.get(page).header.Get("Content-Security-Policy"); !strings.Contains(csp, "connect-src 'self' https://api.vworld.kr;") {
		t.Errorf("the page may not ask the service: %s", csp)
	}

	// Another service needs everything; nothing that was typed is lost.
	typed := []string{"version", "1", "0.service", "VWorld", "0.key", "AB12-CD34", "1.service", "custom", "1.key", "k", "1.provider", "사내 지도", "1.tile_url", "http://tiles.example/{z}/{x}/{y}.png"}
	admin.post(page, typed...).want(422).shows("지도 서비스를 저장하지 못했습니다", "지도 서비스 2: https로 시작하고", "저작권 표시를 입력해 주세요.", `value="사내 지도"`, `id="1.tile_url"`, `aria-invalid="true"`)
	typed[len(typed)-1] = "https://tiles.example/{z}/{x}/{y}.png?k={key}"
	typed = append(typed, "1.attribution", "© 한빛")
	admin.post(page, typed...).leads(page)
	admin.post(page, typed...).want(409).shows("김서연", `value="사내 지도"`, `name="version" value="2"`)
	admin.post(page, "version", "x").want(422)

	// The change log shows it, and takes it back.
	admin.get("/manage/security/changes?open=" + strconv.Itoa(s.lastChange())).want(200).shows("사내 지도 (tiles.example, …k)")
	admin.post("/manage/security/changes/" + strconv.Itoa(s.lastChange()) + "/reversal").want(303)
	admin.get(page).want(200).hides("사내 지도").shows("AB12-CD34")
	admin.post(page, "version", "3", "0.service", "VWorld", "0.key", "AB12-CD34", "0.delete", "1").leads(page)
	admin.get(page).want(200).hides("AB12-CD34", "미리보기")
	if s.count("select jsonb_array_length(map_licenses) from companies where id = 2") != s.count("select jsonb_array_length(map_licenses) from companies where id = 1") {
		t.Error("another company's services were changed, or these were not")
	}
}
