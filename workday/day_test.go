package workday

import (
	"reflect"
	"testing"
	"time"
)

// Days that differ in any of their fields have other plans.
func TestDayEqual(t *testing.T) {
	full := Day{
		Date: 1, Policy: &Policy{}, Holiday: "new_year", Leave: HalfLeaveAM, ApprovedMin: 60, LastActivity: time.Unix(1, 0),
		Edits: []Edit{{ID: 1}}, ExtraEdits: []Edit{{ID: 2}},
	}
	if !full.Equal(full) {
		t.Error("a day is not equal to itself")
	}
	for i := range reflect.TypeFor[Day]().NumField() {
		other := full
		reflect.ValueOf(&other).Elem().Field(i).SetZero()
		if full.Equal(other) || reflect.DeepEqual(full, other) {
			t.Errorf("%s makes no difference", reflect.TypeFor[Day]().Field(i).Name)
		}
	}
}
