package bot_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/bot"
	"officeconsole/queries/queriestest"
)

func sender(t *testing.T, db *areas.Areas, kind bot.Kind) bot.Sender {
	t.Helper()
	s, err := db.Bots.Admit(t.Context(), call(rotate(t, db, kind, 0), kind))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func toUsers(ids ...int64) bot.Receivers { return bot.Receivers{Users: ids} }

func receive(t *testing.T, db *areas.Areas, s bot.Sender, m bot.Incoming) bot.Receipt {
	t.Helper()
	receipt, err := db.Bots.Receive(t.Context(), s, m)
	if err != nil {
		t.Fatal(err)
	}
	return receipt
}

// published gives the messages of the bot in the outbox as "type text to".
func published(t *testing.T, db *areas.Areas) []string {
	t.Helper()
	var all []string
	for _, m := range queriestest.Messages(t, db, queriestest.Hanbit, 0) {
		var p struct {
			ID, BotID int64
			Text      string
			To        json.RawMessage
		}
		if m.Type == "bot.changed" {
			continue
		}
		if err := json.Unmarshal(m.Payload, &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, m.Type+" "+p.Text+" "+strings.ReplaceAll(string(p.To), " ", ""))
	}
	return all
}

func TestReceive(t *testing.T) {
	db := queriestest.New(t)
	notify, message := sender(t, db, bot.KindNotification), sender(t, db, bot.KindMessage)
	first := receive(t, db, notify, bot.Incoming{Text: "결재 요청", To: toUsers(queriestest.Kim, queriestest.Employee, queriestest.Kim)})
	second := receive(t, db, message, bot.Incoming{Text: "배포 완료", To: bot.Receivers{Departments: []int64{queriestest.Messenger}}})
	third := receive(t, db, message, bot.Incoming{Text: "모두에게", To: bot.Receivers{Everyone: true, Users: []int64{999}}})
	if first.ID >= second.ID || second.ID >= third.ID {
		t.Errorf("the ids are %d, %d and %d", first.ID, second.ID, third.ID)
	}
	want := []string{`bot.notification 결재 요청 {"users":[2,6]}`, `bot.message 배포 완료 {"departments":[6]}`, `bot.message 모두에게 {"everyone":true}`}
	if got := published(t, db); !slices.Equal(got, want) {
		t.Errorf("published %q", got)
	}
	stored, err := db.Bots.Message(t.Context(), bot.MessageParams{CompanyID: queriestest.Hanbit, ID: first.ID})
	if err != nil || stored.Text != "결재 요청" || !stored.Accepted || stored.Answer != 202 || stored.Trigger != bot.TriggerCall || stored.Agent != "Alertmanager" || stored.Address.String() != office.String() || stored.TookUs <= 0 {
		t.Errorf("%+v %v", stored, err)
	}
	if _, err := db.Bots.Message(t.Context(), bot.MessageParams{CompanyID: queriestest.Other, ID: first.ID}); !errors.Is(err, queries.NotFound) {
		t.Errorf("of another company: %v", err)
	}
}

func TestReceiveRefuses(t *testing.T) {
	db := queriestest.New(t)
	message, hook := sender(t, db, bot.KindMessage), sender(t, db, bot.KindHook)
	many := make([]int64, 501)
	for i := range many {
		many[i] = int64(i + 1)
	}
	for _, test := range []struct {
		sender  bot.Sender
		message bot.Incoming
		want    error
	}{
		{message, bot.Incoming{To: toUsers(queriestest.Kim)}, bot.Refusal{Status: 422, Code: "bot.text.required"}},
		{message, bot.Incoming{Text: " \n\u3164\u200b", To: toUsers(queriestest.Kim)}, bot.Refusal{Status: 422, Code: "bot.text.required"}},
		{message, bot.Incoming{Text: "가\x00", To: toUsers(queriestest.Kim)}, bot.Refusal{Status: 422, Code: "bot.text.invalid"}},
		{message, bot.Incoming{Text: "가"}, bot.Refusal{Status: 422, Code: "bot.receivers.required"}},
		{message, bot.Incoming{Text: "가", To: toUsers(many...)}, bot.Refusal{Status: 422, Code: "bot.receivers.many"}},
		{message, bot.Incoming{Text: "가", To: toUsers(queriestest.Kim), Key: strings.Repeat("k", 256)}, bot.Refusal{Status: 422, Code: "bot.key.invalid"}},
		{hook, bot.Incoming{Text: "가"}, bot.Refusal{Status: 404, Code: "bot.hook.receivers"}},
	} {
		if _, err := db.Bots.Receive(t.Context(), test.sender, test.message); !errors.Is(err, test.want) {
			t.Errorf("%.20q: %v, want %v", test.message.Text, err, test.want)
		}
	}
	_, err := db.Bots.Receive(t.Context(), message, bot.Incoming{Text: "가", To: bot.Receivers{
		Users: []int64{queriestest.Kim, queriestest.Hidden, queriestest.OtherKim, queriestest.Bot, 999_999}, Departments: []int64{queriestest.Sales, queriestest.OtherSales},
	}})
	var unknown bot.UnknownReceivers
	if !errors.As(err, &unknown) || !slices.Equal(unknown.Users, []int64{queriestest.Hidden, queriestest.Bot, queriestest.OtherKim, 999_999}) || !slices.Equal(unknown.Departments, []int64{queriestest.OtherSales}) {
		t.Errorf("unknown receivers: %v", err)
	}
	if got := published(t, db); len(got) != 0 {
		t.Errorf("published %q", got)
	}
	if got := queriestest.LookUp(t, db, "select count(*) || ' ' || bool_or(accepted) from bot_messages"); got != "8 false" {
		t.Errorf("the log has %s", got)
	}
}

// What comes by the hook address goes to those of its receivers who still exist.
func TestReceiveByHook(t *testing.T) {
	db := queriestest.New(t)
	err := db.Bots.Update(t.Context(), admin, 0, func(d bot.Draft) bot.Draft {
		d.HookReceivers = bot.Receivers{Departments: []int64{queriestest.Messenger}, Users: []int64{queriestest.Kim}}
		return d
	})
	if err != nil {
		t.Fatal(err)
	}
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Kim)
	receive(t, db, sender(t, db, bot.KindHook), bot.Incoming{Text: "경보", To: toUsers(queriestest.Admin)})
	if got := published(t, db); !slices.Equal(got, []string{`bot.message 경보 {"departments":[6]}`}) {
		t.Errorf("published %q", got)
	}
}

func TestIdempotencyKey(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	notify, message := sender(t, db, bot.KindNotification), sender(t, db, bot.KindMessage)
	m := bot.Incoming{Text: "한 번만", To: toUsers(queriestest.Kim), Key: "build-1188"}
	first := receive(t, db, message, m)
	again := bot.Incoming{Text: m.Text, To: toUsers(queriestest.Kim, queriestest.Kim), Key: m.Key}
	if again := receive(t, db, message, again); again != (bot.Receipt{ID: first.ID, Repeated: true}) {
		t.Errorf("again: %+v, not %+v", again, first)
	}
	for _, other := range []bot.Incoming{{Text: "다른 글", To: m.To, Key: m.Key}, {Text: m.Text, To: toUsers(queriestest.Employee), Key: m.Key}, {Text: m.Text, To: bot.Receivers{Everyone: true}, Key: m.Key}} {
		if _, err := db.Bots.Receive(t.Context(), message, other); !errors.Is(err, bot.Refusal{Status: 422, Code: "bot.key.used"}) {
			t.Errorf("another message with the key: %v", err)
		}
	}
	if got := queriestest.LookUp(t, db, "select count(*) from bot_messages where code = 'bot.key.used' and not accepted"); got != "3" {
		t.Errorf("%s refusals are logged", got)
	}
	if other := receive(t, db, notify, m); other.Repeated || other.ID == first.ID {
		t.Errorf("of another kind: %+v", other)
	}
	clock.Advance(24 * time.Hour)
	later := receive(t, db, message, m)
	if later.Repeated || later.ID == first.ID {
		t.Errorf("a day later: %+v", later)
	}
	if again := receive(t, db, message, m); again != (bot.Receipt{ID: later.ID, Repeated: true}) {
		t.Errorf("again a day later: %+v, not %+v", again, later)
	}
	if got := published(t, db); len(got) != 3 {
		t.Errorf("published %q", got)
	}
	clock.Advance(25 * time.Hour)
	if err := db.Bots.CleanUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from bot_message_keys"); got != "0" {
		t.Errorf("%s keys are left", got)
	}
}

// Messages that arrive at the same time are each stored once, and those with the
// same key once together.
func TestReceiveAtTheSameTime(t *testing.T) {
	db := queriestest.New(t)
	message := sender(t, db, bot.KindMessage)
	const count = 60
	receipts := make([]bot.Receipt, count)
	var group sync.WaitGroup
	for i := range count {
		group.Go(func() {
			m := bot.Incoming{Text: fmt.Sprint(i), To: toUsers(queriestest.Kim)}
			if i%3 == 0 {
				m.Text, m.Key = "same", "same"
			}
			receipts[i] = receive(t, db, message, m)
		})
	}
	group.Wait()
	ids, sent := map[int64]bool{}, 0
	for i, r := range receipts {
		ids[r.ID] = true
		if !r.Repeated {
			sent++
		}
		if i%3 == 0 && r.ID != receipts[0].ID {
			t.Errorf("message %d has the id %d, not %d", i, r.ID, receipts[0].ID)
		}
	}
	if want := count*2/3 + 1; len(ids) != want || sent != want || len(published(t, db)) != want {
		t.Errorf("%d ids, %d sent, %d published, want %d", len(ids), sent, len(published(t, db)), want)
	}
}

// Of different messages with one key that arrive at the same time, one is stored and
// the others are refused.
func TestIdempotencyKeyAtTheSameTime(t *testing.T) {
	db := queriestest.New(t)
	message := sender(t, db, bot.KindMessage)
	const count = 30
	errs := make([]error, count)
	var group sync.WaitGroup
	for i := range count {
		group.Go(func() {
			_, errs[i] = db.Bots.Receive(t.Context(), message, bot.Incoming{Text: fmt.Sprint(i), To: toUsers(queriestest.Kim), Key: "same"})
		})
	}
	group.Wait()
	refused := 0
	for i, err := range errs {
		if errors.Is(err, bot.Refusal{Status: 422, Code: "bot.key.used"}) {
			refused++
		} else if err != nil {
			t.Errorf("message %d: %v", i, err)
		}
	}
	if sent := len(published(t, db)); refused != count-1 || sent != 1 {
		t.Errorf("%d refused, %d published", refused, sent)
	}
}

// A message of a hook address is the same although an administrator has changed who
// gets it.
func TestIdempotencyKeyOfAHook(t *testing.T) {
	db := queriestest.New(t)
	choose := func(user int64) {
		if err := db.Bots.Update(t.Context(), admin, 0, func(d bot.Draft) bot.Draft {
			d.HookReceivers = toUsers(user)
			return d
		}); err != nil {
			t.Fatal(err)
		}
	}
	choose(queriestest.Kim)
	first := receive(t, db, sender(t, db, bot.KindHook), bot.Incoming{Text: "가", Key: "k"})
	choose(queriestest.Employee)
	if again := receive(t, db, sender(t, db, bot.KindHook), bot.Incoming{Text: "가", Key: "k"}); again != (bot.Receipt{ID: first.ID, Repeated: true}) {
		t.Errorf("again: %+v, not %+v", again, first)
	}
}

// Messages that are stored together are refused each by itself.
func TestRefusedAmongOthers(t *testing.T) {
	db := queriestest.New(t)
	if err := db.Bots.Update(t.Context(), admin, 0, func(d bot.Draft) bot.Draft {
		d.HookReceivers = toUsers(queriestest.Foreigner)
		return d
	}); err != nil {
		t.Fatal(err)
	}
	message, hook := sender(t, db, bot.KindMessage), sender(t, db, bot.KindHook)
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Foreigner)
	const count = 60
	errs := make([]error, count)
	var group sync.WaitGroup
	for i := range count {
		group.Go(func() {
			by, to := message, toUsers(queriestest.Kim)
			switch i % 3 {
			case 1:
				to = toUsers(queriestest.Kim, int64(1000+i))
			case 2:
				by = hook
			}
			_, errs[i] = db.Bots.Receive(t.Context(), by, bot.Incoming{Text: fmt.Sprint(i), To: to})
		})
	}
	group.Wait()
	for i, err := range errs {
		var unknown bot.UnknownReceivers
		switch {
		case i%3 == 0 && err != nil,
			i%3 == 1 && (!errors.As(err, &unknown) || !slices.Equal(unknown.Users, []int64{int64(1000 + i)}) || len(unknown.Departments) > 0),
			i%3 == 2 && !errors.Is(err, bot.Refusal{Status: 404, Code: "bot.hook.receivers"}):
			t.Errorf("message %d: %v", i, err)
		}
	}
	if got := queriestest.LookUp(t, db, "select count(*) filter (where accepted) || ' ' || count(*) filter (where not accepted) from bot_messages"); got != "20 40" {
		t.Errorf("%s accepted and refused calls are stored", got)
	}
	if got := len(published(t, db)); got != 20 {
		t.Errorf("%d messages are published", got)
	}
}

func TestMessages(t *testing.T) {
	db, clock := queriestest.NewWithClock(t)
	notify, message := sender(t, db, bot.KindNotification), sender(t, db, bot.KindMessage)
	for i := range 5 {
		clock.Advance(time.Minute)
		receive(t, db, message, bot.Incoming{Text: fmt.Sprint("m", i), To: toUsers(queriestest.Kim)})
		receive(t, db, notify, bot.Incoming{Text: fmt.Sprint("n", i), To: toUsers(queriestest.Kim)})
		if _, err := db.Bots.Receive(t.Context(), message, bot.Incoming{Text: fmt.Sprint("r", i)}); err == nil {
			t.Fatal("not refused")
		}
	}
	read := func(f bot.Filter) (texts string, next, previous bool) {
		t.Helper()
		var all []string
		for {
			page, err := db.Bots.Messages(t.Context(), queriestest.Hanbit, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range page.Rows {
				all = append(all, m.Text)
			}
			if page.Next == nil {
				return strings.Join(all, " "), page.Next != nil, page.Previous != nil
			}
			f.Cursor = page.Next
		}
	}
	for _, test := range []struct {
		filter bot.Filter
		want   string
	}{
		{bot.Filter{Limit: 4}, "r4 n4 m4 r3 n3 m3 r2 n2 m2 r1 n1 m1 r0 n0 m0"},
		{bot.Filter{Limit: 2, Kind: bot.KindNotification}, "n4 n3 n2 n1 n0"},
		{bot.Filter{Limit: 2, Status: bot.StatusRefused}, "r4 r3 r2 r1 r0"},
		{bot.Filter{Limit: 3, Status: bot.StatusAccepted, Kind: bot.KindMessage}, "m4 m3 m2 m1 m0"},
		{bot.Filter{Limit: 3, Kind: bot.KindHook}, ""},
	} {
		if got, _, _ := read(test.filter); got != test.want {
			t.Errorf("%+v: %s, want %s", test.filter, got, test.want)
		}
	}
	first, err := db.Bots.Messages(t.Context(), queriestest.Hanbit, bot.Filter{Limit: 4})
	if err != nil {
		t.Fatal(err)
	}
	second, err := db.Bots.Messages(t.Context(), queriestest.Hanbit, bot.Filter{Limit: 4, Cursor: first.Next})
	if err != nil {
		t.Fatal(err)
	}
	back, err := db.Bots.Messages(t.Context(), queriestest.Hanbit, bot.Filter{Limit: 4, Cursor: second.Previous})
	if err != nil || len(back.Rows) != 4 || back.Rows[0].ID != first.Rows[0].ID || back.Previous != nil || back.First != 1 {
		t.Errorf("back on the first page: %+v %v", back, err)
	}
	health, err := db.Bots.Health(t.Context(), queriestest.Hanbit)
	if err != nil || health.Messages != 15 || health.Refused != 5 || health.Waiting != 0 || !health.LastSuccess.Equal(clock.Now()) {
		t.Errorf("%+v %v", health, err)
	}
	clock.Advance(bot.HealthTime)
	if health, err := db.Bots.Health(t.Context(), queriestest.Hanbit); err != nil || health.Messages != 0 || health.LastSuccess.IsZero() {
		t.Errorf("a day later: %+v %v", health, err)
	}
	clock.Advance(bot.KeepTime)
	if got, _, _ := read(bot.Filter{Limit: 4}); got != "" {
		t.Errorf("after thirty days: %s", got)
	}
	if err := db.Bots.CleanUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := queriestest.LookUp(t, db, "select count(*) from bot_messages"); got != "0" {
		t.Errorf("%s messages are left", got)
	}
}

func TestResend(t *testing.T) {
	db := queriestest.New(t)
	message := sender(t, db, bot.KindMessage)
	sent := receive(t, db, message, bot.Incoming{Text: "다시", To: toUsers(queriestest.Kim, queriestest.Employee), Key: "k"})
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Kim)
	again, err := db.Bots.Resend(t.Context(), admin, sent.ID)
	if err != nil || again.ID == sent.ID {
		t.Fatalf("%+v %v", again, err)
	}
	if got := published(t, db); len(got) != 2 || got[1] != `bot.message 다시 {"users":[2]}` {
		t.Errorf("published %q", got)
	}
	if got := queriestest.LookUp(t, db, "select action || ' ' || (old ->> 'message_id') || ' ' || (new ->> 'message_id') from changes where action = 'bot.message_resent'"); got != fmt.Sprintf("bot.message_resent %d %d", sent.ID, again.ID) {
		t.Errorf("the change log has %s", got)
	}
	queriestest.Exec(t, db, "update users set hidden_at = now() where id = $1", queriestest.Employee)
	if _, err := db.Bots.Resend(t.Context(), admin, sent.ID); !errors.Is(err, queries.Invalid("bot.resend.receivers")) {
		t.Errorf("to nobody: %v", err)
	}
	if _, err := db.Bots.Receive(t.Context(), message, bot.Incoming{Text: "가"}); err == nil {
		t.Fatal("not refused")
	}
	refused, err := db.Bots.Messages(t.Context(), queriestest.Hanbit, bot.Filter{Status: bot.StatusRefused, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Bots.Resend(t.Context(), admin, refused.Rows[0].ID); !errors.Is(err, queries.Invalid("bot.resend.refused")) {
		t.Errorf("a refused call: %v", err)
	}
	if _, err := db.Bots.Resend(t.Context(), queries.Actor{CompanyID: queriestest.Other}, sent.ID); !errors.Is(err, queries.NotFound) {
		t.Errorf("of another company: %v", err)
	}
}

func TestSendTest(t *testing.T) {
	db := queriestest.New(t)
	if _, err := db.Bots.SendTest(t.Context(), admin, bot.KindNotification, "시험"); err != nil {
		t.Fatal(err)
	}
	if got := published(t, db); !slices.Equal(got, []string{`bot.notification 시험 {"users":[1]}`}) {
		t.Errorf("published %q", got)
	}
	if _, err := db.Bots.SendTest(t.Context(), admin, bot.KindHook, "시험"); !errors.Is(err, bot.Refusal{Status: 404, Code: "bot.hook.receivers"}) {
		t.Errorf("by an address without receivers: %v", err)
	}
	if err := db.Bots.Update(t.Context(), admin, 0, func(d bot.Draft) bot.Draft { d.Enabled = false; return d }); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Bots.SendTest(t.Context(), admin, bot.KindMessage, "시험"); !errors.Is(err, bot.Refusal{Status: 403, Code: "bot.disabled"}) {
		t.Errorf("by a disabled bot: %v", err)
	}
	if got := queriestest.LookUp(t, db, "select string_agg(trigger || ' ' || agent || ' ' || answer, ',' order by id) from bot_messages"); got != "test 김서연 202,test 김서연 404,test 김서연 403" {
		t.Errorf("the log has %s", got)
	}
}
