package locales

import (
	"context"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
	"text/template/parse"
	"unicode"

	"github.com/BurntSushi/toml"
)

// An entry is a message as written in its file: its text by plural form.
type entry struct {
	file  string
	forms map[string]string
}

var idPattern = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$`)

// entries reads the catalogue files without the code under test.
func entries(t *testing.T) map[Locale]map[string]entry {
	t.Helper()
	all := map[Locale]map[string]entry{Korean: {}, English: {}, Japanese: {}}
	names, err := fs.Glob(files, "*.toml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no catalogues: %v", err)
	}
	for _, name := range names {
		parts := strings.Split(name, ".")
		if len(parts) != 3 || all[Locale(parts[1])] == nil {
			t.Fatalf("%s is not named noun.language.toml", name)
		}
		var texts map[string]any
		if _, err := toml.DecodeFS(files, name, &texts); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		catalogue := all[Locale(parts[1])]
		for id, value := range texts {
			if first, ok := catalogue[id]; ok {
				t.Errorf("%s: %q is in %s already", name, id, first.file)
			}
			if !idPattern.MatchString(id) {
				t.Errorf("%s: %q is not a flat dotted id in quotes", name, id)
				continue
			}
			catalogue[id] = entry{name, forms(t, name, id, value)}
		}
	}
	return all
}

func forms(t *testing.T, file, id string, value any) map[string]string {
	t.Helper()
	table, ok := value.(map[string]any)
	if !ok {
		table = map[string]any{"other": value}
	}
	texts := map[string]string{}
	for form, text := range table {
		s, ok := text.(string)
		if !ok {
			t.Errorf("%s: %s.%s is not a text", file, id, form)
		}
		texts[form] = s
	}
	delete(texts, "description")
	return texts
}

// variables returns the names in a message's templates, in order and without
// repetitions.
func variables(t *testing.T, id string, e entry) []string {
	t.Helper()
	names := map[string]bool{}
	for _, text := range e.forms {
		parsed, err := template.New(id).Parse(text)
		if err != nil {
			t.Errorf("%s: %q: %v", e.file, id, err)
			continue
		}
		if parsed.Tree == nil {
			continue
		}
		for _, node := range parsed.Root.Nodes {
			if action, ok := node.(*parse.ActionNode); ok {
				names[strings.Trim(action.String(), "{}.")] = true
			} else if node.Type() != parse.NodeText {
				t.Errorf("%s: %q holds %s; a message only inserts values", e.file, id, node)
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func TestLanguagesHaveTheSameMessages(t *testing.T) {
	all := entries(t)
	for _, l := range All() {
		for _, other := range All() {
			for id, e := range all[l] {
				if _, ok := all[other][id]; !ok {
					t.Errorf("%s: %q has no counterpart in %s", e.file, id, other)
				}
			}
		}
	}
	for id, ko := range all[Korean] {
		want := variables(t, id, ko)
		for _, l := range []Locale{English, Japanese} {
			if e, ok := all[l][id]; ok && !slices.Equal(variables(t, id, e), want) {
				t.Errorf("%s: %q inserts %v, Korean %v", e.file, id, variables(t, id, e), want)
			}
		}
	}
}

func TestPluralForms(t *testing.T) {
	for l, catalogue := range entries(t) {
		for id, e := range catalogue {
			got := slices.Sorted(maps.Keys(e.forms))
			if slices.Equal(got, []string{"other"}) || l == English && slices.Equal(got, []string{"one", "other"}) {
				continue
			}
			t.Errorf("%s: %q has the forms %v", e.file, id, got)
		}
	}
}

func TestTexts(t *testing.T) {
	for l, catalogue := range entries(t) {
		for id, e := range catalogue {
			for form, text := range e.forms {
				if text == "" || text != strings.TrimSpace(text) {
					t.Errorf("%s: %q (%s) is empty or has space around it: %q", e.file, id, form, text)
				}
				if r, ok := foreign(l, text); ok {
					t.Errorf("%s: %q (%s) has %q of another language: %q", e.file, id, form, r, text)
				}
			}
		}
	}
}

// foreign returns a letter that the language does not use. The languages' own
// names are allowed in every catalogue.
func foreign(l Locale, text string) (rune, bool) {
	for _, named := range All() {
		text = strings.ReplaceAll(text, named.Name(), "")
	}
	for _, r := range text {
		hangul := unicode.Is(unicode.Hangul, r)
		kana := unicode.In(r, unicode.Hiragana, unicode.Katakana)
		han := unicode.Is(unicode.Han, r)
		if l != Korean && hangul || l != Japanese && kana || l == English && han {
			return r, true
		}
	}
	return 0, false
}

func TestForeignLetters(t *testing.T) {
	for _, test := range []struct {
		l    Locale
		text string
		want bool
	}{
		{Korean, "정책 policy 政策", false},
		{Korean, "언어: 日本語", false},
		{Korean, "정책の", true},
		{Korean, "정책ー", false},
		{Japanese, "ポリシーを削除", false},
		{Japanese, "한국어を選択", false},
		{Japanese, "정책", true},
		{English, "Policy “A” – 10", false},
		{English, "日本語", false},
		{English, "Policy 政策", true},
		{English, "Policy ポ", true},
	} {
		if r, got := foreign(test.l, test.text); got != test.want {
			t.Errorf("foreign(%s, %q) = %q, %t", test.l, test.text, r, got)
		}
	}
}

// replaced are expressions for words that were replaced by standard terms or by
// more natural ones.
var replaced = map[Locale]*regexp.Regexp{
	Korean:   regexp.MustCompile(`(연장|야간|휴일)근무|소정 근로|쉬는 날|인증되지 않음|직급|(이|그) 쪽|쪽 이동|골라 주|되살(린|릴|립|려|렸)|로그인 시간이 지나|(적용이|에게 적용이) 바뀝니다|52시간`),
	Japanese: regexp.MustCompile(`職級|キーワード|マイ情報|ブラウザ([^ー]|$)|だれ|^定時$|外勤|別の勤怠|^月の締め|締める月|全管理者|権限すべて|停止中|その間に|別の人|(^|[^の])他の|ご確認ください|一人が|一つの|一件ずつ|わかり|未使用による|使用(停止|状態)|修正権限|出力|送信(日|状態)|保管箱|ショートメッセージ|勤務時計|人別|[ぁ-んァ-ヶ一-龠]\?|52時間`),
	English:  regexp.MustCompile(`(?i)with subordinates|top week|edit together|not proven|mock location|all the same|with or without plan|^due |is another one|^saved like|not used any more|you are not signed in|52-hour`),
}

func TestReplacedWords(t *testing.T) {
	for l, catalogue := range entries(t) {
		for id, e := range catalogue {
			for form, text := range e.forms {
				if word := replaced[l].FindString(text); word != "" {
					t.Errorf("%s: %q (%s) has the replaced word %q: %q", e.file, id, form, word, text)
				}
			}
		}
	}
}

func TestEveryMessageRenders(t *testing.T) {
	for l, catalogue := range entries(t) {
		if got, want := l.IDs(), slices.Sorted(maps.Keys(catalogue)); !slices.Equal(got, want) {
			t.Errorf("%s.IDs() differs from the files: %d, %d", l, len(got), len(want))
		}
		for id, e := range catalogue {
			args := []any{}
			for _, name := range variables(t, id, e) {
				args = append(args, name, "<"+name+">")
			}
			want := insert(e.forms["other"])
			if got := l.T(id, args...); got != want {
				t.Errorf("%s.T(%q) = %q, want %q", l, id, got, want)
			}
		}
	}
}

func insert(text string) string {
	return regexp.MustCompile(`{{\s*\.(\w+)\s*}}`).ReplaceAllString(text, "<$1>")
}

func TestCounts(t *testing.T) {
	for _, test := range []struct {
		l     Locale
		count int
		want  string
	}{
		{Korean, 1, "1분 전"},
		{Korean, 12345, "12,345분 전"},
		{English, -2, "-2 minutes ago"},
		{English, 0, "0 minutes ago"},
		{English, 1, "1 minute ago"},
		{English, 2, "2 minutes ago"},
		{English, 12345, "12,345 minutes ago"},
		{Japanese, 1, "1分前"},
	} {
		if got := N(NewContext(t.Context(), test.l), "locale.relative.minutes", test.count); got != test.want {
			t.Errorf("%s: %d gives %q, want %q", test.l, test.count, got, test.want)
		}
	}
}

// N must not write behind the end of a caller's slice of arguments.
func TestNDoesNotChangeItsArguments(t *testing.T) {
	backing := []any{"Name", "Kim", "kept", "kept"}
	Korean.N("locale.relative.minutes", 1, backing[:2]...)
	if backing[2] != "kept" {
		t.Errorf("N overwrote an argument with %v", backing[2])
	}
}

func TestUnknownMessageShowsItsID(t *testing.T) {
	ctx := context.Background()
	for got, want := range map[string]string{
		T(ctx, "no.such.message"):               "⟦no.such.message⟧",
		T(ctx, "no.other.message", "Name", "A"): "⟦no.other.message⟧",
		N(ctx, "no.third.message", 2):           "⟦no.third.message⟧",
		English.T("no.fourth.message"):          "⟦no.fourth.message⟧",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestMessagesWithoutArgumentsDoNotAllocate(t *testing.T) {
	ctx := NewContext(t.Context(), English)
	if n := testing.AllocsPerRun(100, func() { T(ctx, "locale.relative.now") }); n != 0 {
		t.Errorf("a message without arguments allocates %v times", n)
	}
}
