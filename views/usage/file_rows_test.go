package usage

import "testing"

func TestSplitName(t *testing.T) {
	for name, want := range map[string][2]string{
		"report.xlsx":          {"report", ".xlsx"},
		"회의록_최종.hwp":           {"회의록_최종", ".hwp"},
		"backup.tar.gz":        {"backup.tar", ".gz"},
		"invoice\u202efdp.exe": {"invoice\u202efdp", ".exe"},
		"README":               {"README", ""},
		"":                     {"", ""},
		"v1.":                  {"v1.", ""},
		"notes. of Monday":     {"notes. of Monday", ""},
		"화면.사본":                {"화면.사본", ""},
		"archive.backup2026":   {"archive.backup2026", ""},
		"exe\u202e.\u202egpj":  {"exe\u202e.\u202egpj", ""},
	} {
		if stem, extension := splitName(name); stem != want[0] || extension != want[1] {
			t.Errorf("%q is %q and %q", name, stem, extension)
		}
	}
}
