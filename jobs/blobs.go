package jobs

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"officeconsole/blobs"
	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/bot"
	"officeconsole/queries/identity"
	"officeconsole/queries/link"
	"officeconsole/queries/notice"
)

// spareTime is how long a blob is kept without anything that refers to it: a blob
// is stored before its row is committed, and a form that was refused refers to
// the blobs that it will be sent with again.
const spareTime = 24 * time.Hour

// sweepSize is how many blobs of a company are looked up at once.
const sweepSize = 200

// sweepBlobs removes what nothing refers to.
func sweepBlobs(ctx context.Context, db *areas.Areas, files blobs.Store) error {
	before := db.Now().Add(-spareTime)
	if err := files.RemoveTemporary(ctx, before); err != nil {
		return err
	}
	old := map[int64][]string{} // by company
	for blob, err := range files.All(ctx) {
		if err != nil {
			return err
		}
		company, _, _ := strings.Cut(blob.Key, "/")
		id, err := strconv.ParseInt(company, 10, 64)
		if err != nil || id == blobs.OfStore || blob.Modified.After(before) {
			continue
		}
		if old[id] = append(old[id], blob.Key); len(old[id]) == sweepSize {
			if err := sweepCompany(ctx, db, files, id, old[id]); err != nil {
				return err
			}
			delete(old, id)
		}
	}
	for id, keys := range old {
		if err := sweepCompany(ctx, db, files, id, keys); err != nil {
			return err
		}
	}
	return nil
}

func sweepCompany(ctx context.Context, db *areas.Areas, files blobs.Store, companyID int64, keys []string) error {
	used, err := blobsInUse(ctx, db, companyID, keys)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if slices.Contains(used, key) {
			continue
		}
		if err := files.Remove(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// blobsInUse returns those of some blobs that a link, a notice, a bot, an import or a user refers
// to.
// Files of a notice stay for spareTime longer than they can be downloaded or restored,
// because a copy of it may have just been saved.
func blobsInUse(ctx context.Context, db *areas.Areas, companyID int64, keys []string) ([]string, error) {
	now := db.Now()
	banners, err := db.Links.BannersInUse(ctx, link.BannersInUseParams{CompanyID: companyID, Keys: keys, Since: now.Add(-link.RestoreTime)})
	if err != nil {
		return nil, err
	}
	attachments, err := db.Notices.BlobsInUse(ctx, notice.BlobsInUseParams{
		CompanyID: companyID, Keys: keys,
		PublishedAfter: now.Add(-notice.DownloadTime - spareTime), DeletedAfter: now.Add(-notice.RestoreTime - spareTime),
	})
	if err != nil {
		return nil, err
	}
	images, err := db.Bots.ImagesInUse(ctx, bot.ImagesInUseParams{CompanyID: companyID, Keys: keys})
	if err != nil {
		return nil, err
	}
	imported, err := db.Attendance.ImportFilesInUse(ctx, attendance.ImportFilesInUseParams{CompanyID: companyID, Keys: keys})
	if err != nil {
		return nil, err
	}
	pictures, err := picturesInUse(ctx, db, companyID, keys)
	return slices.Concat(banners, attachments, images, imported, pictures), err
}

// picturesInUse returns those of some blobs that are the picture of a user.
func picturesInUse(ctx context.Context, db *areas.Areas, companyID int64, keys []string) ([]string, error) {
	hashes := make([]string, len(keys))
	for i, key := range keys {
		hashes[i] = path.Base(key)
	}
	used, err := db.Identity.ImagesInUse(ctx, identity.ImagesInUseParams{CompanyID: companyID, Hashes: hashes})
	for i, hash := range used {
		used[i] = blobs.Key(companyID, hash)
	}
	return used, err
}
