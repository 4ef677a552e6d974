package api

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
)

type loginInput struct {
	Body struct {
		Email    string `json:"email" minLength:"1" maxLength:"320"`
		Password string `json:"password" minLength:"1" maxLength:"1000"`
		Code     string `json:"code,omitempty" maxLength:"30" doc:"The code of the authenticator app, or a recovery code, of somebody who has a second factor. 422 session.factor.required without it."`
	}
	address   netip.Addr
	userAgent string
}

// Resolve stores the client's IP address.
func (in *loginInput) Resolve(ctx huma.Context) []error {
	in.address, in.userAgent = addressOf(ctx), ctx.Header("User-Agent")
	return nil
}

type accessToken struct {
	AccessToken string    `json:"access_token"`
	TokenType   string    `json:"token_type" enum:"Bearer"`
	ExpiresIn   int       `json:"expires_in" doc:"Seconds."`
	ExpiredAt   time.Time `json:"expired_at" doc:"When the token ends."`
}

type loginOutput struct{ Body accessToken }

func (c *calls) login(ctx context.Context, in *loginInput) (*loginOutput, error) {
	token, err := c.db.Identity.IssueAccessToken(ctx, identity.Credentials{
		Email: in.Body.Email, Password: in.Body.Password, Code: in.Body.Code, Address: in.address, UserAgent: in.userAgent,
	})
	if errors.Is(err, queries.Invalid("session.locked")) {
		return nil, huma.ErrorWithHeaders(refusal{http.StatusTooManyRequests, "session.locked"}, http.Header{"Retry-After": {"600"}})
	}
	if errors.Is(err, identity.ErrBusy) {
		return nil, huma.ErrorWithHeaders(refusal{http.StatusTooManyRequests, string(identity.ErrBusy)}, http.Header{"Retry-After": {retryAfter}})
	}
	if err != nil {
		return nil, err
	}
	return &loginOutput{accessToken{token.Token, "Bearer", int(identity.SessionAge / time.Second), token.ExpiresAt.UTC()}}, nil
}

func (c *calls) logout(ctx context.Context, _ *struct{}) (*struct{}, error) {
	who := callerOf(ctx)
	if err := c.db.Identity.SignOut(ctx, who.CompanyID, who.ID, who.signInID); err != nil && !errors.Is(err, queries.NotFound) {
		return nil, err
	}
	return nil, nil
}

type profile struct {
	ID                 int64               `json:"id"`
	CompanyID          int64               `json:"company_id"`
	CompanyName        string              `json:"company_name"`
	TimeZone           string              `json:"time_zone" doc:"The company's, by its IANA name."`
	Name               string              `json:"name"`
	Email              string              `json:"email"`
	IsAdmin            bool                `json:"is_admin"`
	Image              *image              `json:"image,omitempty" doc:"Absent where there is none."`
	PermissionControls []permissionControl `json:"permission_controls" nullable:"false" doc:"The first of a type decides."`
}

type image struct {
	ThumbnailURL string `json:"thumbnail_url"`
}

type permissionControl struct {
	Type          string  `json:"type" example:"commute"`
	Role          string  `json:"role" example:"ROLE_W_COMMUTE" doc:"ROLE_W_COMMUTE may edit attendance, not only see it."`
	DepartmentIDs []int64 `json:"department_ids" nullable:"false" doc:"Each counts with everything below it; of somebody who is registered as a viewer all are listed."`
}

type profileOutput struct{ Body profile }

func (c *calls) profile(ctx context.Context, _ *struct{}) (*profileOutput, error) {
	who := callerOf(ctx)
	controls, err := c.db.Directory.PermissionControls(ctx, directory.PermissionControlsParams{CompanyID: who.CompanyID, UserID: who.ID})
	if err != nil {
		return nil, err
	}
	p := profile{
		ID: who.ID, CompanyID: who.CompanyID, CompanyName: who.CompanyName, TimeZone: who.TimeZone,
		Name: who.Name, Email: who.Email, IsAdmin: who.IsAdmin, Image: imageOf(who.ID, who.ImageHash),
		PermissionControls: []permissionControl{},
	}
	for _, control := range controls {
		p.PermissionControls = append(p.PermissionControls, permissionControl{control.Type, control.Role, control.DepartmentIds})
	}
	if !who.IsAdmin && !slices.ContainsFunc(p.PermissionControls, func(c permissionControl) bool { return c.Type == commute }) {
		scope, err := c.db.Attendance.Scope(ctx, who.Person)
		if err != nil {
			return nil, err
		}
		p.PermissionControls = append(p.PermissionControls, viewerControls(scope)...)
	}
	return &profileOutput{p}, nil
}

// commute is the type of the permission to see attendance.
const commute = "commute"

// viewerControls returns what somebody sees who is registered as a viewer, as a control,
// and what they may edit as a second one if that is only a part.
func viewerControls(scope directory.Scope) []permissionControl {
	switch {
	case len(scope.DepartmentIDs) == 0:
		return nil
	case len(scope.EditIDs) == len(scope.DepartmentIDs):
		return []permissionControl{{commute, directory.RoleCommute, scope.DepartmentIDs}}
	case len(scope.EditIDs) == 0:
		return []permissionControl{{commute, "", scope.DepartmentIDs}}
	}
	return []permissionControl{{commute, "", scope.DepartmentIDs}, {commute, directory.RoleCommute, scope.EditIDs}}
}

// imageOf returns the URL of a user's picture. The hash lets browsers cache it.
func imageOf(userID int64, hash *string) *image {
	if hash == nil {
		return nil
	}
	return &image{"/images/users/" + strconv.FormatInt(userID, 10) + "?v=" + *hash}
}

type oauthInfo struct {
	OrganizationURL string `json:"organization_url"`
	CompanyHost     string `json:"company_host"`
}

type oauthInfoOutput struct{ Body oauthInfo }

func (c *calls) oauthInfo(ctx context.Context, _ *struct{}) (*oauthInfoOutput, error) {
	who := callerOf(ctx)
	return &oauthInfoOutput{oauthInfo{who.OrganizationURL, who.CompanyHost}}, nil
}

// OwnPath is the path of the caller, which the middleware own has checked.
type OwnPath struct {
	CompanyID int64 `path:"company_id" doc:"The caller's company."`
	ID        int64 `path:"id" doc:"The caller."`
}

type browserOptions struct {
	MapLicenses directory.MapLicenses `json:"map_licenses" nullable:"false"`
}

type browserOptionsOutput struct{ Body browserOptions }

func (c *calls) browserOptions(ctx context.Context, _ *OwnPath) (*browserOptionsOutput, error) {
	licenses := callerOf(ctx).MapLicenses
	if licenses == nil {
		licenses = directory.MapLicenses{}
	}
	return &browserOptionsOutput{browserOptions{licenses}}, nil
}
