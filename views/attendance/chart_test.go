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
func heatMonth(url string, states ...workday.Status) []HeatDay {
	var days []HeatDay
	for i := range 31 {
		d := HeatDay{Day: 1 + i, Status: states[i%len(states)]}
		if url != "" {
			d.URL = url + time.Date(2026, 10, d.Day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		}
		days = append(days, d)
	}
	return days
}

func TestHeatStrip(t *testing.T) {
	days := heatMonth("", workday.StatusOnTime)
	days[1].Status = workday.StatusLate
	days[2].Status = workday.StatusHoliday
	days[3].Half = true
	days[4].Status, days[4].Half = workday.StatusEarlyLeave, true // leaving early is more important than the leave
	days[5].Status = ""
	days[6].URL = "/logs?record=1&x=<"
	for l, want := range map[locales.Locale]string{
		locales.Korean:   `<span class="vh">2일 지각, 4일 반차, 5일 조퇴</span>`,
		locales.English:  `<span class="vh">2: Late, 4: Half day off, 5: Left early</span>`,
		locales.Japanese: `<span class="vh">2日 遅刻、4日 半休、5日 早退</span>`,
	} {
		if view := viewstest.HTML(t, l, heatStrip(days)); !strings.HasSuffix(view, want) {
			t.Errorf("%s: %s", l, view)
		}
	}
	view := viewstest.HTML(t, locales.English, heatStrip(days))
	for _, cell := range []string{
		`<svg class="heat-strip" viewBox="0 0 620 24" aria-hidden="true"><use href="#h-on_time" x="0"><title>1: On time</title></use>`,
		`<use href="#h-late" x="20"><title>2: Late</title></use><use href="#h-holiday" x="40">`,
		`<use href="#h-half_leave" x="60"><title>4: Half day off</title></use><use href="#h-early_leave" x="80">`,
		`<a tabindex="-1" href="/en/logs?record=1&amp;x=&lt;"><use href="#h-on_time" x="120"><title>7: On time</title></use></a>`,
		`x="600"`,
	} {
		if !strings.Contains(view, cell) {
			t.Errorf("without %s: %s", cell, view)
		}
	}
	if strings.Contains(view, `x="100"`) {
		t.Error("a day without a state is drawn")
	}
	if n := strings.Count(viewstest.HTML(t, locales.Korean, heatStrip(append(days, days...))), "<use"); n != 31-1 {
		t.Errorf("a longer strip has %d cells", n)
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
			strip := viewstest.HTML(t, l, heatStrip(heatMonth("", s)[:1]))
			use := regexp.MustCompile(`href="#(h-[a-z_]+)"`).FindStringSubmatch(strip)
			if use == nil || !regexp.MustCompile(`<symbol id="`+use[1]+`"[^>]*><rect[^>]*></rect><\w+ `).MatchString(symbols) {
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

// A page shows 50 people, so every byte of a cell counts.
func TestHeatStripIsSmall(t *testing.T) {
	var page bytes.Buffer
	packed := gzip.NewWriter(&page)
	states := []workday.Status{workday.StatusOnTime, workday.StatusOnTime, workday.StatusLate, workday.StatusHoliday, workday.StatusAbsent}
	for person := range 50 {
		url := fmt.Sprintf("/logs/workingattitude/month?user=%d&record=", 7000+person*37)
		days := heatMonth(url, states[person%3:]...)
		if _, err := packed.Write([]byte(viewstest.HTML(t, locales.Korean, heatStrip(days)))); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if n := page.Len() / (50 * 31); n > 30 {
		t.Errorf("a cell costs %d bytes on the wire", n)
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
	days := heatMonth("/logs/workingattitude/month?user=7000&record=", workday.StatusOnTime, workday.StatusLate)
	ctx := locales.NewContext(b.Context(), locales.Korean)
	var page bytes.Buffer
	for b.Loop() {
		page.Reset()
		if err := heatStrip(days).Render(ctx, &page); err != nil {
			b.Fatal(err)
		}
	}
}
