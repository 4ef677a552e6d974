package main

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
)

type userPasswordLinkCommand struct {
	Email     string    `arg:""`
	PublicURL publicURL `name:"public-url" env:"OFFICECONSOLE_PUBLIC_URL" placeholder:"URL" help:"How browsers reach the console: https://console.example.com. Without it, only the path is printed."`
}

func (u userPasswordLinkCommand) Run(ctx context.Context, c *commands) error {
	return c.withPerson(ctx, u.Email, func(db *areas.Areas, p directory.Person) error {
		by := queries.Actor{CompanyID: p.CompanyID, Name: "officeconsole user password-link"}
		link, err := db.Identity.CreatePasswordLink(ctx, by, p.ID)
		if err != nil {
			return translateRefusal(err)
		}
		fmt.Fprintf(c.stderr, "With this link %s can set a new password, once, until %s:\n", p.Name, link.ExpiresAt.Format(time.RFC3339))
		if _, err := fmt.Fprintln(c.stdout, string(u.PublicURL)+link.Path()); err != nil {
			return fmt.Errorf("the link was created but could not be shown, run the command again for another one, which ends this one: %w", err)
		}
		return nil
	})
}
