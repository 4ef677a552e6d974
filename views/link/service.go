package link

import (
	"context"
	"slices"
	"strconv"

	"officeconsole/locales"
	"officeconsole/queries/link"
	"officeconsole/views"
)

// ServiceList is the page of convenience services.
type ServiceList struct {
	Frame    views.Frame
	Services []link.Service
	Platform string // that the preview shows
}

// serviceIcons are the symbols of the services by their id.
var serviceIcons = map[string]string{
	"chat": "chat", "mail": "mail", "meeting": "video", "screen_share": "screen", "drive": "folder", "board": "board", "calendar": "calendar",
	"poll": "vote", "translation": "translate", "remote_support": "remote", "contacts": "book", "work_clock": "clock",
}

// platformIcons are the symbols of the platforms.
var platformIcons = map[string]string{"pc": "desktop", "web": "globe", "mobile": "phone-device"}

// visibleCount says how many services a platform shows, of those it supports.
func (l ServiceList) visibleCount(platform string) string {
	visible, supported := 0, 0
	for _, s := range l.Services {
		if slices.Contains(s.Supported, platform) {
			supported++
		}
		if slices.Contains(s.Visible, platform) {
			visible++
		}
	}
	return strconv.Itoa(visible) + "/" + strconv.Itoa(supported)
}

// shown are the services that the preview shows.
func (l ServiceList) shown() []link.Service {
	return slices.DeleteFunc(slices.Clone(l.Services), func(s link.Service) bool { return !slices.Contains(s.Visible, l.Platform) })
}

// hidden names the services that the platform supports and does not show.
func (l ServiceList) hidden(ctx context.Context) string {
	var names []string
	for _, s := range l.Services {
		if slices.Contains(s.Supported, l.Platform) && !slices.Contains(s.Visible, l.Platform) {
			names = append(names, serviceName(ctx, s.ID))
		}
	}
	return views.Enumeration(ctx, names)
}

func (l ServiceList) ids() []string {
	ids := make([]string, len(l.Services))
	for i, s := range l.Services {
		ids[i] = s.ID
	}
	return ids
}

func serviceName(ctx context.Context, id string) string { return locales.T(ctx, "service."+id) }

func platformName(ctx context.Context, platform string) string {
	return locales.T(ctx, "service.platform."+platform)
}

// action is the address of a form about a service; platform is the one
// that the preview shows.
func (l ServiceList) action(id, action string) string {
	return ServicePath + "/" + id + "/" + action + "?platform=" + l.Platform
}
