package settings

// CorrectionDays is for how many days after a work date the employee may ask
// for a correction; 0 is never.
func (v Values) CorrectionDays() int { return int(v.number("correction_days")) }

// LocationKeepDays is for how many days after a work date its location is stored.
func (v Values) LocationKeepDays() int { return int(v.number("location_keep_days")) }
