package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries/bot"
)

// registerBotMessages registers the log of the service bot.
func (c *calls) registerBotMessages(describe func(call) huma.Operation, one string) {
	huma.Register(c.api, describe(call{id: "service-bot-deliveries", path: one + "/deliveries", summary: "What was sent through the service bot, the latest first",
		description: "Accepted messages and refused calls of the last thirty days."}), c.botMessages)
	huma.Register(c.api, describe(call{id: "service-bot-delivery", path: one + "/deliveries/{delivery_id}", summary: "One message or refused call",
		description: "404 once it is older than thirty days."}), c.botMessage)
	huma.Register(c.api, describe(call{id: "resend-service-bot-delivery", method: http.MethodPost, path: one + "/deliveries/{delivery_id}/resending", status: http.StatusAccepted,
		errors: []int{http.StatusUnprocessableEntity}, summary: "Send a message again",
		description: "A new message with the same text to the same receivers, as far as they still exist. 422 for a call that was refused."}), c.resendBotMessage)
}

// registerBotCalls registers what other programs send messages with.
func (c *calls) registerBotCalls() {
	for _, d := range []struct {
		kind          bot.Kind
		id, path, sum string
	}{
		{bot.KindMessage, "send-message", "messages", "Send a message as the service bot"},
		{bot.KindNotification, "send-notification", "notifications", "Send a notification as the service bot"},
	} {
		op := call{id: d.id, method: http.MethodPost, path: "/bots/{bot_id}/" + d.path, tag: "Service bot", status: http.StatusAccepted, summary: d.sum,
			description: fmt.Sprintf("By the bot's %s token as Bearer. At most 64 KB, %d calls a second and %d at once; 429 has Retry-After. The same message with the same Idempotency-Key within 24 hours answers the same id and sends nothing again; another message with it is refused with 422 bot.key.used. "+
				"401 bot.token.ended: the token was replaced. 403: the bot is disabled (bot.disabled), the token is of another kind (bot.token.kind) or the address is not allowed (bot.address). 422 names receivers that do not exist.", d.kind, bot.Rate, bot.Burst),
			errors: []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusTooManyRequests},
		}.operation(nil)
		op.Security = []map[string][]string{{"bearer": {}}}
		op.MaxBodyBytes = 4 * bot.MaxBody // larger ones are refused without being logged
		op.Middlewares = huma.Middlewares{c.botSender(d.kind)}
		op.SkipValidateBody = true
		huma.Register(c.api, op, c.sendBotMessage)
		// huma describes a body that the operation reads itself as any bytes.
		document := c.api.OpenAPI()
		document.Paths[op.Path].Post.RequestBody.Content["application/json"].Schema = document.Components.Schemas.Schema(reflect.TypeFor[BotMessageBody](), true, "")
	}
}

type senderKey struct{}

// botSender is the middleware that requires a token of the bot in the path.
func (c *calls) botSender(kind bot.Kind) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		scheme, secret, _ := strings.Cut(ctx.Header("Authorization"), " ")
		id, err := strconv.ParseInt(ctx.Param("bot_id"), 10, 64)
		switch {
		case !strings.EqualFold(scheme, "Bearer") || strings.TrimSpace(secret) == "":
			c.refuse(ctx, refusal{http.StatusUnauthorized, "bot.token.missing"})
			return
		case err != nil || id <= 0:
			c.refuse(ctx, refusal{http.StatusNotFound, "bot.token.other"})
			return
		}
		sender, err := c.db.Bots.Admit(ctx.Context(), bot.Call{Secret: strings.TrimSpace(secret), Kind: kind, BotID: id, Address: addressOf(ctx), Agent: ctx.Header("User-Agent")})
		var refused bot.Refusal
		if errors.As(err, &refused) {
			if refused.RetryAfter > 0 {
				ctx.SetHeader("Retry-After", strconv.Itoa(int(math.Ceil(refused.RetryAfter.Seconds()))))
			}
			err = refusal{refused.Status, refused.Code}
		}
		if err != nil {
			c.refuse(ctx, err)
			return
		}
		next(huma.WithContext(ctx, context.WithValue(ctx.Context(), senderKey{}, sender)))
	}
}

type sendBotMessageInput struct {
	BotID          int64  `path:"bot_id"`
	IdempotencyKey string `header:"Idempotency-Key" doc:"Chosen by the sender, at most 255 characters, so that a call sent twice counts once."`
	ContentType    string `header:"Content-Type" hidden:"true"`
	RawBody        []byte `contentType:"application/json"`
}

// BotMessageBody is a message as a program sends it.
type BotMessageBody struct {
	Text string    `json:"text" minLength:"1" doc:"Markdown."`
	To   receivers `json:"to" doc:"Who gets it: everyone, or users, and the people of departments with all below them."`
}

type sentOutput struct {
	Body struct {
		ID int64 `json:"id"`
	}
}

// sendBotMessage takes in a message. It reads the body itself, so that what is
// wrong with it can be logged.
func (c *calls) sendBotMessage(ctx context.Context, in *sendBotMessageInput) (*sentOutput, error) {
	sender, _ := ctx.Value(senderKey{}).(bot.Sender)
	body, refused := c.readBotMessage(ctx, in.ContentType, in.RawBody)
	if refused != nil {
		if err := c.db.Bots.LogRefusal(ctx, sender, bot.Refusal{Status: refused.status, Code: refused.Code}); err != nil {
			return nil, err
		}
		return nil, refused
	}
	receipt, err := c.db.Bots.Receive(ctx, sender, bot.Incoming{Text: body.Text, To: body.To.receivers(), Key: in.IdempotencyKey})
	return sent(ctx, receipt, err)
}

// sent returns the response for a receipt or a refusal.
func sent(ctx context.Context, receipt bot.Receipt, err error) (*sentOutput, error) {
	var refused bot.Refusal
	var unknown bot.UnknownReceivers
	switch {
	case errors.As(err, &refused):
		return nil, refusal{refused.Status, refused.Code}
	case errors.As(err, &unknown):
		return nil, unknownReceivers(ctx, unknown)
	case err != nil:
		return nil, err
	}
	out := &sentOutput{}
	out.Body.ID = receipt.ID
	return out, nil
}

// readBotMessage decodes a body, or returns why it is refused.
func (c *calls) readBotMessage(ctx context.Context, contentType string, content []byte) (body BotMessageBody, refused *problem) {
	refuse := func(status int, code string, fields ...fieldProblem) (BotMessageBody, *problem) {
		return BotMessageBody{}, &problem{status: status, Code: code, Message: locales.T(ctx, code), Errors: fields}
	}
	if len(content) > bot.MaxBody {
		return refuse(http.StatusRequestEntityTooLarge, "bot.body.large")
	}
	if !utf8.Valid(content) {
		return refuse(http.StatusBadRequest, "bot.body.utf8")
	}
	err := c.api.Unmarshal(contentType, content, &body)
	if errors.Is(err, huma.ErrUnknownContentType) {
		return refuse(http.StatusUnsupportedMediaType, "api.media_type")
	}
	var wrong *json.UnmarshalTypeError
	if err != nil && !(errors.As(err, &wrong) && wrong.Field != "") {
		return refuse(http.StatusBadRequest, "bot.body.json")
	}
	fields, unreadable := c.wrongFields(ctx, content)
	if unreadable != nil {
		return refuse(http.StatusBadRequest, "bot.body.json")
	}
	if len(fields) == 0 && wrong != nil { // a number that is too large
		fields = []fieldProblem{{wrong.Field, "api.field.invalid", locales.T(ctx, "api.field.invalid")}}
	}
	if len(fields) > 0 {
		return refuse(http.StatusUnprocessableEntity, "api.refused", fields...)
	}
	return body, nil
}

// wrongFields returns the fields of a message that are unknown or of another type.
// Receive has messages of its own for what is missing, empty or too long; null is as
// good as missing.
func (c *calls) wrongFields(ctx context.Context, content []byte) (fields []fieldProblem, err error) {
	var sent any
	if err := json.Unmarshal(content, &sent); err != nil {
		return nil, err
	}
	var found huma.ValidateResult
	schema := &huma.Schema{Ref: "#/components/schemas/BotMessageBody"}
	huma.Validate(c.api.OpenAPI().Components.Schemas, schema, huma.NewPathBuffer([]byte("body"), len("body")), huma.ModeWriteToServer, sent, &found)
	for _, err := range found.Errors {
		var detail *huma.ErrorDetail
		if errors.As(err, &detail) && detail.Value != nil && !strings.Contains(detail.Message, "length") && !strings.HasPrefix(detail.Message, "expected required") {
			fields = append(fields, violation(ctx, detail))
		}
	}
	sortFields(fields)
	return fields, nil
}

// unknownReceivers returns the response that names receivers who do not exist.
func unknownReceivers(ctx context.Context, unknown bot.UnknownReceivers) *problem {
	p := &problem{status: http.StatusUnprocessableEntity}
	add := func(field, id string, ids []int64) {
		for _, missing := range ids {
			p.Errors = append(p.Errors, fieldProblem{field, id, locales.T(ctx, id, "ID", strconv.FormatInt(missing, 10))})
		}
	}
	add("to.users", "bot.receivers.user", unknown.Users)
	add("to.departments", "bot.receivers.department", unknown.Departments)
	p.Code, p.Message = "bot.receivers.unknown", p.Errors[0].Message
	return p
}

type botMessagesInput struct {
	OwnPath
	Status string `query:"status" enum:"accepted,refused"`
	Kind   string `query:"kind" enum:"notification,message,hook"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

type botMessage struct {
	ID        int64     `json:"id"`
	At        time.Time `json:"at"`
	Kind      string    `json:"kind" enum:"notification,message,hook"`
	Trigger   string    `json:"trigger" enum:"call,test,resend" doc:"What sent it: a program, or an administrator to test, or again."`
	Text      string    `json:"text" doc:"Empty of a call that was refused before its text was read."`
	To        receivers `json:"to"`
	Status    string    `json:"status" enum:"accepted,refused"`
	Code      string    `json:"code,omitempty" doc:"Why it was refused."`
	Message   string    `json:"message,omitempty" doc:"The same in words."`
	Answer    int32     `json:"answer" doc:"The status of HTTP that it was answered with."`
	TookMicro int32     `json:"took_us" doc:"Microseconds from the call until it was stored."`
	Address   string    `json:"address,omitempty"`
	Agent     string    `json:"agent,omitempty" doc:"The program, by its User-Agent; or the administrator."`
}

func newBotMessage(ctx context.Context, m bot.Message) botMessage {
	row := botMessage{
		ID: m.ID, At: m.At.UTC(), Kind: string(m.Kind), Trigger: m.Trigger, Text: m.Text, To: newReceivers(m.Receivers),
		Status: bot.StatusAccepted, Answer: m.Answer, TookMicro: m.TookUs, Agent: m.Agent,
	}
	if !m.Accepted {
		row.Status, row.Code, row.Message = bot.StatusRefused, m.Code, locales.T(ctx, m.Code)
	}
	if m.Address != nil {
		row.Address = m.Address.String()
	}
	return row
}

type botMessagesOutput struct{ Body list[botMessage] }

func (c *calls) botMessages(ctx context.Context, in *botMessagesInput) (*botMessagesOutput, error) {
	page, err := c.db.Bots.Messages(ctx, in.CompanyID, bot.Filter{Status: in.Status, Kind: bot.Kind(in.Kind), Cursor: in.Cursor.Cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	return &botMessagesOutput{listed(page, func(m bot.Message) botMessage { return newBotMessage(ctx, m) })}, nil
}

// BotMessagePath is the path of a message in the log.
type BotMessagePath struct {
	OwnPath
	DeliveryID int64 `path:"delivery_id"`
}

type botMessageOutput struct{ Body botMessage }

func (c *calls) botMessage(ctx context.Context, in *BotMessagePath) (*botMessageOutput, error) {
	m, err := c.db.Bots.Message(ctx, bot.MessageParams{CompanyID: in.CompanyID, ID: in.DeliveryID})
	if err != nil {
		return nil, err
	}
	return &botMessageOutput{newBotMessage(ctx, m)}, nil
}

func (c *calls) resendBotMessage(ctx context.Context, in *BotMessagePath) (*sentOutput, error) {
	receipt, err := c.db.Bots.Resend(ctx, actor(ctx), in.DeliveryID)
	return sent(ctx, receipt, err)
}
