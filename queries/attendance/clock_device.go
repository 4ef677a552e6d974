package attendance

import (
	"context"
	"unicode/utf8"

	"officeconsole/queries"
)

// Device is the messenger's notice that a device of a user is registered, or no
// longer is.
type Device struct {
	UserID     int64
	DeviceID   string
	Registered bool
}

// TakeDevices registers and unregisters devices of a company's users, in the
// given order and in one transaction. An unknown user, or a device without an
// id, is refused by itself; a device that is already in the wanted state is
// accepted. It waits for clock events that are being stored: otherwise a user's
// first device could register itself beside the one that the messenger chose.
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
		last := map[Device]bool{} // the final value of Registered, by the device without it
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
	removed := removeDevicesParams{CompanyID: d.CompanyID, Now: d.Now}
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
	return d.removeDevices(ctx, removed)
}

func (b *eventBatch) readDevices(ctx context.Context, userIDs []int64) error {
	rows, err := b.devicesOf(ctx, devicesOfParams{b.CompanyID, userIDs})
	b.devices = map[int64]map[string]bool{}
	for _, row := range rows {
		if b.devices[row.UserID] == nil {
			b.devices[row.UserID] = map[string]bool{}
		}
		b.devices[row.UserID][row.DeviceID] = row.Registered
	}
	return err
}

// registered reports whether a policy that requires registered devices accepts
// an event: from one of the user's devices or, where none is registered, from the
// first device, which is registered by the event, unless it was removed. An event
// without a device id is not accepted.
func (b *eventBatch) registered(row *ClockEvent) bool {
	mine := b.devices[row.UserID]
	registered, known := mine[row.DeviceID]
	return registered || row.DeviceID != "" && !known && !hasRegistered(mine)
}

func hasRegistered(devices map[string]bool) bool {
	for _, registered := range devices {
		if registered {
			return true
		}
	}
	return false
}

// noteDevice registers the device of an event, and marks the event as from a
// new device unless it is the user's first one.
func (b *eventBatch) noteDevice(row *ClockEvent) {
	mine := b.devices[row.UserID]
	if row.DeviceID == "" || mine[row.DeviceID] {
		return
	}
	row.DeviceNew = hasRegistered(mine)
	if mine == nil {
		mine = map[string]bool{}
		b.devices[row.UserID] = mine
	}
	mine[row.DeviceID] = true
	b.fresh.UserIds, b.fresh.DeviceIds = append(b.fresh.UserIds, row.UserID), append(b.fresh.DeviceIds, row.DeviceID)
}
