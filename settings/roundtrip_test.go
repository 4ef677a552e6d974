package settings

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyValues returns random valid values of a kind.
func anyValues(t *rapid.T, kind Kind) Values {
	given := map[string]json.RawMessage{}
	for _, s := range Settings(kind) {
		if rapid.Bool().Draw(t, s.Key+"?") {
			given[s.Key] = anyOf(t, s.Key, s.Type)
		}
	}
	for range 3 {
		text, err := json.Marshal(given)
		if err != nil {
			t.Fatal(err)
		}
		v, errs := Parse(kind, text)
		if len(errs) == 0 {
			return v
		}
		for _, e := range errs { // values that contradict each other
			key, _, _ := strings.Cut(e.Key, ".")
			delete(given, key)
		}
		if kind == WorkingAttitude {
			given["work_type"], given["break_mode"] = json.RawMessage(`"free"`), json.RawMessage(`"none"`)
		} else {
			delete(given, "file_save_ip_mode")
			delete(given, "allowed_ip_mode")
			delete(given, "file_ext_mode")
		}
		delete(given, "ip_mode")
		delete(given, "gps_mode")
		delete(given, "weekly_cap_min")
		delete(given, "weekly_warn_min")
	}
	t.Fatalf("no values in order: %v", given)
	return Values{}
}

// anyOf returns the JSON of a random value that the type accepts.
func anyOf(t *rapid.T, name string, of Type) json.RawMessage {
	switch of := of.(type) {
	case Bool:
		return jsonOf(rapid.Bool().Draw(t, name))
	case Int:
		if len(of.Choices) > 0 {
			return jsonOf(rapid.SampledFrom(of.Choices).Draw(t, name))
		}
		return jsonOf(rapid.Int64Range(of.Min, of.Max).Draw(t, name))
	case User:
		return jsonOf(rapid.Int64Range(1, 1<<53-1).Draw(t, name))
	case Number:
		return jsonOf(rapid.Float64Range(of.Min, of.Max).Draw(t, name))
	case Enum:
		return jsonOf(rapid.SampledFrom(of.Values).Draw(t, name))
	case Text:
		return jsonOf(rapid.StringMatching(`[a-z가-힣<&"'] ?[a-z가-힣,\t]?[a-z가-힣]{1,9}`).Filter(func(s string) bool { return !strings.Contains(s, "\t") }).Draw(t, name))
	case Extension:
		return jsonOf(rapid.StringMatching(`[a-z0-9]{1,9}(\.[a-z0-9]{1,4})?`).Draw(t, name))
	case Clock:
		return jsonOf(anyTime(t, name))
	case Window:
		from, to := anyTime(t, name+".from"), anyTime(t, name+".to")
		if from == to {
			to = (to + 1) % day
		}
		if !of.Overnight && to < from {
			from, to = to, from
		}
		return jsonOf(Span{from, to})
	case Shift:
		d := Day{Kind: rapid.SampledFrom(DayKind.Values).Draw(t, name), Start: anyTime(t, name+".start"), End: anyTime(t, name+".end")}
		d.EndNextDay = d.End <= d.Start
		if left := day - 1 - int(d.End); !d.EndNextDay && left > 0 && rapid.Bool().Draw(t, name+" twice") {
			end := int(d.End) + rapid.IntRange(1, left).Draw(t, name+".second")
			d.Second = &Stint{d.End, Time(end)}
		}
		return jsonOf(d)
	case Date:
		return jsonOf(fmt.Sprintf("20%02d-%02d-%02d", rapid.IntRange(0, 99).Draw(t, name), rapid.IntRange(1, 12).Draw(t, name), rapid.IntRange(1, 28).Draw(t, name)))
	case Zone:
		return jsonOf(rapid.SampledFrom([]string{"Asia/Seoul", "Asia/Kolkata", "UTC", "America/New_York"}).Draw(t, name))
	case Address:
		return jsonOf(anyRange(t, name))
	case Nullable:
		if rapid.Bool().Draw(t, name+" is null") {
			return jsonOf(nil)
		}
		return anyOf(t, name, of.Of)
	case Set:
		return jsonOf(rapid.SliceOfNDistinct(rapid.SampledFrom(of.Values), of.Least, len(of.Values), rapid.ID).Draw(t, name))
	case Object:
		parts := map[string]json.RawMessage{}
		for _, f := range of.Fields {
			parts[f.Name] = anyOf(t, name+"."+f.Name, f.Type)
		}
		return jsonOf(parts)
	case List:
		items := []json.RawMessage{}
		for i := range rapid.IntRange(0, 4).Draw(t, name) {
			items = append(items, anyOf(t, itemPath(name, i), of.Of))
		}
		return jsonOf(items)
	}
	t.Fatalf("no values of %T", of)
	return nil
}

func anyTime(t *rapid.T, name string) Time { return Time(rapid.IntRange(0, day-1).Draw(t, name)) }

func anyRange(t *rapid.T, name string) string {
	a := rapid.IntRange(1, 250).Draw(t, name)
	return rapid.SampledFrom([]string{
		fmt.Sprintf("203.0.113.%d", a), fmt.Sprintf("203.0.%d.*", a), fmt.Sprintf("203.0.113.%d/%d", a, 1+a%32),
		fmt.Sprintf("203.0.113.%d-203.0.114.%d", a, a), fmt.Sprintf("10.0.0.0 - 10.0.0.%d", a),
	}).Draw(t, name)
}

func jsonOf(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func TestJSONRoundTrips(t *testing.T) {
	for _, kind := range kinds {
		t.Run(string(kind), rapid.MakeCheck(func(t *rapid.T) {
			v := anyValues(t, kind)
			for _, text := range []json.RawMessage{v.Complete(), v.Differences()} {
				again, errs := Parse(kind, text)
				if len(errs) > 0 || !again.Equal(v) {
					t.Fatalf("%s\nbecomes\n%s\n%v", text, again.Complete(), errs)
				}
			}
		}))
	}
}

func TestFormRoundTrips(t *testing.T) {
	for _, kind := range kinds {
		t.Run(string(kind), rapid.MakeCheck(func(t *rapid.T) {
			v := anyValues(t, kind)
			form := FormOf(v)
			again, errs := FromForm(kind, form.fields)
			if len(errs) > 0 || !again.Equal(v) {
				t.Fatalf("%s\nbecomes\n%s\n%v\n%v", v.Differences(), again.Differences(), errs, form.fields)
			}
			if shown := NewForm(kind, form.fields); !equal(sorted(shown.fields), sorted(form.fields)) {
				t.Fatalf("%v\nis shown again as\n%v", form.fields, shown.fields)
			}
		}))
	}
}

// sorted returns the fields in order, without those that only say that a list
// was in the form.
func sorted(fields url.Values) []string {
	var all []string
	for name, texts := range fields {
		if !slices.Equal(texts, []string{""}) {
			all = append(all, name+"="+strings.Join(texts, "&"))
		}
	}
	slices.Sort(all)
	return all
}

// Diff is empty exactly if the values are equal, and swapping its arguments
// swaps old and new.
func TestDiffBothWays(t *testing.T) {
	for _, kind := range kinds {
		t.Run(string(kind), rapid.MakeCheck(func(t *rapid.T) {
			a, b := anyValues(t, kind), anyValues(t, kind)
			there, back := Diff(a, b), Diff(b, a)
			if len(there) != len(back) || len(Diff(a, a)) > 0 {
				t.Fatalf("%d changes there, %d back, %d to itself", len(there), len(back), len(Diff(a, a)))
			}
			for i, c := range there {
				d := back[i]
				if c.Path != d.Path || !equal(c.Old, d.New) || !equal(c.New, d.Old) || len(c.Added) != len(d.Removed) || len(c.Removed) != len(d.Added) {
					t.Fatalf("%+v\nback %+v", c, d)
				}
			}
			if len(Summary(a)) > mostPoints || a.Equal(Defaults(kind)) && len(Summary(a)) > 0 {
				t.Fatalf("summary %v of %s", Summary(a), a.Differences())
			}
		}))
	}
}

func FuzzParse(f *testing.F) {
	for _, kind := range kinds {
		f.Add(string(kind), []byte(Defaults(kind).Complete()))
	}
	f.Add("communication", []byte(`{"allowed_ip_mode":"listed","allowed_ip_ranges":[{"location_name":"본사","range":"203.0.113.0/24"}]}`))
	f.Add("communication", []byte(`{"file_save":{"pc":null},"file_exts":[[1],{"a":{}}],"session_time_sec":1e400}`))
	f.Add("workingattitude", []byte(`{"week":{"mon":[]},"places":[{"lat":-91,"lng":1e-9}],"night":{"from":1}}`))
	f.Fuzz(func(t *testing.T, kind string, text []byte) {
		v, errs := Parse(Kind(kind), text)
		v.Warnings()
		Summary(v)
		FormOf(v)
		if len(errs) > 0 {
			return
		}
		again, errs := Parse(Kind(kind), v.Differences())
		if len(errs) > 0 || !again.Equal(v) {
			t.Errorf("%s becomes %s: %v", v.Differences(), again.Differences(), errs)
		}
	})
}

func FuzzFromForm(f *testing.F) {
	for _, kind := range kinds {
		f.Add(string(kind), FormOf(Defaults(kind)).fields.Encode())
	}
	f.Add("communication", "allowed_ip_mode=listed&allowed_ip_ranges.lines=%EB%B3%B8%EC%82%AC,203.0.113.7&allowed_ip_ranges.9.range=x&session_time_sec=1e9")
	f.Add("workingattitude", "breaks.0.from=1:00&breaks.99999999999.to=3&week.mon.work=x&places.-1.lat=3&weekly_cap_min=-.5")
	f.Fuzz(func(t *testing.T, kind, query string) {
		posted, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		v, errs := FromForm(Kind(kind), posted)
		if len(errs) > 0 {
			return
		}
		again, errs := FromForm(Kind(kind), FormOf(v).fields)
		if len(errs) > 0 || !again.Equal(v) {
			t.Errorf("%s becomes %s: %v", v.Differences(), again.Differences(), errs)
		}
	})
}

func FuzzParseRange(f *testing.F) {
	for _, text := range []string{"203.0.113.7", "203.0.113.0/24", "203.0.113.10-203.0.113.60", "203.0.113.*", "0.0.0.0/0", "::1", "a,b\t1.1.1.1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ParseLines(text)
		r, code := ParseRange(text)
		if code != "" {
			return
		}
		again, code := ParseRange(r.Text)
		if code != "" || again != r || !r.Start.Is4() || r.End.Less(r.Start) || r.Size() < 1 || !r.Contains(r.End) || !r.Overlaps(r) {
			t.Errorf("%q is %v, again %v %s", text, r, again, code)
		}
		if r.Contains(netip.MustParseAddr("::1")) {
			t.Errorf("%q holds an address of IPv6", text)
		}
	})
}
