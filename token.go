package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
)

type tokenCommand struct {
	Create tokenCreateCommand `cmd:"" help:"Create a service token for the messenger; it is shown once."`
	List   tokenListCommand   `cmd:"" help:"List the service tokens, those of the last month that ended included."`
	Revoke tokenRevokeCommand `cmd:"" help:"End a service token at once."`
	Rotate tokenRotateCommand `cmd:"" help:"Replace a service token by a new one, which is shown once."`
}

type companyOption struct {
	Company string `help:"Host of the company; not needed when there is only one."`
}

type tokenCreateCommand struct {
	companyOption
	Name    string   `default:"messenger" help:"Name by which the token is recognized."`
	Scope   []string `required:"" help:"What the token may do: events, read, scim."`
	Address []string `help:"IP ranges from which the token may be used; every address without any."`
	Expires string   `placeholder:"YYYY-MM-DD" help:"Last day of the token by the company's clocks; none without it."`
}

func (t tokenCreateCommand) Run(ctx context.Context, c *commands) error {
	return c.withCompany(ctx, t.Company, func(db *areas.Areas, company directory.Company) error {
		draft := identity.ServiceTokenDraft{Name: t.Name, Scopes: t.Scope, Addresses: t.Address}
		if t.Expires != "" {
			zone, err := time.LoadLocation(company.TimeZone)
			if err != nil {
				return err
			}
			if draft.ExpiresAt, err = identity.TokenEnd(t.Expires, zone); err != nil {
				return fmt.Errorf("--expires: %q is not a date like 2027-11-20", t.Expires)
			}
		}
		issued, err := db.Identity.IssueServiceToken(ctx, operatorOf(company), draft)
		if err != nil {
			return translateFields(err)
		}
		return c.showToken(issued)
	})
}

// showToken prints a token that nobody can read again.
func (c *commands) showToken(issued identity.IssuedServiceToken) error {
	if _, err := fmt.Fprintln(c.stdout, issued.Token); err != nil {
		return fmt.Errorf("token %d was created but could not be shown, end it (officeconsole token revoke %d) and create another one: %w", issued.ID, issued.ID, err)
	}
	return nil
}

type tokenListCommand struct{ companyOption }

func (t tokenListCommand) Run(ctx context.Context, c *commands) error {
	return c.withCompany(ctx, t.Company, func(db *areas.Areas, company directory.Company) error {
		tokens, err := db.Identity.ServiceTokens(ctx, company.ID)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tNAME\tSCOPES\tSTATUS\tEXPIRES\tLAST USED\tADDRESSES")
		for _, one := range tokens {
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", one.ID, one.Name, strings.Join(one.Scopes, ","), one.Status(c.now()),
				timeOrDash(one.ExpiresAt), timeOrDash(one.UsedAt), strings.Join(one.AllowedAddresses, ","))
		}
		return table.Flush()
	})
}

func timeOrDash(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.UTC().Format(time.RFC3339)
}

type tokenRevokeCommand struct {
	companyOption
	ID int64 `arg:"" help:"Of token list."`
}

func (t tokenRevokeCommand) Run(ctx context.Context, c *commands) error {
	return c.withCompany(ctx, t.Company, func(db *areas.Areas, company directory.Company) error {
		ended, err := db.Identity.EndServiceToken(ctx, operatorOf(company), t.ID)
		switch {
		case errors.Is(err, queries.NotFound):
			return fmt.Errorf("no service token of %s has the id %d", company.Name, t.ID)
		case err != nil:
			return err
		case !ended:
			fmt.Fprintf(c.stdout, "Token %d had ended before.\n", t.ID)
			return nil
		}
		fmt.Fprintf(c.stdout, "Token %d has ended.\n", t.ID)
		return nil
	})
}

type tokenRotateCommand struct {
	companyOption
	ID      int64         `arg:"" help:"Of token list."`
	Overlap time.Duration `default:"24h" help:"How long the token before works on, at most 168h."`
}

func (t tokenRotateCommand) Run(ctx context.Context, c *commands) error {
	if t.Overlap < 0 {
		return fmt.Errorf("--overlap: %s is negative", t.Overlap)
	}
	return c.withCompany(ctx, t.Company, func(db *areas.Areas, company directory.Company) error {
		issued, err := db.Identity.RotateServiceToken(ctx, operatorOf(company), t.ID, t.Overlap)
		if errors.Is(err, queries.NotFound) {
			return fmt.Errorf("no service token of %s has the id %d", company.Name, t.ID)
		}
		if err != nil {
			return translateFields(err)
		}
		return c.showToken(issued)
	})
}

// operatorOf is who changes a company by a command.
func operatorOf(company directory.Company) queries.Actor {
	return queries.Actor{CompanyID: company.ID, Name: "officeconsole"}
}

// translateFields translates the first of the refused fields, or another refusal.
func translateFields(err error) error {
	var refused queries.FieldErrors
	var conflict queries.Conflict
	switch {
	case errors.As(err, &refused):
		err = refused.First()
	case errors.As(err, &conflict):
		err = queries.Invalid(conflict)
	}
	return translateRefusal(err)
}
