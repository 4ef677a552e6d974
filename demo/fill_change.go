package demo

import (
	"context"
	"net/netip"

	"officeconsole/queries"
)

// changeDays is the number of days for which the company has a change log: its oldest
// policy is younger.
const changeDays = 540

// actor returns a person who changes something in the office, by number.
func (f *filler) actor(c *Company, number int) queries.Actor {
	return queries.Actor{CompanyID: f.companyID, UserID: idOf(f.users, number), Name: c.Named(number), Address: officeAddress(number)}
}

// officeAddress returns the address of a person's computer in the office.
func officeAddress(number int) netip.Addr {
	return netip.AddrFrom4([4]byte{203, 0, 113, byte(10 + number)})
}

// recordConsents records since when people agree that positions are recorded.
func (f *filler) recordConsents(ctx context.Context) error {
	_, err := f.tx.Exec(ctx, `insert into location_consents (company_id, user_id, at, given, source, received_at)
		select company_id, id, location_consent_at, true, 'messenger', location_consent_at
		from users where company_id = $1 and location_consent_at is not null`, f.companyID)
	return err
}

// recordHidings records in the change log who was hidden.
func (f *filler) recordHidings(ctx context.Context) error {
	_, err := f.tx.Exec(ctx, `insert into changes (company_id, at, actor_user_id, actor_name, action, object_type, object_id, object_name, new)
		select h.company_id, h.hidden_at, h.hidden_by, h.hidden_by_name, 'user.hidden', 'user', u.id, u.name,
			jsonb_strip_nulls(jsonb_build_object('hiding_id', h.id, 'kind', h.kind, 'reason', h.reason, 'show_again_on', h.show_again_on))
		from hidings h join users u on u.company_id = h.company_id and u.id = h.user_id
		where h.company_id = $1 order by h.hidden_at`, f.companyID)
	return err
}
