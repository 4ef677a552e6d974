package setting

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"officeconsole/locales"
	"officeconsole/settings"
	"officeconsole/views"
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

// anyValues draws valid settings: a JSON value for each setting by its type,
// which is left out if it contradicts the others.
func anyValues(r *rapid.T, kind settings.Kind) settings.Values {
	given := map[string]any{}
	for _, s := range settings.Settings(kind) {
		if rapid.Bool().Draw(r, "default") {
			continue
		}
		with := map[string]any{s.Key: anyOf(r, s.Type)}
		for key, value := range given {
			with[key] = value
		}
		if _, errors := parseValues(r, kind, with); len(errors) == 0 {
			given = with
		}
	}
	values, _ := parseValues(r, kind, given)
	return values
}

func parseValues(r *rapid.T, kind settings.Kind, given map[string]any) (settings.Values, settings.Errors) {
	text, err := json.Marshal(given)
	if err != nil {
		r.Fatal(err)
	}
	return settings.Parse(kind, text)
}

func anyOf(r *rapid.T, t settings.Type) any {
	switch t := t.(type) {
	case settings.Bool:
		return rapid.Bool().Draw(r, "bool")
	case settings.Enum:
		return rapid.SampledFrom(t.Values).Draw(r, "enum")
	case settings.Int:
		return anyInt(r, t)
	case settings.Number:
		return float64(rapid.IntRange(int(t.Min*1e6), int(t.Max*1e6)).Draw(r, "number")) / 1e6
	case settings.Text:
		return rapid.SampledFrom([]string{`<b>"&'</b>`, "본사 3층", "a", "、,;"}).Draw(r, "text")
	case settings.Extension:
		return rapid.StringMatching(`[a-z][a-z0-9]{0,8}`).Draw(r, "extension")
	case settings.Date:
		return rapid.StringMatching(`20[0-9]{2}-0[1-9]-[01][1-9]`).Draw(r, "date")
	case settings.Zone:
		return rapid.SampledFrom(zones).Draw(r, "zone")
	case settings.User:
		return rapid.Int64Range(1, 1<<40).Draw(r, "user")
	case settings.Address:
		return rapid.SampledFrom([]string{"203.0.113.7", "10.0.0.0/8", "192.0.2.*", "198.51.100.1-198.51.100.9"}).Draw(r, "range")
	}
	return anyMany(r, t)
}

// anyInt is a number that a form shows exactly: in whole units of its field.
func anyInt(r *rapid.T, t settings.Int) int64 {
	if len(t.Choices) > 0 {
		return rapid.SampledFrom(t.Choices).Draw(r, "choice")
	}
	n := rapid.Int64Range(t.Min, t.Max).Draw(r, "int")
	if t.ShownUnit() == settings.Hours || t.Unit != settings.Seconds {
		return n
	}
	return n / 60 * 60
}

func anyMany(r *rapid.T, t settings.Type) any {
	switch t := t.(type) {
	case settings.Nullable:
		if rapid.Bool().Draw(r, "none") {
			return nil
		}
		return anyOf(r, t.Of)
	case settings.Set:
		return rapid.SliceOfDistinct(rapid.SampledFrom(t.Values), rapid.ID[string]).Draw(r, "set")
	case settings.Object:
		parts := map[string]any{}
		for _, f := range t.Fields {
			parts[f.Name] = anyOf(r, f.Type)
		}
		return parts
	case settings.List:
		list := []any{}
		for range rapid.IntRange(0, min(t.Max, 4)).Draw(r, "items") {
			list = append(list, anyOf(r, t.Of))
		}
		return list
	case settings.Window:
		return map[string]any{"from": anyTime(r), "to": anyTime(r)}
	case settings.Shift:
		return map[string]any{
			"work": rapid.Bool().Draw(r, "work"), "start": anyTime(r), "end": anyTime(r),
			"end_next_day": rapid.Bool().Draw(r, "next day"),
		}
	}
	panic("a type that the test does not know")
}

func anyTime(r *rapid.T) string {
	return rapid.StringMatching(`[01][0-9]:[0-5][0-9]`).Draw(r, "time")
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

func TestOwnAddress(t *testing.T) {
	values, errors := settings.Parse(settings.Communication, []byte(`{"allowed_ip_mode": "listed", "allowed_ip_ranges": [{"location_name": "본사", "range": "203.0.113.0/24"}]}`))
	if len(errors) > 0 {
		t.Fatal(errors)
	}
	for address, want := range map[string]string{"203.0.113.24": "‘본사’ 대역에", "198.51.100.1": "어느 대역에도 없습니다"} {
		_, html := viewstest.Render(t, locales.Korean, Fields(settings.FormOf(values), nil, Reader{Address: netip.MustParseAddr(address)}))
		p := viewstest.Parse(t, html)
		notes := p.With("class", "note").Texts()
		if len(notes) != 1 || !strings.Contains(notes[0], want) || !strings.Contains(notes[0], address) {
			t.Errorf("somebody at %s reads %q", address, notes)
		}
	}
}

func TestChosenPeopleStay(t *testing.T) {
	form := settings.NewForm(settings.Communication, url.Values{"ip_exempt_user_ids": {"", "7", "9"}})
	p, _ := viewstest.Render(t, locales.Korean, Fields(form, nil, Reader{People: People{7: "김서연"}}))
	if got := p.With("class", "chip").Texts(); !slices.Equal(got, []string{"김서연", "알 수 없는 사용자"}) {
		t.Errorf("chosen are %q", got)
	}
}

func TestPeopleAreChosenInADialog(t *testing.T) {
	form := settings.NewForm(settings.Communication, url.Values{"ip_exempt_user_ids": {"9, 7"}})
	reader := Reader{People: People{7: "김서연"}, UsersURL: "/api/users"}
	for _, l := range locales.All() {
		p, html := viewstest.Render(t, l, Fields(form, nil, reader))
		checkSettings(t, p, html)
		got := dialogProps(t, p)
		if got.Name != "ip_exempt_user_ids" || !got.IDs || got.UsersURL != "/api/users" || got.TakenURL != "" || got.Max != 100 || !slices.Equal(got.Types, []string{"user"}) {
			t.Errorf("the dialog gets %+v", got)
		}
		if len(got.Targets) != 2 || got.Targets[0].ID != 9 || got.Targets[1].ID != 7 || got.Targets[1].Name != "김서연" {
			t.Errorf("chosen are %+v", got.Targets)
		}
		for word, text := range got.Texts {
			if text == "" && !slices.Contains([]string{"taken", "moved", "moves", "skip"}, word) {
				t.Errorf("%s: the dialog has no word for %s", l, word)
			}
		}
		if !strings.Contains(got.Texts["limit"], "{max}") {
			t.Errorf("%s: the limit reads %q", l, got.Texts["limit"])
		}
	}
}

// If too many people are chosen, those whose names are known stay chosen.
func TestRefusedPeopleStay(t *testing.T) {
	many := make([]string, 101)
	for i := range many {
		many[i] = strconv.Itoa(i + 1)
	}
	posted := url.Values{"allowed_ip_mode": {"listed"}, "ip_exempt_user_ids": {strings.Join(many, ", ")}}
	_, errors := settings.FromForm(settings.Communication, posted)
	if len(errors.On("ip_exempt_user_ids")) != 1 {
		t.Fatalf("refused are %v", errors)
	}
	view := Fields(settings.NewForm(settings.Communication, posted), errors, Reader{People: People{7: "김서연", 101: "이준호", 102: "최유진"}})
	p, html := viewstest.Render(t, locales.Korean, view)
	checkSettings(t, p, html)
	got := dialogProps(t, p).Targets
	if len(got) != 2 || got[0].Name != "김서연" || got[1].Name != "이준호" {
		t.Errorf("chosen are %+v", got)
	}
}

// dialogProps are the properties of the only island for choosing people.
func dialogProps(t *testing.T, p viewstest.Page) views.PickerProps {
	t.Helper()
	places := p.With("data-island", "target-dialog")
	if len(places) != 1 {
		t.Fatalf("there are %d dialogs", len(places))
	}
	var props views.PickerProps
	if err := json.Unmarshal([]byte(places[0].Attr["data-props"]), &props); err != nil {
		t.Fatal(err)
	}
	return props
}
