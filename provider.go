package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/webhook"
)

type providerCommand struct {
	Create providerCreateCommand `cmd:"" help:"Let the people of some email domains sign in through a provider of OpenID Connect or SAML."`
	List   providerListCommand   `cmd:"" help:"List the providers."`
	Test   providerTestCommand   `cmd:"" help:"Read what a provider says about itself, and its keys."`
	Delete providerDeleteCommand `cmd:"" help:"Delete a provider."`
	Unlink providerUnlinkCommand `cmd:"" help:"Forget through which account of a provider somebody signs in, so that they are found by email again."`
}

// providerOption names the provider of a command.
type providerOption struct {
	Company string `help:"Host of the company; not needed when there is only one."`
	Issuer  string `placeholder:"URL" help:"The issuer of the provider, or its entity id."`
	ID      int64  `placeholder:"ID" help:"The id of the provider in the list, where several have the issuer, or instead of it."`
}

// matches reports whether the options name a provider.
func (o providerOption) matches(p identity.Provider) bool {
	return (o.Issuer == "" || o.Issuer == p.Issuer) && (o.ID == 0 || o.ID == p.ID)
}

// choose returns the only provider that the options name.
func (o providerOption) choose(providers []identity.Provider) (identity.Provider, error) {
	found := slices.DeleteFunc(slices.Clone(providers), func(p identity.Provider) bool { return !o.matches(p) })
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0 && o.ID != 0 && o.Issuer != "":
		return identity.Provider{}, fmt.Errorf("the company has no provider %d with the issuer %q", o.ID, o.Issuer)
	case len(found) == 0 && o.ID != 0:
		return identity.Provider{}, fmt.Errorf("the company has no provider %d", o.ID)
	case len(found) == 0:
		return identity.Provider{}, fmt.Errorf("the company has no provider with the issuer %q", o.Issuer)
	}
	message := fmt.Sprintf("%d providers of the company have the issuer %q, choose one with --id:", len(found), o.Issuer)
	for _, p := range found {
		message += fmt.Sprintf("\n  --id %d: %s, ", p.ID, p.Name)
		if p.ClientID != "" {
			message += fmt.Sprintf("client %s, ", p.ClientID)
		}
		message += "domains " + strings.Join(p.Domains, ", ")
	}
	return identity.Provider{}, errors.New(message)
}

type providerCreateCommand struct {
	Company          string   `help:"Host of the company; not needed when there is only one."`
	Name             string   `help:"The name shown on the page. Default: the issuer's host."`
	Issuer           string   `placeholder:"URL" help:"The issuer of a provider of OpenID Connect."`
	ClientID         string   `name:"client-id" help:"The console's id at the provider of OpenID Connect."`
	ClientSecretFile string   `name:"client-secret-file" type:"existingfile" help:"A file with the console's secret at the provider of OpenID Connect."`
	SAMLMetadata     string   `name:"saml-metadata" placeholder:"FILE|URL" help:"The metadata of a provider of SAML 2.0, instead of the issuer, the id and the secret."`
	Domain           []string `required:"" help:"Email domains of the people who sign in through it."`
	CreatePeople     bool     `name:"create-people" help:"Create people whom the organization does not have yet."`
	networkOption
}

func (p providerCreateCommand) Run(ctx context.Context, c *commands) error {
	draft, err := p.draft()
	if err != nil {
		return err
	}
	return c.withCompany(ctx, p.Company, func(db *areas.Areas, company directory.Company) error {
		db.Identity.Allow(p.network())
		id, err := db.Identity.CreateProvider(ctx, queries.Actor{CompanyID: company.ID, Name: "officeconsole provider create"}, draft)
		var refused queries.FieldErrors
		if errors.As(err, &refused) {
			err = refused.First()
		}
		if err != nil {
			return translateRefusal(err)
		}
		register := "the redirect URL …/oauth"
		if draft.Kind == identity.SAML {
			register = "the metadata at …" + identity.SAMLPath + "/metadata"
		}
		fmt.Fprintf(c.stdout, "Provider %d, %s, was created. Register %s there.\n", id, draft.Name, register)
		return nil
	})
}

// draft returns what the options say. The name is by default the host of the first
// address among them.
func (p providerCreateCommand) draft() (identity.ProviderDraft, error) {
	d := identity.ProviderDraft{
		Name: p.Name, Kind: identity.OpenIDConnect, Issuer: p.Issuer, ClientID: p.ClientID, Domains: p.Domain, CreatePeople: p.CreatePeople, Enabled: true,
	}
	switch {
	case p.SAMLMetadata != "" && (p.Issuer != "" || p.ClientID != "" || p.ClientSecretFile != ""):
		return d, errors.New("--saml-metadata is instead of --issuer, --client-id and --client-secret-file")
	case strings.Contains(p.SAMLMetadata, "://"):
		d.Kind, d.MetadataURL = identity.SAML, p.SAMLMetadata
	case p.SAMLMetadata != "":
		content, err := os.ReadFile(p.SAMLMetadata)
		if err != nil {
			return d, err
		}
		d.Kind, d.Metadata = identity.SAML, string(content)
	case p.ClientSecretFile != "":
		secret, err := os.ReadFile(p.ClientSecretFile)
		if err != nil {
			return d, err
		}
		d.ClientSecret = strings.TrimSpace(string(secret))
	}
	if d.Name == "" {
		d.Name = cmp.Or(webhook.Host(d.Issuer), webhook.Host(d.MetadataURL), "SAML")
	}
	return d, nil
}

type providerListCommand struct {
	Company string `help:"Host of the company; not needed when there is only one."`
}

func (p providerListCommand) Run(ctx context.Context, c *commands) error {
	return c.withCompany(ctx, p.Company, func(db *areas.Areas, company directory.Company) error {
		providers, err := db.Identity.Providers(ctx, company.ID)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tENABLED\tPROTOCOL\tISSUER\tCLIENT ID\tDOMAINS\tNAME")
		for _, one := range providers {
			fmt.Fprintf(table, "%d\t%t\t%s\t%s\t%s\t%s\t%s\n", one.ID, one.Enabled, one.Kind, one.Issuer, one.ClientID, strings.Join(one.Domains, ","), one.Name)
		}
		return table.Flush()
	})
}

type providerTestCommand struct {
	providerOption
	networkOption
}

// errTrial ends a test that failed; what failed has been printed.
var errTrial = errors.New("nobody can sign in through the provider")

func (p providerTestCommand) Run(ctx context.Context, c *commands) error {
	return c.withProvider(ctx, p.providerOption, func(db *areas.Areas, one identity.Provider) error {
		db.Identity.Allow(p.network())
		trial, err := db.Identity.TryProvider(ctx, one.CompanyID, one.ID)
		if err != nil {
			return err
		}
		for _, step := range trial.Steps {
			switch {
			case step.Refusal != "":
				fmt.Fprintf(c.stdout, "failed   %s: %s (%s)\n", step.Name, locales.English.T(step.Refusal), step.Detail)
			case step.Warning != "":
				fmt.Fprintf(c.stdout, "warning  %s: %s\n", step.Name, locales.English.T(step.Warning))
			default:
				fmt.Fprintf(c.stdout, "ok       %s %s\n", step.Name, step.Value)
			}
		}
		if !trial.OK() {
			return errTrial
		}
		fmt.Fprintln(c.stdout, "The rest needs a browser: open Security > Single sign-on and choose Run the test.")
		return nil
	})
}

type providerDeleteCommand struct{ providerOption }

func (p providerDeleteCommand) Run(ctx context.Context, c *commands) error {
	return c.withProvider(ctx, p.providerOption, func(db *areas.Areas, one identity.Provider) error {
		by := queries.Actor{CompanyID: one.CompanyID, Name: "officeconsole provider delete"}
		if err := db.Identity.DeleteProvider(ctx, by, one.ID, one.VersionNo); err != nil {
			return translateRefusal(err)
		}
		fmt.Fprintf(c.stdout, "Provider %d, %s, was deleted.\n", one.ID, one.Name)
		return nil
	})
}

type providerUnlinkCommand struct {
	Email string `arg:""`
}

func (p providerUnlinkCommand) Run(ctx context.Context, c *commands) error {
	return c.withPerson(ctx, p.Email, func(db *areas.Areas, person directory.Person) error {
		by := queries.Actor{CompanyID: person.CompanyID, Name: "officeconsole provider unlink"}
		n, err := db.Identity.Unlink(ctx, by, person)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%d identities of %s were forgotten.\n", n, person.Name)
		return nil
	})
}

// withProvider finds the provider of a company by its issuer or id.
func (c *commands) withProvider(ctx context.Context, o providerOption, do func(*areas.Areas, identity.Provider) error) error {
	if o.Issuer == "" && o.ID == 0 {
		return errors.New("name the provider with --issuer or --id")
	}
	return c.withCompany(ctx, o.Company, func(db *areas.Areas, company directory.Company) error {
		providers, err := db.Identity.Providers(ctx, company.ID)
		if err != nil {
			return err
		}
		one, err := o.choose(providers)
		if err != nil {
			return err
		}
		return do(db, one)
	})
}
