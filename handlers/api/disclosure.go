package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/directory"
)

// registerDisclosure registers which personal data viewers see.
func (c *calls) registerDisclosure(administrators huma.Middlewares) {
	const path = u + "/security/disclosure"
	describe := func(d call) huma.Operation {
		d.tag = accessTag
		return d.operation(administrators)
	}
	huma.Register(c.api, describe(call{id: "disclosure", path: path, summary: "Which personal data viewers see",
		description: "For administrators, who see everything; everybody sees their own. ETag is the version, for If-Match."}), c.disclosure)
	huma.Register(c.api, describe(call{id: "set-disclosure", method: http.MethodPut, path: path, errors: []int{http.StatusBadRequest, http.StatusConflict},
		summary: "Change which personal data viewers see", description: "For administrators. With If-Match, 409 when somebody else has saved in between."}), c.setDisclosure)
}

// Disclosure says which personal data about others people see who are no administrators.
type Disclosure struct {
	PersonalPhones bool `json:"personal_phones" doc:"personal_phone of users; empty otherwise."`
	DeviceIDs      bool `json:"device_ids" doc:"device_id of clock events; empty otherwise."`
	IPAddresses    bool `json:"ip_addresses" required:"false" doc:"ip of clock events; null otherwise. Left out is false."`
}

type disclosureOutput struct {
	ETag string `header:"ETag"`
	Body Disclosure
}

func (c *calls) disclosure(ctx context.Context, in *OwnPath) (*disclosureOutput, error) {
	stored, err := c.db.Directory.Disclosure(ctx, in.CompanyID)
	return &disclosureOutput{versionTag(stored.VersionNo), Disclosure{stored.PersonalPhones, stored.DeviceIDs, stored.IPAddresses}}, err
}

type setDisclosureInput struct {
	OwnPath
	IfMatch string `header:"If-Match" doc:"The ETag of the disclosure as the client has seen it; without it whatever there is is changed."`
	Body    Disclosure
}

func (c *calls) setDisclosure(ctx context.Context, in *setDisclosureInput) (*disclosureOutput, error) {
	seen, err := seenVersion(in.IfMatch, func() (int32, error) {
		stored, err := c.db.Directory.Disclosure(ctx, in.CompanyID)
		return stored.VersionNo, err
	})
	if err != nil {
		return nil, err
	}
	chosen := directory.Disclosure{PersonalPhones: in.Body.PersonalPhones, DeviceIDs: in.Body.DeviceIDs, IPAddresses: in.Body.IPAddresses}
	if err := c.db.Directory.SaveDisclosure(ctx, actor(ctx), seen, chosen); err != nil {
		return nil, err
	}
	return c.disclosure(ctx, &in.OwnPath)
}
