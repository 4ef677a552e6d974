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
)

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
			if text == "" && !slices.Contains([]string{"taken", "taken_from", "moved", "fixed", "moves", "moves_one", "fixed_count", "fixed_one", "skip", "leave_out"}, word) {
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
