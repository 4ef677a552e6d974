package attendance

import (
	"testing"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
)

func TestTimeOfTheWeekHasItsDay(t *testing.T) {
	now := time.Date(2026, 11, 28, 22, 0, 0, 0, time.UTC)
	for l, want := range map[locales.Locale][2]string{
		locales.Korean: {"오늘 23:10", "29일(일) 07:09"}, locales.English: {"today 23:10", "Sun 29, 07:09"}, locales.Japanese: {"今日 23:10", "29日（日）07:09"},
	} {
		ctx := locales.NewContext(t.Context(), l)
		today, tomorrow := timeOfWeek(ctx, now.Add(70*time.Minute), now), timeOfWeek(ctx, now.Add(549*time.Minute), now)
		if today != want[0] || tomorrow != want[1] {
			t.Errorf("%s: %q, %q", l, today, tomorrow)
		}
	}
}

// Each name has its form of address, and so has the last before the number.
func TestToldTextAddressesEverybody(t *testing.T) {
	told := attendance.ManagersTold{People: []attendance.ToldPerson{
		{Name: "佐藤", Managers: []string{"A", "B", "C"}}, {Name: "田中", Managers: []string{"C", "D", "E"}},
	}, Unmanaged: []string{"鈴木"}}
	for l, want := range map[locales.Locale]string{
		locales.Korean:   "2명의 주 근무 예상을 A 님, B 님, C 님 외 2명에게 알렸습니다. 鈴木 님은 근태를 관리하는 사람이 없어 알리지 못했습니다.",
		locales.English:  "Notified A, B, C and 2 others about 2 people. Nobody manages the attendance of 鈴木, so nobody was notified about them.",
		locales.Japanese: "2人の週の勤務見込みをAさん, Bさん, Cさんほか2人に通知しました。 鈴木さんには勤怠の管理者がいないため、通知していません。",
	} {
		if got := ToldText(locales.NewContext(t.Context(), l), told); got != want {
			t.Errorf("%s: %s", l, got)
		}
	}
}
