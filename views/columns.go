package views

// A Column is an entry of ColumnsMenu. A fixed column cannot be hidden.
type Column struct {
	Key, Title string // the title is a message id
	Fixed      bool
}
