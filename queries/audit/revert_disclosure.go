package audit

import (
	"context"

	"officeconsole/queries/directory"
)

// disclosureUpdate sets what viewers see to what it was.
func (r *reversal) disclosureUpdate(ctx context.Context) error {
	var old directory.DisclosureRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.directory.SaveDisclosure(ctx, r.by, r.new.VersionNo, directory.Disclosure{PersonalPhones: old.PersonalPhones, DeviceIDs: old.DeviceIDs, IPAddresses: old.IPAddresses})
}
