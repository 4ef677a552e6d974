package setting

import (
	"slices"
	"testing"

	"officeconsole/locales"
	"officeconsole/settings"
	"officeconsole/views/viewstest"
)

func parsed(t *testing.T, kind settings.Kind, differences string) settings.Values {
	t.Helper()
	values, errors := settings.Parse(kind, []byte(differences))
	if len(errors) > 0 {
		t.Fatal(errors)
	}
	return values
}

func TestSummaryInWords(t *testing.T) {
	tests := []struct {
		kind        settings.Kind
		differences string
		ko, en, ja  string
	}{
		{settings.Communication, `{}`, "", "", ""},
		{settings.Communication, `{"session_time_sec": 1800}`, "세션 유지 시간 30분", "Session time: 30 min", "セッション時間 30分"},
		{settings.Communication, `{"file_save": {"mobile": "view_only"}}`, "파일 저장(모바일 보기만)", "File saving (Mobile: View only)", "ファイル保存（モバイル 閲覧のみ）"},
		{settings.Communication, `{"mobile_session_days": 1, "login_platforms": ["pc", "web"]}`, "로그인 허용 환경 PC, 웹 · 모바일 로그인 유지 1일", "Allowed platforms: PC, Web · Mobile login duration: 1 day", "ログイン許可環境 PC、Web · モバイルログイン期間 1日"},
	}
	for _, test := range tests {
		points := settings.Summary(parsed(t, test.kind, test.differences))
		for l, want := range map[locales.Locale]string{locales.Korean: test.ko, locales.English: test.en, locales.Japanese: test.ja} {
			if got := SummaryText(locales.NewContext(t.Context(), l), points, nil); got != want {
				t.Errorf("%s of %s is %q, want %q", l, test.differences, got, want)
			}
		}
	}
}

func TestChangesInWords(t *testing.T) {
	old := parsed(t, settings.Communication, `{"allowed_ip_mode": "listed", "allowed_ip_ranges": [{"location_name": "본사", "range": "203.0.113.0/24"}], "ip_exempt_user_ids": [7]}`)
	next := parsed(t, settings.Communication, `{"allowed_ip_mode": "listed", "allowed_ip_ranges": [{"location_name": "VPN", "range": "192.0.2.*"}], "ip_exempt_user_ids": [9, 11], "file_save": {"web": "block"}}`)
	p, _ := viewstest.Render(t, locales.Korean, ChangeList(settings.Diff(old, next), People{7: "이준호", 9: "최유진"}))
	want := []string{"허용 IP 대역", "IP 제한 예외", "파일 저장 · 웹"}
	if got := p.Named("dt").Texts(); !slices.Equal(got, want) {
		t.Errorf("changed are %q", got)
	}
	want = []string{"삭제: 본사 203.0.113.0/24, 추가: + VPN 192.0.2.*", "삭제: 이준호, 추가: + 최유진, 1명", "허용 → 차단"}
	if got := p.Named("dd").Texts(); !slices.Equal(got, want) {
		t.Errorf("the changes are %q", got)
	}
}

func TestNeighboursAreToldTogether(t *testing.T) {
	for _, s := range settings.Settings(settings.WorkingAttitude) {
		if s.Key != "week" {
			continue
		}
		got := ValueText(t.Context(), settings.Defaults(settings.WorkingAttitude).Value(s), nil)
		if want := "월요일·화요일·수요일·목요일·금요일 09:00–18:00, 토요일 휴무일, 일요일 주휴일"; got != want {
			t.Errorf("the week is %q, want %q", got, want)
		}
	}
}

// A place has a name, which says more than its coordinates. Those tell where a
// place was moved from and to.
func TestPlacesAreToldByName(t *testing.T) {
	policy := func(places string) settings.Values {
		return parsed(t, settings.WorkingAttitude, `{"gps_mode": "require", "places": [`+places+`]}`)
	}
	office, moved := policy(`{"name": "본사", "lat": 37.5, "lng": 127}`), policy(`{"name": "본사", "lat": 37.6, "lng": 127}`)
	branch := policy(`{"name": "판교 연구동", "lat": 37.4, "lng": 127.1, "radius_m": 200}`)
	for want, c := range map[string][2]settings.Values{
		"삭제: 본사 100m, 추가: + 판교 연구동 200m":               {office, branch},
		"삭제: 본사 37.5 127 100m, 추가: + 본사 37.6 127 100m": {office, moved},
	} {
		p, _ := viewstest.Render(t, locales.Korean, ChangeList(settings.Diff(c[0], c[1]), nil))
		if got := p.Named("dd").Texts(); !slices.Equal(got, []string{want}) {
			t.Errorf("the changes are %q, want %q", got, want)
		}
	}
	for _, s := range settings.Settings(settings.WorkingAttitude) {
		if s.Key != "places" {
			continue
		}
		if got := ValueText(t.Context(), office.Value(s), nil); got != "본사 100m" {
			t.Errorf("the places are %q", got)
		}
		if got := ExactText(t.Context(), office.Value(s), nil); got != "본사 37.5 127 100m" {
			t.Errorf("the exact places are %q", got)
		}
	}
}
