package settings

// CorrectionDays returns for how many days after a work date the employee may
// request a correction; 0 is never.
func (v Values) CorrectionDays() int { return int(v.number("correction_days")) }

// MaxLocationKeepDays is the longest time that a policy can ask for.
const MaxLocationKeepDays = 365

// LocationKeepDays returns for how many days after a work date its locations
// are stored.
func (v Values) LocationKeepDays() int { return int(v.number("location_keep_days")) }
