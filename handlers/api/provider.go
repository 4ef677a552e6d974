package api

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/identity"
)

// registerProviders registers the operations of the providers of single sign-on.
func (c *calls) registerProviders(administrators huma.Middlewares) {
	const all, one = u + "/security/providers", u + "/security/providers/{provider_id}"
	describe := func(d call) huma.Operation {
		d.tag = "Security"
		return d.operation(administrators)
	}
	change := func(d call) huma.Operation {
		d.tag, d.description = "Security", d.description+" "+provedText
		return d.operation(append(administrators, c.proved))
	}
	unreadable := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	changes := append(unreadable, http.StatusConflict, http.StatusPreconditionRequired)
	huma.Register(c.api, describe(call{id: "providers", path: all, summary: "Providers of single sign-on by name",
		description: "For administrators. At most 20. The client secret is in no answer."}), c.providers)
	huma.Register(c.api, describe(call{id: "provider", path: one, summary: "A provider of single sign-on",
		description: "For administrators. ETag is its version, for If-Match."}), c.provider)
	huma.Register(c.api, change(call{id: "create-provider", method: http.MethodPost, path: all, status: http.StatusCreated, errors: unreadable,
		summary: "Add a provider of single sign-on", description: "For administrators. One of OpenID Connect (oidc) needs issuer, client_id and client_secret; one of SAML 2.0 (saml) needs metadata_url or metadata, from which the issuer is read."}), c.createProvider)
	huma.Register(c.api, change(call{id: "update-provider", method: http.MethodPatch, path: one, errors: changes,
		summary: "Change a provider of single sign-on", description: "For administrators. Fields that are left out stay as they are; the kind cannot change. With If-Match, 409 when somebody else has saved in between."}), c.updateProvider)
	huma.Register(c.api, change(call{id: "delete-provider", method: http.MethodDelete, path: one, status: http.StatusNoContent, errors: changes[2:],
		summary: "Delete a provider of single sign-on", description: "For administrators. Nobody can sign in with it any more. The change log can restore it for 30 days, without its client secret."}), c.deleteProvider)
	huma.Register(c.api, describe(call{id: "test-provider", method: http.MethodPost, path: one + "/test",
		summary: "Test a provider of single sign-on", description: "For administrators. Reads what the provider says about itself, and its keys. The rest needs a browser: the page of the provider tests it, too."}), c.testProvider)
}

type providerRow struct {
	ID              int64      `json:"id"`
	Name            string     `json:"name"`
	Kind            string     `json:"kind" enum:"oidc,saml"`
	Issuer          string     `json:"issuer" doc:"Of a provider of SAML its entity id."`
	ClientID        string     `json:"client_id" doc:"Empty for a provider of SAML."`
	SecretSavedAt   *time.Time `json:"secret_saved_at" doc:"null without a client secret."`
	MetadataURL     string     `json:"metadata_url" doc:"Where the metadata of SAML is read from; may be empty."`
	Metadata        string     `json:"metadata" doc:"The metadata of SAML that was entered, with what is used of it only; may be empty."`
	Domains         []string   `json:"domains" nullable:"false"`
	CreatePeople    bool       `json:"create_people"`
	DepartmentClaim string     `json:"department_claim"`
	RankClaim       string     `json:"rank_claim"`
	AdminClaim      string     `json:"admin_claim"`
	AdminValue      string     `json:"admin_value"`
	Enabled         bool       `json:"enabled"`
}

func newProviderRow(p identity.Provider) providerRow {
	row := providerRow{
		ID: p.ID, Name: p.Name, Kind: p.Kind, Issuer: p.Issuer, ClientID: p.ClientID, MetadataURL: p.MetadataURL, Metadata: p.Metadata, Domains: p.Domains,
		CreatePeople: p.CreatePeople, DepartmentClaim: p.DepartmentClaim, RankClaim: p.RankClaim, AdminClaim: p.AdminClaim, AdminValue: p.AdminValue, Enabled: p.Enabled,
	}
	if p.HasSecret {
		row.SecretSavedAt = inUTC(&p.SecretAt)
	}
	return row
}

type providersOutput struct{ Body list[providerRow] }

func (c *calls) providers(ctx context.Context, in *OwnPath) (*providersOutput, error) {
	found, err := c.db.Identity.Providers(ctx, in.CompanyID)
	out := &providersOutput{}
	out.Body.Data = make([]providerRow, len(found))
	for i, p := range found {
		out.Body.Data[i] = newProviderRow(p)
	}
	return out, err
}

// ProviderPath is the path of a provider.
type ProviderPath struct {
	OwnPath
	ProviderID int64 `path:"provider_id"`
}

type providerOutput struct {
	ETag string `header:"ETag"`
	Body providerRow
}

func (c *calls) provider(ctx context.Context, in *ProviderPath) (*providerOutput, error) {
	p, err := c.db.Identity.Provider(ctx, identity.ProviderParams{CompanyID: in.CompanyID, ID: in.ProviderID})
	if err != nil {
		return nil, err
	}
	return &providerOutput{versionTag(p.VersionNo), newProviderRow(p)}, nil
}

// ProviderBody is a provider to save; nil leaves a field unchanged.
type ProviderBody struct {
	Name            *string   `json:"name,omitempty" doc:"At most 50 characters."`
	Kind            *string   `json:"kind,omitempty" enum:"oidc,saml" doc:"oidc for a new provider where it is left out."`
	Issuer          *string   `json:"issuer,omitempty" doc:"Of a provider of OpenID Connect."`
	ClientID        *string   `json:"client_id,omitempty"`
	ClientSecret    *string   `json:"client_secret,omitempty" doc:"An empty one leaves the secret as it is."`
	MetadataURL     *string   `json:"metadata_url,omitempty" doc:"Of a provider of SAML; empty where metadata is entered."`
	Metadata        *string   `json:"metadata,omitempty"`
	Domains         *[]string `json:"domains,omitempty" doc:"The email domains of the people who sign in through it, at least one."`
	CreatePeople    *bool     `json:"create_people,omitempty" doc:"Whether people whom the organization does not have are created."`
	DepartmentClaim *string   `json:"department_claim,omitempty" doc:"A claim, or an attribute of SAML."`
	RankClaim       *string   `json:"rank_claim,omitempty"`
	AdminClaim      *string   `json:"admin_claim,omitempty" doc:"Whoever has admin_value in it is an administrator, and nobody else."`
	AdminValue      *string   `json:"admin_value,omitempty"`
	Enabled         *bool     `json:"enabled,omitempty" doc:"True for a new provider where it is left out."`
}

// into applies the fields that were sent to a draft.
func (b ProviderBody) into(d identity.ProviderDraft) identity.ProviderDraft {
	replace(&d.Name, b.Name)
	replace(&d.Kind, b.Kind)
	replace(&d.Issuer, b.Issuer)
	replace(&d.ClientID, b.ClientID)
	replace(&d.ClientSecret, b.ClientSecret)
	replace(&d.MetadataURL, b.MetadataURL)
	replace(&d.Metadata, b.Metadata)
	replace(&d.Domains, b.Domains)
	replace(&d.CreatePeople, b.CreatePeople)
	replace(&d.DepartmentClaim, b.DepartmentClaim)
	replace(&d.RankClaim, b.RankClaim)
	replace(&d.AdminClaim, b.AdminClaim)
	replace(&d.AdminValue, b.AdminValue)
	replace(&d.Enabled, b.Enabled)
	return d
}

// NewProvider is a new provider to save.
type NewProvider struct {
	ProviderBody `needs:"name,domains"`
}

type createProviderInput struct {
	OwnPath
	Body NewProvider
}

func (c *calls) createProvider(ctx context.Context, in *createProviderInput) (*providerOutput, error) {
	id, err := c.db.Identity.CreateProvider(ctx, actor(ctx), in.Body.into(identity.ProviderDraft{Enabled: true}))
	if err != nil {
		return nil, err
	}
	return c.provider(ctx, &ProviderPath{in.OwnPath, id})
}

type updateProviderInput struct {
	ProviderPath
	IfMatch string `header:"If-Match" doc:"The ETag of the provider as the client has seen it; without it whatever there is is changed."`
	Body    ProviderBody
}

func (c *calls) updateProvider(ctx context.Context, in *updateProviderInput) (*providerOutput, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	p, err := c.db.Identity.Provider(ctx, identity.ProviderParams{CompanyID: in.CompanyID, ID: in.ProviderID})
	if err != nil {
		return nil, err
	}
	if err := c.db.Identity.UpdateProvider(ctx, actor(ctx), p.ID, cmp.Or(seen, p.VersionNo), in.Body.into(p.Draft())); err != nil {
		return nil, err
	}
	return c.provider(ctx, &in.ProviderPath)
}

type deleteProviderInput struct {
	ProviderPath
	IfMatch string `header:"If-Match" doc:"The ETag of the provider as the client has seen it; without it whatever there is is deleted."`
}

func (c *calls) deleteProvider(ctx context.Context, in *deleteProviderInput) (*struct{}, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	return nil, c.db.Identity.DeleteProvider(ctx, actor(ctx), in.ProviderID, seen)
}

type providerTrialOutput struct {
	Body struct {
		OK    bool                `json:"ok"`
		Steps []providerTrialStep `json:"steps" nullable:"false"`
	}
}

type providerTrialStep struct {
	Name    string `json:"name" enum:"discovery,keys"`
	Value   string `json:"value" doc:"What the step found, such as the number of keys."`
	Warning string `json:"warning" doc:"A code; empty for none."`
	Refusal string `json:"refusal" doc:"The code why the step failed, after which no other follows; empty where it did not."`
	Detail  string `json:"detail" doc:"Of a failure, in the words of a program."`
	TookMS  int64  `json:"took_ms"`
}

func (c *calls) testProvider(ctx context.Context, in *ProviderPath) (*providerTrialOutput, error) {
	trial, err := c.db.Identity.TryProvider(ctx, in.CompanyID, in.ProviderID)
	if err != nil {
		return nil, err
	}
	out := &providerTrialOutput{}
	out.Body.OK, out.Body.Steps = trial.OK(), []providerTrialStep{}
	for _, s := range trial.Steps {
		out.Body.Steps = append(out.Body.Steps, providerTrialStep{s.Name, s.Value, s.Warning, s.Refusal, s.Detail, s.Took.Milliseconds()})
	}
	return out, nil
}
