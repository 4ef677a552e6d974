package directory

import (
	"context"
	"fmt"

	"officeconsole/queries"
	"officeconsole/search"
)

// CompanyChange changes what is not nil. The time zone of a company stays: days that are
// stored began by it.
type CompanyChange struct{ Name, Host, OrganizationURL *string }

// UpdateCompany changes the name, the host or the address of the organization page of a
// company. Its root department is renamed too, unless it has another name by now. It refuses
// with Invalid, and changes nothing if nothing is different.
func (s *Store) UpdateCompany(ctx context.Context, by queries.Actor, id int64, c CompanyChange) (company Company, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q := New(tx)
		if _, err := q.lockCompany(ctx, id); err != nil {
			return err
		}
		old, err := q.Company(ctx, id)
		if err != nil {
			return err
		}
		wanted := c.apply(old)
		if err := wanted.check(); err != nil {
			return err
		}
		if company = old; wanted.Name == old.Name && wanted.Host == old.Host && wanted.OrganizationURL == old.OrganizationURL {
			return nil
		}
		company, err = q.updateCompany(ctx, updateCompanyParams{wanted.Name, wanted.Host, wanted.OrganizationURL, id})
		if constraint, ok := queries.ViolatedConstraint(err); ok && constraint == "companies_host_key" {
			return queries.Invalid("company.host.taken")
		}
		if err != nil {
			return err
		}
		text, _ := search.Key(rootName(company.Name))
		if err := q.renameRoot(ctx, renameRootParams{rootName(company.Name), text, id, rootName(old.Name)}); err != nil {
			return err
		}
		by.CompanyID = id
		return queries.New(tx).RecordChange(ctx, by, s.db.Now(), queries.Change{
			Action: "company.updated", ObjectType: "company", ObjectID: id, ObjectName: company.Name, Old: recordOf(old), New: recordOf(company),
		})
	})
	if err != nil {
		return Company{}, fmt.Errorf("update company %d: %w", id, err)
	}
	return company, nil
}

func (c CompanyChange) apply(old Company) NewCompany {
	wanted := NewCompany{Name: old.Name, Host: old.Host, TimeZone: old.TimeZone, OrganizationURL: old.OrganizationURL}
	for _, f := range []struct {
		of    *string
		value *string
	}{{&wanted.Name, c.Name}, {&wanted.Host, c.Host}, {&wanted.OrganizationURL, c.OrganizationURL}} {
		if f.value != nil {
			*f.of = *f.value
		}
	}
	return wanted.tidy()
}

func recordOf(c Company) companyRecord {
	return companyRecord{Name: c.Name, Host: c.Host, TimeZone: c.TimeZone, OrganizationURL: c.OrganizationURL}
}
