package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/identity"
)

// registerSignInLocks registers what is locked after failed sign-ins.
func (c *calls) registerSignInLocks(administrators huma.Middlewares) {
	const path = u + "/security/locks"
	describe := func(d call) huma.Operation {
		d.tag = accessTag
		return d.operation(administrators)
	}
	huma.Register(c.api, describe(call{id: "locks", path: path, summary: "Which accounts and addresses are locked, the latest first",
		description: "For administrators. Five failures lock an account for ten minutes, fifty an address. The accounts are in data, and in addresses the addresses from which accounts of the company were tried; at most 200 of each."}), c.signInLocks)
	huma.Register(c.api, describe(call{id: "unlock-person", method: http.MethodDelete, path: path + "/people/{user_id}", summary: "Unlock an account",
		description: "The person may try again at once. Unlocking an account that is not locked is no error."}), c.unlockPerson)
	huma.Register(c.api, describe(call{id: "unlock-address", method: http.MethodDelete, path: path + "/addresses/{address}", summary: "Unlock an address",
		description: "For the accounts of the company; those of others stay protected against it. Unlocking an address that is not locked is no error."}), c.unlockAddress)
}

type lockedAccount struct {
	User     userName  `json:"user"`
	Email    string    `json:"email"`
	Failures int       `json:"failures" doc:"Attempts from where most were made."`
	Since    time.Time `json:"since" doc:"The first failure that counts."`
	Until    time.Time `json:"until" doc:"When the lock ends by itself."`
}

type lockedAddress struct {
	Address  string    `json:"address"`
	Failures int       `json:"failures" doc:"Of accounts of the company, in the access history."`
	Accounts int       `json:"accounts" doc:"How many accounts of the company they tried."`
	Since    time.Time `json:"since" doc:"The first failure that counts."`
	Until    time.Time `json:"until" doc:"When the lock ends by itself."`
}

type signInLocksOutput struct {
	Body struct {
		Data      []lockedAccount `json:"data" nullable:"false"`
		Meta      meta            `json:"meta"`
		Addresses []lockedAddress `json:"addresses" nullable:"false"`
	}
}

func (c *calls) signInLocks(ctx context.Context, in *OwnPath) (*signInLocksOutput, error) {
	locks, err := c.db.Identity.Locks(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	out := &signInLocksOutput{}
	out.Body.Data, out.Body.Addresses = []lockedAccount{}, []lockedAddress{}
	for _, a := range locks.Accounts {
		out.Body.Data = append(out.Body.Data, lockedAccount{userName{a.UserID, a.Name}, a.Email, a.Failures, a.Since.UTC(), a.Until.UTC()})
	}
	for _, a := range locks.Addresses {
		out.Body.Addresses = append(out.Body.Addresses, lockedAddress{a.Address.String(), a.Failures, a.Accounts, a.Since.UTC(), a.Until.UTC()})
	}
	return out, nil
}

// UnlockPersonInput is the input of unlocking an account.
type UnlockPersonInput struct {
	OwnPath
	UserID int64 `path:"user_id" minimum:"1"`
}

type unlockedOutput struct {
	Body struct {
		Unlocked bool `json:"unlocked" doc:"False where it was not locked any more."`
	}
}

func (c *calls) unlockPerson(ctx context.Context, in *UnlockPersonInput) (*unlockedOutput, error) {
	out := &unlockedOutput{}
	var err error
	out.Body.Unlocked, err = c.db.Identity.Unlock(ctx, actor(ctx), in.UserID)
	return out, err
}

// UnlockAddressInput is the input of unlocking an address.
type UnlockAddressInput struct {
	OwnPath
	Address string `path:"address" example:"203.0.113.7" maxLength:"45"`
}

func (c *calls) unlockAddress(ctx context.Context, in *UnlockAddressInput) (*unlockedOutput, error) {
	address, err := identity.ParseLockedAddress(in.Address)
	if err != nil {
		return nil, err
	}
	out := &unlockedOutput{}
	out.Body.Unlocked, err = c.db.Identity.UnlockAddress(ctx, actor(ctx), address)
	return out, err
}
