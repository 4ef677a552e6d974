package api

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/audit"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/usage"
)

// registerAccess registers the access history, what the messenger pushes to it with a
// service token of the scope events, and the sessions of people.
func (c *calls) registerAccess(administrators, events huma.Middlewares) {
	const sessions = u + "/security/sessions"
	huma.Register(c.api, call{id: "access-history", path: u + "/security/access", tag: accessTag, errors: []int{http.StatusUnprocessableEntity},
		summary: "Who signed in, failed to, was refused or signed out, the latest first",
		description: "For administrators. Of the console, its API and the messenger. failures and address_failures are 0 below 5 of a person, or 10 from an address, within ten minutes; " +
			"new_address and new_device say that somebody who had signed in before had never done so from there. They are decided when the row is stored.",
	}.operation(append(administrators, c.fromReplica)), c.accessHistory)
	huma.Register(c.api, eventCall("access-events", "access", "Take in sign-ins and what ends them",
		"An event that names nobody of the company is refused, except for a failed login with an email. result is needed for logins: ok or failed. Events older than a year are refused.", events), c.accessEvents)
	huma.Register(c.api, call{id: "sessions", path: sessions, tag: accessTag, summary: "What a person has open in the console",
		description: "For administrators. Browsers and API tokens that have not ended, at most a day old; without user_id the caller's.",
	}.operation(administrators), c.sessions)
	huma.Register(c.api, call{id: "end-sessions", method: http.MethodDelete, path: sessions, tag: accessTag, summary: "End everything that a person has open",
		description: "Needs user_id, and the password where the sessions are the caller's own. Sessions and tokens of the console end, except the one that the call is made with, and the stream tells the messenger by session.revoke.",
		errors:      []int{http.StatusUnprocessableEntity},
	}.operation(administrators), c.endSessions)
	huma.Register(c.api, call{id: "reset-factors", method: http.MethodDelete, path: u + "/security/factors/{user_id}", tag: accessTag, summary: "Remove the second factors of a person",
		description: "For administrators, for somebody who has lost them. Everything that the person has open ends, and they read about it after signing in. reset is false where there were none, 409 for the caller. " + provedText,
		errors:      []int{http.StatusConflict},
	}.operation(append(administrators, c.proved)), c.resetFactors)
	huma.Register(c.api, call{id: "end-session", method: http.MethodDelete, path: sessions + "/{session_id}", tag: accessTag, summary: "End a session or token",
		description: "One that has ended meanwhile is no error: ended is 0. 404 for one that the person never had. The caller's own need the password.",
		errors:      []int{http.StatusUnprocessableEntity},
	}.operation(administrators), c.endSession)
}

const accessTag = "Security"

// accessEvent is what happened at the door of the messenger, as it sends it.
type accessEvent struct {
	EventID    string    `json:"event_id" minLength:"1" maxLength:"100" doc:"Known by the sender: a second event of the person or, where nobody has the email, of the email with the same id is a duplicate."`
	UserID     int64     `json:"user_id,omitempty" doc:"Or email."`
	Email      string    `json:"email,omitempty" maxLength:"320" doc:"As it was typed, where the user is not known."`
	Kind       string    `json:"kind" enum:"login,logout,idle_end,expired,ip_blocked,platform_blocked,locked,unlocked,password_changed,password_reset,session_revoked,admin_entry"`
	Result     string    `json:"result,omitempty" enum:"ok,failed,refused" doc:"Needed for a login: ok or failed. A password_changed without it is ok."`
	Reason     string    `json:"reason,omitempty" maxLength:"100" doc:"Why it failed, was refused or ended, such as password, unknown_account or locked; others are shown as they are. Of a login or password_changed that is ok, only how somebody signed in is stored: sso, handover, app, passkey or recovery."`
	Platform   string    `json:"platform" enum:"pc,web,mobile,mobile_web"`
	IP         string    `json:"ip,omitempty"`
	UserAgent  string    `json:"user_agent,omitempty" doc:"Stored up to 500 characters."`
	OccurredAt time.Time `json:"occurred_at"`
}

func (e accessEvent) decode() (usage.AccessEvent, string) {
	a := usage.AccessEvent{
		EventID: e.EventID, UserID: e.UserID, Email: e.Email, Kind: usage.AccessKind(e.Kind), Result: usage.AccessResult(e.Result), Reason: e.Reason,
		Platform: e.Platform, UserAgent: e.UserAgent, OccurredAt: e.OccurredAt,
	}
	if e.IP == "" {
		return a, ""
	}
	address, err := netip.ParseAddr(e.IP)
	if err != nil {
		return a, "event.unreadable"
	}
	a.Address = address
	return a, ""
}

// accessEvents stores a batch of events.
func (c *calls) accessEvents(ctx context.Context, in *EventsInput[accessEvent, usage.AccessEvent]) (*eventResultsOutput, error) {
	return takeEvents(ctx, in, c.db.Usage.TakeAccessEvents)
}

// AccessInput is the input of the access history.
type AccessInput struct {
	OwnPath
	AccessFilterInput
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

// AccessFilterInput is the filter of the access history.
type AccessFilterInput struct {
	Q       string `query:"q" json:"q,omitempty" doc:"A whole IP address (not a part of one, nor a range), or the whole account that was typed by somebody unknown, or names: at most the first fifty people by name count."`
	UserID  int64  `query:"user_id" json:"user_id,omitempty" minimum:"1"`
	Kind    string `query:"kind" json:"kind,omitempty" enum:"login,logout,idle_end,expired,ip_blocked,platform_blocked,locked,unlocked,password_changed,password_reset,password_link,proved,factor_changed,factor_reset,session_revoked,token_created,token_revoked,token_refused,admin_entry"`
	Result  string `query:"result" json:"result,omitempty" enum:"ok,failed,refused"`
	Pattern string `query:"pattern" json:"pattern,omitempty" enum:"failures,device,address" doc:"Only what is remarkable in this way."`
	From    string `query:"from" json:"from,omitempty" format:"date" doc:"By the company's clocks, this day included."`
	To      string `query:"to" json:"to,omitempty" format:"date" doc:"By the company's clocks, this day included."`
}

// accessFilter validates a filter like the page does. Users of other companies are
// NotFound.
func (c *calls) accessFilter(ctx context.Context, in AccessFilterInput, at string) (usage.AccessFilter, error) {
	filter, err := usage.ReadAccessFilter(url.Values{
		"q": {in.Q}, "user_id": {idWord(in.UserID)}, "kind": {in.Kind}, "result": {in.Result}, "pattern": {in.Pattern}, "from": {in.From}, "to": {in.To}, "cursor": {at},
	})
	if err != nil {
		return filter, err
	}
	return filter, c.knownPerson(ctx, in.UserID)
}

// AccessRow is a row of the access history.
type AccessRow struct {
	ID              int64     `json:"id"`
	At              time.Time `json:"at"`
	User            *fileUser `json:"user" doc:"Null for an unknown account, for service tokens and for unknown tokens."`
	Account         string    `json:"account" doc:"What was typed as the email of an unknown account."`
	Kind            string    `json:"kind" enum:"login,logout,idle_end,expired,ip_blocked,platform_blocked,locked,unlocked,password_changed,password_reset,password_link,proved,factor_changed,factor_reset,session_revoked,token_created,token_revoked,token_refused,admin_entry"`
	Result          string    `json:"result" enum:"ok,failed,refused"`
	Reason          string    `json:"reason"`
	Source          string    `json:"source" enum:"console,api,messenger,command"`
	Platform        string    `json:"platform"`
	IP              *string   `json:"ip"`
	UserAgent       string    `json:"user_agent"`
	Actor           string    `json:"actor" doc:"Who did it for somebody else; empty otherwise."`
	Failures        int       `json:"failures"`
	AddressFailures int       `json:"address_failures"`
	NewAddress      bool      `json:"new_address"`
	NewDevice       bool      `json:"new_device"`
}

func newAccessRow(a usage.AccessRow) AccessRow {
	out := AccessRow{
		ID: a.ID, At: a.At.UTC(), Account: a.Account, Kind: a.Kind, Result: a.Result, Reason: a.Reason, Source: a.Source, Platform: a.Platform, UserAgent: a.UserAgent,
		Actor: a.ActorName, Failures: int(a.Failures), AddressFailures: int(a.AddressFailures), NewAddress: a.NewAddress, NewDevice: a.NewDevice,
	}
	if a.UserID != nil {
		user := newFileUser(a.User)
		out.User = &user
	}
	if a.Ip != nil {
		text := a.Ip.String()
		out.IP = &text
	}
	return out
}

type accessOutput struct {
	Body struct {
		Data []AccessRow `json:"data" nullable:"false"`
		Meta meta        `json:"meta"`
	}
}

// accessHistory lists the access history.
func (c *calls) accessHistory(ctx context.Context, in *AccessInput) (*accessOutput, error) {
	filter, err := c.accessFilter(ctx, in.AccessFilterInput, in.Cursor.String())
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(callerOf(ctx).TimeZone)
	if err != nil {
		return nil, err
	}
	filter.Limit = in.Limit
	list, err := c.db.Usage.AccessEvents(ctx, in.CompanyID, zone, filter)
	if err != nil {
		return nil, err
	}
	c.noteRead(ctx, audit.Read{Kind: audit.ReadAccess, Query: filter.Values(), Rows: len(list.Rows)})
	out := &accessOutput{}
	out.Body.Data = make([]AccessRow, len(list.Rows))
	for i, row := range list.Rows {
		out.Body.Data[i] = newAccessRow(row)
	}
	out.Body.Meta = metaOf(list.Next)
	out.Body.Meta.Notes = searchNotes(ctx, in.Q)
	return out, nil
}

// knownPerson refuses the id of a user whom the caller's company does not have.
func (c *calls) knownPerson(ctx context.Context, id int64) error {
	if id == 0 {
		return nil
	}
	_, err := c.db.Directory.Person(ctx, directory.PersonParams{CompanyID: callerOf(ctx).CompanyID, ID: id})
	return err
}

// SessionsInput is the input of the sessions of a person.
type SessionsInput struct {
	OwnPath
	UserID int64 `query:"user_id" minimum:"1"`
}

// Session is a browser that somebody is signed in with, or an access token.
type Session struct {
	ID        string    `json:"id" example:"session-12" doc:"session- or token- and a number."`
	Kind      string    `json:"kind" enum:"session,token"`
	CreatedAt time.Time `json:"created_at"`
	SeenAt    time.Time `json:"seen_at" doc:"When it was last used, to the minute."`
	ExpiresAt time.Time `json:"expires_at" doc:"It ends earlier when nobody uses it for the session time of the person's policy."`
	IP        string    `json:"ip"`
	UserAgent string    `json:"user_agent"`
	Current   bool      `json:"current,omitempty" doc:"The session or token that the call is made with."`
}

type sessionsOutput struct{ Body list[Session] }

func (c *calls) sessions(ctx context.Context, in *SessionsInput) (*sessionsOutput, error) {
	userID := in.UserID
	if userID == 0 {
		userID = in.ID
	}
	if err := c.knownPerson(ctx, userID); err != nil {
		return nil, err
	}
	signIns, err := c.db.Identity.SignIns(ctx, identity.SignInsParams{CompanyID: in.CompanyID, UserID: userID, Now: c.db.Now()})
	if err != nil {
		return nil, err
	}
	out := &sessionsOutput{}
	out.Body.Data = []Session{}
	for _, s := range signIns {
		kind := "session"
		if s.IsToken {
			kind = "token"
		}
		out.Body.Data = append(out.Body.Data, Session{
			ID: kind + "-" + strconv.FormatInt(s.ID, 10), Kind: kind, CreatedAt: s.CreatedAt.UTC(), SeenAt: s.SeenAt.UTC(), ExpiresAt: s.ExpiresAt.UTC(),
			IP: s.Address.String(), UserAgent: s.UserAgent, Current: s.ID == callerOf(ctx).signInID,
		})
	}
	return out, nil
}

// EndSessionInput is the input of ending a session.
type EndSessionInput struct {
	OwnPath
	SessionID string `path:"session_id" pattern:"^(session|token)-[1-9][0-9]{0,17}$"`
	UserID    int64  `query:"user_id" minimum:"1" doc:"Whose it is; the caller's without it."`
	OwnPassword
}

// OwnPassword confirms that callers end sessions of their own.
type OwnPassword struct {
	Body *struct {
		Password string `json:"password,omitempty" maxLength:"1000"`
	} `required:"false" doc:"Needed to end one's own sessions: the caller's password."`
	userAgent string
}

// Resolve stores the client.
func (in *OwnPassword) Resolve(ctx huma.Context) []error {
	in.userAgent = ctx.Header("User-Agent")
	return nil
}

func (in *OwnPassword) confirmation(ctx context.Context) identity.Confirmation {
	own := identity.Confirmation{Address: callerOf(ctx).address, UserAgent: in.userAgent}
	if in.Body != nil {
		own.Password = in.Body.Password
	}
	return own
}

// EndSessionsInput is the input of ending the sessions of a person.
type EndSessionsInput struct {
	SessionsInput
	OwnPassword
}

type endedOutput struct {
	Body struct {
		Ended int `json:"ended" doc:"How many ended; 0 where none was open any more."`
	}
}

func (c *calls) endSession(ctx context.Context, in *EndSessionInput) (*endedOutput, error) {
	userID := in.UserID
	if userID == 0 {
		userID = in.ID
	}
	_, number, _ := strings.Cut(in.SessionID, "-")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return nil, queries.NotFound
	}
	out := &endedOutput{}
	ended, err := c.db.Identity.EndSession(ctx, actor(ctx), in.confirmation(ctx), userID, id)
	if ended {
		out.Body.Ended = 1
	}
	return out, err
}

func (c *calls) endSessions(ctx context.Context, in *EndSessionsInput) (*endedOutput, error) {
	if in.UserID == 0 {
		return nil, queries.FieldErrors{"user_id": "api.field.required"}
	}
	except := int64(0)
	if in.UserID == in.ID {
		except = callerOf(ctx).signInID
	}
	out := &endedOutput{}
	var err error
	out.Body.Ended, err = c.db.Identity.EndAll(ctx, actor(ctx), in.confirmation(ctx), in.UserID, except)
	return out, err
}
