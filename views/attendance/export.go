package attendance

import (
	"strconv"

	"officeconsole/queries/attendance"
)

// ExportPath is the page of an export that is written in the background.
func ExportPath(unit attendance.Unit, id int64) string {
	return ListPath(unit) + "/exports/" + strconv.FormatInt(id, 10)
}

// ListPath is the address of the list of a unit.
func ListPath(unit attendance.Unit) string { return unitPath(unit) }
