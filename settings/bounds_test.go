package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// bound is a value at, or one step beyond, a limit of a part of a setting.
type bound struct {
	path string // path within the setting
	raw  string // JSON of the whole setting
	code string // error code; "" if the value is allowed
}

// Every bound of every setting, derived from the description: a value below, at
// and above it.
func TestBounds(t *testing.T) {
	count := 0
	for _, kind := range kinds {
		for _, s := range Settings(kind) {
			for _, b := range bounds(s.Type) {
				count++
				text := fmt.Sprintf(`{%q:%s}`, s.Key, b.raw)
				_, errs := Parse(kind, json.RawMessage(text))
				if !b.met(s.Key, errs) {
					t.Errorf("%.200s: %v, want %q at %q", text, errs, b.code, s.Key+b.path)
				}
			}
		}
	}
	if count < 300 {
		t.Errorf("only %d bounds are tried", count)
	}
}

// crossErrors lists the errors that depend on other settings or parts.
var crossErrors = []string{errEndFirst, errWarnAboveCap, errCoreOutside, errBreakOutside, errBreakOverlap, errTwice, errSettlementFixed}

func (b bound) met(key string, errs Errors) bool {
	if b.code == "" {
		return !slices.ContainsFunc(errs.On(key), func(e Error) bool { return !slices.Contains(crossErrors, e.Code) })
	}
	return slices.ContainsFunc(errs, func(e Error) bool { return e.Key == key+b.path && e.Code == b.code })
}

func bounds(t Type) []bound {
	switch t := t.(type) {
	case Int:
		return intBounds(t)
	case User:
		return intBounds(userID)
	case Number:
		return []bound{
			{"", decimal(t.Min), ""}, {"", decimal(t.Max), ""}, {"", decimal(t.Min) + ".000001", errOutOfRange},
			{"", decimal(t.Max) + ".000001", errOutOfRange}, {"", "1e999", errOutOfRange},
		}
	case Enum:
		all := []bound{{"", `"nothing of the kind"`, errChoice}, {"", `""`, errChoice}}
		for _, v := range t.Values {
			all = append(all, bound{"", fmt.Sprintf("%q", v), ""}, bound{"", fmt.Sprintf("%q", v+" "), errChoice})
		}
		return all
	case Text:
		return textBounds(t)
	case Extension:
		return []bound{
			{"", `"a"`, ""}, {"", quoted(strings.Repeat("a", 20)), ""}, {"", quoted(strings.Repeat("a", 21)), errTooLong},
			{"", `""`, errExtension}, {"", `"."`, errExtension}, {"", `"a b"`, errExtension}, {"", `"a/b"`, errExtension}, {"", `"a."`, errExtension},
		}
	case Clock:
		return clockBounds()
	case Date:
		return []bound{
			{"", `"2026-11-20"`, ""}, {"", `"2028-02-29"`, ""}, {"", `"1900-01-01"`, ""}, {"", `"1899-12-31"`, errDate},
			{"", `"2026-02-29"`, errDate}, {"", `"2026-13-01"`, errDate}, {"", `"20261120"`, errDate}, {"", `"2026-1-1"`, errDate},
		}
	case Zone:
		return []bound{
			{"", `"Asia/Tokyo"`, ""}, {"", `"Asia/Kolkata"`, ""}, {"", `"UTC"`, ""}, {"", `""`, errZone}, {"", `"Local"`, errZone},
			{"", `"Asia/Nowhere"`, errZone}, {"", `"../../etc/passwd"`, errZone}, {"", `"KST"`, errZone},
		}
	case Address:
		return []bound{{"", `"203.0.113.7"`, ""}, {"", `"203.0.113.256"`, errRange}, {"", `"0.0.0.0/0"`, errRangeAll}}
	case Window:
		all := inObject(bounds(Clock{}), "from", `"to":"23:58"`)
		return append(all, inObject(bounds(Clock{}), "to", `"from":"23:58"`)...)
	case Shift:
		all := inObject(bounds(Clock{}), "start", `"end":"23:58","end_next_day":true,"kind":"day_off"`)
		all = append(all, inObject(bounds(DayKind), "kind", `"start":"09:00","end":"10:00"`)...)
		return append(all, inObject(bounds(Clock{}), "end", `"start":"23:58","end_next_day":true,"work":false`)...)
	case Set:
		return setBounds(t)
	case Nullable:
		return append(bounds(t.Of), bound{"", "null", ""})
	case Object:
		return objectBounds(t)
	case List:
		return listBounds(t)
	}
	return nil // a switch has no bounds
}

func intBounds(t Int) []bound {
	if len(t.Choices) > 0 {
		all := []bound{{"", fmt.Sprint(t.Min - 1), errChoice}, {"", fmt.Sprint(t.Max + 1), errChoice}}
		for _, n := range t.Choices {
			all = append(all, bound{"", fmt.Sprint(n), ""}, bound{"", fmt.Sprint(n + 1), errChoice})
		}
		return all
	}
	return []bound{
		{"", fmt.Sprint(t.Min - 1), errOutOfRange}, {"", fmt.Sprint(t.Min), ""}, {"", fmt.Sprint(t.Max), ""}, {"", fmt.Sprint(t.Max + 1), errOutOfRange},
		{"", "99999999999999999999", errOutOfRange}, {"", fmt.Sprintf("%d.5", t.Min), errInteger}, {"", `"` + fmt.Sprint(t.Min) + `"`, errInteger},
	}
}

func textBounds(t Text) []bound {
	all := []bound{
		{"", `"가"`, ""}, {"", quoted(strings.Repeat("가", t.Max)), ""}, {"", quoted(strings.Repeat("가", t.Max+1)), errTooLong},
		{"", quoted(" " + strings.Repeat("가", t.Max) + " "), ""}, {"", `"a\u0000b"`, errCharacters}, {"", `"a\nb"`, errCharacters},
	}
	if t.Default {
		return append(all, bound{"", `""`, ""})
	}
	return append(all, bound{"", `""`, errRequired}, bound{"", `"  "`, errRequired})
}

func clockBounds() []bound {
	all := []bound{{"", `"00:00"`, ""}, {"", `"23:59"`, ""}}
	for _, wrong := range []string{"24:00", "23:60", "9:00", "09:00:00", "", "-1:00", "noon", "09.00", "０９:00"} {
		all = append(all, bound{"", quoted(wrong), errTime})
	}
	return all
}

func setBounds(t Set) []bound {
	all := []bound{{"", quotedList(t.Values), ""}, {".0", `["fax"]`, errChoice}, {".1", quotedList([]string{t.Values[0], "fax"}), errChoice}}
	for _, v := range t.Values {
		all = append(all, bound{"", quotedList([]string{v}), ""})
	}
	if t.Least > 0 {
		all = append(all, bound{"", "[]", errRequired})
	}
	return append(all, bound{"", quotedList(slices.Repeat(t.Values, 3)), errTooMany})
}

func objectBounds(t Object) []bound {
	var all []bound
	for i, field := range t.Fields {
		var others []string
		for j, other := range t.Fields {
			if i != j && other.Missing != "" {
				others = append(others, fmt.Sprintf("%q:%s", other.Name, valid(other.Type)))
			}
		}
		for _, b := range inObject(bounds(field.Type), field.Name, strings.Join(others, ",")) {
			if b.code == errRequired && field.Missing != "" {
				b.code = field.Missing
			}
			all = append(all, b)
		}
		if field.Missing != "" {
			all = append(all, bound{"." + field.Name, "{" + strings.Join(others, ",") + "}", field.Missing})
		}
	}
	return all
}

func listBounds(t List) []bound {
	items := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = valid(t.Of)
			if t.Unique {
				list[i] = strings.NewReplacer("7", fmt.Sprint(i+1), "pdf", fmt.Sprint("pdf", i)).Replace(list[i])
			}
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	all := []bound{{"", items(t.Max), ""}, {"", items(t.Max + 1), errTooMany}}
	for _, b := range bounds(t.Of) {
		all = append(all, bound{".0" + b.path, "[" + b.raw + "]", b.code})
	}
	return all
}

// inObject returns the bounds of a part within an object that has other
// members.
func inObject(parts []bound, name, others string) []bound {
	all := make([]bound, len(parts))
	for i, b := range parts {
		members := fmt.Sprintf("%q:%s", name, b.raw)
		if others != "" {
			members += "," + others
		}
		all[i] = bound{"." + name + b.path, "{" + members + "}", b.code}
	}
	return all
}

// valid returns the JSON of a value that the type accepts.
func valid(t Type) string {
	for _, b := range bounds(t) {
		if b.code == "" && b.path == "" {
			switch t.(type) {
			case User:
				return "7"
			case Extension:
				return `"pdf"`
			}
			return b.raw
		}
	}
	switch t := t.(type) {
	case Window:
		return `{"from":"12:00","to":"12:10"}`
	case Object:
		members := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			members[i] = fmt.Sprintf("%q:%s", f.Name, valid(f.Type))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return "null"
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

func quotedList(list []string) string {
	text, _ := json.Marshal(list)
	return string(text)
}
