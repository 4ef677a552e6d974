package directory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"officeconsole/queries"
)

// Disclosure says which personal data about others people see who are no
// administrators, such as viewers. Everybody sees their own.
type Disclosure struct {
	PersonalPhones bool
	DeviceIDs      bool // of the devices that people clock with
	IPAddresses    bool // that people clock from

	VersionNo     int32 // 0 before the first change
	UpdatedAt     time.Time
	UpdatedByName string
}

// DisclosureRecord is the disclosure in the change log.
type DisclosureRecord struct {
	VersionNo      int32 `json:"version_no"`
	PersonalPhones bool  `json:"personal_phones"`
	DeviceIDs      bool  `json:"device_ids"`
	IPAddresses    bool  `json:"ip_addresses"`
}

func (d Disclosure) record() DisclosureRecord {
	return DisclosureRecord{d.VersionNo, d.PersonalPhones, d.DeviceIDs, d.IPAddresses}
}

// Disclosure returns what a company has chosen; without a choice nothing is disclosed.
func (q *Queries) Disclosure(ctx context.Context, companyID int64) (Disclosure, error) {
	row, err := q.storedDisclosure(ctx, companyID)
	if errors.Is(err, queries.NotFound) {
		return Disclosure{}, nil
	}
	if err != nil {
		return Disclosure{}, fmt.Errorf("disclosure of company %d: %w", companyID, err)
	}
	return Disclosure{row.PersonalPhones, row.DeviceIds, row.IpAddresses, row.VersionNo, row.UpdatedAt, row.UpdatedByName}, nil
}

// DisclosureTo returns what a reader sees of other people: everything if the reader is
// an administrator, otherwise what the company has chosen.
func (q *Queries) DisclosureTo(ctx context.Context, reader Person) (Disclosure, error) {
	if reader.IsAdmin {
		return Disclosure{PersonalPhones: true, DeviceIDs: true, IPAddresses: true}, nil
	}
	return q.Disclosure(ctx, reader.CompanyID)
}

// SaveDisclosure changes what viewers see. It refuses with Conflict where ifMatch is not
// the VersionNo. The same disclosure changes nothing.
func (s *Store) SaveDisclosure(ctx context.Context, by queries.Actor, ifMatch int32, d Disclosure) error {
	return s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q, now := New(tx), s.db.Now()
		if err := q.lockDisclosure(ctx, by.CompanyID); err != nil {
			return err
		}
		stored, err := q.Disclosure(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		if stored.VersionNo != ifMatch {
			return queries.Conflict("disclosure.changed")
		}
		old, next := stored.record(), d.record()
		if next.VersionNo = old.VersionNo; next == old {
			return nil
		}
		next.VersionNo++
		if err := q.storeDisclosure(ctx, storeDisclosureParams{
			CompanyID: by.CompanyID, PersonalPhones: d.PersonalPhones, DeviceIds: d.DeviceIDs, IpAddresses: d.IPAddresses,
			UpdatedAt: now, UpdatedBy: queries.OrNil(by.UserID), UpdatedByName: by.Name,
		}); err != nil {
			return err
		}
		if err := q.touchDirectory(ctx, by.CompanyID); err != nil { // lists of people that clients have are outdated
			return err
		}
		return queries.New(tx).RecordChange(ctx, by, now, queries.Change{
			Action: "disclosure.updated", ObjectType: "disclosure", ObjectID: by.CompanyID,
			Old: old, New: next,
		})
	})
}
