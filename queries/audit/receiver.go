package audit

import "encoding/json"

// Receivers are departments and users in the field of a change, by their ids:
// those of a notice's targets, and of a bot's receivers.
type Receivers struct {
	Everyone    bool
	Departments []ReceivingDepartment
	Users       []int64
}

// ReceivingDepartment is a department among Receivers.
type ReceivingDepartment struct {
	ID              int64
	IncludeChildren bool
}

// UnmarshalJSON reads a department as notices store it, or as bots do: its id
// stands for its whole subtree.
func (d *ReceivingDepartment) UnmarshalJSON(content []byte) error {
	if err := json.Unmarshal(content, &d.ID); err == nil {
		d.IncludeChildren = true
		return nil
	}
	var stored struct {
		ID              int64 `json:"id"`
		IncludeChildren bool  `json:"include_children"`
	}
	err := json.Unmarshal(content, &stored)
	d.ID, d.IncludeChildren = stored.ID, stored.IncludeChildren
	return err
}

// ReadReceivers returns the receivers that a value is; the zero value of any
// other value.
func ReadReceivers(value json.RawMessage) Receivers {
	var r Receivers
	if len(value) == 0 || value[0] != '{' || json.Unmarshal(value, &r) != nil {
		return Receivers{}
	}
	return r
}
