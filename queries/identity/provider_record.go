package identity

import (
	"context"
	"time"

	"officeconsole/queries"
)

// ProviderRecord is a provider in the change log. Of the secret it has only the time
// since which it is in use.
type ProviderRecord struct {
	Name            string     `json:"name"`
	Protocol        string     `json:"protocol,omitempty"` // the kind; "" in rows of before there was another one
	Issuer          string     `json:"issuer"`
	ClientID        string     `json:"client_id,omitempty"`
	SecretAt        *time.Time `json:"secret_at,omitempty"`
	MetadataURL     string     `json:"metadata_url,omitempty"`
	Metadata        string     `json:"metadata,omitempty"`
	Domains         []string   `json:"domains"`
	CreatePeople    bool       `json:"create_people"`
	DepartmentClaim string     `json:"department_claim"`
	RankClaim       string     `json:"rank_claim"`
	AdminClaim      string     `json:"admin_claim"`
	AdminValue      string     `json:"admin_value"`
	Enabled         bool       `json:"enabled"`
	VersionNo       int32      `json:"version_no"`
}

func newProviderRecord(p Provider) ProviderRecord {
	r := ProviderRecord{
		Name: p.Name, Protocol: p.Kind, Issuer: p.Issuer, ClientID: p.ClientID, MetadataURL: p.MetadataURL, Metadata: p.Metadata, Domains: p.Domains,
		CreatePeople: p.CreatePeople, DepartmentClaim: p.DepartmentClaim, RankClaim: p.RankClaim, AdminClaim: p.AdminClaim, AdminValue: p.AdminValue,
		Enabled: p.Enabled, VersionNo: p.VersionNo,
	}
	if p.HasSecret {
		r.SecretAt = &p.SecretAt
	}
	return r
}

// Draft is the provider as somebody would enter it.
func (r ProviderRecord) Draft() ProviderDraft {
	return ProviderDraft{
		Name: r.Name, Kind: r.Protocol, Issuer: r.Issuer, ClientID: r.ClientID, MetadataURL: r.MetadataURL, Metadata: r.Metadata, Domains: r.Domains,
		CreatePeople: r.CreatePeople, Enabled: r.Enabled,
		DepartmentClaim: r.DepartmentClaim, RankClaim: r.RankClaim, AdminClaim: r.AdminClaim, AdminValue: r.AdminValue,
	}
}

// CheckReversal refuses to set a provider back to the record, from what a change has saved.
// The secrets of before are not stored, so a change of the secret, or of the issuer it is
// for, is refused with provider.revert.secret.
func (r ProviderRecord) CheckReversal(after ProviderRecord) error {
	if r.SecretAt != nil && after.SecretAt != nil && (!r.SecretAt.Equal(*after.SecretAt) || r.Issuer != after.Issuer) {
		return queries.Invalid("provider.revert.secret")
	}
	return nil
}

// RevertProvider gives a provider the content of the record before a change, and is a
// Conflict where another change came after it. It refuses as CheckReversal does.
func (s *Store) RevertProvider(ctx context.Context, by queries.Actor, id int64, before, after ProviderRecord) error {
	if err := before.CheckReversal(after); err != nil {
		return err
	}
	return s.UpdateProvider(ctx, by, id, after.VersionNo, before.Draft())
}

// RestoreProvider adds a deleted provider again as the change log has it. Its secret was
// deleted with it, so nobody can sign in with it until somebody enters a secret and
// enables it. It refuses as CreateProvider does where one of its domains is taken, and
// with Conflict where it exists.
func (s *Store) RestoreProvider(ctx context.Context, by queries.Actor, id int64, r ProviderRecord) error {
	return s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		existing, err := t.Providers(ctx, by.CompanyID)
		if err != nil {
			return err
		}
		if len(existing) >= MostProviders {
			return queries.FieldErrors{"name": "provider.most"}
		}
		d := r.Draft()
		if d.Kind == "" {
			d.Kind = OpenIDConnect
		}
		err = t.insertDeletedProvider(ctx, insertDeletedProviderParams{
			CompanyID: by.CompanyID, ID: id, Name: d.Name, Kind: d.Kind, Issuer: d.Issuer, ClientID: d.ClientID, Now: t.now, MetadataURL: d.MetadataURL, Metadata: d.Metadata,
			CreatePeople: d.CreatePeople, DepartmentClaim: d.DepartmentClaim, RankClaim: d.RankClaim, AdminClaim: d.AdminClaim, AdminValue: d.AdminValue, VersionNo: r.VersionNo + 1,
		})
		if constraint, ok := queries.ViolatedConstraint(err); ok && constraint == "providers_pkey" {
			return queries.Conflict("provider.changed")
		}
		if err != nil {
			return err
		}
		if err := t.setDomains(ctx, by.CompanyID, id, d.Domains); err != nil {
			return err
		}
		return t.recordProvider(ctx, by, queries.Change{Action: "provider.restored"}, nil, id)
	})
}
