package directory

// Scope says whose data a person may see: everybody's, or that of the people
// in some departments. An ordinary employee has neither.
type Scope struct {
	Everybody     bool    // sees and edits
	DepartmentIDs []int64 // ascending
	EditIDs       []int64 // those of them whose people's attendance may be edited too, ascending
}
