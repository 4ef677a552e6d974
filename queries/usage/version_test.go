package usage_test

import (
	"testing"

	"officeconsole/queries/usage"
)

func TestVersionsCompareAsNumbers(t *testing.T) {
	ordered := []string{"0", "0.0.0.1", "1", "6.0.32767", "6.1", "6.9", "6.9.1", "6.10", "10.0", "32767.32767.32767.32767"}
	last := usage.Version(-1)
	for _, text := range ordered {
		v, ok := usage.ParseVersion(text)
		if !ok || v <= last {
			t.Errorf("%s is %d, %v: not above the one before", text, v, ok)
		}
		last = v
	}
	six, _ := usage.ParseVersion("6")
	long, _ := usage.ParseVersion("6.0.0.0")
	if six != long {
		t.Errorf("6 is %d and 6.0.0.0 %d", six, long)
	}
	for _, text := range []string{"", "6.", ".6", "v6", "6.4.2-beta", "6,4", "６.4", "6.4.2.1.0", "32768", "99999", "6..4", " 6", "-6", "1e3"} {
		if v, ok := usage.ParseVersion(text); ok {
			t.Errorf("%q is the version %d", text, v)
		}
	}
	v, _ := usage.ParseVersion("6.10.3")
	if v.Release() != "6.10" {
		t.Errorf("6.10.3 is of the release %s", v.Release())
	}
}
