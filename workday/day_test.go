package workday

import (
	"reflect"
	"testing"
	"time"
)

// Without anything personal, days of the same date and policy are the same for everybody.
func TestDayIsPersonal(t *testing.T) {
	common := Day{Date: 1, Policy: &Policy{}, Holiday: "new_year"}
	if common.IsPersonal() {
		t.Error("a holiday is personal")
	}
	full := Day{
		Date: 1, Policy: &Policy{}, Holiday: "new_year", Leave: HalfLeaveAM, ApprovedMin: 60, LastActivity: time.Unix(1, 0),
		Edits: []Edit{{ID: 1}}, ExtraEdits: []Edit{{ID: 2}},
	}
	for i := range reflect.TypeFor[Day]().NumField() {
		name := reflect.TypeFor[Day]().Field(i).Name
		field := reflect.ValueOf(&full).Elem().Field(i)
		if field.IsZero() {
			t.Errorf("%s is not set", name)
		}
		one := common
		reflect.ValueOf(&one).Elem().Field(i).Set(field)
		if isCommon := name == "Date" || name == "Policy" || name == "Holiday"; one.IsPersonal() == isCommon {
			t.Errorf("a day with %s: personal is %v", name, one.IsPersonal())
		}
	}
}
