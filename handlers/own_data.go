package handlers

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"officeconsole/queries/audit"
	"officeconsole/queries/identity"
	"officeconsole/queries/usage"
)

// ownData is the file that a person downloads: what is stored about them, as JSON.
type ownData struct {
	ExportedAt  time.Time                    `json:"exported_at"`
	Company     string                       `json:"company"`
	Name        string                       `json:"name"`
	Email       string                       `json:"email"`
	EmployeeID  string                       `json:"employee_id"`
	Departments []string                     `json:"departments"`
	Rank        string                       `json:"rank"`
	Role        string                       `json:"role"`
	Phones      []string                     `json:"phones"` // of the company, personal
	Clients     []ownClient                  `json:"clients"`
	SignIns     []ownSignIn                  `json:"sign_ins"`
	Factors     ownFactors                   `json:"second_factors"`
	Access      []ownAccess                  `json:"access_history"`
	Reads       []ownRead                    `json:"read_by_others"`
	Attendance  map[string][]json.RawMessage `json:"attendance"` // rows by their table
}

type ownClient struct {
	Platform     string     `json:"platform"`
	Version      string     `json:"version"`
	OS           string     `json:"os"`
	Installed    bool       `json:"installed"`
	FirstLoginAt *time.Time `json:"first_login_at"`
	LastLoginAt  *time.Time `json:"last_login_at"`
}

type ownSignIn struct {
	CreatedAt time.Time  `json:"created_at"`
	SeenAt    time.Time  `json:"seen_at"`
	Address   netip.Addr `json:"address"`
	UserAgent string     `json:"user_agent"`
}

// ownFactors are a person's second factors without their secrets.
type ownFactors struct {
	App           *time.Time             `json:"authenticator_app"` // since when; null without one
	Passkeys      []identity.PasskeyInfo `json:"passkeys"`
	RecoveryCodes int                    `json:"recovery_codes"` // that were not used
}

type ownAccess struct {
	At        time.Time   `json:"at"`
	Kind      string      `json:"kind"`
	Result    string      `json:"result"`
	Reason    string      `json:"reason"`
	Source    string      `json:"source"`
	Platform  string      `json:"platform"`
	Address   *netip.Addr `json:"address"`
	UserAgent string      `json:"user_agent"`
}

type ownRead struct {
	At        time.Time      `json:"at"`
	Reader    string         `json:"reader"`
	Kind      audit.ReadKind `json:"kind"`
	Via       audit.ReadVia  `json:"via"`
	Object    string         `json:"object"`
	Positions bool           `json:"positions"`
}

// ownDataPage is how many rows of a log are read at once for ownData.
const ownDataPage = 1000

// downloadOwnData answers with what is stored about the person.
func (h *handlers) downloadOwnData(w http.ResponseWriter, r *http.Request) error {
	data, err := h.readOwnData(r)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Disposition", `attachment; filename="officeconsole-`+data.ExportedAt.Format(time.DateOnly)+`.json"`)
	header.Set("Cache-Control", "no-store")
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(data); err != nil {
		slog.DebugContext(r.Context(), "client closed the connection", "err", err)
	}
	return nil
}

func (h *handlers) readOwnData(r *http.Request) (data ownData, err error) {
	ctx, p := r.Context(), person(r)
	scope, err := h.db.Attendance.Scope(ctx, p.Person)
	if err != nil {
		return data, err
	}
	about, err := h.db.Identity.Profile(ctx, p.Person, scope)
	if err != nil {
		return data, err
	}
	data = ownData{
		ExportedAt: h.db.Now().In(zone(p)), Company: p.CompanyName, Name: p.Name, Email: p.Email, EmployeeID: about.EmployeeID,
		Departments: about.DepartmentPaths, Rank: about.Rank, Role: about.Role, Phones: []string{about.CompanyPhone, about.PersonalPhone},
	}
	if data.Attendance, err = h.db.Attendance.OwnData(ctx, p.CompanyID, p.ID); err != nil {
		return data, err
	}
	if err := h.readOwnDevices(r, &data); err != nil {
		return data, err
	}
	return data, h.readOwnLogs(r, &data)
}

// readOwnDevices reads the person's clients and sessions.
func (h *handlers) readOwnDevices(r *http.Request, data *ownData) error {
	ctx, p := r.Context(), person(r)
	clients, err := h.db.Usage.ClientsOf(ctx, usage.ClientsOfParams{CompanyID: p.CompanyID, UserID: p.ID})
	if err != nil {
		return err
	}
	for _, c := range clients {
		data.Clients = append(data.Clients, ownClient{c.Platform, c.Version, c.Os, c.Installed, c.FirstLoginAt, c.LastLoginAt})
	}
	signIns, err := h.db.Identity.SignIns(ctx, identity.SignInsParams{CompanyID: p.CompanyID, UserID: p.ID, Now: h.db.Now()})
	for _, s := range signIns {
		data.SignIns = append(data.SignIns, ownSignIn{s.CreatedAt, s.SeenAt, s.Address, s.UserAgent})
	}
	if err != nil {
		return err
	}
	return h.readOwnFactors(r, &data.Factors)
}

func (h *handlers) readOwnFactors(r *http.Request, of *ownFactors) error {
	ctx, p := r.Context(), person(r)
	app, err := h.db.Identity.App(ctx, p.CompanyID, p.ID)
	if err != nil {
		return err
	}
	if !app.ConfirmedAt.IsZero() {
		of.App = &app.ConfirmedAt
	}
	if of.Passkeys, err = h.db.Identity.Passkeys(ctx, p.CompanyID, p.ID); err != nil {
		return err
	}
	factors, err := h.db.Identity.Factors(ctx, p.CompanyID, p.ID)
	of.RecoveryCodes = factors.Codes
	return err
}

// readOwnLogs reads the person's access history, and what others read about them.
func (h *handlers) readOwnLogs(r *http.Request, data *ownData) error {
	ctx, p := r.Context(), person(r)
	access := usage.AccessFilter{UserID: p.ID, Limit: ownDataPage}
	for more := true; more; more = access.Cursor != nil {
		list, err := h.db.Usage.AccessEvents(ctx, p.CompanyID, zone(p), access)
		if err != nil {
			return err
		}
		for _, a := range list.Rows {
			data.Access = append(data.Access, ownAccess{a.At, a.Kind, a.Result, a.Reason, a.Source, a.Platform, a.Ip, a.UserAgent})
		}
		access.Cursor = list.Next
	}
	reads := audit.ReadsFilter{SubjectID: p.ID, Limit: ownDataPage}
	for more := true; more; more = reads.Cursor != nil {
		page, err := h.db.Audit.Reads(ctx, p.CompanyID, zone(p), reads)
		if err != nil {
			return err
		}
		for _, row := range page.Rows {
			data.Reads = append(data.Reads, ownRead{row.At, row.ReaderName, row.Kind, row.Via, row.Object, row.Positions})
		}
		reads.Cursor = page.Next
	}
	return nil
}
