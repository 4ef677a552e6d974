package api

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries"
	"officeconsole/queries/bot"
)

// registerBots registers the operations of administrators on the service bot.
func (c *calls) registerBots(middlewares huma.Middlewares) {
	const one = u + "/bots/service"
	describe := func(d call) huma.Operation {
		d.tag = "Service bot"
		return d.operation(middlewares)
	}
	unreadable := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
	huma.Register(c.api, describe(call{id: "service-bot", path: one, summary: "The service bot",
		description: "Every company has one. tokens has those that can be used; a kind without one is missing. ETag is the bot's version, for If-Match."}), c.serviceBot)
	huma.Register(c.api, describe(call{id: "update-service-bot", method: http.MethodPatch, path: one, errors: append([]int{http.StatusConflict, http.StatusPreconditionRequired}, unreadable...),
		summary: "Change the service bot", description: "What is left out stays as it is. With If-Match, 409 when somebody else changed it in between. A disabled bot refuses every call with 403 bot.disabled."}), c.updateServiceBot)
	image := describe(call{id: "set-service-bot-image", method: http.MethodPut, path: one + "/image", errors: append([]int{http.StatusRequestEntityTooLarge}, unreadable...),
		summary: "Give the service bot an image", description: "A PNG, JPEG or BMP under 10 MB; larger ones are scaled down to 160 pixels and lose their metadata. With Content-MD5, 422 bot.image.md5 for other content."})
	image.MaxBodyBytes = 2 * bot.MaxImageBytes
	huma.Register(c.api, image, c.setServiceBotImage)
	huma.Register(c.api, describe(call{id: "delete-service-bot-image", method: http.MethodDelete, path: one + "/image",
		summary: "Take the image from the service bot", description: "Answers the bot without it."}), c.deleteServiceBotImage)
	huma.Register(c.api, pictureOf(describe(call{id: "service-bot-image", path: one + "/image", summary: "The image of the service bot", description: "A PNG or JPEG. 404 where the bot has none."})), c.serviceBotImage)
	huma.Register(c.api, call{id: "rotate-service-bot-token", method: http.MethodPost, path: one + "/tokens/{kind}/rotation", tag: "Service bot", errors: unreadable,
		summary: "Replace a token of the service bot", description: "Also creates the first one. token is answered this once only. The token before works for overlap_seconds more, and then answers 401 bot.token.ended. path is where it is used; that of a hook takes Slack's payloads. " + provedText,
	}.operation(append(middlewares, c.proved)), c.rotateServiceBotToken)
	huma.Register(c.api, describe(call{id: "end-service-bot-token", method: http.MethodDelete, path: one + "/tokens/{token_id}", status: http.StatusNoContent,
		summary: "End a replaced token now", description: "404 for a token that nothing has replaced, or that has ended."}), c.endServiceBotToken)
	c.registerBotMessages(describe, one)
}

type botRow struct {
	ID               int64     `json:"id" doc:"Of the bot among the users."`
	Name             string    `json:"name"`
	Enabled          bool      `json:"enabled"`
	ImageURL         string    `json:"image_url,omitempty" doc:"Where its image is; another image has another URL. Missing where it has none."`
	AllowedAddresses []string  `json:"allowed_addresses" nullable:"false" doc:"Address ranges that calls may come from; none allows every address."`
	HookReceivers    receivers `json:"hook_receivers" doc:"Who gets what comes by the address for Slack's payloads."`
	Tokens           botTokens `json:"tokens"`
}

type receivers struct {
	Users       []int64 `json:"users,omitempty" nullable:"false" maxItems:"500"`
	Departments []int64 `json:"departments,omitempty" nullable:"false" maxItems:"500" doc:"With all below them."`
	Everyone    bool    `json:"everyone,omitempty"`
}

func (r receivers) receivers() bot.Receivers {
	return bot.Receivers{Users: r.Users, Departments: r.Departments, Everyone: r.Everyone}
}

func newReceivers(r bot.Receivers) receivers {
	return receivers{orEmpty(r.Users), orEmpty(r.Departments), r.Everyone}
}

type botTokens struct {
	Notification *botToken `json:"notification,omitempty"`
	Message      *botToken `json:"message,omitempty"`
	Hook         *botToken `json:"hook,omitempty" doc:"The address that takes Slack's payloads."`
}

type botToken struct {
	ID         int64      `json:"id"`
	Ending     string     `json:"ending" doc:"The last characters of the token."`
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at" doc:"To the minute."`
	LastUsedBy string     `json:"last_used_by,omitempty" doc:"The program that used it, by its User-Agent."`
	Address    string     `json:"last_used_from,omitempty"`
	EndsAt     *time.Time `json:"ends_at,omitempty" doc:"Of a token that was replaced."`
	Replaced   []botToken `json:"replaced,omitempty" nullable:"false" doc:"Earlier tokens that still work."`
}

func newBotToken(t bot.Token) botToken {
	row := botToken{ID: t.ID, Ending: t.Ending, CreatedAt: t.CreatedAt.UTC(), LastUsedAt: inUTC(t.UsedAt), LastUsedBy: t.UsedBy, EndsAt: inUTC(t.EndsAt)}
	if t.UsedFrom != nil {
		row.Address = t.UsedFrom.String()
	}
	return row
}

// newBotTokens groups tokens by kind; the current one of a kind is before those
// that it has replaced.
func newBotTokens(tokens []bot.Token) botTokens {
	var all botTokens
	for _, t := range tokens {
		current := map[bot.Kind]**botToken{bot.KindNotification: &all.Notification, bot.KindMessage: &all.Message, bot.KindHook: &all.Hook}[t.Kind]
		row := newBotToken(t)
		if *current == nil {
			*current = &row
		} else {
			(*current).Replaced = append((*current).Replaced, row)
		}
	}
	return all
}

type botOutput struct {
	ETag string `header:"ETag"`
	Body botRow
}

func (c *calls) serviceBot(ctx context.Context, in *OwnPath) (*botOutput, error) {
	b, err := c.db.Bots.Bot(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	tokens, err := c.db.Bots.Tokens(ctx, bot.TokensParams{CompanyID: in.CompanyID, Now: c.db.Now()})
	if err != nil {
		return nil, err
	}
	row := botRow{
		ID: b.ID, Name: b.Name, Enabled: b.Enabled, AllowedAddresses: b.AllowedAddresses,
		HookReceivers: newReceivers(b.HookReceivers), Tokens: newBotTokens(tokens),
	}
	if b.Image != "" {
		row.ImageURL = fmt.Sprintf("%s/companies/%d/users/%d/bots/service/image?v=%.8s", base, in.CompanyID, callerOf(ctx).ID, bot.ImageHash(b.Image))
	}
	return &botOutput{versionTag(b.VersionNo), row}, nil
}

type updateBotInput struct {
	OwnPath
	IfMatch string `header:"If-Match" doc:"The ETag of the bot as the client has seen it; without it whatever there is is changed."`
	Body    struct {
		Name             *string    `json:"name,omitempty" doc:"At most 20 characters."`
		Enabled          *bool      `json:"enabled,omitempty"`
		AllowedAddresses *[]string  `json:"allowed_addresses,omitempty" doc:"IPv4: a.b.c.d, a.b.c.d/n, a.b.c.d-e.f.g.h or a.b.c.*; at most 50."`
		HookReceivers    *receivers `json:"hook_receivers,omitempty"`
	}
}

func (c *calls) updateServiceBot(ctx context.Context, in *updateBotInput) (*botOutput, error) {
	seen, err := ifMatchAny(in.IfMatch)
	if err != nil {
		return nil, err
	}
	err = c.db.Bots.Update(ctx, actor(ctx), seen, func(d bot.Draft) bot.Draft {
		replace(&d.Name, in.Body.Name)
		replace(&d.Enabled, in.Body.Enabled)
		replace(&d.AllowedAddresses, in.Body.AllowedAddresses)
		if in.Body.HookReceivers != nil {
			d.HookReceivers = in.Body.HookReceivers.receivers()
		}
		return d
	})
	if err != nil {
		return nil, err
	}
	return c.serviceBot(ctx, &in.OwnPath)
}

type setBotImageInput struct {
	OwnPath
	ContentMD5 string `header:"Content-MD5" doc:"Of the body, in Base64 or hexadecimal digits."`
	RawBody    []byte `contentType:"application/octet-stream"`
}

func (c *calls) setServiceBotImage(ctx context.Context, in *setBotImageInput) (*botOutput, error) {
	key, err := bot.StoreImage(ctx, c.blobs, in.CompanyID, bytes.NewReader(in.RawBody), in.ContentMD5)
	if err != nil {
		return nil, err
	}
	return c.changeBotImage(ctx, &in.OwnPath, key)
}

func (c *calls) deleteServiceBotImage(ctx context.Context, in *OwnPath) (*botOutput, error) {
	return c.changeBotImage(ctx, in, "")
}

func (c *calls) changeBotImage(ctx context.Context, in *OwnPath, key string) (*botOutput, error) {
	if err := c.db.Bots.SetImage(ctx, actor(ctx), key); err != nil {
		return nil, err
	}
	return c.serviceBot(ctx, in)
}

func (c *calls) serviceBotImage(ctx context.Context, in *OwnPath) (*pictureOutput, error) {
	b, err := c.db.Bots.Bot(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	return c.picture(ctx, b.Image)
}

type rotateBotTokenInput struct {
	OwnPath
	Kind string `path:"kind" enum:"notification,message,hook"`
	Body struct {
		OverlapSeconds int64 `json:"overlap_seconds" minimum:"0" maximum:"604800" doc:"How long the token before works on."`
	}
}

type rotateBotTokenOutput struct {
	Body struct {
		Token string `json:"token"`
		Path  string `json:"path" doc:"Of the address that the token is for."`
	}
}

func (c *calls) rotateServiceBotToken(ctx context.Context, in *rotateBotTokenInput) (*rotateBotTokenOutput, error) {
	b, err := c.db.Bots.Bot(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	out := &rotateBotTokenOutput{}
	out.Body.Token, err = c.db.Bots.Rotate(ctx, actor(ctx), bot.Kind(in.Kind), time.Duration(in.Body.OverlapSeconds)*time.Second)
	out.Body.Path = bot.Path(bot.Kind(in.Kind), b.ID, out.Body.Token)
	return out, err
}

type endBotTokenInput struct {
	OwnPath
	TokenID int64 `path:"token_id"`
}

func (c *calls) endServiceBotToken(ctx context.Context, in *endBotTokenInput) (*struct{}, error) {
	return nil, c.db.Bots.EndToken(ctx, actor(ctx), in.TokenID)
}

type companyBotOutput struct {
	Body struct {
		ID       int64  `json:"id"`
		Name     string `json:"name"`
		Enabled  bool   `json:"enabled"`
		ImageURL string `json:"image_url,omitempty" doc:"Where its image is, by a service token; another image has another URL."`
	}
}

// companyBot returns the profile of the bot for the messenger.
func (c *calls) companyBot(ctx context.Context, in *CompanyPath) (*companyBotOutput, error) {
	b, err := c.db.Bots.Bot(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	out := &companyBotOutput{}
	out.Body.ID, out.Body.Name, out.Body.Enabled = b.ID, b.Name, b.Enabled
	if b.Image != "" {
		out.Body.ImageURL = fmt.Sprintf("%s/companies/%d/bots/service/images/%s", base, in.CompanyID, bot.ImageHash(b.Image))
	}
	return out, nil
}

type companyBotImageInput struct {
	CompanyPath
	Hash string `path:"hash"`
}

// companyBotImage returns the image of the bot for the messenger.
func (c *calls) companyBotImage(ctx context.Context, in *companyBotImageInput) (*pictureOutput, error) {
	b, err := c.db.Bots.Bot(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	if b.Image == "" || bot.ImageHash(b.Image) != in.Hash {
		return nil, queries.NotFound
	}
	return c.picture(ctx, b.Image)
}
