package audit

import (
	"context"

	"officeconsole/queries/directory"
)

// mapUpdate sets the map services to what they were.
func (r *reversal) mapUpdate(ctx context.Context) error {
	var old directory.MapsRecord
	if err := r.readOld(&old); err != nil {
		return err
	}
	return r.directory.SaveMaps(ctx, r.by, r.new.VersionNo, old.Licenses)
}
