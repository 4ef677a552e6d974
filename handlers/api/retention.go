package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/usage"
)

// registerRetention registers for how long the logs stay.
func (c *calls) registerRetention(administrators huma.Middlewares) {
	const path = u + "/security/retention"
	describe := func(d call) huma.Operation {
		d.tag = "Security"
		return d.operation(administrators)
	}
	huma.Register(c.api, describe(call{id: "retention", path: path,
		summary: "For how long the logs stay", description: "For administrators. ETag is the version, for If-Match."}), c.retention)
	huma.Register(c.api, call{id: "set-retention", method: http.MethodPut, path: path, tag: "Security",
		errors:  []int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity},
		summary: "Change for how long the logs stay", description: "For administrators. What is older is deleted for good within a day. With If-Match, 409 when somebody else has saved in between. " + provedText,
	}.operation(append(administrators, c.proved)), c.setRetention)
}

// LogRetention says for how many months each log stays.
type LogRetention struct {
	AccessMonths int `json:"access_months" enum:"0,24,36,60,120" doc:"The access history. 0 is without end."`
	FileMonths   int `json:"file_months" enum:"0,1,3,6,12,24,36,60,120" doc:"The log of saved files."`
	ClientMonths int `json:"client_months" enum:"0,1,3,6,12,24,36,60,120" doc:"The events of clients; their state stays."`
}

type retentionOutput struct {
	ETag string `header:"ETag"`
	Body LogRetention
}

func (c *calls) retention(ctx context.Context, in *OwnPath) (*retentionOutput, error) {
	stored, err := c.db.Usage.Retention(ctx, in.CompanyID)
	months := stored.Months
	return &retentionOutput{versionTag(stored.VersionNo), LogRetention{months[usage.AccessLog], months[usage.FileLog], months[usage.ClientLog]}}, err
}

type setRetentionInput struct {
	OwnPath
	IfMatch string `header:"If-Match" doc:"The ETag of the retention as the client has seen it; without it whatever there is is changed."`
	Body    LogRetention
}

// retentionFields are the fields of the logs.
var retentionFields = map[string]string{string(usage.AccessLog): "access_months", string(usage.FileLog): "file_months", string(usage.ClientLog): "client_months"}

func (c *calls) setRetention(ctx context.Context, in *setRetentionInput) (*retentionOutput, error) {
	seen, err := seenVersion(in.IfMatch, func() (int32, error) {
		stored, err := c.db.Usage.Retention(ctx, in.CompanyID)
		return stored.VersionNo, err
	})
	if err != nil {
		return nil, err
	}
	months := usage.RetentionMonths{usage.AccessLog: in.Body.AccessMonths, usage.FileLog: in.Body.FileMonths, usage.ClientLog: in.Body.ClientMonths}
	err = c.db.Usage.SaveRetention(ctx, actor(ctx), seen, months)
	if refused, ok := err.(queries.FieldErrors); ok {
		named := queries.FieldErrors{}
		for log, why := range refused {
			named[retentionFields[log]] = why
		}
		return nil, named
	}
	if err != nil {
		return nil, err
	}
	return c.retention(ctx, &in.OwnPath)
}
