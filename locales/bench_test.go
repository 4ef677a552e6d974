package locales

import "testing"

func BenchmarkT(b *testing.B) {
	ctx := NewContext(b.Context(), Japanese)
	b.ReportAllocs()
	for b.Loop() {
		T(ctx, "locale.relative.now")
	}
}

func BenchmarkTWithArguments(b *testing.B) {
	ctx := NewContext(b.Context(), Japanese)
	b.ReportAllocs()
	for b.Loop() {
		T(ctx, "locale.relative.yesterday", "Time", "17:40")
	}
}

func BenchmarkN(b *testing.B) {
	ctx := NewContext(b.Context(), English)
	b.ReportAllocs()
	for b.Loop() {
		N(ctx, "locale.relative.minutes", 5)
	}
}

func BenchmarkDuration(b *testing.B) {
	ctx := NewContext(b.Context(), English)
	b.ReportAllocs()
	for b.Loop() {
		Duration(ctx, 510)
	}
}
