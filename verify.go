package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/audit"
)

type verifyCommand struct {
	Company string `help:"Host of the company. Default: all companies."`
}

// verifyTime limits the statements that read a whole change log.
const verifyTime = time.Hour

// Run verifies the change logs, prints what it finds, and returns an error if a
// row is not as it was written.
func (v verifyCommand) Run(ctx context.Context, c *commands) error {
	return c.with(ctx, func(db *areas.Areas) error {
		companies, err := db.Directory.Companies(ctx)
		if err != nil {
			return err
		}
		found, damaged := false, false
		for _, company := range companies {
			if v.Company != "" && v.Company != company.Host {
				continue
			}
			found = true
			verified, err := db.Audit.Verify(queries.WithStatementTimeout(ctx, verifyTime), company.ID)
			if err != nil {
				return fmt.Errorf("%s: %w", company.Host, err)
			}
			if verified.Damage != "" {
				damaged = true
				fmt.Fprintf(c.stdout, "%s: DAMAGED: %s\n", company.Host, describeDamage(verified))
				continue
			}
			fmt.Fprintf(c.stdout, "%s: %d changes, all as they were written. Last hash: %s\n", company.Host, verified.Checked, verified.LastHash)
		}
		switch {
		case !found && v.Company != "":
			return fmt.Errorf("there is no company %s", v.Company)
		case !found:
			return errors.New("there is no company whose change log could be verified")
		case damaged:
			return fmt.Errorf("the change log is damaged")
		}
		return nil
	})
}

// describeDamage says in a sentence what is wrong with a change log.
func describeDamage(v audit.Verification) string {
	switch v.Damage {
	case audit.Altered:
		return fmt.Sprintf("change %d was altered.", v.ChangeID)
	case audit.Removed:
		return fmt.Sprintf("change %d was removed, or its time was altered.", v.ChangeID)
	case audit.Gap:
		return fmt.Sprintf("changes before change %d were removed.", v.ChangeID)
	case audit.Added:
		return fmt.Sprintf("change %d was added from outside of the program.", v.ChangeID)
	case audit.Truncated:
		return "the latest changes were removed."
	}
	return "changes were altered or removed, and their hashes computed again."
}
