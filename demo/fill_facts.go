package demo

import (
	"officeconsole/queries/attendance"
	"officeconsole/workday"
)

// facts returns the attendance of a person with the ids of the database.
func (m *demoAttendance) facts(p *Person, first, last workday.Date) (attendance.UserFacts, error) {
	department := p.Department - 1
	f := attendance.UserFacts{
		UserID: m.users + int64(p.Number), Name: p.Name, DepartmentID: m.departments[department], First: first, Last: last,
		GivesLocation: p.Consents() != nil, DevicesAt: p.Joined,
	}
	var err error
	if f.Days, err = m.loader.Days(f.UserID, m.ancestors[department], first-2, last+3); err != nil {
		return f, err
	}
	duties := make([]Duty, len(f.Days))
	for i, d := range f.Days {
		duties[i] = Duty{d.Day, d.Clocking}
	}
	all := m.Attendance(p, duties)
	f.Devices = all.Devices
	for i := range f.Days {
		f.Days[i].Day = all.Days[i]
	}
	for _, e := range all.Events {
		f.Events = append(f.Events, received(e))
	}
	for _, c := range all.Corrections {
		f.Corrections = append(f.Corrections, m.correction(c))
	}
	for _, e := range all.Edits {
		f.Edits = append(f.Edits, attendance.GrantingEdit{Edit: m.edit(e), Correction: e.Correction})
	}
	for _, v := range all.Views {
		f.Views = append(f.Views, attendance.RecordView{WorkDate: v.Date.Time(), ViewerID: m.users + int64(v.By), ViewerName: m.Named(v.By), At: v.At})
	}
	return f, nil
}

func received(e ClockEvent) attendance.ReceivedEvent {
	input := attendance.ClockInput{
		EventID: e.ID, Kind: e.Kind, OccurredAt: e.Occurred, SentAt: e.Sent, Offline: e.Offline,
		Platform: e.Platform, DeviceID: e.Device, Address: e.Address, Reason: e.Reason, Source: e.Source,
	}
	if e.Position != nil {
		input.GPS = &attendance.GPS{Lat: e.Position.Lat, Lng: e.Position.Lng, AccuracyM: e.Position.AccuracyM, Mock: e.Position.Mock}
	}
	return attendance.ReceivedEvent{ClockInput: input, ReceivedAt: e.Received}
}

func (m *demoAttendance) correction(c Correction) attendance.Correction {
	row := attendance.Correction{
		WorkDate: c.Date.Time(), ArrivalAt: c.Arrival, DepartureAt: c.Departure, Reason: c.Reason, Status: c.Status,
		CreatedAt: c.Created, DecidedAt: c.Decided, DecidedBy: after(m.users, c.By), Answer: c.Answer,
	}
	if c.By != 0 {
		row.DeciderName = m.Named(c.By)
	}
	return row
}

func (m *demoAttendance) edit(e Edit) attendance.Edit {
	return attendance.Edit{
		WorkDate: e.Date.Time(), Extra: e.Extra, At: e.At, EditorID: after(m.users, e.By), EditorName: m.Named(e.By),
		Field: e.Field, OldAt: e.Old, NewAt: e.New, OldText: e.From, NewText: e.To, Reason: e.Reason,
	}
}
