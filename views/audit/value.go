package audit

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	"officeconsole/views"
)

// longestText is how much of a text is shown, in characters.
const longestText = 300

func fieldLabel(ctx context.Context, field string) string {
	if system, found := strings.CutSuffix(field, targetsSuffix); found {
		return clientLineLabel(ctx, system, "targets")
	}
	return locales.T(ctx, "change.field."+field)
}

// isList reports whether a field has several values, of which those are shown
// that were added or removed.
func isList(d audit.Difference) bool {
	for _, value := range []json.RawMessage{d.Old, d.New} {
		if len(value) > 0 && (value[0] == '[' || value[0] == '{' && hasReceivers(d.Field)) {
			return true
		}
	}
	return false
}

// wordText writes a word of the program in the reader's language.
func wordText(ctx context.Context, field, word string) string {
	switch field {
	case "types":
		if word == audit.AllTypes {
			return locales.T(ctx, "webhook.types.all")
		}
		return locales.T(ctx, "webhook.type."+word)
	case "client_rules":
		return clientRuleText(ctx, word)
	case "visible":
		return locales.T(ctx, "service.platform."+word)
	case "kind":
		if slices.Contains([]string{"notification", "message", "hook"}, word) {
			return locales.T(ctx, "bot.token."+word)
		}
		return locales.T(ctx, "hiding.kind."+word)
	case "protocol":
		return locales.T(ctx, "provider.kind."+word)
	case "source":
		return locales.T(ctx, "hiding.source."+word)
	case "desk_kind":
		return locales.T(ctx, "desk.kind."+word)
	case "decision":
		return locales.T(ctx, "desk.decision."+word)
	case "leave":
		return leaveText(ctx, word)
	case "scopes":
		return locales.T(ctx, "change.scope."+word)
	case "required_of":
		return locales.T(ctx, "factor.rule.required_of."+word)
	}
	return word
}

func leaveText(ctx context.Context, leave string) string {
	if leave == "" {
		return locales.T(ctx, "frame.none")
	}
	return locales.T(ctx, "record.type."+leave)
}

// valueText writes one value.
func valueText(ctx context.Context, field string, value json.RawMessage, zone *time.Location) string {
	var decoded any
	if json.Unmarshal(value, &decoded) != nil {
		return locales.T(ctx, "frame.none")
	}
	switch decoded := decoded.(type) {
	case bool:
		return locales.T(ctx, "change.value."+strconv.FormatBool(decoded))
	case float64:
		if strings.HasSuffix(field, "_months") {
			return views.MonthsText(ctx, int(decoded))
		}
		return locales.Number(ctx, int64(decoded))
	case []any:
		return locales.N(ctx, "change.value.count", len(decoded))
	case map[string]any:
		return termsText(ctx, field, value)
	case string:
		return textOf(ctx, field, decoded, zone)
	}
	return locales.T(ctx, "frame.none")
}

// termsText writes a value that has fields of its own.
func termsText(ctx context.Context, field string, value json.RawMessage) string {
	var terms policy.CheckTerms
	if field != "expects" || json.Unmarshal(value, &terms) != nil {
		return locales.T(ctx, "frame.none")
	}
	return terms.Draft().Sentence(terms.Kind, locales.FromContext(ctx))
}

func textOf(ctx context.Context, field, text string, zone *time.Location) string {
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return locales.DateTime(ctx, at.In(zone))
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil && field == "show_again_on" {
		return locales.Date(ctx, day)
	}
	switch {
	case text == "":
		return locales.T(ctx, "frame.none")
	case field == "banner" || field == "image":
		return locales.T(ctx, "change.value.picture")
	case field == "severity":
		return locales.T(ctx, "check.severity."+text)
	case field == "overtime":
		return locales.T(ctx, "change.value.minutes", "Count", text)
	case field == "deleted":
		return locales.T(ctx, "change.value.deleted."+text)
	}
	if runes := []rune(text); len(runes) > longestText {
		return string(runes[:longestText]) + "…"
	}
	return wordText(ctx, field, text)
}

// timeText writes only the time of day of a moment.
func timeText(ctx context.Context, value json.RawMessage, zone *time.Location) string {
	var at *time.Time
	if json.Unmarshal(value, &at) != nil || at == nil {
		return locales.T(ctx, "frame.none")
	}
	return locales.Time(ctx, at.In(zone))
}

// clientRuleText writes a rule of installation like "windows minimum=6.3.0".
func clientRuleText(ctx context.Context, line string) string {
	what, value, _ := strings.Cut(line, "=")
	system, field, _ := strings.Cut(what, " ")
	if field == "allowed" {
		value = locales.T(ctx, "change.value."+value)
	}
	return locales.T(ctx, "installation.line", "What", clientLineLabel(ctx, system, field), "Value", value)
}

// clientLineLabel names a rule of installation: "Windows minimum version".
func clientLineLabel(ctx context.Context, system, field string) string {
	return locales.T(ctx, "installation.line.of", "System", locales.T(ctx, "client.system."+system), "What", locales.T(ctx, "installation.field."+field))
}
