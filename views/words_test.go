package views

import (
	"testing"

	"officeconsole/locales"
)

func TestLang(t *testing.T) {
	for _, c := range []struct {
		page       locales.Locale
		text, want string
	}{
		{locales.Japanese, "정보보호 서약서 제출 안내", "ko"}, {locales.Japanese, "お知らせ", ""}, {locales.Japanese, "日本支社と한빛の会議です", ""},
		{locales.Japanese, "점검 안내 お知らせ", "ko"},
		{locales.English, "서약서", "ko"}, {locales.English, "カレンダー", "ja"}, {locales.English, "Trips", ""}, {locales.English, "東京", ""},
		{locales.Korean, "서약서", ""}, {locales.Korean, "お知らせ", "ja"}, {locales.Korean, "", ""},
	} {
		got, _ := Lang(locales.NewContext(t.Context(), c.page), c.text)["lang"].(string)
		if got != c.want {
			t.Errorf("%q on a page in %s: %q, not %q", c.text, c.page, got, c.want)
		}
	}
}
