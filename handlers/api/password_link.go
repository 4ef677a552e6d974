package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// registerPasswordLinks registers the links with which people set a new password.
func (c *calls) registerPasswordLinks(administrators huma.Middlewares) {
	const path = u + "/security/password-links"
	huma.Register(c.api, call{id: "create-password-link", method: http.MethodPost, path: path, tag: accessTag, status: http.StatusCreated, summary: "Create a link with which a person sets a new password",
		description: "For administrators, for people who forgot their password; not for the caller. The link works once, within 24 hours, and ends an earlier one of the person. It is answered this once only: hand it to the person and to nobody else. " + provedText,
		errors:      []int{http.StatusUnprocessableEntity},
	}.operation(append(administrators, c.proved)), c.createPasswordLink)
	huma.Register(c.api, call{id: "withdraw-password-link", method: http.MethodDelete, path: path + "/{user_id}", tag: accessTag, summary: "Withdraw the password link of a person",
		description: "For administrators. A link that was used meanwhile, or never existed, is no error.",
	}.operation(administrators), c.withdrawPasswordLink)
}

type createPasswordLinkInput struct {
	OwnPath
	Body struct {
		UserID int64 `json:"user_id" minimum:"1"`
	}
}

type passwordLinkOutput struct {
	Body struct {
		Path      string    `json:"path" example:"/password?token=…" doc:"Below the address of the console."`
		ExpiresAt time.Time `json:"expires_at"`
	}
}

func (c *calls) createPasswordLink(ctx context.Context, in *createPasswordLinkInput) (*passwordLinkOutput, error) {
	link, err := c.db.Identity.CreatePasswordLink(ctx, actor(ctx), in.Body.UserID)
	if err != nil {
		return nil, err
	}
	out := &passwordLinkOutput{}
	out.Body.Path, out.Body.ExpiresAt = link.Path(), link.ExpiresAt.UTC()
	return out, nil
}

// PasswordLinkPath is the path of the password link of a person.
type PasswordLinkPath struct {
	OwnPath
	UserID int64 `path:"user_id" minimum:"1"`
}

type withdrawnOutput struct {
	Body struct {
		Withdrawn bool `json:"withdrawn" doc:"False where there was none that could be used."`
	}
}

func (c *calls) withdrawPasswordLink(ctx context.Context, in *PasswordLinkPath) (*withdrawnOutput, error) {
	out := &withdrawnOutput{}
	var err error
	out.Body.Withdrawn, err = c.db.Identity.WithdrawPasswordLink(ctx, actor(ctx), in.UserID)
	return out, err
}
