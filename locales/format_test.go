package locales

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// The zone is half an hour off the full hour, so that a forgotten zone is
// noticed.
var zone = time.FixedZone("+09:30", 9*3600+1800)

func at(year int, month time.Month, day, hour, minute int) time.Time {
	return time.Date(year, month, day, hour, minute, 0, 0, zone)
}

func TestFormats(t *testing.T) {
	now := at(2026, 11, 20, 12, 0)
	friday, lastYear := at(2026, 11, 20, 9, 5), at(2025, 1, 3, 17, 40)
	for _, test := range []struct {
		name   string
		format func(context.Context) string
		ko     string
		en     string
		ja     string
	}{
		{"date", func(c context.Context) string { return Date(c, friday) },
			"2026년 11월 20일", "Nov 20, 2026", "2026年11月20日"},
		{"long date", func(c context.Context) string { return LongDate(c, friday) },
			"2026년 11월 20일 금요일", "Friday, Nov 20, 2026", "2026年11月20日（金）"},
		{"long date on a Monday", func(c context.Context) string { return LongDate(c, at(2026, 2, 2, 0, 0)) },
			"2026년 2월 2일 월요일", "Monday, Feb 2, 2026", "2026年2月2日（月）"},
		{"short date", func(c context.Context) string { return ShortDate(c, friday, now) },
			"11월 20일", "Nov 20", "11月20日"},
		{"short date of another year", func(c context.Context) string { return ShortDate(c, lastYear, now) },
			"2025년 1월 3일", "Jan 3, 2025", "2025年1月3日"},
		{"short date where now is in the old year elsewhere", func(c context.Context) string {
			return ShortDate(c, at(2026, 1, 1, 8, 0), at(2026, 1, 1, 9, 0).UTC())
		}, "1월 1일", "Jan 1", "1月1日"},
		{"range of dates", func(c context.Context) string { return DateRange(c, at(2026, 11, 16, 0, 0), at(2026, 11, 22, 0, 0)) },
			"2026년 11월 16일 – 11월 22일", "Nov 16 – Nov 22, 2026", "2026年11月16日〜11月22日"},
		{"range of dates of two years", func(c context.Context) string { return DateRange(c, lastYear, friday) },
			"2025년 1월 3일 – 2026년 11월 20일", "Jan 3, 2025 – Nov 20, 2026", "2025年1月3日〜2026年11月20日"},
		{"month", func(c context.Context) string { return Month(c, friday) },
			"2026년 11월", "November 2026", "2026年11月"},
		{"date and time", func(c context.Context) string { return DateTime(c, friday) },
			"2026년 11월 20일 09:05", "Nov 20, 2026, 09:05", "2026年11月20日 09:05"},
		{"short date and time", func(c context.Context) string { return ShortDateTime(c, friday, now) },
			"11월 20일 09:05", "Nov 20, 09:05", "11月20日 09:05"},
		{"short date and time of another year", func(c context.Context) string { return ShortDateTime(c, lastYear, now) },
			"2025년 1월 3일 17:40", "Jan 3, 2025, 17:40", "2025年1月3日 17:40"},
		{"short date and time where now is in the old year elsewhere", func(c context.Context) string {
			return ShortDateTime(c, at(2026, 1, 1, 8, 0), at(2026, 1, 1, 9, 0).UTC())
		}, "1월 1일 08:00", "Jan 1, 08:00", "1月1日 08:00"},
		{"time", func(c context.Context) string { return Time(c, friday) }, "09:05", "09:05", "09:05"},
		{"midnight", func(c context.Context) string { return Time(c, at(2026, 1, 1, 0, 0)) }, "00:00", "00:00", "00:00"},
		{"shortest date time", func(c context.Context) string { return ShortestDateTime(c, at(2026, 12, 1, 0, 0)) },
			"12/01 00:00", "12/01 00:00", "12/01 00:00"},
		{"weekday", func(c context.Context) string { return Weekday(c, friday) }, "금요일", "Friday", "金曜日"},
		{"short weekday", func(c context.Context) string { return ShortWeekday(c, friday) }, "금", "Fri", "金"},
		{"short date with its weekday", func(c context.Context) string { return WithWeekday(c, ShortDate(c, friday, now), friday) },
			"11월 20일 (금)", "Nov 20 (Fri)", "11月20日（金）"},

		{"no minutes", func(c context.Context) string { return Duration(c, 0) }, "0분", "0 min", "0分"},
		{"minutes", func(c context.Context) string { return Duration(c, 59) }, "59분", "59 min", "59分"},
		{"hours", func(c context.Context) string { return Duration(c, 480) }, "8시간", "8 h", "8時間"},
		{"hours and minutes", func(c context.Context) string { return Duration(c, 510) },
			"8시간 30분", "8 h 30 min", "8時間30分"},
		{"many hours", func(c context.Context) string { return Duration(c, 60*1234+5) },
			"1,234시간 5분", "1,234 h 5 min", "1,234時間5分"},
		{"negative", func(c context.Context) string { return Duration(c, -90) },
			"-1시간 30분", "-1 h 30 min", "-1時間30分"},

		{"number", func(c context.Context) string { return Number(c, 10000) }, "10,000", "10,000", "10,000"},
		{"bytes", func(c context.Context) string { return Bytes(c, 512) }, "512B", "512 B", "512B"},
		{"kilobytes", func(c context.Context) string { return Bytes(c, 1024) }, "1KB", "1 KB", "1KB"},
		{"megabytes", func(c context.Context) string { return Bytes(c, 8808038) }, "8.4MB", "8.4 MB", "8.4MB"},
		{"almost a megabyte", func(c context.Context) string { return Bytes(c, 1<<20-1) }, "1MB", "1 MB", "1MB"},
		{"gigabytes", func(c context.Context) string { return Bytes(c, 3<<29) }, "1.5GB", "1.5 GB", "1.5GB"},
		{"petabytes", func(c context.Context) string { return Bytes(c, 1<<50) }, "1,024TB", "1,024 TB", "1,024TB"},
		{"many gigabytes", func(c context.Context) string { return Bytes(c, 1023*(1<<30)+7*(1<<30)/10) }, "1,023.7GB", "1,023.7 GB", "1,023.7GB"},
	} {
		t.Run(test.name, func(t *testing.T) { inThreeLanguages(t, test.format, test.ko, test.en, test.ja) })
	}
}

func TestWeekdays(t *testing.T) {
	ko := []string{"일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"}
	ja := []string{"日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"}
	for i := range 7 {
		day := at(2026, 11, 15+i, 0, 0)
		en := day.Weekday().String()
		inThreeLanguages(t, func(c context.Context) string { return Weekday(c, day) }, ko[i], en, ja[i])
		short := func(c context.Context) string { return ShortWeekday(c, day) }
		inThreeLanguages(t, short, string([]rune(ko[i])[0]), en[:3], string([]rune(ja[i])[0]))
	}
}

func TestRelative(t *testing.T) {
	noon := at(2026, 11, 20, 12, 0)
	for _, test := range []struct {
		name       string
		t, now     time.Time
		ko, en, ja string
	}{
		{"now", noon, noon, "방금", "Just now", "たった今"},
		{"59 seconds", noon.Add(-59 * time.Second), noon, "방금", "Just now", "たった今"},
		{"a clock ahead", noon.Add(59 * time.Second), noon, "방금", "Just now", "たった今"},
		{"a minute", noon.Add(-time.Minute), noon, "1분 전", "1 minute ago", "1分前"},
		{"five minutes", noon.Add(-5 * time.Minute), noon, "5분 전", "5 minutes ago", "5分前"},
		{"minutes over midnight", at(2026, 11, 19, 23, 50), at(2026, 11, 20, 0, 10), "20분 전", "20 minutes ago", "20分前"},
		{"an hour", noon.Add(-time.Hour), noon, "1시간 전", "1 hour ago", "1時間前"},
		{"this morning", at(2026, 11, 20, 0, 0), noon, "12시간 전", "12 hours ago", "12時間前"},
		{"yesterday", at(2026, 11, 19, 17, 40), noon, "어제 17:40", "Yesterday 17:40", "昨日 17:40"},
		{"yesterday's first minute", at(2026, 11, 19, 0, 0), noon, "어제 00:00", "Yesterday 00:00", "昨日 00:00"},
		{"yesterday last year", at(2025, 12, 31, 9, 0), at(2026, 1, 1, 9, 0), "어제 09:00", "Yesterday 09:00", "昨日 09:00"},
		{"the day before", at(2026, 11, 18, 23, 59), noon, "11월 18일", "Nov 18", "11月18日"},
		{"last year", at(2025, 11, 20, 12, 0), noon, "2025년 11월 20일", "Nov 20, 2025", "2025年11月20日"},
		{"to come", at(2026, 12, 1, 0, 0), noon, "12월 1일 00:00", "Dec 1, 00:00", "12月1日 00:00"},
		{"now in another zone", at(2026, 11, 19, 23, 0), at(2026, 11, 20, 1, 0).UTC(), "어제 23:00", "Yesterday 23:00", "昨日 23:00"},
	} {
		t.Run(test.name, func(t *testing.T) {
			format := func(c context.Context) string { return Relative(c, test.t, test.now) }
			inThreeLanguages(t, format, test.ko, test.en, test.ja)
		})
	}
}

func TestAhead(t *testing.T) {
	noon := at(2026, 11, 20, 12, 0)
	for _, test := range []struct {
		ahead      time.Duration
		ko, en, ja string
	}{
		{-time.Hour, "1분 안에", "in less than a minute", "1分以内"},
		{59 * time.Second, "1분 안에", "in less than a minute", "1分以内"},
		{time.Minute, "1분 뒤", "in 1 minute", "1分後"},
		{2*time.Minute - time.Second, "1분 뒤", "in 1 minute", "1分後"},
		{time.Hour - time.Second, "59분 뒤", "in 59 minutes", "59分後"},
		{time.Hour, "1시간 뒤", "in 1 hour", "1時間後"},
		{time.Hour + time.Minute, "1시간 1분 뒤", "in 1 hour 1 minute", "1時間1分後"},
		{24*time.Hour - time.Second, "23시간 59분 뒤", "in 23 hours 59 minutes", "23時間59分後"},
		{24 * time.Hour, "1일 뒤", "in 1 day", "1日後"},
		{25*time.Hour - time.Second, "1일 뒤", "in 1 day", "1日後"},
		{25 * time.Hour, "1일 1시간 뒤", "in 1 day 1 hour", "1日1時間後"},
		{94 * time.Hour, "3일 22시간 뒤", "in 3 days 22 hours", "3日22時間後"},
		{365 * 24 * time.Hour, "365일 뒤", "in 365 days", "365日後"},
	} {
		t.Run(test.ahead.String(), func(t *testing.T) {
			format := func(c context.Context) string { return Ahead(c, noon.Add(test.ahead), noon.UTC()) }
			inThreeLanguages(t, format, test.ko, test.en, test.ja)
		})
	}
}

// Number inserts separators itself because that is faster; the reference is
// CLDR.
func TestNumberFollowsCLDR(t *testing.T) {
	numbers := []int64{0, 1, -1, 999, 1000, -1000, 999999, 1000000, -1 << 63, 1<<63 - 1}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		numbers = append(numbers, random.Int64()>>random.IntN(63))
	}
	for _, l := range All() {
		printer := message.NewPrinter(language.MustParse(string(l)))
		for _, n := range numbers {
			if got, want := l.Number(n), printer.Sprintf("%d", n); got != want {
				t.Errorf("%s.Number(%d) = %s, want %s", l, n, got, want)
			}
		}
	}
}

func inThreeLanguages(t *testing.T, format func(context.Context) string, ko, en, ja string) {
	t.Helper()
	for l, want := range map[Locale]string{Korean: ko, English: en, Japanese: ja} {
		if got := format(NewContext(t.Context(), l)); got != want {
			t.Errorf("%s: got %q, want %q", l, got, want)
		}
	}
}
