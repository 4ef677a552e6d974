package attendance

import (
	"context"
	"unicode/utf8"

	"officeconsole/queries"
)

// Device is what the messenger says of a device of a person: that it is
// registered, or no longer.
type Device struct {
	UserID     int64
	DeviceID   string
	Registered bool
}

// TakeDevices registers and unregisters devices of people of a company, in
// their order: all of them, or none where it fails. An unknown person, or a
// device without an id, is refused by itself; one that is as wanted already is
// accepted. It waits for clock events on their way in, or a person's first
// device could register itself beside the one that the messenger chose.
func (s *Store) TakeDevices(ctx context.Context, companyID int64, devices []Device) ([]ClockResult, error) {
	if len(devices) > ClockBatch {
		return nil, queries.Invalid("event.too_many")
	}
	return inTx(ctx, s, func(ctx context.Context, q *Queries) ([]ClockResult, error) {
		var userIDs []int64
		for _, device := range devices {
			userIDs = append(userIDs, device.UserID)
		}
		d, err := s.derivation(ctx, q, companyID, userIDs)
		if err != nil {
			return nil, err
		}
		results := make([]ClockResult, len(devices))
		last := map[Device]bool{} // whether it is registered in the end, by the device with Registered unset
		for i, device := range devices {
			results[i] = d.judgeDevice(device)
			if results[i].Status == ClockAccepted {
				last[Device{UserID: device.UserID, DeviceID: device.DeviceID}] = device.Registered
			}
		}
		return results, d.writeDevices(ctx, last)
	})
}

func (d *derivation) judgeDevice(device Device) ClockResult {
	_, known := d.people[device.UserID]
	switch {
	case !known:
		return ClockResult{Status: ClockRefused, Code: refusedUser}
	case device.DeviceID == "" || utf8.RuneCountInString(device.DeviceID) > longestText:
		return ClockResult{Status: ClockRefused, Code: refusedDeviceID}
	}
	return ClockResult{Status: ClockAccepted}
}

func (d *derivation) writeDevices(ctx context.Context, last map[Device]bool) error {
	added := insertDevicesParams{CompanyID: d.CompanyID, Now: d.Now}
	removed := deleteDevicesParams{CompanyID: d.CompanyID}
	for device, registered := range last {
		if registered {
			added.UserIds, added.DeviceIds = append(added.UserIds, device.UserID), append(added.DeviceIds, device.DeviceID)
		} else {
			removed.UserIds, removed.DeviceIds = append(removed.UserIds, device.UserID), append(removed.DeviceIds, device.DeviceID)
		}
	}
	if err := d.insertDevices(ctx, added); err != nil {
		return err
	}
	return d.deleteDevices(ctx, removed)
}

func (b *eventBatch) readDevices(ctx context.Context, userIDs []int64) error {
	rows, err := b.devicesOf(ctx, devicesOfParams{b.CompanyID, userIDs})
	b.devices = map[int64]map[string]bool{}
	for _, row := range rows {
		if b.devices[row.UserID] == nil {
			b.devices[row.UserID] = map[string]bool{}
		}
		b.devices[row.UserID][row.DeviceID] = true
	}
	return err
}

// registered reports whether a policy of registered devices takes an event: from
// one of the person's devices, or from the first one of all, which is trusted.
// An event that names no device proves nothing.
func (b *eventBatch) registered(row *ClockEvent) bool {
	mine := b.devices[row.UserID]
	return row.DeviceID != "" && (len(mine) == 0 || mine[row.DeviceID])
}

// noteDevice registers a device and marks an event that did so; the first one of
// all is no news.
func (b *eventBatch) noteDevice(row *ClockEvent) {
	mine := b.devices[row.UserID]
	if row.DeviceID == "" || mine[row.DeviceID] {
		return
	}
	row.DeviceNew = len(mine) > 0
	if mine == nil {
		mine = map[string]bool{}
		b.devices[row.UserID] = mine
	}
	mine[row.DeviceID] = true
	b.fresh.UserIds, b.fresh.DeviceIds = append(b.fresh.UserIds, row.UserID), append(b.fresh.DeviceIds, row.DeviceID)
}
