package setting

import (
	"context"
	"strings"
	"testing"

	"officeconsole/locales"
	"officeconsole/views/viewstest"
)

func TestFormChangesSentence(t *testing.T) {
	english := locales.NewContext(context.Background(), locales.English)
	fields := func(n int) []ChangedField { return make([]ChangedField, n) }
	for _, test := range []struct {
		details, settings, targets int
		want                       string
	}{
		{0, 0, 0, "Nothing has changed"}, {0, 1, 0, "1 setting changed"}, {0, 0, 2, "2 targets changed"},
		{1, 0, 0, "1 detail changed"}, {2, 3, 1, "2 details, 3 settings, 1 target changed"},
	} {
		c := FormChanges{fields(test.details), fields(test.settings), test.targets}
		if got := c.sentence(english); got != test.want {
			t.Errorf("%+v is %q", test, got)
		}
	}
}

func TestChangesText(t *testing.T) {
	changes := FormChanges{[]ChangedField{{"name", "이름"}}, []ChangedField{{"setting-session_time_sec", "세션 유지 시간"}}, 2}
	_, html := viewstest.Render(t, locales.Korean, ChangesText(changes))
	for _, part := range []string{
		"기본 정보 1개, 설정 1개, 대상 2개 변경", "설정 {n}개", `href="#name">이름<`, `href="#setting-session_time_sec">세션 유지 시간<`, `href="#policy-targets">적용 대상<`,
	} {
		if !strings.Contains(html, part) {
			t.Errorf("the bar has no %q: %s", part, html)
		}
	}
}

func TestAddressesAreNotBroken(t *testing.T) {
	text := "본사 203.0.113.0/25, 연구동 198.51.100.10-198.51.100.60, VPN 192.0.2.*, 1.5시간"
	_, html := viewstest.Render(t, locales.Korean, valueText(text))
	for _, address := range []string{"203.0.113.0/25", "198.51.100.10-198.51.100.60", "192.0.2.*"} {
		if !strings.Contains(html, `<span class="address">`+address+"</span>") {
			t.Errorf("%s is not one piece: %s", address, html)
		}
	}
	if strings.Count(html, "<span") != 3 || !strings.Contains(html, "1.5시간") {
		t.Errorf("the rest is changed: %s", html)
	}
}
