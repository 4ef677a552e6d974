package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// changedFields are the fields of a change that have other values by now than the
// change gave them.
type changedFields []string

func (f changedFields) Error() string { return fmt.Sprintf("changed since: %q", []string(f)) }

// revertFields reverts an edit of an object: save gets a function that sets the fields
// which the edit changed back, in what the object is now. It refuses with changedFields.
func revertFields[Draft any](r *reversal, save func(edit func(Draft) Draft) error) error {
	var before, after Draft
	if err := r.readBoth(&before, &after); err != nil {
		return err
	}
	var refusal error
	err := save(func(now Draft) Draft {
		reverted, err := setBack(now, before, after)
		if refusal = err; err != nil {
			return now
		}
		return reverted
	})
	if refusal != nil {
		return refusal
	}
	return err
}

// setBack returns a draft with the fields that differ before and after a change as they
// were before it. It refuses with changedFields.
func setBack[Draft any](now, before, after Draft) (reverted Draft, err error) {
	current, err := fieldsOf(now)
	if err != nil {
		return now, err
	}
	earlier, err := fieldsOf(before)
	if err != nil {
		return now, err
	}
	later, err := fieldsOf(after)
	if err != nil {
		return now, err
	}
	var changed changedFields
	for _, field := range fieldOrder {
		switch {
		case sameValue(earlier[field], later[field]):
		case !sameValue(later[field], current[field]):
			changed = append(changed, field)
		default:
			current[field] = earlier[field]
		}
	}
	if changed != nil {
		return now, changed
	}
	text, err := json.Marshal(current)
	if err != nil {
		return now, err
	}
	return reverted, json.Unmarshal(text, &reverted)
}

// fieldsOf returns the fields of a draft by their names in the change log.
func fieldsOf(draft any) (fields map[string]json.RawMessage, err error) {
	text, err := json.Marshal(draft)
	if err != nil {
		return nil, err
	}
	return fields, json.Unmarshal(text, &fields)
}

// sameValue reports whether two values are equal. Nothing is equal to an empty list.
func sameValue(a, b json.RawMessage) bool {
	isEmpty := func(v json.RawMessage) bool { return v == nil || string(v) == "null" || string(v) == "[]" }
	return bytes.Equal(a, b) || isEmpty(a) && isEmpty(b)
}
