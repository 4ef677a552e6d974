package slack_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"officeconsole/slack"
)

const (
	asJSON = "application/json"
	asForm = "application/x-www-form-urlencoded"
)

// Payloads as Alertmanager, Grafana and a GitHub workflow send them.
func TestReadPayloadsOfPrograms(t *testing.T) {
	for file, want := range map[string]string{
		"alertmanager.json": "**[(FIRING:2) DiskUsageHigh (db-03 prod)](https://alertmanager.hanbit.example/#/alerts?receiver=platform)**\n" +
			"**디스크 사용률 92%** · db-03\n[조치 방법](https://runbook.hanbit.example/disk)\n- /var/lib/postgresql > 90%\n" +
			"**심각도**: critical\n**팀**: 플랫폼\n[Silence](https://alertmanager.hanbit.example/#/silences/new)",
		"grafana.json": "**[(FIRING:1) p99 응답 시간 (messenger-api 운영)](https://grafana.hanbit.example/alerting/list)**\n" +
			"**Firing**\n\nValue: A=1.284\nLabels:\n - alertname = p99 응답 시간\n - service = messenger-api\n" +
			"Source: https://grafana.hanbit.example/alerting/grafana/cdx7/view?orgId=1\nGrafana v11.2.0",
		"github.json": "**배포 완료: messenger-web 6.4.2**\n\n" +
			"**[Build 1188](https://github.com/hanbit/messenger-web/actions/runs/1188)** by @U024BE7LH on `release/6.4`\n[View](https://github.com/hanbit/messenger-web/actions/runs/1188)\n\n" +
			"**Status:**\nsuccess\n**Duration:**\n4m 12s\n\n---\n\n" +
			"[Logs](https://ci.hanbit.example/1188) · [Rollback](https://ci.hanbit.example/1188/rollback)\n\noctocat commit `3f2a9c1` & 4 more",
	} {
		body, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for contentType, body := range map[string][]byte{
			asJSON: body, "text/plain": body, "": body, asForm: []byte("payload=" + url.QueryEscape(string(body))), asForm + "; charset=utf-8": body,
		} {
			if got, err := slack.Read(body, contentType); got != want || err != nil {
				t.Errorf("%s as %q: %v\n%s\nwant\n%s", file, contentType, err, got, want)
			}
		}
	}
}

func TestReadFormats(t *testing.T) {
	for text, want := range map[string]string{
		"그대로":                                    "그대로",
		"*굵게* 그리고 *또*":                           "**굵게** 그리고 **또**",
		"*가* *나* *다*":                            "**가** **나** **다**",
		"2*3*4 = 24, ~/bin":                      "2*3*4 = 24, ~/bin",
		"~지움~ _기울임_":                             "~~지움~~ _기울임_",
		"**이미 굵게**":                              "**이미 굵게**",
		"`*코드* <b>` &amp; *밖*":                   "`*코드* <b>` & **밖**",
		"<https://a.example/?x=1&amp;y=2>":       "https://a.example/?x=1&y=2",
		"<https://a.example|가[나]>":               "[가(나)](https://a.example)",
		"<mailto:a@b.example|a@b.example>":       "[a@b.example](mailto:a@b.example)",
		"<javascript:alert(1)|눌러>":               "눌러",
		"<!here> <!subteam^S1|@ops> <@U1|kim>":   "@here @ops @kim",
		"<#C1|general> <@U1> &lt;b&gt; < 열림":     "#general @U1 <b> < 열림",
		"*<https://a.example|굵은 링크>* <|빈> <a|b>": "**[굵은 링크](https://a.example)** 빈 b",
	} {
		body, err := json.Marshal(map[string]any{"text": text})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := slack.Read(body, asJSON); got != want || err != nil {
			t.Errorf("%s: %q %v, want %q", text, got, err, want)
		}
	}
}

func TestReadParts(t *testing.T) {
	for body, want := range map[string]string{
		`{"text":"*가*","mrkdwn":false}`:               "*가*",
		`{"text":1.5}`:                                "1.5",
		`{"text":"가\u0000나"}`:                         "가나",
		`{"text":"대신","blocks":[{"type":"divider"}]}`: "---",
		`{"text":"글","blocks":[{"type":"unknown"}]}`:  "글",
		`{"text":"글","attachments":[{"fallback":"대신"},{"text":"더","fallback":"안 보임"}]}`:                                                 "글\n\n대신\n\n더",
		`{"attachments":[{"pretext":"앞","author_name":"씀","fields":[{"value":"값만"},{"title":"이름만"}]}]}`:                                 "앞\n씀\n값만\n**이름만**",
		`{"attachments":[{"blocks":[{"type":"section","text":"문자열"}]}]}`:                                                                "문자열",
		`{"blocks":[{"type":"image","title":{"type":"plain_text","text":"그림"},"alt_text":"설명","image_url":"https://a.example/x.png"}]}`: "그림\n[설명](https://a.example/x.png)",
		`{"blocks":[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"굵게","style":{"bold":true}},{"type":"text","text":" 그리고 "},{"type":"link","url":"https://a.example","text":"링크"},{"type":"emoji","name":"tada"}]},
			{"type":"rich_text_list","style":"bullet","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"하나"}]},{"type":"rich_text_section","elements":[{"type":"text","text":"둘","style":{"code":true}}]}]},
			{"type":"rich_text_quote","elements":[{"type":"text","text":"인용\n둘째"}]},{"type":"rich_text_preformatted","elements":[{"type":"text","text":"x := 1"}]}]}]}`: "**굵게** 그리고 [링크](https://a.example):tada:\n- 하나\n- `둘`\n> 인용\n> 둘째\n```\nx := 1\n```",
	} {
		if got, err := slack.Read([]byte(body), asJSON); got != want || err != nil {
			t.Errorf("%s: %q %v, want %q", body, got, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	list := func(one string, count int) string { return strings.TrimSuffix(strings.Repeat(one+",", count), ",") }
	for _, test := range []struct {
		body, contentType string
		want              error
	}{
		{"", asJSON, slack.ErrInvalid},
		{"가나다", asJSON, slack.ErrInvalid},
		{"[]", asJSON, slack.ErrInvalid},
		{`{"text":{}}`, asJSON, slack.ErrInvalid},
		{`{"text":["가"]}`, asJSON, slack.ErrInvalid},
		{`{"attachments":{}}`, asJSON, slack.ErrInvalid},
		{`{"text":"\xff"}`, asJSON, slack.ErrInvalid},
		{"{\"text\":\"\xff\"}", asJSON, slack.ErrInvalid},
		{strings.Repeat(`{"blocks":[`, 20_000), asJSON, slack.ErrInvalid},
		{`{"x":` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + `}`, asJSON, slack.ErrInvalid},
		{"text=가", asForm, slack.ErrInvalid},
		{"payload=%ff", asForm, slack.ErrInvalid},
		{"payload=%zz", asForm, slack.ErrInvalid},
		{"{}", asJSON, slack.ErrNoText},
		{`{"text":" \n"}`, asJSON, slack.ErrNoText},
		{`{"text":"\u0000"}`, asJSON, slack.ErrNoText},
		{`{"text":null,"attachments":[{"color":"good"}],"blocks":null}`, asJSON, slack.ErrNoText},
		{`{"attachments":[` + list(`{"text":"가"}`, 101) + `]}`, asJSON, slack.ErrAttachments},
		{`{"blocks":[` + list(`{"type":"divider"}`, 51) + `]}`, asJSON, slack.ErrBlocks},
	} {
		if got, err := slack.Read([]byte(test.body), test.contentType); !errors.Is(err, test.want) {
			t.Errorf("%.60s: %q %v, want %v", test.body, got, err, test.want)
		}
	}
}

// Rich text that is nested deeper than anybody writes ends, and does not fail.
func TestReadNestedRichText(t *testing.T) {
	const depth = 200
	body := `{"blocks":[{"type":"rich_text","elements":[` + strings.Repeat(`{"type":"rich_text_section","elements":[{"type":"text","text":"가"},`, depth) + `{"type":"text","text":"나"}` + strings.Repeat(`]}`, depth) + `]}]}`
	got, err := slack.Read([]byte(body), asJSON)
	if err != nil || strings.Contains(got, "나") || !strings.HasPrefix(got, "가가") {
		t.Errorf("%q %v", got, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, file := range []string{"alertmanager.json", "grafana.json", "github.json"} {
		body, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body, asJSON)
		f.Add([]byte("payload="+url.QueryEscape(string(body))), asForm)
	}
	f.Add([]byte(`{"text":"*a* <b|c> ~d~"}`), "text/plain; charset")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text, err := slack.Read(body, contentType)
		if err != nil {
			return
		}
		if strings.TrimSpace(text) == "" || strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
			t.Errorf("%q gives %q", body, text)
		}
		if limit := 20*len(body) + 1000; len(text) > limit {
			t.Errorf("%d bytes give %d", len(body), len(text))
		}
	})
}
