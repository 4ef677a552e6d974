package api_test

import (
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/bot"
	"officeconsole/queries/identity"
	"officeconsole/queries/queriestest"
)

func botOf(user int64) string { return own(user) + "/bots/service" }

// rotateBotToken replaces a token of the bot, and returns the new one and the
// path where it is used.
func (s *site) rotateBotToken(kind string, overlap int) (token, path string) {
	s.t.Helper()
	a := s.call(http.MethodPost, botOf(queriestest.Admin)+"/tokens/"+kind+"/rotation", s.token(queriestest.Admin), fmt.Sprintf(`{"overlap_seconds":%d}`, overlap))
	body := object(s.t, a, http.StatusOK)
	return body["token"].(string), strings.TrimPrefix(body["path"].(string), "/api/v1")
}

func TestServiceBot(t *testing.T) {
	s := newSite(t)
	token, one := s.token(queriestest.Admin), botOf(queriestest.Admin)
	first := s.get(one, token)
	id := jsonNumber(object(t, first, http.StatusOK)["id"])
	sameJSON(t, first.body, `{"id":`+id+`,"name":"알림봇","enabled":true,"allowed_addresses":[],"hook_receivers":{},"tokens":{}}`)
	changed := s.call(http.MethodPatch, one, token, `{"name":"한빛 알림봇","allowed_addresses":["203.0.113.0/24"],"hook_receivers":{"departments":[6]}}`, "If-Match: "+first.header.Get("ETag"))
	sameJSON(t, changed.body, `{"id":`+id+`,"name":"한빛 알림봇","enabled":true,"allowed_addresses":["203.0.113.0/24"],"hook_receivers":{"departments":[6]},"tokens":{}}`)
	stale := s.call(http.MethodPatch, one, token, `{"name":"다른 이름"}`, "If-Match: "+first.header.Get("ETag"))
	equal(t, "stale", []any{stale.status, code(t, stale)}, []any{http.StatusConflict, "bot.changed"})
	refused := s.call(http.MethodPatch, one, token, `{"name":" ","allowed_addresses":["x"],"hook_receivers":{"users":[999]}}`)
	equal(t, "refused", fields(t, refused), "allowed_addresses bot.addresses.invalid, hook_receivers bot.receivers.unknown, name bot.name.required")
	off := s.call(http.MethodPatch, one, token, `{"enabled":false}`)
	equal(t, "off", object(t, off, http.StatusOK)["enabled"], any(false))
	for _, user := range []int64{queriestest.Employee, queriestest.Viewer, queriestest.Manager} {
		equal(t, "of employees", s.get(botOf(user), s.token(user)).status, http.StatusForbidden)
	}
	if other := object(t, s.get(botOf(queriestest.OtherAdmin), s.token(queriestest.OtherAdmin)), http.StatusOK); jsonNumber(other["id"]) == id {
		t.Error("companies share a bot")
	}
}

// fields gives the refused fields of an answer with their codes.
func fields(t *testing.T, a answer) string {
	t.Helper()
	var all []string
	for _, e := range object(t, a, http.StatusUnprocessableEntity)["errors"].([]any) {
		e := e.(map[string]any)
		all = append(all, e["field"].(string)+" "+e["code"].(string))
	}
	return strings.Join(all, ", ")
}

func TestServiceBotImage(t *testing.T) {
	s := newSite(t)
	token, one := s.token(queriestest.Admin), botOf(queriestest.Admin)
	equal(t, "none yet", s.get(one+"/image", token).status, http.StatusNotFound)
	content := pngOf(t, 400, 200)
	sum := md5.Sum([]byte(content))
	wrong := s.call(http.MethodPut, one+"/image", token, content, binary, "Content-MD5: "+strings.Repeat("0", 32), "Accept-Language: en")
	equal(t, "another checksum", code(t, wrong), "bot.image.md5")
	if !strings.Contains(wrong.body, "MD5 extraction failed") {
		t.Errorf("%s", wrong.body)
	}
	set := object(t, s.call(http.MethodPut, one+"/image", token, content, binary, "Content-MD5: "+base64.StdEncoding.EncodeToString(sum[:])), http.StatusOK)
	address := strings.TrimPrefix(set["image_url"].(string), "/api/v1")
	image := s.get(address, token)
	equal(t, "image", []any{image.status, image.header.Get("Content-Type")}, []any{200, "image/png"})
	service, err := s.db.Identity.IssueServiceToken(t.Context(), queries.Actor{CompanyID: queriestest.Hanbit}, identity.ServiceTokenDraft{Name: "messenger", Scopes: []string{identity.ScopeRead}})
	if err != nil {
		t.Fatal(err)
	}
	profile := object(t, s.get("/companies/1/bots/service", service.Token), http.StatusOK)
	equal(t, "profile", []any{jsonNumber(profile["id"]), profile["name"], profile["enabled"]}, []any{jsonNumber(set["id"]), "알림봇", true})
	toMessenger := strings.TrimPrefix(profile["image_url"].(string), "/api/v1")
	equal(t, "for the messenger", s.get(toMessenger, service.Token).body, image.body)
	equal(t, "by an employee", s.get(toMessenger, s.token(queriestest.Employee)).status, http.StatusForbidden)
	equal(t, "another hash", s.get("/companies/1/bots/service/images/"+strings.Repeat("a", 64), service.Token).status, http.StatusNotFound)
	for name, content := range map[string]string{"bot.image.format": "<svg/>", "bot.image.too_large": strings.Repeat("x", bot.MaxImageBytes)} {
		equal(t, name, code(t, s.call(http.MethodPut, one+"/image", token, content, binary)), name)
	}
	if gone := object(t, s.call(http.MethodDelete, one+"/image", token, ""), http.StatusOK); gone["image_url"] != nil {
		t.Errorf("the image is still %v", gone["image_url"])
	}
}

func TestServiceBotTokens(t *testing.T) {
	s := newSite(t)
	admin, one := s.token(queriestest.Admin), botOf(queriestest.Admin)
	first, path := s.rotateBotToken("message", 0)
	second, _ := s.rotateBotToken("message", 3600)
	hook, hookPath := s.rotateBotToken("hook", 0)
	equal(t, "hook", hookPath, "/hooks/"+hook)
	body := `{"text":"가","to":{"users":[2]}}`
	for _, token := range []string{first, second} {
		equal(t, "within the overlap", s.call(http.MethodPost, path, token, body).status, http.StatusAccepted)
	}
	tokens := object(t, s.get(one, admin), http.StatusOK)["tokens"].(map[string]any)
	message := tokens["message"].(map[string]any)
	replaced := message["replaced"].([]any)[0].(map[string]any)
	equal(t, "tokens", []any{len(tokens), message["ending"], replaced["ending"], message["last_used_by"], message["last_used_from"], message["ends_at"]},
		[]any{2, second[len(second)-4:], first[len(first)-4:], "Go-http-client", "127.0.0.1", nil})
	s.clock.Advance(time.Hour)
	ended := s.call(http.MethodPost, path, first, body, "Accept-Language: en")
	equal(t, "after the overlap", []any{ended.status, code(t, ended)}, []any{http.StatusUnauthorized, "bot.token.ended"})
	if !strings.Contains(ended.body, "This token was replaced") {
		t.Errorf("%s", ended.body)
	}
	third, _ := s.rotateBotToken("message", 3600)
	admin = s.token(queriestest.Admin)
	tokens = object(t, s.get(one, admin), http.StatusOK)["tokens"].(map[string]any)
	id := jsonNumber(tokens["message"].(map[string]any)["replaced"].([]any)[0].(map[string]any)["id"])
	equal(t, "end now", s.call(http.MethodDelete, one+"/tokens/"+id, admin, "").status, http.StatusNoContent)
	equal(t, "end again", s.call(http.MethodDelete, one+"/tokens/"+id, admin, "").status, http.StatusNotFound)
	equal(t, "ended now", code(t, s.call(http.MethodPost, path, second, body)), "bot.token.ended")
	equal(t, "the current one", s.call(http.MethodPost, path, third, body).status, http.StatusAccepted)
	for _, test := range []struct {
		kind, body string
		status     int
	}{{"message", `{"overlap_seconds":604801}`, 422}, {"message", `{"overlap_seconds":-1}`, 422}, {"message", `{}`, 422}, {"other", `{"overlap_seconds":0}`, 404}} {
		equal(t, test.kind+test.body, s.call(http.MethodPost, one+"/tokens/"+test.kind+"/rotation", admin, test.body).status, test.status)
	}
}

func TestSendMessage(t *testing.T) {
	s := newSite(t)
	s.db.Bots.SetRate(1000, 1000)
	token, path := s.rotateBotToken("message", 0)
	notification, notifications := s.rotateBotToken("notification", 0)
	long := func(size int) string {
		const around = `{"text":"","to":{"users":[2]}}`
		return `{"text":"` + strings.Repeat("a", size-len(around)) + `","to":{"users":[2]}}`
	}
	for _, test := range []struct {
		name, path, token, body string
		status                  int
		code                    string
	}{
		{"right", path, token, `{"text":"배포 완료","to":{"users":[2],"departments":[5]}}`, 202, ""},
		{"everyone", notifications, notification, `{"text":"점검","to":{"everyone":true}}`, 202, ""},
		{"no token", path, "", `{}`, 401, "bot.token.missing"},
		{"no such token", path, "ocm_x", `{}`, 401, "bot.token.unknown"},
		{"session token", path, s.token(queriestest.Admin), `{}`, 401, "bot.token.unknown"},
		{"other kind", path, notification, `{}`, 403, "bot.token.kind"},
		{"other bot", strings.Replace(path, "/bots/", "/bots/1", 1), token, `{}`, 404, "bot.token.other"},
		{"no bot", "/bots/x/messages", token, `{}`, 404, "bot.token.other"},
		{"64 KB", path, token, long(bot.MaxBody), 202, ""},
		{"64 KB and one byte", path, token, long(bot.MaxBody + 1), 413, "bot.body.large"},
		{"1 MB", path, token, long(1 << 20), 413, "api.too_large"},
		{"no JSON", path, token, `text`, 400, "bot.body.json"},
		{"a list", path, token, `[]`, 400, "bot.body.json"},
		{"deep", path, token, `{"x":` + strings.Repeat("[", 30_000), 400, "bot.body.json"},
		{"deep and closed", path, token, `{"x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, 400, "bot.body.json"},
		{"no UTF-8", path, token, "{\"text\":\"\xff\",\"to\":{\"everyone\":true}}", 400, "bot.body.utf8"},
		{"NUL", path, token, `{"text":"\u0000","to":{"everyone":true}}`, 422, "bot.text.invalid"},
		{"no text", path, token, `{"to":{"everyone":true}}`, 422, "bot.text.required"},
		{"nobody", path, token, `{"text":"가"}`, 422, "bot.receivers.required"},
		{"null", path, token, `{"text":"가","to":{"users":null,"everyone":null}}`, 422, "bot.receivers.required"},
		{"unknown", path, token, `{"text":"가","to":{"users":[2,999]}}`, 422, "bot.receivers.unknown"},
	} {
		a := s.call(http.MethodPost, test.path, test.token, test.body)
		if test.status == http.StatusAccepted {
			if a.status != test.status || !strings.HasPrefix(a.body, `{"id":`) {
				t.Errorf("%s: %d %s", test.name, a.status, a.body)
			}
			continue
		}
		if a.status != test.status || code(t, a) != test.code {
			t.Errorf("%s: %d %s, want %d %s", test.name, a.status, a.body, test.status, test.code)
		}
	}
	if a := s.call(http.MethodPost, path, token, `{"text":"가","to":{"everyone":true}}`, "Content-Type: text/plain"); a.status != http.StatusUnsupportedMediaType || code(t, a) != "api.media_type" {
		t.Errorf("text: %d %s", a.status, a.body)
	}
	unknown := s.call(http.MethodPost, path, token, `{"text":"가","to":{"users":[2,999],"departments":[9]}}`, "Accept-Language: en")
	sameJSON(t, unknown.body, `{"message":"User 999 does not exist or cannot get messages.","code":"bot.receivers.unknown","errors":[
		{"field":"to.users","code":"bot.receivers.user","message":"User 999 does not exist or cannot get messages."},
		{"field":"to.departments","code":"bot.receivers.department","message":"Department 9 does not exist."}]}`)
	for body, want := range map[string]string{
		`{"text":5,"to":{"everyone":true}}`:                                 "text api.field.string",
		`{"text":"가","to":[]}`:                                              "to api.field.object",
		`{"text":"가","to":{"users":["2"],"everyone":1}}`:                    "to.everyone api.field.invalid, to.users[0] api.field.integer",
		`{"text":"가","to":{"users":[1e30]}}`:                                "to.users api.field.invalid",
		`{"text":"가","mark":1,"to":{"everyone":true,"channel":"#general"}}`: "mark api.field.unknown, to.channel api.field.unknown",
	} {
		refused := s.call(http.MethodPost, path, token, body)
		equal(t, body, []any{refused.status, code(t, refused), fields(t, refused)}, []any{http.StatusUnprocessableEntity, "api.refused", want})
	}
	equal(t, "logged", queriestest.LookUp(t, s.db, "select count(*) from bot_messages where code = 'api.refused'"), "5")
	first := s.call(http.MethodPost, path, token, `{"text":"가","to":{"users":[2]}}`, "Idempotency-Key: 1")
	equal(t, "again", s.call(http.MethodPost, path, token, `{"text":"가","to":{"users":[2]}}`, "Idempotency-Key: 1").body, first.body)
	equal(t, "the key with another text", code(t, s.call(http.MethodPost, path, token, `{"text":"나","to":{"users":[2]}}`, "Idempotency-Key: 1")), "bot.key.used")
	equal(t, "published", queriestest.LookUp(t, s.db, "select string_agg(type || ' ' || length(payload ->> 'text'), ',' order by id) from outbox where type <> 'bot.changed'"),
		fmt.Sprintf("bot.message 5,bot.notification 2,bot.message %d,bot.message 1", bot.MaxBody-30))
}

func TestSendMessageTooOften(t *testing.T) {
	s := newSite(t)
	s.db.Bots.SetRate(0.1, 1)
	token, path := s.rotateBotToken("message", 0)
	body := `{"text":"가","to":{"users":[2]}}`
	equal(t, "first", s.call(http.MethodPost, path, token, body).status, http.StatusAccepted)
	second := s.call(http.MethodPost, path, token, body)
	equal(t, "second", []any{second.status, code(t, second), second.header.Get("Retry-After")}, []any{http.StatusTooManyRequests, "bot.rate", "10"})
	s.clock.Advance(10 * time.Second)
	equal(t, "after ten seconds", s.call(http.MethodPost, path, token, body).status, http.StatusAccepted)
}

func TestServiceBotDeliveries(t *testing.T) {
	s := newSite(t)
	admin, all := s.token(queriestest.Admin), botOf(queriestest.Admin)+"/deliveries"
	token, path := s.rotateBotToken("message", 0)
	for i := range 3 {
		s.call(http.MethodPost, path, token, fmt.Sprintf(`{"text":"%d","to":{"users":[2]}}`, i), "User-Agent: curl/8.14.1")
		s.call(http.MethodPost, path, token, `{`)
	}
	equal(t, "all", rowsOf(t, s.get(all, admin), "answer"), []any{400.0, 202.0, 400.0, 202.0, 400.0, 202.0})
	equal(t, "accepted", rowsOf(t, s.get(all+"?status=accepted", admin), "text"), []any{"2", "1", "0"})
	equal(t, "refused", rowsOf(t, s.get(all+"?status=refused&kind=message", admin), "code"), []any{"bot.body.json", "bot.body.json", "bot.body.json"})
	equal(t, "of another kind", rowsOf(t, s.get(all+"?kind=hook", admin), "id"), []any(nil))
	_, next := list(t, s.get(all+"?status=accepted&limit=2", admin).body, "id")
	second, last := list(t, s.get(all+"?status=accepted&limit=2&cursor="+url.QueryEscape(next), admin).body, "text")
	equal(t, "pages", []any{second, last}, []any{[]any{"0"}, ""})
	ids := rowsOf(t, s.get(all+"?status=accepted", admin), "id")
	one := all + "/" + jsonNumber(ids[0])
	message := object(t, s.get(one, admin), http.StatusOK)
	equal(t, "one", []any{message["text"], message["agent"], message["address"], message["status"], message["trigger"]}, []any{"2", "curl", "127.0.0.1", "accepted", "call"})
	again := object(t, s.call(http.MethodPost, one+"/resending", admin, ""), http.StatusAccepted)
	resent := object(t, s.get(all+"/"+jsonNumber(again["id"]), admin), http.StatusOK)
	equal(t, "sent again", []any{resent["text"], resent["agent"], resent["trigger"]}, []any{"2", "김서연", "resend"})
	refused := rowsOf(t, s.get(all+"?status=refused", admin), "id")
	equal(t, "a refused one", code(t, s.call(http.MethodPost, all+"/"+jsonNumber(refused[0])+"/resending", admin, "")), "bot.resend.refused")
	for _, bad := range []string{"?status=x", "?kind=x", "?cursor=x", "?limit=501"} {
		equal(t, bad, s.get(all+bad, admin).status, http.StatusUnprocessableEntity)
	}
	equal(t, "of another company", s.get(strings.Replace(one, own(queriestest.Admin), own(queriestest.OtherAdmin), 1), s.token(queriestest.OtherAdmin)).status, http.StatusNotFound)
}

// Twice as many readers as the pool has connections, while as many programs send.
func TestServiceBotDeliveriesUnderLoad(t *testing.T) {
	s := newSite(t)
	s.db.Bots.SetRate(1000, 1000)
	admin, all := s.token(queriestest.Admin), botOf(queriestest.Admin)+"/deliveries"
	token, path := s.rotateBotToken("message", 0)
	callers := 2 * int(s.db.Pool().Config().MaxConns)
	var group sync.WaitGroup
	for i := range callers {
		group.Go(func() {
			address := []string{all, all + "?status=refused", all + "?kind=message&limit=1"}[i%3]
			if a := s.get(address, admin); a.status != http.StatusOK {
				t.Errorf("%s: %d %s", address, a.status, a.body)
			}
		})
		group.Go(func() {
			if a := s.call(http.MethodPost, path, token, `{"text":"가","to":{"users":[2]}}`); a.status != http.StatusAccepted {
				t.Errorf("sending: %d %s", a.status, a.body)
			}
		})
	}
	group.Wait()
	equal(t, "stored", len(rowsOf(t, s.get(all+"?limit=500", admin), "id")), callers)
}
