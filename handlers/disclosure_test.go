package handlers_test

import (
	"strconv"
	"testing"

	"officeconsole/queries/queriestest"
)

func TestDisclosureForm(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	const page, path = "/manage/security/retention", "/manage/security/disclosure"
	const phones, devices, addresses = `name="personal_phones" value="1" checked`, `name="device_ids" value="1" checked`, `name="ip_addresses" value="1" checked`
	admin.get(page).want(200).shows("열람 권한자에게 보이는 개인정보", `name="personal_phones" value="1"`).hides(phones, devices, addresses)
	admin.get("/en" + page).want(200).shows("Personal data that viewers see").hides("⟦")
	admin.get("/ja" + page).want(200).shows("閲覧権限者に表示する個人情報").hides("⟦")
	admin.post(path, "version", "0", "personal_phones", "1").leads(page)
	admin.get(page).want(200).shows("열람 권한자에게 보이는 개인정보를 저장했습니다.", phones).hides(devices)
	admin.post(path, "version", "0", "device_ids", "1").want(409).shows("김서연", devices, `name="version" value="1"`).hides(phones)
	admin.post(path, "version", "x").want(422)
	admin.post(path, "version", "1", "device_ids", "1", "ip_addresses", "1").leads(page)
	admin.get(page).want(200).shows(devices, addresses).hides(phones)

	admin.get("/en/manage/security/changes?object=disclosure").want(200).shows("Personal data for viewers", "Personal phone numbers")
	admin.post("/manage/security/changes/" + strconv.Itoa(s.lastChange()) + "/reversal").want(303)
	admin.get(page).want(200).shows(phones).hides(devices, addresses)
	s.as(queriestest.OtherAdmin).get(page).want(200).hides(phones, devices)
	s.as(queriestest.Manager).post(path, "version", "3").leads("/logs/workingattitude/day")
}
