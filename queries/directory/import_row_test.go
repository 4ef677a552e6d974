package directory

import (
	"testing"

	"officeconsole/importfile"
)

func TestTruth(t *testing.T) {
	for value, want := range map[string]string{
		"true": "yes", "T": "yes", "1": "yes", "Yes": "yes", "y": "yes", "O": "yes", "예": "yes", "はい": "yes",
		"FALSE": "no", "f": "no", "0": "no", "no": "no", "N": "no", "x": "no", "아니오": "no", "아니요": "no", "いいえ": "no",
		"": "unsaid", "2": "refused", "maybe": "refused", "네니오": "refused",
	} {
		r := &rowReader{values: importfile.Cells{"bot": value}}
		got := "no"
		switch is := r.truth("bot"); {
		case len(r.refused) > 0:
			got = "refused"
		case is == nil:
			got = "unsaid"
		case *is:
			got = "yes"
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", value, got, want)
		}
	}
}

func TestEmails(t *testing.T) {
	for email, want := range map[string]bool{
		"kim@hanbit.example": true, "kim.cs+note@mail.hanbit.example": true, "o'neil@hanbit.example": true, "Kim@HANBIT.example": true, "kim@intranet": true,
		"": false, "kim": false, "@hanbit.example": false, "kim@": false, "kim@@hanbit.example": false, "kim@hanbit..example": false, "kim..cs@hanbit.example": false,
		"kim cs@hanbit.example": false, "\"kim cs\"@hanbit.example": false, "<kim@hanbit.example>": false, "김@hanbit.example": false, "kim@한빛.example": false, "kim@[192.0.2.1]": false,
	} {
		if got := isEmail(email); got != want {
			t.Errorf("%q: got %t", email, got)
		}
	}
}
