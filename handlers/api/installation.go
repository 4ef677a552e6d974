package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/exports"
	"officeconsole/locales"
	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/policy"
	"officeconsole/queries/usage"
	"officeconsole/workday"
)

// registerInstallations registers the people with their clients and the rules of
// installation, and what the messenger reads of them.
func (c *calls) registerInstallations(administrators, reads huma.Middlewares) {
	const rules = u + "/installation-rules"
	describe := func(d call) huma.Operation {
		d.tag = "Usage"
		return d.operation(administrators)
	}
	huma.Register(c.api, describe(call{id: "installations", path: u + "/installations", errors: []int{http.StatusUnprocessableEntity},
		summary: "People with their clients on a platform, by name", description: "For administrators. A page of them; next_cursor leads to the next one. Hidden people do not appear."}), c.installations)
	huma.Register(c.api, describe(call{id: "installation-rules", path: rules,
		summary: "Who may install which client, and which versions may be used", description: "For administrators. ETag is their version, for If-Match."}), c.installationRules)
	huma.Register(c.api, describe(call{id: "set-installation-rules", method: http.MethodPut, path: rules,
		errors:  []int{http.StatusBadRequest, http.StatusConflict, http.StatusPreconditionRequired, http.StatusUnprocessableEntity},
		summary: "Change the rules of installation", description: "Replaces all of them; a system that is left out is not allowed. With If-Match, 409 when somebody else has saved in between. The stream sends installation.changed."}), c.setInstallationRules)
	huma.Register(c.api, call{id: "installation-rules-of", path: "/companies/{company_id}/installation-rules/{user_id}", tag: "Messenger",
		summary: "Which clients a person may install and use", description: "Keep them by their ETag; read them again after installation.changed, or every ten minutes. 404 for hidden users.",
	}.operation(reads), c.installationRulesOf)
}

// InstallationsInput is the input of the list of people with their clients.
type InstallationsInput struct {
	OwnPath
	ClientFilterInput
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

// ClientFilterInput is the filter of the list of people with their clients.
type ClientFilterInput struct {
	Platform     string `query:"platform" json:"platform" required:"true" enum:"pc,mobile"`
	State        string `query:"state" json:"state,omitempty" enum:"installed,never,outdated,idle,unable" doc:"never: not installed, or removed. outdated: below the minimum version. unable: outdated, with a system that does not take the release."`
	Days         int    `query:"days" json:"days,omitempty" minimum:"7" maximum:"90" doc:"7, 30, 60 or 90 without a login before a client is idle; 30 where it is left out."`
	Release      string `query:"release" json:"release,omitempty" doc:"The first two numbers of a version, such as 6.4."`
	DepartmentID int64  `query:"department_id" json:"department_id,omitempty" minimum:"1" doc:"With those below it."`
	Q            string `query:"q" json:"q,omitempty" doc:"At most three keywords of at least two characters, all of which must occur."`
}

// clientFilter validates a filter like the page does. A department of another company
// is NotFound.
func (c *calls) clientFilter(ctx context.Context, in ClientFilterInput, at string) (usage.ClientFilter, error) {
	query := url.Values{"state": {in.State}, "release": {in.Release}, "department_id": {idWord(in.DepartmentID)}, "q": {in.Q}, "cursor": {at}}
	if in.Days != 0 {
		query.Set("days", strconv.Itoa(in.Days))
	}
	filter, err := usage.ReadClientFilter(query, in.Platform)
	if err == nil && in.DepartmentID != 0 {
		_, err = c.db.Policies.Department(ctx, policy.DepartmentParams{CompanyID: callerOf(ctx).CompanyID, ID: in.DepartmentID})
	}
	return filter, err
}

// PersonInstallation is a person in the list, with the client that was used last.
type PersonInstallation struct {
	User         fileUser   `json:"user"`
	Department   string     `json:"department" doc:"With those above it."`
	State        string     `json:"state" enum:"installed,never,outdated,idle,unable" doc:"The most urgent one."`
	Installed    bool       `json:"installed"`
	Devices      int32      `json:"devices"`
	Version      string     `json:"version"`
	OS           string     `json:"os"`
	DeviceName   string     `json:"device_name"`
	PushAlive    *bool      `json:"push_alive" doc:"Null where it is not known."`
	FirstLoginAt *time.Time `json:"first_login_at"`
	LastLoginAt  *time.Time `json:"last_login_at"`
}

type installationsOutput struct {
	Body struct {
		Data []PersonInstallation `json:"data" nullable:"false"`
		Meta meta                 `json:"meta"`
	}
}

func (c *calls) installations(ctx context.Context, in *InstallationsInput) (*installationsOutput, error) {
	filter, err := c.clientFilter(ctx, in.ClientFilterInput, in.Cursor.String())
	if err != nil {
		return nil, err
	}
	filter.Limit = in.Limit
	rules, err := c.db.Usage.InstallationRules(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	page, err := c.db.Usage.Clients(ctx, in.CompanyID, rules.Rules, filter)
	if err != nil {
		return nil, err
	}
	c.noteRead(ctx, audit.ReadOfClients(filter, len(page.Rows)))
	out := &installationsOutput{}
	out.Body.Data = make([]PersonInstallation, len(page.Rows))
	for i, r := range page.Rows {
		out.Body.Data[i] = PersonInstallation{
			User: fileUser{ID: r.UserID, Name: r.Name}, Department: r.DepartmentPath, State: string(r.State(rules.Rules, c.db.Now(), filter.IdleFor())),
			Installed: r.Installed, Devices: r.Devices, Version: r.Version, OS: r.OS, DeviceName: r.DeviceName, PushAlive: r.PushAlive,
			FirstLoginAt: inUTC(r.FirstLoginAt), LastLoginAt: inUTC(r.LastLoginAt),
		}
	}
	out.Body.Meta = metaOf(page.Next)
	out.Body.Meta.Notes = searchNotes(ctx, in.Q)
	return out, nil
}

// exportOfClients validates the request of an export like the list does.
func (c *calls) exportOfClients(ctx context.Context, asked exportRequest) (exports.List, error) {
	r := exports.ClientRequest{List: exports.ClientsList, Format: asked.Format, Locale: locales.FromContext(ctx)}
	if !callerOf(ctx).IsAdmin {
		return nil, refusal{http.StatusForbidden, "api.administrators_only"}
	}
	if asked.Clients == nil {
		return nil, queries.FieldErrors{"clients": "api.field.required"}
	}
	var err error
	if r.ClientFilter, err = c.clientFilter(ctx, *asked.Clients, ""); err != nil {
		return nil, err
	}
	return r, nil
}

// InstallationRules are the rules of a company.
type InstallationRules struct {
	Clients []installationRule `json:"clients" nullable:"false" doc:"One for each system."`
	Notice  installationNotice `json:"notice"`
}

type installationRule struct {
	System     string            `json:"system" enum:"windows,macos,linux,android,ios"`
	Allowed    bool              `json:"allowed"`
	Targets    installationScope `json:"targets"`
	Version    string            `json:"version,omitempty" doc:"The newest release: up to four numbers with dots between them."`
	URL        string            `json:"url,omitempty" doc:"Where it is downloaded: an http or https address."`
	SHA256     string            `json:"sha256,omitempty" doc:"Of the download: 64 hexadecimal digits."`
	Size       int64             `json:"size,omitempty" minimum:"0" doc:"Of the download in bytes."`
	RequiresOS string            `json:"requires_os,omitempty" doc:"The lowest version of the system that takes the release."`
	Minimum    string            `json:"minimum,omitempty" doc:"A lower version is outdated. Not above version."`
	ForcedFrom string            `json:"forced_from,omitempty" doc:"From this date, such as 2026-11-23, an outdated client cannot sign in. Not in the past."`
}

type installationScope struct {
	Everyone    bool    `json:"everyone,omitempty"`
	Departments []int64 `json:"departments,omitempty" nullable:"false" doc:"With those below them."`
	Users       []int64 `json:"users,omitempty" nullable:"false"`
}

type installationNotice struct {
	Ko string `json:"ko" doc:"At most 80 characters. {date} is replaced by the date of forced_from."`
	En string `json:"en"`
	Ja string `json:"ja"`
}

func newInstallationRule(r usage.ClientRule) installationRule {
	out := installationRule{r.System, r.Allowed, installationScope(r.Targets), r.Version, r.URL, r.SHA256, r.Size, r.RequiresOS, r.Minimum, ""}
	if r.ForcedFrom != 0 {
		out.ForcedFrom = r.ForcedFrom.String()
	}
	return out
}

type installationRulesOutput struct {
	ETag string `header:"ETag"`
	Body InstallationRules
}

func (c *calls) installationRules(ctx context.Context, in *OwnPath) (*installationRulesOutput, error) {
	rules, err := c.db.Usage.InstallationRules(ctx, in.CompanyID)
	return newInstallationRules(rules), err
}

func newInstallationRules(rules usage.InstallationRules) *installationRulesOutput {
	out := &installationRulesOutput{ETag: versionTag(rules.VersionNo)}
	out.Body = InstallationRules{[]installationRule{}, installationNotice(rules.Notice)}
	for _, r := range rules.Clients {
		out.Body.Clients = append(out.Body.Clients, newInstallationRule(r))
	}
	return out
}

type setInstallationRulesInput struct {
	OwnPath
	IfMatch string `header:"If-Match" doc:"The ETag of the rules as the client has seen them; without it whatever there is is changed."`
	Body    InstallationRules
}

func (c *calls) setInstallationRules(ctx context.Context, in *setInstallationRulesInput) (*installationRulesOutput, error) {
	seen, err := seenVersion(in.IfMatch, func() (int32, error) {
		stored, err := c.db.Usage.InstallationRules(ctx, in.CompanyID)
		return stored.VersionNo, err
	})
	if err != nil {
		return nil, err
	}
	draft := usage.Rules{Notice: usage.Notice(in.Body.Notice)}
	for i, r := range in.Body.Clients {
		if slices.ContainsFunc(draft.Clients, func(c usage.ClientRule) bool { return c.System == r.System }) {
			return nil, queries.FieldErrors{fmt.Sprintf("clients[%d].system", i): "installation.system.twice"}
		}
		rule := usage.ClientRule{
			System: r.System, Allowed: r.Allowed, Targets: usage.RuleTargets(r.Targets), Version: r.Version, URL: r.URL, SHA256: r.SHA256, Size: r.Size, RequiresOS: r.RequiresOS, Minimum: r.Minimum,
		}
		if r.ForcedFrom != "" {
			var none workday.Date
			if rule.ForcedFrom, err = dateIn(fmt.Sprintf("clients[%d].forced_from", i), r.ForcedFrom, none); err != nil {
				return nil, err
			}
		}
		draft.Clients = append(draft.Clients, rule)
	}
	saved, err := c.db.Usage.SaveRules(ctx, actor(ctx), seen, draft)
	if err != nil {
		return nil, err
	}
	return newInstallationRules(saved), nil
}

type installationRulesOfInput struct {
	CompanyPath
	UserID      int64    `path:"user_id"`
	IfNoneMatch []string `header:"If-None-Match" doc:"ETag of the answer as it is known; if it is still so, the answer is 304."`
}

// PersonRules are the rules of installation as they are for a person.
type PersonRules struct {
	Clients []personRule       `json:"clients" nullable:"false"`
	Notice  installationNotice `json:"notice"`
}

type personRule struct {
	System     string `json:"system" enum:"windows,macos,linux,android,ios"`
	Allowed    bool   `json:"allowed" doc:"Whether the person may install it."`
	Version    string `json:"version,omitempty"`
	URL        string `json:"url,omitempty"`
	SHA256     string `json:"sha256,omitempty"`
	Size       int64  `json:"size,omitempty" doc:"Of the download in bytes."`
	RequiresOS string `json:"requires_os,omitempty"`
	Minimum    string `json:"minimum,omitempty"`
	ForcedFrom string `json:"forced_from,omitempty"`
}

type installationRulesOfOutput struct {
	Status int
	ETag   string `header:"ETag"`
	Body   *PersonRules
}

func (c *calls) installationRulesOf(ctx context.Context, in *installationRulesOfInput) (*installationRulesOfOutput, error) {
	rules, stored, err := c.db.Usage.RulesOf(ctx, in.CompanyID, in.UserID)
	if err != nil {
		return nil, err
	}
	tag := strconv.Itoa(int(stored.VersionNo))
	body := &PersonRules{[]personRule{}, installationNotice(stored.Notice)}
	for _, r := range rules {
		one := newInstallationRule(r.ClientRule)
		tag += "-" + strconv.FormatBool(r.Allowed)[:1]
		row := personRule{System: one.System, Allowed: r.Allowed}
		if r.Allowed {
			row = personRule{one.System, true, one.Version, one.URL, one.SHA256, one.Size, one.RequiresOS, one.Minimum, one.ForcedFrom}
		}
		body.Clients = append(body.Clients, row)
	}
	out := &installationRulesOfOutput{http.StatusOK, `"` + tag + `"`, body}
	if matches(in.IfNoneMatch, out.ETag) {
		out.Status, out.Body = http.StatusNotModified, nil
	}
	return out, nil
}
