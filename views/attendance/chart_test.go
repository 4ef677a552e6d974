package attendance

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"officeconsole/locales"
	"officeconsole/views/viewstest"
	"officeconsole/workday"
)

// heatMonth is a month of 31 days that repeat the given statuses.
func heatMonth(states ...workday.Status) []HeatDay {
	var days []HeatDay
	for i := range 31 {
		days = append(days, HeatDay{Status: states[i%len(states)]})
	}
	return days
}

func TestHeatStrip(t *testing.T) {
	days := heatMonth(workday.StatusOnTime)
	days[1].Status = workday.StatusLate
	days[2].Status = workday.StatusHoliday
	days[3].Half = true
	days[4].Status, days[4].Half = workday.StatusEarlyLeave, true // leaving early is more important than the leave
	days[5].Status = ""
	days[6].Record = heatRecordExtra
	days[30].Record = heatRecordNone
	strip := HeatStrip{Days: days, Person: "/month?user_id=7&amp;x=1", Records: "/day/7-2026-10-"}
	for l, want := range map[locales.Locale]string{
		locales.Korean:   `<span class="vh">2일 지각, 4일 반차, 5일 조퇴</span>`,
		locales.English:  `<span class="vh">2: Late, 4: Half day off, 5: Left early</span>`,
		locales.Japanese: `<span class="vh">2日 遅刻、4日 半休、5日 早退</span>`,
	} {
		if view := viewstest.HTML(t, l, strip.component()); !strings.HasSuffix(view, want) {
			t.Errorf("%s: %s", l, view)
		}
	}
	var usual strings.Builder
	for day := 8; day <= 30; day++ {
		fmt.Fprintf(&usual, "H%d", (day-1)*20)
	}
	want := `<a class="heat" tabindex="-1" aria-hidden="true" href="/month?user_id=7&amp;x=1" data-records="/day/7-2026-10-">` +
		`<svg class="heat-strip" viewBox="0 0 620 24">` +
		`<path marker-mid="url(#h-on_time)" d="M0 0H0` + usual.String() + `H0"/>` +
		`<path marker-mid="url(#h-late)" d="M0 0H20H0"/>` +
		`<path marker-mid="url(#h-holiday)" d="M0 0H40H0"/>` +
		`<path marker-mid="url(#h-half_leave)" d="M0 0H60H0"/>` +
		`<path marker-mid="url(#h-early_leave)" d="M0 0H80H0"/>` +
		`<path marker-mid="url(#h-on_time)" data-suffix="-x" d="M0 0H120H0"/>` +
		`<path marker-mid="url(#h-on_time)" data-none d="M0 0H600H0"/>` +
		`</svg></a> `
	if view := viewstest.HTML(t, locales.Korean, strip.component()); !strings.HasPrefix(view, want) {
		t.Errorf("%s\nwant %s", view, want)
	}
	strip.Days = append(strip.Days, days...)
	if longer := viewstest.HTML(t, locales.Korean, strip.component()); !strings.HasPrefix(longer, want) {
		t.Errorf("a longer strip: %s", longer)
	}
}

// Every status has a symbol for the strip and a word in the legend. Those that
// need attention have a letter of their own.
func TestHeatSymbols(t *testing.T) {
	statuses := []workday.Status{
		workday.StatusLeave, workday.StatusHolidayWork, workday.StatusHoliday, workday.StatusAbsent, workday.StatusMissingDeparture,
		workday.StatusLateAndEarly, workday.StatusLate, workday.StatusEarlyLeave, workday.StatusWorking, workday.StatusBefore,
		workday.StatusOnTime, workday.StatusNotDue,
	}
	for _, l := range locales.All() {
		symbols, legend := viewstest.HTML(t, l, heatSymbols()), viewstest.HTML(t, l, heatLegend())
		for _, s := range statuses {
			strip := viewstest.HTML(t, l, HeatStrip{Days: heatMonth(s)[:1]}.component())
			use := regexp.MustCompile(`url\(#(h-[a-z_]+)\)`).FindStringSubmatch(strip)
			if use == nil || !regexp.MustCompile(`<marker id="`+use[1]+`"[^>]* data-title="{day}[^"]+"><\w+ `).MatchString(symbols) {
				t.Errorf("%s: no shape for %s", l, s)
			}
			if word := l.T("record.status." + string(s)); !strings.Contains(legend, word) {
				t.Errorf("%s: the legend has no %q", l, word)
			}
		}
		letters := map[string]bool{}
		for _, found := range regexp.MustCompile(`<text[^>]*>([^<]*)</text>`).FindAllStringSubmatch(symbols, -1) {
			if len([]rune(found[1])) != 1 || letters[found[1]] {
				t.Errorf("%s: letter %q", l, found[1])
			}
			letters[found[1]] = true
		}
		if len(letters) != 9 {
			t.Errorf("%s: letters are %v", l, letters)
		}
	}
}

// A page shows 50 people, so every byte of a strip counts.
func TestHeatStripIsSmall(t *testing.T) {
	var page bytes.Buffer
	packed := gzip.NewWriter(&page)
	states := []workday.Status{workday.StatusOnTime, workday.StatusOnTime, workday.StatusLate, workday.StatusHoliday, workday.StatusAbsent}
	for person := range 50 {
		strip := HeatStrip{Days: heatMonth(states[person%3:]...), Records: fmt.Sprintf("/logs/workingattitude/day/%d-2026-10-", 7000+person*37)}
		if _, err := packed.Write([]byte(viewstest.HTML(t, locales.Korean, strip.component()))); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if n := page.Len() / 50; n > 150 {
		t.Errorf("a strip costs %d bytes on the wire", n)
	}
}

func TestHeatHead(t *testing.T) {
	dates := []HeatDate{
		{Date: time.Date(2026, 10, 2, 0, 0, 0, 0, time.UTC)},
		{time.Date(2026, 10, 3, 0, 0, 0, 0, time.UTC), "개천절"},
		{Date: time.Date(2026, 10, 4, 0, 0, 0, 0, time.UTC)},
	}
	view := viewstest.HTML(t, locales.Korean, heatHead(dates))
	for _, part := range []string{
		`<g class="workday" transform="translate(10)"><text y="13">2</text> <text y="27">금</text> </g>`,
		`<g class="holiday" transform="translate(30)"><text y="13">3</text> <text y="27">토</text> <title>개천절</title></g>`,
		`<g class="weekend" transform="translate(50)"><text y="13">4</text>`,
	} {
		if !strings.Contains(view, part) {
			t.Errorf("without %s: %s", part, view)
		}
	}
}

func TestWeekBar(t *testing.T) {
	for _, test := range []struct {
		worked, limit int
		want          string // class from-to, and the scale
	}{
		{0, 3120, "3600"},
		{-5, 3120, "3600"},
		{2290, 3120, "3600 base 0-2290"},
		{2400, 3120, "3600 base 0-2400"},
		{2735, 3120, "3600 base 0-2400 over 2400-2735"},
		{3145, 3120, "3600 base 0-2400 over 2400-3120 beyond 3120-3145"},
		{9999, 3120, "3600 base 0-2400 over 2400-3120 beyond 3120-3600"},
		{2500, 2100, "3600 base 0-2100 beyond 2100-2500"},
		{3600, 3840, "4430 base 0-2400 over 2400-3600"},
	} {
		view := viewstest.HTML(t, locales.Korean, weekBar(test.worked, 2400, test.limit))
		var got string
		if _, err := fmt.Sscanf(view, `<svg class="hours" viewBox="0 0 %s 8"`, &got); err != nil {
			t.Fatal(err, view)
		}
		for _, p := range regexp.MustCompile(`<rect class="(\w+)" x="(\d+)" width="(\d+)"`).FindAllStringSubmatch(view, -1) {
			var from, width int
			fmt.Sscan(p[2]+" "+p[3], &from, &width)
			got += fmt.Sprintf(" %s %d-%d", p[1], from, from+width)
		}
		if got != test.want {
			t.Errorf("%d of %d minutes: %s, want %s", test.worked, test.limit, got, test.want)
		}
		if !strings.Contains(view, fmt.Sprintf(`<path class="limit" d="M%d-3v14">`, test.limit)) {
			t.Errorf("%d of %d minutes: no line at the limit: %s", test.worked, test.limit, view)
		}
	}
}

func BenchmarkHeatStrip(b *testing.B) {
	strip := HeatStrip{Days: heatMonth(workday.StatusOnTime, workday.StatusLate), Records: "/logs/workingattitude/day/7000-2026-10-"}
	ctx := locales.NewContext(b.Context(), locales.Korean)
	var page bytes.Buffer
	for b.Loop() {
		page.Reset()
		if err := strip.component().Render(ctx, &page); err != nil {
			b.Fatal(err)
		}
	}
}
