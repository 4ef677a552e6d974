package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/usage"
)

// registerClients registers what the messenger pushes about its clients with a
// service token of the scope events.
func (c *calls) registerClients(events huma.Middlewares) {
	huma.Register(c.api, eventCall("client-events", "clients", "Take in what happened to clients",
		"An event says that a client was installed or removed on a device, or that its user signed in or out there. The order of the events does not matter: an earlier one never replaces what a later one said. "+
			"Events of the future, of somebody who is no person of the company and those older than a year are refused.", events), c.clientEvents)
}

// clientEvent is what happened to a client as the messenger sends it (domain §7).
type clientEvent struct {
	EventID    string    `json:"event_id" minLength:"1" maxLength:"100" doc:"Known by the sender: a second event of the person with the same id is a duplicate."`
	UserID     int64     `json:"user_id"`
	Platform   string    `json:"platform" enum:"pc,mobile"`
	Kind       string    `json:"kind" enum:"install,uninstall,login,logout"`
	Version    string    `json:"version,omitempty" pattern:"^[0-9]{1,5}(\\.[0-9]{1,5}){0,3}$" doc:"Up to four numbers up to 32767. Required for install and login."`
	OS         string    `json:"os,omitempty" maxLength:"300" doc:"Such as Windows 11 24H2 or Android 16: the name says for which system a client is outdated."`
	DeviceID   string    `json:"device_id" minLength:"1" maxLength:"200" doc:"Known by the sender: the same for every event of a device."`
	DeviceName string    `json:"device_name,omitempty" maxLength:"300"`
	PushAlive  *bool     `json:"push_alive,omitempty" doc:"Whether push messages reach the device."`
	OccurredAt time.Time `json:"occurred_at"`
}

func (e clientEvent) decode() (usage.ClientEvent, string) {
	return usage.ClientEvent{
		EventID: e.EventID, UserID: e.UserID, Platform: e.Platform, Kind: usage.ClientEventKind(e.Kind), Version: e.Version, OS: e.OS,
		DeviceID: e.DeviceID, DeviceName: e.DeviceName, PushAlive: e.PushAlive, OccurredAt: e.OccurredAt,
	}, ""
}

// clientEvents stores a batch of events of clients.
func (c *calls) clientEvents(ctx context.Context, in *EventsInput[clientEvent, usage.ClientEvent]) (*eventResultsOutput, error) {
	return takeEvents(ctx, in, c.db.Usage.TakeClientEvents)
}
