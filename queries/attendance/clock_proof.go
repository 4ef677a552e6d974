package attendance

import (
	"slices"

	"officeconsole/settings"
)

// admit sets on an event what proves it and registers its device, or returns
// why the policy refuses the event.
func (b *eventBatch) admit(row *ClockEvent, e ClockInput, asked settings.Clocking, consents bool) (refusal string) {
	switch {
	case e.Platform != "" && !slices.Contains(asked.Platforms, e.Platform):
		return refusedPlatform
	case asked.OnlyRegistered && !b.registered(row):
		return refusedDevice
	}
	if refusal := prove(row, e, asked, consents); refusal != "" {
		return refusal
	}
	b.noteDevice(row)
	return ""
}

// prove sets on an event what proves that the user was where the policy
// requires it (domain §5), or returns why the policy refuses the event. Without
// the user's consent at that time no position is stored, and settings about positions
// do not apply. A position that was made up is no proof, but where the policy only
// flags it, it is admitted like any other.
func prove(row *ClockEvent, e ClockInput, c settings.Clocking, consents bool) (refusal string) {
	located := consents && c.GPS != "off" && e.GPS.hasFix()
	if located {
		accuracy := float32(e.GPS.AccuracyM)
		row.Lat, row.Lng, row.AccuracyM, row.Mock = &e.GPS.Lat, &e.GPS.Lng, &accuracy, e.GPS.Mock
	}
	if row.Mock && c.BlockMock {
		return refusedMock
	}
	byPlace := located && e.GPS.AccuracyM <= c.AccuracyMaxM && findPlace(row, c.Places)
	byAddress := row.Ip != nil && findAddress(row, c.Ranges)
	switch {
	case byAddress && c.AddressesListed:
		row.Proof = "ip"
	case byPlace && !row.Mock:
		row.Proof = "gps"
	}
	return outside(row, c, consents, byAddress, byPlace)
}

// findPlace sets the name of the workplace that contains the event's position,
// and reports whether there is one.
func findPlace(row *ClockEvent, places []settings.Workplace) bool {
	i := slices.IndexFunc(places, func(w settings.Workplace) bool { return w.Contains(*row.Lat, *row.Lng) })
	if i >= 0 {
		row.Place = places[i].Name
	}
	return i >= 0
}

// findAddress reports whether an event came from a listed address. The name of
// the range becomes the place of an event without one.
func findAddress(row *ClockEvent, ranges []settings.NamedRange) bool {
	i := slices.IndexFunc(ranges, func(r settings.NamedRange) bool { return r.Range.Contains(*row.Ip) })
	if i >= 0 && row.Place == "" {
		row.Place = ranges[i].Name
	}
	return i >= 0
}

// outside handles an event without a proof where the policy asks for one: it is
// refused, or marked as outside work, as the settings say.
func outside(row *ClockEvent, c settings.Clocking, consents, byAddress, byPlace bool) (refusal string) {
	needsAddress, needsPlace := c.AddressesListed, c.GPS == "require" && consents
	proven := !needsAddress && !needsPlace
	switch {
	case proven:
	case c.BothProofs:
		proven = (byAddress || !needsAddress) && (byPlace || !needsPlace)
	default:
		proven = needsAddress && byAddress || byPlace
	}
	if proven {
		return ""
	}
	row.Outside, row.Proof = true, "none"
	switch {
	case c.Outside == "block":
		return refusedOutside
	case c.Outside == "reason" && row.Reason == "":
		return refusedReason
	}
	return ""
}
