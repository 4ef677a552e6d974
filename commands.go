package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"officeconsole/demo"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/policy"
)

type demoCommand struct {
	Employees int    `default:"1200" help:"People of the company."`
	Days      int    `default:"90" help:"Days of attendance, up to today."`
	Seed      uint64 `default:"1" help:"The same seed gives the same data."`
	Today     string `placeholder:"YYYY-MM-DD" help:"The last day of the data, which end at 15:00 in Korea. Default: they end now."`
	blobsOption
}

func (d demoCommand) Run(ctx context.Context, c *commands) error {
	today := c.now()
	if d.Today != "" {
		day, err := time.Parse(time.DateOnly, d.Today)
		if err != nil {
			return fmt.Errorf("--today: %q is not a date like 2026-11-20", d.Today)
		}
		today = demo.Afternoon(day)
	}
	c.mayCreate = true
	return c.with(ctx, func(db *areas.Areas) error {
		files, err := d.openBlobs(c)
		if err != nil {
			return err
		}
		began := time.Now()
		options := demo.Options{Employees: d.Employees, Days: d.Days, Seed: d.Seed, Today: today}
		if err := demo.Fill(ctx, db.DB, options, files); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%d people and %d days of attendance in %s.\n", d.Employees, d.Days, time.Since(began).Round(time.Millisecond))
		return nil
	})
}

type companyCommand struct {
	Create companyCreateCommand `cmd:"" help:"Create a company with its root department and default policies."`
	Update companyUpdateCommand `cmd:"" help:"Change the name, the host or the organization page of a company."`
	List   companyListCommand   `cmd:"" help:"List the companies."`
}

type companyCreateCommand struct {
	Name            string `required:"" help:"Name of the company and of its root department."`
	Host            string `required:"" help:"Host name that stands for the company: hanbit.example."`
	TimeZone        string `default:"Asia/Seoul" help:"IANA time zone. Asia/Seoul and Asia/Tokyo also choose their country's public holidays."`
	OrganizationURL string `help:"The organization page that the console links to."`
}

func (n companyCreateCommand) Run(ctx context.Context, c *commands) error {
	c.mayCreate = true
	return c.with(ctx, func(db *areas.Areas) error {
		company, err := db.Directory.CreateCompany(ctx, queries.Actor{Name: "officeconsole company create"}, directory.NewCompany{
			Name: n.Name, Host: n.Host, TimeZone: n.TimeZone, OrganizationURL: n.OrganizationURL,
		})
		if err != nil {
			return translateRefusal(err)
		}
		holidays := "no public holidays"
		if calendar := directory.HolidayCalendar(company.TimeZone); calendar != "none" {
			holidays = "the public holidays of " + calendar
		}
		fmt.Fprintf(c.stdout, "Company %d, %s, was created. Its attendance begins with the time zone %s and %s; its default policy says so, where an administrator can change it.\n",
			company.ID, company.Name, company.TimeZone, holidays)
		return nil
	})
}

type companyUpdateCommand struct {
	Company         string  `help:"Host of the company as it is; not needed when there is only one."`
	Name            *string `help:"New name, also of its root department if that has the company's name."`
	Host            *string `help:"New host name. Links with {host} lead there at once."`
	OrganizationURL *string `help:"The organization page that the console links to; empty for none."`
}

func (u companyUpdateCommand) Run(ctx context.Context, c *commands) error {
	if u.Name == nil && u.Host == nil && u.OrganizationURL == nil {
		return errors.New("say what to change with --name, --host or --organization-url")
	}
	return c.withCompany(ctx, u.Company, func(db *areas.Areas, company directory.Company) error {
		by := queries.Actor{Name: "officeconsole company update"}
		changed, err := db.Directory.UpdateCompany(ctx, by, company.ID, directory.CompanyChange{Name: u.Name, Host: u.Host, OrganizationURL: u.OrganizationURL})
		if err != nil {
			return translateRefusal(err)
		}
		fmt.Fprintf(c.stdout, "Company %d is %s at %s.\n", changed.ID, changed.Name, changed.Host)
		return nil
	})
}

type companyListCommand struct{}

func (companyListCommand) Run(ctx context.Context, c *commands) error {
	return c.with(ctx, func(db *areas.Areas) error {
		companies, err := db.Directory.Companies(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tHOST\tNAME\tTIME ZONE")
		for _, company := range companies {
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\n", company.ID, company.Host, company.Name, company.TimeZone)
		}
		return table.Flush()
	})
}

type userCommand struct {
	Create       userCreateCommand       `cmd:"" help:"Create a person."`
	SetPassword  userSetPasswordCommand  `cmd:"" help:"Set a person's password, typed twice without an echo, or read from standard input."`
	PasswordLink userPasswordLinkCommand `cmd:"" help:"Print a link with which a person sets a new password, once and within 24 hours."`
	GrantAdmin   userGrantAdminCommand   `cmd:"" help:"Make a person an administrator."`
	Unhide       userUnhideCommand       `cmd:"" help:"Let a hidden person sign in again."`
	Reactivate   userReactivateCommand   `cmd:"" help:"Let a deactivated person sign in again."`
	Unlock       userUnlockCommand       `cmd:"" help:"Let a person whose account is locked after failed sign-ins try again."`
	ResetFactors userResetFactorsCommand `cmd:"" help:"Remove the second factors of a person who has lost them."`
}

type userCreateCommand struct {
	Company string `help:"Host of the company; not needed when there is only one."`
	Name    string `required:""`
	Email   string `required:""`
	Admin   bool   `help:"Make the person an administrator."`
}

func (n userCreateCommand) Run(ctx context.Context, c *commands) error {
	return c.withCompany(ctx, n.Company, func(db *areas.Areas, company directory.Company) error {
		person, err := db.Directory.CreateUser(ctx, queries.Actor{CompanyID: company.ID, Name: "officeconsole user create"}, directory.NewUser{Name: n.Name, Email: n.Email, Admin: n.Admin})
		if err != nil {
			return translateRefusal(err)
		}
		fmt.Fprintf(c.stdout, "%s was created. Set a password with: officeconsole user set-password %s\n", person.Name, person.Email)
		return nil
	})
}

type userSetPasswordCommand struct {
	Email string `arg:""`
}

func (u userSetPasswordCommand) Run(ctx context.Context, c *commands) error {
	password, err := c.readPassword(ctx, u.Email)
	if err != nil {
		return err
	}
	return c.withPerson(ctx, u.Email, func(db *areas.Areas, p directory.Person) error {
		if err := db.Identity.SetPassword(ctx, p, password); err != nil {
			return translateRefusal(err)
		}
		fmt.Fprintf(c.stdout, "The password of %s was set.\n", p.Name)
		return nil
	})
}

type userGrantAdminCommand struct {
	Email string `arg:""`
}

func (u userGrantAdminCommand) Run(ctx context.Context, c *commands) error {
	return c.withPerson(ctx, u.Email, func(db *areas.Areas, p directory.Person) error {
		by := queries.Actor{CompanyID: p.CompanyID, Name: "officeconsole user grant-admin"}
		if err := db.Directory.GrantAdmin(ctx, by, p); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%s is an administrator.\n", p.Name)
		return nil
	})
}

type userUnhideCommand struct {
	Email string `arg:""`
}

func (u userUnhideCommand) Run(ctx context.Context, c *commands) error {
	return c.withPerson(ctx, u.Email, func(db *areas.Areas, p directory.Person) error {
		by := queries.Actor{CompanyID: p.CompanyID, Name: "officeconsole user unhide"}
		_, err := db.Hidings.Show(ctx, by, []int64{p.ID})
		if errors.Is(err, queries.NotFound) {
			return fmt.Errorf("%s is not hidden", p.Name)
		}
		if err != nil {
			return translateRefusal(err)
		}
		fmt.Fprintf(c.stdout, "%s can sign in again.\n", p.Name)
		return nil
	})
}

type userResetFactorsCommand struct {
	Email string `arg:""`
}

func (u userResetFactorsCommand) Run(ctx context.Context, c *commands) error {
	return c.withPerson(ctx, u.Email, func(db *areas.Areas, p directory.Person) error {
		by := queries.Actor{CompanyID: p.CompanyID, Name: "officeconsole user reset-factors"}
		reset, err := db.Identity.ResetFactors(ctx, by, p.ID)
		if err != nil {
			return err
		}
		if !reset {
			return fmt.Errorf("%s has no second factor", p.Name)
		}
		fmt.Fprintf(c.stdout, "The second factors of %s were removed. The password alone signs them in.\n", p.Name)
		return nil
	})
}

type userReactivateCommand struct {
	Email string `arg:""`
}

func (u userReactivateCommand) Run(ctx context.Context, c *commands) error {
	return c.withPerson(ctx, u.Email, func(db *areas.Areas, p directory.Person) error {
		by := queries.Actor{CompanyID: p.CompanyID, Name: "officeconsole user reactivate"}
		_, err := db.Hidings.Reactivate(ctx, by, []int64{p.ID})
		if errors.Is(err, queries.NotFound) {
			return fmt.Errorf("%s is not deactivated", p.Name)
		}
		if err != nil {
			return translateRefusal(err)
		}
		fmt.Fprintf(c.stdout, "%s is reactivated.\n", p.Name)
		return nil
	})
}

type userUnlockCommand struct {
	Email string `arg:""`
}

func (u userUnlockCommand) Run(ctx context.Context, c *commands) error {
	return c.withPerson(ctx, u.Email, func(db *areas.Areas, p directory.Person) error {
		unlocked, err := db.Identity.Unlock(ctx, queries.Actor{CompanyID: p.CompanyID, Name: "officeconsole user unlock"}, p.ID)
		if err != nil {
			return err
		}
		if !unlocked {
			return fmt.Errorf("%s is not locked", p.Name)
		}
		fmt.Fprintf(c.stdout, "%s can sign in again.\n", p.Name)
		return nil
	})
}

type allowIPCommand struct {
	Reset allowIPResetCommand `cmd:"" help:"Let people in from every address again, whatever the communication policies list."`
}

type allowIPResetCommand struct {
	Company string `help:"Host of the company; not needed when there is only one."`
}

func (a allowIPResetCommand) Run(ctx context.Context, c *commands) error {
	return c.withCompany(ctx, a.Company, func(db *areas.Areas, company directory.Company) error {
		names, err := db.Policies.ResetAllowedAddresses(ctx, company.ID)
		if err != nil {
			return err
		}
		for _, name := range names {
			fmt.Fprintf(c.stdout, "%s no longer asks for an address.\n", name)
		}
		fmt.Fprintf(c.stdout, "Policies changed: %d.\n", len(names))
		return nil
	})
}

// with opens the database for the duration of one command.
func (c *commands) with(ctx context.Context, do func(*areas.Areas) error) error {
	db, closeAll, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer closeAll()
	return do(db)
}

// withCompany finds the company by its host; without a host, it takes the only
// one there is.
func (c *commands) withCompany(ctx context.Context, host string, do func(*areas.Areas, directory.Company) error) error {
	return c.with(ctx, func(db *areas.Areas) error {
		if host != "" {
			company, err := db.Directory.CompanyByHost(ctx, host)
			if errors.Is(err, queries.NotFound) {
				return fmt.Errorf("no company has the host %q", host)
			}
			if err != nil {
				return err
			}
			return do(db, company)
		}
		companies, err := db.Directory.Companies(ctx)
		switch {
		case err != nil:
			return err
		case len(companies) == 0:
			return errors.New("there is no company yet: create one with officeconsole company create")
		case len(companies) > 1:
			return errors.New("there are several companies: name one with --company HOST")
		}
		return do(db, companies[0])
	})
}

func (c *commands) withPerson(ctx context.Context, email string, do func(*areas.Areas, directory.Person) error) error {
	return c.with(ctx, func(db *areas.Areas) error {
		p, err := db.Directory.PersonByEmail(ctx, email)
		if errors.Is(err, queries.NotFound) {
			return fmt.Errorf("no user has the email %q", email)
		}
		if err != nil {
			return err
		}
		return do(db, p)
	})
}

// translateRefusal translates a refusal to English, the language of the command line.
func translateRefusal(err error) error {
	var broken *policy.CheckRefusal
	if errors.As(err, &broken) {
		first := broken.Broken[0]
		return errors.New(locales.English.T("check.broken.sentence", "Sentence", first.Sentence(first.Kind, locales.English)) + " " + first.Effect(locales.English))
	}
	var invalid queries.Invalid
	if errors.As(err, &invalid) {
		return errors.New(locales.English.T(string(invalid)))
	}
	return err
}
