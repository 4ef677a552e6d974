package attendance

import (
	"testing"

	"officeconsole/locales"
	"officeconsole/queries/attendance"
)

// A time from a file was not clocked offline, and is of no unknown device.
func TestImportedEventNamesItsSource(t *testing.T) {
	ctx := locales.NewContext(t.Context(), locales.Japanese)
	for _, test := range []struct {
		event  attendance.ClockEvent
		icon   string
		device string
		marks  string
	}{
		{attendance.ClockEvent{Source: "import", Offline: true}, "file", "ファイルから取り込み", ""},
		{attendance.ClockEvent{Source: "import", Offline: true, Place: "本社"}, "file", "ファイルから取り込み · 本社", ""},
		{attendance.ClockEvent{Source: "import", Offline: true, Platform: "pc"}, "desktop", "PC", "ファイルから取り込み"},
		{attendance.ClockEvent{Source: "manual", Offline: true, Platform: "mobile"}, "phone-device", "モバイル", "オフライン打刻"},
		{attendance.ClockEvent{Source: "manual", Offline: true}, "desktop", "不明な端末", "オフライン打刻"},
		{attendance.ClockEvent{Source: "auto", Platform: "pc"}, "desktop", "PC", "自動打刻"},
	} {
		if icon, device := eventIcon(test.event), eventDevice(ctx, test.event); icon != test.icon || device != test.device {
			t.Errorf("%+v: %s %s, want %s %s", test.event, icon, device, test.icon, test.device)
		}
		var marks string
		for _, m := range (RecordView{}).eventMarks(ctx, test.event) {
			marks += m.Text
		}
		if marks != test.marks {
			t.Errorf("%+v: marks %q, want %q", test.event, marks, test.marks)
		}
	}
}
