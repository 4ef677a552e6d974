package handlers

import (
	"maps"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
)

func TestSessionCodec(t *testing.T) {
	deadline := time.Date(2026, 11, 20, 10, 0, 0, 123000, time.UTC)
	ids := map[string]any{"sign_in": int64(1)<<60 + 1, "company": int64(-7), "toast": "저장 \"<&", "empty": ""}
	for _, test := range []struct {
		name   string
		codec  scs.Codec
		values map[string]any
		json   bool
	}{
		{"ids and texts", sessionCodec{}, ids, true},
		{"another value", sessionCodec{}, map[string]any{"flag": true, "sign_in": int64(2)}, false},
		{"stored by an earlier version", scs.GobCodec{}, ids, false},
	} {
		stored, err := test.codec.Encode(deadline, test.values)
		if err != nil {
			t.Fatal(err)
		}
		if isJSON := stored[0] == '{'; isJSON != test.json {
			t.Errorf("%s: stored as JSON: %t", test.name, isJSON)
		}
		at, got, err := sessionCodec{}.Decode(stored)
		if err != nil || !at.Equal(deadline) || !maps.Equal(got, test.values) {
			t.Errorf("%s: %v until %v, %v", test.name, got, at, err)
		}
	}
	if _, _, err := (sessionCodec{}).Decode([]byte(`{"ids":`)); err == nil {
		t.Error("half a session is read")
	}
}
