package attendance

import (
	"testing"

	"officeconsole/locales"
)

func TestWaitingCorrections(t *testing.T) {
	ctx := locales.NewContext(t.Context(), locales.Korean)
	for waiting, want := range map[int64]string{1: "1", MostCorrections: "99", MostCorrections + 1: "99+"} {
		if got := waitingCorrections(ctx, waiting); got != want {
			t.Errorf("%d waiting are shown as %s, want %s", waiting, got, want)
		}
	}
}
