package locales

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// The functions below expect times in the time zone to show.

// Date formats a day with its year: "2026년 11월 20일", "Nov 20, 2026",
// "2026年11月20日".
func Date(ctx context.Context, t time.Time) string { return FromContext(ctx).Date(t) }

// LongDate formats a day with its year and weekday: "2026년 11월 20일 금요일",
// "Friday, Nov 20, 2026", "2026年11月20日（金）".
func LongDate(ctx context.Context, t time.Time) string { return FromContext(ctx).LongDate(t) }

// ShortDate formats a day, with its year if that differs from now's: "11월 20일",
// "Nov 20", "11月20日".
func ShortDate(ctx context.Context, t, now time.Time) string {
	return FromContext(ctx).ShortDate(t, now)
}

// DateRange formats the days from first to last, with their year once:
// "2026년 11월 16일 – 11월 22일", "Nov 16 – Nov 22, 2026", "2026年11月16日〜11月22日".
func DateRange(ctx context.Context, first, last time.Time) string {
	return FromContext(ctx).DateRange(first, last)
}

// Month formats a month with its year: "2026년 11월", "November 2026",
// "2026年11月".
func Month(ctx context.Context, t time.Time) string { return FromContext(ctx).Month(t) }

// Weekday formats the day of the week: "금요일", "Friday", "金曜日".
func Weekday(ctx context.Context, t time.Time) string { return FromContext(ctx).Weekday(t) }

// ShortWeekday formats the day of the week for a narrow column: "금", "Fri",
// "金".
func ShortWeekday(ctx context.Context, t time.Time) string { return FromContext(ctx).ShortWeekday(t) }

// WithWeekday adds the day of the week to the text of a date: "11월 20일 (금)",
// "Nov 20 (Fri)", "11月20日（金）".
func WithWeekday(ctx context.Context, date string, t time.Time) string {
	return T(ctx, "locale.with_weekday", "Date", date, "Weekday", ShortWeekday(ctx, t))
}

// DateTime formats Date and Time: "2026년 11월 20일 09:05", "Nov 20, 2026, 09:05",
// "2026年11月20日 09:05".
func DateTime(ctx context.Context, t time.Time) string { return FromContext(ctx).DateTime(t) }

// ShortDateTime formats ShortDate and Time: "11월 20일 09:05", "Nov 20, 09:05",
// "11月20日 09:05".
func ShortDateTime(ctx context.Context, t, now time.Time) string {
	return FromContext(ctx).ShortDateTime(t, now)
}

// Time formats the time of day with 24 hours: "09:05".
func Time(ctx context.Context, t time.Time) string { return FromContext(ctx).Time(t) }

// ShortestDateTime formats a day and time as short as possible: "12/01 00:00".
func ShortestDateTime(ctx context.Context, t time.Time) string {
	return FromContext(ctx).ShortestDateTime(t)
}

// Relative formats how long ago t was: "방금", "5분 전", "3시간 전" on the same day,
// "어제 17:40", and ShortDate before that. A future time is a ShortDateTime.
func Relative(ctx context.Context, t, now time.Time) string { return FromContext(ctx).Relative(t, now) }

// Ahead formats how far away t is, in its two largest units: "3일 22시간 뒤",
// "3 days 22 hours later", "3日22時間後". Less than a minute is "1분 안에".
func Ahead(ctx context.Context, t, now time.Time) string { return FromContext(ctx).Ahead(t, now) }

// Duration formats a number of minutes: "8시간 30분", "8 h 30 min", "8時間30分".
func Duration(ctx context.Context, minutes int) string { return FromContext(ctx).Duration(minutes) }

// Number formats a whole number with separators: "10,000".
func Number(ctx context.Context, n int64) string { return FromContext(ctx).Number(n) }

// Bytes formats the size of a file, in units of 1024: "8.4MB", "8.4 MB".
func Bytes(ctx context.Context, n int64) string { return FromContext(ctx).Bytes(n) }

// Date works like the function Date, in the language l; so do the methods
// below.
func (l Locale) Date(t time.Time) string { return t.Format(l.T("locale.date")) }

func (l Locale) LongDate(t time.Time) string {
	text := t.Format(l.T("locale.long_date"))
	day := t.Weekday().String()
	return strings.NewReplacer(day, l.Weekday(t), day[:3], l.ShortWeekday(t)).Replace(text)
}

func (l Locale) ShortDate(t, now time.Time) string {
	if t.Year() != now.In(t.Location()).Year() {
		return l.Date(t)
	}
	return t.Format(l.T("locale.short_date"))
}

func (l Locale) DateRange(first, last time.Time) string {
	if l == English { // the year is at the end
		return l.T("locale.range", "First", l.ShortDate(first, last), "Last", l.Date(last))
	}
	return l.T("locale.range", "First", l.Date(first), "Last", l.ShortDate(last, first))
}

func (l Locale) Month(t time.Time) string { return t.Format(l.T("locale.month")) }

func (l Locale) Weekday(t time.Time) string {
	return l.T("locale.weekday." + strconv.Itoa(int(t.Weekday())))
}

func (l Locale) ShortWeekday(t time.Time) string {
	return l.T("locale.short_weekday." + strconv.Itoa(int(t.Weekday())))
}

func (l Locale) DateTime(t time.Time) string { return t.Format(l.T("locale.date_time")) }

func (l Locale) ShortDateTime(t, now time.Time) string {
	if t.Year() != now.In(t.Location()).Year() {
		return l.DateTime(t)
	}
	return t.Format(l.T("locale.short_date_time"))
}

func (l Locale) Time(t time.Time) string { return t.Format("15:04") }

func (l Locale) ShortestDateTime(t time.Time) string { return t.Format("01/02 15:04") }

func (l Locale) Relative(t, now time.Time) string {
	now = now.In(t.Location())
	ago := now.Sub(t)
	switch {
	case ago <= -time.Minute:
		return l.ShortDateTime(t, now)
	case ago < time.Minute:
		return l.T("locale.relative.now")
	case ago < time.Hour:
		return l.N("locale.relative.minutes", int(ago.Minutes()))
	case sameDay(t, now):
		return l.N("locale.relative.hours", int(ago.Hours()))
	case sameDay(t, now.AddDate(0, 0, -1)):
		return l.T("locale.relative.yesterday", "Time", l.Time(t))
	}
	return l.ShortDate(t, now)
}

func (l Locale) Ahead(t, now time.Time) string {
	minutes := int(t.Sub(now) / time.Minute)
	switch {
	case minutes < 1:
		return l.T("locale.ahead.now")
	case minutes < 60:
		return l.T("locale.ahead", "Span", l.N("locale.ahead.minutes", minutes))
	case minutes < 24*60:
		return l.aheadOf(l.N("locale.ahead.hours", minutes/60), "locale.ahead.minutes", minutes%60)
	}
	return l.aheadOf(l.N("locale.ahead.days", minutes/(24*60)), "locale.ahead.hours", minutes/60%24)
}

// aheadOf adds a number of a smaller unit to a span, unless it is 0.
func (l Locale) aheadOf(long, unit string, count int) string {
	if count == 0 {
		return l.T("locale.ahead", "Span", long)
	}
	return l.T("locale.ahead.both", "Long", long, "Short", l.N(unit, count))
}

func sameDay(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}
