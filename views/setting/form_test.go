package setting

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"officeconsole/locales"
	"officeconsole/settings"
	"officeconsole/views/viewstest"

	"pgregory.net/rapid"
)

var kinds = []settings.Kind{settings.Communication, settings.WorkingAttitude}

// submitted is what a browser would send for a page: the fields in order, with
// the checked boxes and the selected options.
func submitted(p viewstest.Page) url.Values {
	posted := url.Values{}
	for _, e := range p {
		name := e.Attr["name"]
		_, checked := e.Attr["checked"]
		switch {
		case name == "":
		case e.Name == "textarea":
			posted.Add(name, e.Text)
		case e.Name == "select":
			posted.Add(name, chosenOption(p, e))
		case e.Name != "input":
		case e.Attr["type"] != "checkbox" && e.Attr["type"] != "radio", checked:
			posted.Add(name, e.Attr["value"])
		}
	}
	return posted
}

func chosenOption(p viewstest.Page, list *viewstest.Element) string {
	options := p.Inside(list).Named("option")
	for _, o := range options {
		if _, ok := o.Attr["selected"]; ok {
			return o.Attr["value"]
		}
	}
	return options[0].Attr["value"]
}

func TestFormOfDefaultsGivesThemBack(t *testing.T) {
	for _, kind := range kinds {
		for _, l := range locales.All() {
			t.Run(string(kind)+" "+string(l), func(t *testing.T) {
				p, html := viewstest.Render(t, l, Fields(settings.FormOf(settings.Defaults(kind)), nil, Reader{}))
				checkSettings(t, p, html)
				got, errors := settings.FromForm(kind, submitted(p))
				if len(errors) > 0 || !got.Equal(settings.Defaults(kind)) {
					t.Errorf("the form gives %s, %v", got.Differences(), errors)
				}
				for _, s := range settings.Settings(kind) {
					if len(p.With("data-setting", s.Key).Named("div")) != 1 {
						t.Errorf("%s has no place", s.Key)
					}
				}
			})
		}
	}
}

// checkSettings checks what is true of every form of settings.
func checkSettings(t *testing.T, p viewstest.Page, html string) {
	t.Helper()
	for _, bad := range []string{"%!", "⟦", "⟧", "style=", "onclick", "<nil>"} {
		if strings.Contains(html, bad) {
			t.Errorf("the form contains %q", bad)
		}
	}
	viewstest.CheckReferences(t, p)
	for _, e := range p.All(func(e *viewstest.Element) bool {
		return slices.Contains([]string{"input", "select", "textarea"}, e.Name)
	}) {
		if e.Attr["type"] == "hidden" || e.Attr["data-none"] != "" {
			continue
		}
		if len(p.With("for", e.Attr["id"])) == 0 && e.Attr["aria-label"] == "" {
			t.Errorf("the %s %q has no label", e.Name, e.Attr["name"])
		}
	}
	for _, e := range p.Named("fieldset") {
		if len(p.Inside(e).Named("legend")) != 1 {
			t.Errorf("the group %q has no legend", e.Attr["id"])
		}
	}
}

// Submitting the form of a policy without a change gives the same values.
func TestFormGivesValuesBack(t *testing.T) {
	for _, kind := range kinds {
		rapid.Check(t, func(r *rapid.T) {
			values := anyValues(r, kind)
			view := Fields(settings.FormOf(values), nil, Reader{Before: settings.Defaults(kind)})
			p, html := viewstest.Render(t, rapid.SampledFrom(locales.All()).Draw(r, "language"), view)
			checkSettings(t, p, html)
			got, errors := settings.FromForm(kind, submitted(p))
			if len(errors) > 0 || !got.Equal(values) {
				r.Fatalf("%s came back as %s, %v", values.Differences(), got.Differences(), errors)
			}
		})
	}
}

// A refused form shows each error beside its field and keeps what was typed.
func TestErrorsStandBesideTheirFields(t *testing.T) {
	tests := []struct {
		kind   settings.Kind
		posted url.Values
		path   string // of the error
		text   string // part of it
	}{
		{settings.Communication, url.Values{"session_time_sec": {"4"}}, "session_time_sec", "5–480 사이의 값"},
		{settings.Communication, url.Values{"file_max_mb": {"10000"}}, "file_max_mb", "1–4,096 사이의 값"},
		{settings.Communication, url.Values{"retraction_limit_min": {"0"}}, "retraction_limit_min", "1–10,080"},
		{settings.Communication, url.Values{"concurrent_sessions.web": {"9"}}, "concurrent_sessions.web", "1–5"},
		{settings.Communication, url.Values{"retraction_wording.ja": {strings.Repeat("あ", 51)}}, "retraction_wording.ja", "50자 이내"},
		{settings.Communication, url.Values{"login_platforms": {""}}, "login_platforms", "선택해 주세요"},
		{settings.Communication, url.Values{"file_ext_mode": {"only"}, "file_exts": {"exe, a/b"}}, "file_exts", "a/b: 확장자를"},
		{settings.Communication, url.Values{"allowed_ip_mode": {"listed"}, "allowed_ip_ranges.3.location_name": {"본사"}, "allowed_ip_ranges.3.range": {"1.2.3"}}, "allowed_ip_ranges.0.range", "IP 대역을 확인해 주세요"},
		{settings.Communication, url.Values{"allowed_ip_mode": {"listed"}}, "allowed_ip_ranges", "하나 이상"},
		{settings.WorkingAttitude, url.Values{"week.tue.end": {"08:00"}}, "week.tue.end", "시작 시간보다 뒤"},
		{settings.WorkingAttitude, url.Values{"work_type": {"flexible"}, "core_time.from": {"11:00"}, "core_time.to": {""}}, "core_time.to", "입력하거나"},
		{settings.WorkingAttitude, url.Values{"work_type": {"flexible"}, "core_time.from": {"02:00"}, "core_time.to": {"05:00"}}, "core_time", "안에 있어야"},
		{settings.WorkingAttitude, url.Values{"breaks.0.from": {"12:00"}, "breaks.0.to": {"13:00"}, "breaks.1.from": {"12:30"}, "breaks.1.to": {"13:30"}}, "breaks.1", "겹칩니다"},
		{settings.WorkingAttitude, url.Values{"gps_mode": {"record"}, "places.0.name": {"본사"}, "places.0.lat": {"91"}, "places.0.lng": {"1"}}, "places.0.lat", "-90–90"},
		{settings.WorkingAttitude, url.Values{"timezone": {"Seoul"}}, "timezone", "알 수 없는 시간대"},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			form := settings.NewForm(test.kind, test.posted)
			_, errors := form.Values()
			p, html := viewstest.Render(t, locales.Korean, Fields(form, errors, Reader{Before: settings.Defaults(test.kind)}))
			checkSettings(t, p, html)
			found := p.With("id", test.path+"-error")
			if len(found) != 1 || !strings.Contains(found[0].Text, test.text) {
				t.Fatalf("beside %s stands %q of %v", test.path, found.Texts(), errors)
			}
			if !pointedAt(p, test.path) {
				t.Errorf("nothing at %s is described by its error", test.path)
			}
			key, _, _ := strings.Cut(test.path, ".")
			if got := p.With("data-setting", key)[0].Attr["class"]; !strings.Contains(got, "changed") {
				t.Errorf("%s is %q", key, got)
			}
			for name, texts := range settingsOnly(submitted(p), test.posted) {
				if !slices.Equal(texts, test.posted[name]) {
					t.Errorf("%s shows %q instead of %q", name, texts, test.posted[name])
				}
			}
			checkSummary(t, p, test.kind, errors)
		})
	}
}

// pointedAt reports whether the control or group of a path names its error.
func pointedAt(p viewstest.Page, path string) bool {
	for _, e := range p {
		if slices.Contains(strings.Fields(e.Attr["aria-describedby"]), path+"-error") {
			return true
		}
	}
	return false
}

// settingsOnly are the single fields that were typed, as the page shows them.
func settingsOnly(shown, typed url.Values) url.Values {
	both := url.Values{}
	for name := range typed {
		if texts, ok := shown[name]; ok && len(typed[name]) == 1 && typed.Get(name) != "" {
			both[name] = texts[len(texts)-1:]
		}
	}
	return both
}

// checkSummary follows the links above a refused form.
func checkSummary(t *testing.T, p viewstest.Page, kind settings.Kind, errors settings.Errors) {
	t.Helper()
	for _, i := range ErrorInputs(t.Context(), kind, errors) {
		if len(p.With("id", i.Name)) != 1 || i.Label == "" || !strings.HasPrefix(i.Error, i.Label+": ") {
			t.Errorf("the summary leads to %q and says %q", i.Name, i.Error)
		}
	}
}

func TestErrorWithoutAFieldLeadsToTheSettings(t *testing.T) {
	got := ErrorInputs(t.Context(), settings.Communication, settings.Errors{{Key: "nothing.1", Code: "setting.error.unknown"}})
	if len(got) != 1 || got[0].Name != "settings" || !strings.Contains(got[0].Error, "알 수 없는 설정") {
		t.Errorf("got %+v", got)
	}
}

func TestSettingsSayOnWhatTheyDepend(t *testing.T) {
	p, _ := viewstest.Render(t, locales.Korean, Fields(settings.FormOf(settings.Defaults(settings.Communication)), nil, Reader{}))
	var got map[string][]string
	if err := json.Unmarshal([]byte(p.With("data-setting", "allowed_ip_ranges")[0].Attr["data-when"]), &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got["allowed_ip_mode"], []string{"listed"}) || !slices.Equal(got["file_save_ip_mode"], []string{"listed"}) {
		t.Errorf("the ranges depend on %v", got)
	}
	for key, off := range map[string]bool{"grace_in_min": true, "settlement": false, "work_type": false, "week": false} {
		values, _ := settings.Parse(settings.WorkingAttitude, []byte(`{"work_type": "free"}`))
		p, html := viewstest.Render(t, locales.Korean, Fields(settings.FormOf(values), nil, Reader{}))
		if _, isOff := p.With("data-setting", key)[0].Attr["data-off"]; isOff != off {
			t.Errorf("%s is off: %t", key, isOff)
		}
		if text := "적용 조건: 근무 유형 – 고정, 유연"; !strings.Contains(html, text) {
			t.Errorf("the form has no %q", text)
		}
	}
}

// Free work has days off but no hours.
func TestFreeWorkShowsTheKindsOfTheWeekdays(t *testing.T) {
	values, _ := settings.Parse(settings.WorkingAttitude, []byte(`{"work_type": "free"}`))
	p, _ := viewstest.Render(t, locales.Korean, Fields(settings.FormOf(values), nil, Reader{}))
	hidden := func(name string) bool {
		return len(p.All(func(e *viewstest.Element) bool {
			_, off := e.Attr["data-off"]
			return off && len(p.Inside(e).With("name", name)) > 0
		})) > 0
	}
	if hidden("week.sun.kind") || !hidden("week.mon.start") {
		t.Errorf("the kinds of the days are hidden: %t, the hours: %t", hidden("week.sun.kind"), hidden("week.mon.start"))
	}
}

func TestFormTellsWhatChanged(t *testing.T) {
	values, errors := settings.Parse(settings.Communication, []byte(`{"session_time_sec": 1800, "file_save": {"mobile": "view_only"}, "login_platforms": ["pc"]}`))
	if len(errors) > 0 {
		t.Fatal(errors)
	}
	p, _ := viewstest.Render(t, locales.Korean, Fields(settings.FormOf(values), nil, Reader{Before: settings.Defaults(settings.Communication)}))
	var changed []string
	for _, e := range p.All(func(e *viewstest.Element) bool { return strings.Contains(e.Attr["class"], "changed") }) {
		changed = append(changed, e.Attr["data-setting"])
	}
	if !slices.Equal(changed, []string{"login_platforms", "session_time_sec", "file_save"}) {
		t.Errorf("changed are %v", changed)
	}
	if got := p.With("id", "session_time_sec-was").Texts(); !slices.Equal(got, []string{"이전 값: 1시간"}) {
		t.Errorf("the session time was %q", got)
	}
	row := p.Inside(p.With("data-setting", "file_save")[0]).With("data-tone", "accent").Texts()
	if !slices.Equal(row, []string{"변경 · 이전 값 허용"}) {
		t.Errorf("file saving says %q", row)
	}
}
