package bot

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/search"
)

// MaxBody is the size of a call's body at most, in bytes.
const MaxBody = 64 << 10

const (
	longestKey = 255            // characters of an Idempotency-Key
	keyTime    = 24 * time.Hour // for which an Idempotency-Key counts
)

// Incoming is a message as a program sends it.
type Incoming struct {
	Text string    // Markdown
	To   Receivers // not used for KindHook, whose receivers an administrator chooses
	Key  string    // Idempotency-Key; "" for none
}

// Receipt is what the sender of a message gets.
type Receipt struct {
	ID       int64
	Repeated bool // whether the message was sent before with the same key
}

// payload is a message as the messenger gets it.
type payload struct {
	ID    int64     `json:"id"`
	BotID int64     `json:"bot_id"`
	At    time.Time `json:"at"`
	Text  string    `json:"text"`
	To    Receivers `json:"to"`
}

// Receive stores a message and publishes it as bot.message or bot.notification.
// It refuses with Refusal and UnknownReceivers; both are logged. Messages of a
// company that arrive at the same time are checked and stored together.
func (s *Store) Receive(ctx context.Context, sender Sender, m Incoming) (Receipt, error) {
	var receipt Receipt
	m, err := check(sender, m)
	if err == nil {
		receipt, err = s.queue.take(ctx, delivery{sender, m}, s.storeAll)
	}
	var refusal Refusal
	var unknown UnknownReceivers
	switch {
	case errors.As(err, &unknown):
		refusal = Refusal{Status: 422, Code: "bot.receivers.unknown"}
	case errors.Is(err, errNoHookReceivers):
		refusal, m.To = errNoHookReceivers, Receivers{}
	case !errors.As(err, &refusal):
		return receipt, err
	}
	return Receipt{}, errors.Join(err, s.logRefusal(ctx, sender, m, refusal))
}

// errNoHookReceivers refuses a message to a hook address without receivers that
// still exist.
var errNoHookReceivers = Refusal{Status: 404, Code: "bot.hook.receivers"}

// check refuses what needs no database to be refused, and returns the message with
// its receivers.
func check(sender Sender, m Incoming) (Incoming, error) {
	if !utf8.ValidString(m.Text) || strings.ContainsRune(m.Text, 0) {
		m.Text = ""
		return m, Refusal{Status: 422, Code: "bot.text.invalid"}
	}
	if utf8.RuneCountInString(m.Key) > longestKey || !utf8.ValidString(m.Key) || strings.ContainsRune(m.Key, 0) {
		return m, Refusal{Status: 422, Code: "bot.key.invalid"}
	}
	if search.IsBlank(m.Text) {
		return m, Refusal{Status: 422, Code: "bot.text.required"}
	}
	if sender.isHook() {
		m.To = sender.receivers
		return m, nil
	}
	switch m.To = m.To.normalized(); {
	case m.To.IsEmpty():
		return m, Refusal{Status: 422, Code: "bot.receivers.required"}
	case m.To.tooMany():
		m.To = Receivers{}
		return m, Refusal{Status: 422, Code: manyReceivers}
	}
	return m, nil
}

// isHook reports whether an administrator chose who gets the messages, and not
// their sender.
func (s Sender) isHook() bool { return s.kind == KindHook && s.trigger != TriggerResend }

// outcome is what becomes of a message: its receipt, or why it is refused.
type outcome struct {
	receipt Receipt
	err     error
}

// storeAll stores the messages of one company in one transaction, without those
// whose receivers are refused.
func (s *Store) storeAll(ctx context.Context, all []delivery) ([]outcome, error) {
	outcomes, err := s.resolveReceivers(ctx, all)
	if err != nil {
		return nil, err
	}
	var accepted []delivery
	var numbers []int // of the accepted messages among all
	for i := range all {
		if outcomes[i].err == nil {
			accepted, numbers = append(accepted, all[i]), append(numbers, i)
		}
	}
	if len(accepted) == 0 {
		return outcomes, nil
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		stored, err := s.storeIn(ctx, tx, accepted)
		for i, o := range stored {
			outcomes[numbers[i]] = o
		}
		return err
	})
	return outcomes, err
}

// resolveReceivers asks by one statement who of all receivers can get messages.
// Messages to others are refused, except that hook addresses leave them out.
func (s *Store) resolveReceivers(ctx context.Context, all []delivery) ([]outcome, error) {
	outcomes := make([]outcome, len(all))
	var asked Receivers
	for _, d := range all {
		asked.Users, asked.Departments = append(asked.Users, d.message.To.Users...), append(asked.Departments, d.message.To.Departments...)
	}
	known, err := s.existing(ctx, all[0].sender.companyID, asked.normalized())
	for i := range all {
		to := &all[i].message.To
		unknown := to.without(known)
		switch missing := len(unknown.Users) + len(unknown.Departments); {
		case !all[i].sender.isHook() && missing > 0:
			outcomes[i].err = UnknownReceivers{unknown.Users, unknown.Departments}
		case missing > 0:
			*to = to.without(unknown)
		}
		if to.IsEmpty() {
			outcomes[i].err = errNoHookReceivers
		}
	}
	return outcomes, err
}

func (s *Store) storeIn(ctx context.Context, tx queries.Tx, all []delivery) ([]outcome, error) {
	q, now, companyID := New(tx), s.db.Now(), all[0].sender.companyID
	ids, err := q.nextMessageIDs(ctx, int32(len(all)))
	if err != nil {
		return nil, err
	}
	outcomes, err := q.receipts(ctx, companyID, all, ids, now)
	if err != nil {
		return nil, err
	}
	arg := insertMessagesParams{CompanyID: companyID}
	var messages []queries.Message
	for i, d := range all {
		if outcomes[i].receipt.Repeated || outcomes[i].err != nil {
			continue
		}
		arg.add(ids[i], now, d.sender, d.message, Refusal{Status: d.sender.answer()})
		content, err := json.Marshal(payload{ids[i], d.sender.botID, now, d.message.Text, d.message.To})
		if err != nil {
			return nil, err
		}
		messages = append(messages, queries.Message{Type: d.sender.messageType(), Payload: content})
	}
	if len(messages) == 0 {
		return outcomes, nil
	}
	if err := q.insertMessages(ctx, arg); err != nil {
		return nil, err
	}
	return outcomes, queries.New(tx).PublishAll(ctx, companyID, now, messages)
}

// sentKey is an Idempotency-Key: programs choose keys for each kind of message.
type sentKey struct {
	kind Kind
	key  string
}

// errKeyUsed refuses a message with the Idempotency-Key of another message, which
// would be lost if it was taken for that one.
var errKeyUsed = Refusal{Status: 422, Code: "bot.key.used"}

// sentMessage is the first message with a key.
type sentMessage struct {
	id   int64
	text string
	to   Receivers
}

// isSame reports whether a message is the same as the first one. The receivers of a
// hook address are not the sender's choice, and may have changed.
func (m sentMessage) isSame(d delivery) bool {
	return m.text == d.message.Text && (d.sender.isHook() || m.to.equal(d.message.To))
}

// receipts returns what the sender of each message gets, and notes the keys of
// the messages that are sent for the first time.
func (q *Queries) receipts(ctx context.Context, companyID int64, all []delivery, ids []int64, now time.Time) ([]outcome, error) {
	outcomes := make([]outcome, len(all))
	first := map[sentKey]sentMessage{}
	claim := claimKeysParams{CompanyID: companyID, Now: now, Since: now.Add(-keyTime)}
	for i, d := range all {
		outcomes[i].receipt.ID = ids[i]
		key := sentKey{d.sender.kind, d.message.Key}
		if key.key == "" {
			continue
		}
		if _, known := first[key]; !known {
			first[key] = sentMessage{ids[i], d.message.Text, d.message.To}
			claim.Kinds, claim.Keys, claim.MessageIds = append(claim.Kinds, string(key.kind)), append(claim.Keys, key.key), append(claim.MessageIds, ids[i])
		}
	}
	if len(first) == 0 {
		return outcomes, nil
	}
	claimed, err := q.claimKeys(ctx, claim)
	if err != nil {
		return nil, err
	}
	if len(claimed) < len(first) {
		rows, err := q.sentWith(ctx, sentWithParams{CompanyID: companyID, Kinds: claim.Kinds, Keys: claim.Keys})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			first[sentKey{Kind(row.Kind), row.Key}] = sentMessage{row.ID, row.Text, row.Receivers}
		}
	}
	for i, d := range all {
		if d.message.Key == "" {
			continue
		}
		sent := first[sentKey{d.sender.kind, d.message.Key}]
		if !sent.isSame(d) {
			outcomes[i] = outcome{err: errKeyUsed}
			continue
		}
		outcomes[i].receipt = Receipt{sent.id, sent.id != ids[i] || !slices.Contains(claimed, sent.id)}
	}
	return outcomes, nil
}

// answer is the status that an accepted message is answered with.
func (s Sender) answer() int {
	if s.kind == KindHook {
		return 200
	}
	return 202
}

func (s Sender) messageType() string {
	if s.kind == KindNotification {
		return "bot.notification"
	}
	return "bot.message"
}

// add adds the row of a message or, with a code, of a refused call.
func (p *insertMessagesParams) add(id int64, at time.Time, sender Sender, m Incoming, answer Refusal) {
	receivers, _ := json.Marshal(m.To) // numbers and a bool
	address := ""
	if sender.address.IsValid() {
		address = sender.address.String()
	}
	p.Ids, p.Ats = append(p.Ids, id), append(p.Ats, at)
	p.Kinds, p.Triggers = append(p.Kinds, string(sender.kind)), append(p.Triggers, sender.trigger)
	p.TokenIds, p.Texts = append(p.TokenIds, sender.tokenID), append(p.Texts, m.Text)
	p.Receivers, p.Codes = append(p.Receivers, string(receivers)), append(p.Codes, answer.Code)
	p.Answers, p.TookUs = append(p.Answers, int32(answer.Status)), append(p.TookUs, int32(time.Since(sender.began).Microseconds()))
	p.Addresses, p.Agents = append(p.Addresses, address), append(p.Agents, sender.agent)
}
