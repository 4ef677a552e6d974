package identity

import (
	"context"
	"reflect"
	"slices"

	"officeconsole/queries"
	"officeconsole/seal"
)

// Provider is a provider of single sign-on of a company, without its client
// secret.
type Provider = KnownProvider

// The kinds of providers.
const (
	OpenIDConnect = "oidc"
	SAML          = "saml"
)

// ProviderDraft is what somebody enters for a provider. Of OpenID Connect that is the
// issuer, the client's id and its secret; an empty secret leaves the one of an existing
// provider as it is, unless the issuer changes. Of SAML it is the metadata or its
// address, and the issuer is read from it. The claims say which part of a provider's
// answer is a person's department path and rank, and which of their values makes an
// administrator; an empty one says nothing.
type ProviderDraft struct {
	Name, Kind                                         string
	Issuer, ClientID, ClientSecret                     string
	MetadataURL, Metadata                              string
	Domains                                            []string
	CreatePeople, Enabled                              bool
	DepartmentClaim, RankClaim, AdminClaim, AdminValue string
}

// Draft is the provider as somebody would enter it.
func (p KnownProvider) Draft() ProviderDraft { return newProviderRecord(p).Draft() }

// MostProviders is how many providers a company can have.
const MostProviders = 20

// CreateProvider adds a provider to the actor's company. It refuses with FieldErrors
// of name, kind, issuer, client_id, client_secret, metadata_url, metadata, domains,
// admin_value and the claims.
func (s *Store) CreateProvider(ctx context.Context, by queries.Actor, d ProviderDraft) (id int64, err error) {
	d, err = s.checkProvider(ctx, d, nil)
	if err != nil {
		return 0, err
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		existing, err := t.Providers(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		if len(existing) >= MostProviders {
			return queries.FieldErrors{"name": "provider.most"}
		}
		if id, err = t.insertProvider(ctx, insertProviderParams{
			CompanyID: by.CompanyID, Name: d.Name, Kind: d.Kind, Issuer: d.Issuer, ClientID: d.ClientID, Now: t.now,
			MetadataURL: d.MetadataURL, Metadata: d.Metadata, CreatePeople: d.CreatePeople,
			DepartmentClaim: d.DepartmentClaim, RankClaim: d.RankClaim, AdminClaim: d.AdminClaim, AdminValue: d.AdminValue, Enabled: d.Enabled,
		}); err != nil {
			return err
		}
		if d.ClientSecret != "" {
			sealed, err := s.db.SealSecret(ctx, clientSecretField(by.CompanyID, id), d.ClientSecret)
			if err != nil {
				return err
			}
			if err := t.setProviderSecret(ctx, setProviderSecretParams{ClientSecret: sealed, CompanyID: by.CompanyID, ID: id}); err != nil {
				return err
			}
		}
		if err := t.setDomains(ctx, by.CompanyID, id, d.Domains); err != nil {
			return err
		}
		return t.recordProvider(ctx, by, queries.Change{Action: "provider.created"}, nil, id)
	})
	return id, err
}

// UpdateProvider changes a provider. It refuses as CreateProvider does, with
// NotFound, and with Conflict where version is neither 0 nor the VersionNo. The same draft
// without a secret changes nothing.
func (s *Store) UpdateProvider(ctx context.Context, by queries.Actor, id int64, version int32, d ProviderDraft) error {
	stored, err := s.Provider(ctx, ProviderParams{by.CompanyID, id})
	if err != nil {
		return err
	}
	if d, err = s.checkProvider(ctx, d, &stored); err != nil {
		return err
	}
	if version == 0 {
		version = stored.VersionNo // what was checked is what is changed
	}
	sealed := ""
	if d.ClientSecret != "" {
		if sealed, err = s.db.SealSecret(ctx, clientSecretField(by.CompanyID, id), d.ClientSecret); err != nil {
			return err
		}
	}
	return s.changeProvider(ctx, by, id, version, func(ctx context.Context, t *transaction, old Provider) error {
		unchanged := old.Draft()
		slices.Sort(unchanged.Domains) // as those of d, in whatever order the database has them
		if reflect.DeepEqual(d, unchanged) {
			return nil
		}
		if err := t.updateProvider(ctx, updateProviderParams{
			CompanyID: by.CompanyID, ID: id, Name: d.Name, Issuer: d.Issuer, ClientID: d.ClientID, ClientSecret: sealed, Now: t.now,
			MetadataURL: d.MetadataURL, Metadata: d.Metadata, CreatePeople: d.CreatePeople,
			DepartmentClaim: d.DepartmentClaim, RankClaim: d.RankClaim, AdminClaim: d.AdminClaim, AdminValue: d.AdminValue, Enabled: d.Enabled,
		}); err != nil {
			return err
		}
		if err := t.setDomains(ctx, by.CompanyID, id, d.Domains); err != nil {
			return err
		}
		return t.recordProvider(ctx, by, queries.Change{Action: "provider.updated"}, &old, id)
	})
}

// clientSecretField is where the client secret of a provider is sealed.
func clientSecretField(companyID, id int64) seal.Field {
	return seal.Field{Table: "providers", Column: "client_secret", CompanyID: companyID, RowID: id}
}

// clientSecret returns the client secret of a provider. It refuses with
// secret.unavailable where it cannot be opened.
func (s *Store) clientSecret(ctx context.Context, p Provider) (string, error) {
	sealed, err := s.providerSecret(ctx, providerSecretParams{p.CompanyID, p.ID})
	if err != nil {
		return "", err
	}
	return s.db.OpenSecret(ctx, clientSecretField(p.CompanyID, p.ID), sealed)
}

// DeleteProvider deletes a provider. People who signed in through it stay signed
// in, and a new provider of the same issuer knows them again. version is that of
// UpdateProvider.
func (s *Store) DeleteProvider(ctx context.Context, by queries.Actor, id int64, version int32) error {
	return s.changeProvider(ctx, by, id, version, func(ctx context.Context, t *transaction, old Provider) error {
		if err := t.deleteProvider(ctx, deleteProviderParams{by.CompanyID, id}); err != nil {
			return err
		}
		return t.recordProvider(ctx, by, queries.Change{Action: "provider.deleted"}, &old, id)
	})
}

// changeProvider runs do with a provider that is locked.
func (s *Store) changeProvider(ctx context.Context, by queries.Actor, id int64, version int32, do func(context.Context, *transaction, Provider) error) error {
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		current, err := t.lockProvider(ctx, lockProviderParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		if version != 0 && version != current {
			return queries.Conflict("provider.changed")
		}
		old, err := t.Provider(ctx, ProviderParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		return do(ctx, t, old)
	})
}

// setDomains gives a provider its domains. It refuses one of another provider, and
// one that another company uses.
func (t *transaction) setDomains(ctx context.Context, companyID, id int64, domains []string) error {
	foreign, err := t.foreignDomain(ctx, foreignDomainParams{Domains: domains, CompanyID: companyID})
	if err != nil {
		return err
	}
	if foreign != "" {
		return queries.FieldErrors{"domains": "provider.domains.foreign"}
	}
	if err := t.deleteDomains(ctx, deleteDomainsParams{companyID, id}); err != nil {
		return err
	}
	err = t.insertDomains(ctx, insertDomainsParams{CompanyID: companyID, ProviderID: id, Domains: domains})
	if constraint, ok := queries.ViolatedConstraint(err); ok && constraint == "provider_domains_pkey" {
		return queries.FieldErrors{"domains": "provider.domains.taken"}
	}
	return err
}

// recordProvider writes to the change log what became of a provider, whose state
// before is nil for a new one.
func (t *transaction) recordProvider(ctx context.Context, by queries.Actor, change queries.Change, before *Provider, id int64) error {
	change.ObjectType, change.ObjectID = "provider", id
	if before != nil {
		change.ObjectName, change.Old = before.Name, newProviderRecord(*before)
	}
	if change.Action != "provider.deleted" {
		after, err := t.Provider(ctx, ProviderParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		change.ObjectName, change.New = after.Name, newProviderRecord(after)
	}
	return queries.New(t.tx).RecordChange(ctx, by, t.now, change)
}
