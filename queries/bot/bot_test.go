package bot_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/bot"
	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
)

var admin = queries.Actor{CompanyID: queriestest.Hanbit, UserID: queriestest.Admin, Name: "김서연"}

// The first who reads the bot of a company creates it, and only one.
func TestBotIsCreatedOnce(t *testing.T) {
	db := queriestest.New(t)
	ids := make([]int64, 8)
	var group sync.WaitGroup
	for i := range ids {
		group.Go(func() {
			b, err := db.Bots.Bot(t.Context(), queriestest.Hanbit)
			if err != nil || b.Name != "알림봇" || !b.Enabled || len(b.AllowedAddresses) != 0 || !b.HookReceivers.IsEmpty() {
				t.Errorf("%+v %v", b, err)
			}
			ids[i] = b.ID
		})
	}
	group.Wait()
	if len(slices.Compact(ids)) != 1 || ids[0] == 0 {
		t.Errorf("the bots are %v", ids)
	}
	if got := queriestest.LookUp(t, db, "select name || ' ' || bot from users where id = $1 and company_id = 1 and '알림' = any (search_grams)", ids[0]); got != "알림봇 true" {
		t.Errorf("the user is %s", got)
	}
	other, err := db.Bots.Bot(t.Context(), queriestest.Other)
	if err != nil || other.ID == ids[0] {
		t.Errorf("the bot of the other company is %+v %v", other, err)
	}
}

// The name of a new bot is in the language of the company.
func TestBotIsNamedForItsCompany(t *testing.T) {
	db := queriestest.New(t)
	for zone, want := range map[string]string{"Asia/Tokyo": "通知ボット", "Europe/Berlin": "Notification bot"} {
		host := strings.ToLower(strings.ReplaceAll(zone, "/", "-")) + ".example"
		company, err := db.Directory.CreateCompany(t.Context(), queries.Actor{Name: "test"}, directory.NewCompany{Name: zone, Host: host, TimeZone: zone})
		if err != nil {
			t.Fatal(err)
		}
		if b, err := db.Bots.Bot(t.Context(), company.ID); err != nil || b.Name != want {
			t.Errorf("%s: %q, want %q, %v", zone, b.Name, want, err)
		}
	}
}

func TestUpdateBot(t *testing.T) {
	db := queriestest.New(t)
	before, err := db.Bots.Bot(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	directoryVersion := queriestest.LookUp(t, db, "select directory_version from companies where id = 1")
	want := bot.Draft{
		Name: "한빛 알림봇", AllowedAddresses: []string{"203.0.113.0/24", "198.51.100.22"},
		HookReceivers: bot.Receivers{Departments: []int64{queriestest.Sales, queriestest.Messenger}, Users: []int64{queriestest.Kim}},
	}
	err = db.Bots.Update(t.Context(), admin, before.VersionNo, func(d bot.Draft) bot.Draft {
		return bot.Draft{
			Name: " 한빛 알림봇 ", AllowedAddresses: []string{" 203.0.113.0/24", "198.51.100.22 "},
			HookReceivers: bot.Receivers{Departments: []int64{queriestest.Messenger, queriestest.Sales, queriestest.Messenger}, Users: []int64{queriestest.Kim}},
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	after, err := db.Bots.Bot(t.Context(), queriestest.Hanbit)
	if err != nil || after.ID != before.ID || after.VersionNo != 2 || after.Name != want.Name || after.Enabled ||
		!slices.Equal(after.AllowedAddresses, want.AllowedAddresses) || !slices.Equal(after.HookReceivers.Departments, want.HookReceivers.Departments) || !slices.Equal(after.HookReceivers.Users, want.HookReceivers.Users) {
		t.Errorf("%+v %v", after, err)
	}
	if got := queriestest.LookUp(t, db, "select name from users where id = $1 and '한빛' = any (search_grams)", after.ID); got != want.Name {
		t.Errorf("the user is called %s", got)
	}
	if queriestest.LookUp(t, db, "select directory_version from companies where id = 1") == directoryVersion {
		t.Error("caches of the directory stay valid")
	}
	if err := db.Bots.Update(t.Context(), admin, 1, func(d bot.Draft) bot.Draft { return d }); !errors.Is(err, queries.Conflict("bot.changed")) {
		t.Errorf("an update of an earlier version: %v", err)
	}
	messages := queriestest.Messages(t, db, queriestest.Hanbit, 0)
	if len(messages) != 1 || messages[0].Type != "bot.changed" {
		t.Errorf("published %v", messages)
	}
	if err := db.Bots.Update(t.Context(), admin, 2, func(d bot.Draft) bot.Draft { return d }); err != nil {
		t.Error(err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(action || ' ' || object_name || ' ' || (old ->> 'name') || ' ' || (new ->> 'name') || ' ' || (new ->> 'version_no'), ',') from changes"); got != "bot.updated 한빛 알림봇 알림봇 한빛 알림봇 2" {
		t.Errorf("the change log has %s", got)
	}
}

func TestRefusedBot(t *testing.T) {
	db := queriestest.New(t)
	users := func(ids ...int64) bot.Receivers { return bot.Receivers{Users: ids} }
	for _, test := range []struct {
		draft bot.Draft
		want  queries.FieldErrors
	}{
		{bot.Draft{Name: "\u3164"}, queries.FieldErrors{"name": "bot.name.required"}},
		{bot.Draft{Name: strings.Repeat("봇", 21)}, queries.FieldErrors{"name": "bot.name.long"}},
		{bot.Draft{Name: "줄\n바꿈"}, queries.FieldErrors{"name": "bot.name.invalid"}},
		{bot.Draft{Name: "봇", AllowedAddresses: []string{"203.0.113.0/24", "본사"}}, queries.FieldErrors{"allowed_addresses": "bot.addresses.invalid"}},
		{bot.Draft{Name: "봇", AllowedAddresses: []string{""}}, queries.FieldErrors{"allowed_addresses": "bot.addresses.invalid"}},
		{bot.Draft{Name: "봇", AllowedAddresses: []string{"0.0.0.0/0"}}, queries.FieldErrors{"allowed_addresses": "bot.addresses.invalid"}},
		{bot.Draft{Name: "봇", AllowedAddresses: slices.Repeat([]string{"203.0.113.1"}, 51)}, queries.FieldErrors{"allowed_addresses": "bot.addresses.many"}},
		{bot.Draft{Name: "봇", HookReceivers: users(999_999)}, queries.FieldErrors{"hook_receivers": "bot.receivers.unknown"}},
		{bot.Draft{Name: "봇", HookReceivers: users(queriestest.Hidden)}, queries.FieldErrors{"hook_receivers": "bot.receivers.unknown"}},
		{bot.Draft{Name: "봇", HookReceivers: users(queriestest.Bot)}, queries.FieldErrors{"hook_receivers": "bot.receivers.unknown"}},
		{bot.Draft{Name: "봇", HookReceivers: users(queriestest.OtherKim)}, queries.FieldErrors{"hook_receivers": "bot.receivers.unknown"}},
		{bot.Draft{Name: "봇", HookReceivers: bot.Receivers{Departments: []int64{queriestest.OtherSales}}}, queries.FieldErrors{"hook_receivers": "bot.receivers.unknown"}},
	} {
		err := db.Bots.Update(t.Context(), admin, 0, func(bot.Draft) bot.Draft { return test.draft })
		var refused queries.FieldErrors
		if !errors.As(err, &refused) || !maps.Equal(refused, test.want) {
			t.Errorf("%+v: %v, want %v", test.draft, err, test.want)
		}
	}
	if err := db.Bots.Update(t.Context(), admin, 0, func(bot.Draft) bot.Draft {
		return bot.Draft{Name: strings.Repeat("봇", 20), HookReceivers: users(queriestest.Kim)}
	}); err != nil {
		t.Error(err)
	}
	// A receiver who is hidden later does not make the bot's other fields refused.
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Kim)
	if err := db.Bots.Update(t.Context(), admin, 0, func(d bot.Draft) bot.Draft { d.Name = "봇"; return d }); err != nil {
		t.Error(err)
	}
	if err := db.Bots.Update(t.Context(), admin, 0, func(d bot.Draft) bot.Draft {
		d.HookReceivers = users(queriestest.Kim, queriestest.Viewer)
		return d
	}); err != nil {
		t.Errorf("another receiver beside a hidden one: %v", err)
	}
}

func TestBotImage(t *testing.T) {
	db := queriestest.New(t)
	files := queriestest.Blobs(t)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 400, 300))); err != nil {
		t.Fatal(err)
	}
	content := picture.Bytes()
	for name, test := range map[string]struct {
		content  []byte
		checksum string
		want     queries.Invalid
	}{
		"empty":      {nil, "", "bot.image.empty"},
		"HTML":       {[]byte("<!doctype html><script>"), "", "bot.image.format"},
		"SVG":        {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "", "bot.image.format"},
		"cut":        {content[:60], "", "bot.image.broken"},
		"too large":  {slices.Repeat([]byte{0}, bot.MaxImageBytes), "", "bot.image.too_large"},
		"other sum":  {content, "d41d8cd98f00b204e9800998ecf8427e", "bot.image.md5"},
		"no sum":     {content, "x", "bot.image.md5"},
		"large, sum": {slices.Repeat([]byte{0}, bot.MaxImageBytes), "x", "bot.image.too_large"},
	} {
		if _, err := bot.StoreImage(t.Context(), files, queriestest.Hanbit, bytes.NewReader(test.content), test.checksum); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	key, err := bot.StoreImage(t.Context(), files, queriestest.Hanbit, bytes.NewReader(content), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Bots.SetImage(t.Context(), admin, key); err != nil {
		t.Fatal(err)
	}
	stored, _, err := files.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer stored.Close()
	if config, err := png.DecodeConfig(stored); err != nil || config.Width != 160 || config.Height != 120 {
		t.Errorf("stored %+v %v", config, err)
	}
	for _, foreign := range []string{"2/ab/" + strings.Repeat("ab", 32), "x", "../etc/passwd"} {
		if err := db.Bots.SetImage(t.Context(), admin, foreign); !errors.Is(err, queries.NotFound) {
			t.Errorf("the key %s: %v", foreign, err)
		}
	}
	used, err := db.Bots.ImagesInUse(t.Context(), bot.ImagesInUseParams{CompanyID: queriestest.Hanbit, Keys: []string{key, "1/x/y"}})
	if err != nil || !slices.Equal(used, []string{key}) {
		t.Errorf("in use: %v %v", used, err)
	}
	if err := db.Bots.SetImage(t.Context(), admin, ""); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(action, ',') from changes"); got != "bot.image_changed,bot.image_changed" {
		t.Errorf("the change log has %s", got)
	}
}
