package markdown

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestHTML(t *testing.T) {
	const outside = ` rel="noopener noreferrer" target="_blank"`
	for _, c := range []struct{ source, want string }{
		{"", ""},
		{"안녕하세요", "<p>안녕하세요</p>\n"},
		{"one\ntwo", "<p>one<br>\ntwo</p>\n"},
		{"# 제목\n## 다음\n##### 끝", "<h3>제목</h3>\n<h4>다음</h4>\n<h6>끝</h6>\n"},
		{"제목\n===", "<h3>제목</h3>\n"},
		{"- 하나\n- 둘", "<ul>\n<li>하나</li>\n<li>둘</li>\n</ul>\n"},
		{"~~끝~~", "<p><del>끝</del></p>\n"},
		{"|가|나|\n|--|-:|\n|1|2|", "<table>\n<thead>\n<tr>\n<th>가</th>\n<th align=\"right\">나</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table>\n"},

		// Emphasis without spaces.
		{"**11월 30일(월)**까지", "<p><strong>11월 30일(월)</strong>까지</p>\n"},
		{"마감은**(월)** 입니다", "<p>마감은<strong>(월)</strong> 입니다</p>\n"},
		{"これは**「重要」**です", "<p>これは<strong>「重要」</strong>です</p>\n"},
		{"~~(월)~~까지", "<p><del>(월)</del>까지</p>\n"},
		{"가 ** 나 ** 다", "<p>가 ** 나 ** 다</p>\n"},
		{"snake_case_name, 3*4", "<p>snake_case_name, 3*4</p>\n"},

		// Links lead outside or are text.
		{"[포털](https://portal.example/a?b=1&c=2)", `<p><a href="https://portal.example/a?b=1&amp;c=2"` + outside + ">포털</a></p>\n"},
		{"[메일](mailto:hr@hanbit.example)", `<p><a href="mailto:hr@hanbit.example"` + outside + ">메일</a></p>\n"},
		{"[전화](tel:+82-2-555-1188)", `<p><a href="tel:+82-2-555-1188"` + outside + ">전화</a></p>\n"},
		{"https://portal.example/길에서", `<p><a href="https://portal.example/"` + outside + ">https://portal.example/</a>길에서</p>\n"},
		{"www.portal.example에서", `<p><a href="http://www.portal.example"` + outside + ">www.portal.example</a>에서</p>\n"},
		{"<hr@hanbit.example>", `<p><a href="mailto:hr@hanbit.example"` + outside + ">hr@hanbit.example</a></p>\n"},
		{"[a](javascript:alert(1))", "<p>a</p>\n"},
		{"[a](JaVaScRiPt:alert(1))", "<p>a</p>\n"},
		{"[a](&#106;avascript&colon;alert(1))", "<p>a</p>\n"},
		{"[a](<java\tscript:alert(1)>)", "<p>a</p>\n"},
		{"[a](data:text/html,<script>alert(1)</script>)", "<p>a</p>\n"},
		{"[a](data:text/html;base64,PHNjcmlwdD4=)", "<p>a</p>\n"},
		{"[a](vbscript:x) [b](file:///etc/passwd) [c](/manage) [d](//evil.example) [e](#x)", "<p>a b c d e</p>\n"},
		{"[a](https://bank.example@evil.example)", "<p>a</p>\n"},
		{"[a]\n\n[a]: javascript:alert(1)", "<p>a</p>\n"},
		{"<javascript:alert(1)>", "<p>javascript:alert(1)</p>\n"},
		{"<data:text/html,x>", "<p>data:text/html,x</p>\n"},
		{"[**굵게** `x`](javascript:a)", "<p><strong>굵게</strong> <code>x</code></p>\n"},
		{`[a](https://x.example "on\"mouseover=alert(1)")`, `<p><a href="https://x.example" title="on&quot;mouseover=alert(1)"` + outside + ">a</a></p>\n"},

		// Images are their links.
		{"![그림](https://x.example/a.png)", `<p><a href="https://x.example/a.png"` + outside + ">그림</a></p>\n"},
		{"![](https://x.example/a.png)", `<p><a href="https://x.example/a.png"` + outside + ">https://x.example/a.png</a></p>\n"},
		{"![그림](javascript:alert(1))", "<p>그림</p>\n"},
		{"![x](data:image/svg+xml;base64,PHN2Zz4=)", "<p>x</p>\n"},
		{"[![그림](https://x.example/a.png)](https://y.example)", `<p><a href="https://y.example"` + outside + ">그림</a></p>\n"},
		{"[![그림](https://x.example/a.png)](javascript:a)", `<p><a href="https://x.example/a.png"` + outside + ">그림</a></p>\n"},
		{"![a [b](https://y.example)](https://x.example)", `<p><a href="https://x.example"` + outside + ">a b</a></p>\n"},

		// HTML is text.
		{"<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"},
		{"a <img src=x onerror=alert(1)> b", "<p>a &lt;img src=x onerror=alert(1)&gt; b</p>\n"},
		{"<!-- hidden -->", "<p>&lt;!-- hidden --&gt;</p>\n"},
		{"`<b>`", "<p><code>&lt;b&gt;</code></p>\n"},
		{"```\"><script>\n</code></pre><script>alert(1)</script>\n```", "<pre><code class=\"language-&quot;&gt;&lt;script&gt;\">&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\n</code></pre>\n"},
		{"a\x00b\xff", "<p>a\uFFFDb\uFFFD</p>\n"},
	} {
		if got := HTML(c.source); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.source, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"", ""},
		{"# 제목\n\n본문 **굵게** `x < y`\n다음 줄", "제목 본문 굵게 x < y 다음 줄"},
		{"- 하나\n- 둘\n\n> 인용", "하나 둘 인용"},
		{"[포털](https://portal.example) <hr@hanbit.example> ![그림](javascript:x)", "포털 hr@hanbit.example 그림"},
		{"|가|나|\n|--|--|\n|1|2|", "가 나 1 2"},
		{"```\ncode &amp;\n```", "code &amp;"},
		{`\*별\* &amp; &lt;b&gt; <b>`, "*별* & <b> <b>"},
	} {
		if got := Text(c.source); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.source, got, c.want)
		}
	}
}

// BenchmarkLongSources renders what nests deeply or never ends, which a careless
// parser reads again from each of its characters.
func BenchmarkLongSources(b *testing.B) {
	for _, part := range []string{">", "- ", "*a ", "[", "![", "**가(", "<", "`", "~~a", "|", "[a](", "#", "1. ", "> - "} {
		source := strings.Repeat(part, 20_000/len(part))
		b.Run(part, func(b *testing.B) {
			for b.Loop() {
				HTML(source)
			}
		})
	}
}

func TestNestingIsLimited(t *testing.T) {
	for _, c := range []struct {
		part, element string
		times         int
	}{{"> ", "<blockquote>", maxNesting}, {"1. ", "<ol>", maxNesting / 2}} {
		source := strings.Repeat(c.part, 5) + "words"
		if got := strings.Count(HTML(source), c.element); got != 5 {
			t.Errorf("%q has %d %s", source, got, c.element)
		}
		source = strings.Repeat(c.part, 200) + "words"
		if got := HTML(source); strings.Count(got, c.element) != c.times || !strings.Contains(got, "words") {
			t.Errorf("200 of %q have %d %s, not %d", c.part, strings.Count(got, c.element), c.element, c.times)
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, source := range []string{"# a", "[a](javascript:b)", "![a](data:b)", "<script>", "**가(나)**다", "|a|\n|-|\n", "<https://a.example>", "~~a~~", "[a]\n\n[a]: //b", "`a`", "1. a\n   - b"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		rendered := HTML(source)
		for token := html.NewTokenizer(strings.NewReader(rendered)); token.Next() != html.ErrorToken; {
			checkToken(t, token.Token(), source)
		}
		if text := Text(source); strings.ContainsAny(text, "\n\r") {
			t.Errorf("%q has a text of several lines: %q", source, text)
		}
	})
}

// allowedTags are the elements of a rendered text, with the attributes of each.
var allowedTags = map[string][]string{
	"p": nil, "br": nil, "hr": nil, "em": nil, "strong": nil, "del": nil, "blockquote": nil, "pre": nil, "ul": nil, "li": nil,
	"h3": nil, "h4": nil, "h5": nil, "h6": nil, "table": nil, "thead": nil, "tbody": nil, "tr": nil,
	"th": {"align"}, "td": {"align"}, "ol": {"start"}, "code": {"class"}, "a": {"href", "rel", "target", "title"},
}

func checkToken(t *testing.T, token html.Token, source string) {
	t.Helper()
	switch token.Type {
	case html.TextToken:
		return
	case html.CommentToken, html.DoctypeToken:
		t.Errorf("%q renders %s", source, token)
	}
	attributes, known := allowedTags[token.Data]
	if !known {
		t.Errorf("%q renders <%s>", source, token.Data)
	}
	for _, a := range token.Attr {
		if !strings.Contains(" "+strings.Join(attributes, " ")+" ", " "+a.Key+" ") {
			t.Errorf("%q renders %s of <%s>", source, a.Key, token.Data)
		}
		if a.Key == "href" && !leadsOutside([]byte(a.Val)) {
			t.Errorf("%q links to %q", source, a.Val)
		}
	}
}
