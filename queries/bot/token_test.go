package bot_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/bot"
	"officeconsole/queries/queriestest"
)

var office = netip.MustParseAddr("203.0.113.40")

func rotate(t *testing.T, db *areas.Areas, kind bot.Kind, overlap time.Duration) string {
	t.Helper()
	secret, err := db.Bots.Rotate(t.Context(), admin, kind, overlap)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func call(secret string, kind bot.Kind) bot.Call {
	return bot.Call{Secret: secret, Kind: kind, Address: office, Agent: "Alertmanager/0.27.0"}
}

// admits reports the code of the refusal of a call: "" if it is admitted.
func admits(t *testing.T, db *areas.Areas, c bot.Call) string {
	t.Helper()
	_, err := db.Bots.Admit(t.Context(), c)
	var refused bot.Refusal
	if err != nil && !errors.As(err, &refused) {
		t.Fatal(err)
	}
	return refused.Code
}

func tokens(t *testing.T, db *areas.Areas) []bot.Token {
	t.Helper()
	all, err := db.Bots.Tokens(t.Context(), bot.TokensParams{CompanyID: queriestest.Hanbit, Now: db.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRotateToken(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	for kind, prefix := range map[bot.Kind]string{bot.KindNotification: "ocn_", bot.KindMessage: "ocm_", bot.KindHook: "och_"} {
		if secret := rotate(t, db, kind, 0); !strings.HasPrefix(secret, prefix) || len(secret) < 30 {
			t.Errorf("the token of %s is %s", kind, secret)
		}
	}
	first := rotate(t, db, bot.KindMessage, 0)
	second := rotate(t, db, bot.KindMessage, time.Hour)
	third := rotate(t, db, bot.KindMessage, bot.MaxOverlap)
	if all := tokens(t, db); len(all) != 5 || all[1].Ending != third[len(third)-4:] || all[1].EndsAt != nil || !all[2].EndsAt.Equal(queriestest.Now.Add(bot.MaxOverlap)) {
		t.Errorf("the tokens are %+v", all)
	}
	for _, step := range []struct {
		wait time.Duration
		want [3]string
	}{
		{0, [3]string{}},
		{time.Hour - time.Second, [3]string{}},
		{time.Second, [3]string{"bot.token.ended", "", ""}},
		{bot.MaxOverlap - time.Hour, [3]string{"bot.token.ended", "bot.token.ended", ""}},
		{100 * 24 * time.Hour, [3]string{"bot.token.unknown", "bot.token.unknown", ""}},
	} {
		clock.Advance(step.wait)
		if err := db.Bots.CleanUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := db.EnsurePartitions(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := [3]string{admits(t, db, call(first, bot.KindMessage)), admits(t, db, call(second, bot.KindMessage)), admits(t, db, call(third, bot.KindMessage))}; got != step.want {
			t.Errorf("after %v: %q, want %q", step.wait, got, step.want)
		}
	}
	for _, overlap := range []time.Duration{-time.Second, bot.MaxOverlap + time.Second} {
		if _, err := db.Bots.Rotate(t.Context(), admin, bot.KindMessage, overlap); !errors.Is(err, queries.Invalid("bot.overlap.invalid")) {
			t.Errorf("an overlap of %v: %v", overlap, err)
		}
	}
	if _, err := db.Bots.Rotate(t.Context(), admin, "other", 0); !errors.Is(err, queries.NotFound) {
		t.Errorf("another kind: %v", err)
	}
}

// Neither the tokens nor the change log contain a secret.
func TestSecretsAreNotStored(t *testing.T) {
	db := queriestest.New(t)
	secret := rotate(t, db, bot.KindMessage, 0)
	second := rotate(t, db, bot.KindMessage, time.Hour)
	stored := queriestest.LookUp(t, db, "select (select string_agg(c::text, ' ') from changes c) || (select string_agg(k::text, ' ') from bot_tokens k) || (select string_agg(o::text, ' ') from outbox o)")
	for _, s := range []string{secret, second} {
		if strings.Contains(stored, s[4:20]) {
			t.Errorf("%s is in %s", s, stored)
		}
	}
	if got := queriestest.LookUp(t, db, "select string_agg(action || ' ' || coalesce(old ->> 'ending', '-') || ' ' || (new ->> 'ending'), ',' order by id) from changes"); got != "bot.token_created - "+ending(secret)+",bot.token_rotated "+ending(secret)+" "+ending(second) {
		t.Errorf("the change log has %s", got)
	}
}

func ending(secret string) string { return secret[len(secret)-4:] }

func TestEndToken(t *testing.T) {
	db := queriestest.New(t)
	old := rotate(t, db, bot.KindMessage, 0)
	current := rotate(t, db, bot.KindMessage, time.Hour)
	all := tokens(t, db)
	if err := db.Bots.EndToken(t.Context(), queries.Actor{CompanyID: queriestest.Other}, all[1].ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("by another company: %v", err)
	}
	if err := db.Bots.EndToken(t.Context(), admin, all[0].ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("of the current token: %v", err)
	}
	if err := db.Bots.EndToken(t.Context(), admin, all[1].ID); err != nil {
		t.Fatal(err)
	}
	if got := admits(t, db, call(old, bot.KindMessage)) + " " + admits(t, db, call(current, bot.KindMessage)); got != "bot.token.ended " {
		t.Errorf("then %q", got)
	}
	if err := db.Bots.EndToken(t.Context(), admin, all[1].ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("again: %v", err)
	}
}

func TestAdmit(t *testing.T) {
	db := queriestest.New(t)
	message, notification := rotate(t, db, bot.KindMessage, 0), rotate(t, db, bot.KindNotification, 0)
	b, err := db.Bots.Bot(t.Context(), queriestest.Hanbit)
	if err != nil {
		t.Fatal(err)
	}
	change := func(edit func(*bot.Draft)) {
		t.Helper()
		if err := db.Bots.Update(t.Context(), admin, 0, func(d bot.Draft) bot.Draft { edit(&d); return d }); err != nil {
			t.Fatal(err)
		}
	}
	with := func(edit func(*bot.Call)) bot.Call {
		c := call(message, bot.KindMessage)
		edit(&c)
		return c
	}
	for _, test := range []struct {
		name string
		call bot.Call
		want string
	}{
		{"right", with(func(c *bot.Call) { c.BotID = b.ID }), ""},
		{"empty", with(func(c *bot.Call) { c.Secret = "" }), "bot.token.unknown"},
		{"NUL", with(func(c *bot.Call) { c.Secret = "\x00" }), "bot.token.unknown"},
		{"cut", with(func(c *bot.Call) { c.Secret = message[:20] }), "bot.token.unknown"},
		{"other bot", with(func(c *bot.Call) { c.BotID = b.ID + 1 }), "bot.token.other"},
		{"other kind", with(func(c *bot.Call) { c.Secret = notification }), "bot.token.kind"},
	} {
		if got := admits(t, db, test.call); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	change(func(d *bot.Draft) { d.AllowedAddresses = []string{"198.51.100.22", "203.0.113.0/25"} })
	for address, want := range map[string]string{
		"203.0.113.40": "", "::ffff:203.0.113.40": "", "203.0.113.128": "bot.address", "198.51.100.22": "", "2001:db8::1": "bot.address",
	} {
		if got := admits(t, db, with(func(c *bot.Call) { c.Address = netip.MustParseAddr(address) })); got != want {
			t.Errorf("from %s: %q, want %q", address, got, want)
		}
	}
	change(func(d *bot.Draft) { d.Enabled = false })
	if got := admits(t, db, with(func(*bot.Call) {})); got != "bot.disabled" {
		t.Errorf("a disabled bot: %q", got)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(code || ' ' || answer, ',' order by id) filter (where not accepted) from bot_messages"); got != "bot.token.other 404,bot.token.kind 403,bot.address 403,bot.address 403,bot.disabled 403" {
		t.Errorf("the log has %s", got)
	}
}

// The last use of a token is written at most once a minute.
func TestLastUse(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	secret := rotate(t, db, bot.KindMessage, 0)
	used := func(from, agent string) string {
		admits(t, db, bot.Call{Secret: secret, Kind: bot.KindMessage, Address: netip.MustParseAddr(from), Agent: agent})
		u := tokens(t, db)[0]
		return u.UsedAt.Sub(queriestest.Now).String() + " " + u.UsedFrom.String() + " " + u.UsedBy
	}
	for _, step := range []struct {
		wait              time.Duration
		from, agent, want string
	}{
		{0, "203.0.113.40", "Alertmanager/0.27.0", "0s 203.0.113.40 Alertmanager"},
		{59 * time.Second, "198.51.100.22", "curl/8.14.1", "0s 203.0.113.40 Alertmanager"},
		{time.Second, "::ffff:198.51.100.22", "curl/8.14.1", "1m0s 198.51.100.22 curl"},
		{time.Hour, "2001:db8::1", strings.Repeat("가", 60) + "\x00/1", "1h1m0s 2001:db8::1 " + strings.Repeat("가", 40)},
	} {
		clock.Advance(step.wait)
		if got := used(step.from, step.agent); got != step.want {
			t.Errorf("%s, want %s", got, step.want)
		}
	}
}

func TestRate(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	secret, other := rotate(t, db, bot.KindMessage, 0), rotate(t, db, bot.KindNotification, 0)
	for range bot.Burst {
		if got := admits(t, db, call(secret, bot.KindMessage)); got != "" {
			t.Fatalf("refused: %s", got)
		}
	}
	for range 3 {
		_, err := db.Bots.Admit(t.Context(), call(secret, bot.KindMessage))
		var refused bot.Refusal
		if !errors.As(err, &refused) || refused.Status != 429 || refused.RetryAfter <= 0 || refused.RetryAfter > time.Second {
			t.Fatalf("one call too many: %v %+v", err, refused)
		}
	}
	if got := admits(t, db, call(other, bot.KindNotification)); got != "" {
		t.Errorf("another token: %s", got)
	}
	clock.Advance(time.Second)
	for i := range bot.Rate + 1 {
		want := ""
		if i == bot.Rate {
			want = "bot.rate"
		}
		if got := admits(t, db, call(secret, bot.KindMessage)); got != want {
			t.Errorf("call %d a second later: %q, want %q", i, got, want)
		}
	}
	if got := queriestest.LookUp(t, db, "select count(*) from bot_messages where code = 'bot.rate'"); got != "1" {
		t.Errorf("%s refusals within a minute are in the log", got)
	}
}
