package bot

import (
	"context"
	"errors"
	"time"

	"officeconsole/queries"
)

// SendTest sends a message as a program with a token of the kind would: to the
// receivers of the hook address, or else to the administrator. It refuses as
// Receive does, and a disabled bot.
func (s *Store) SendTest(ctx context.Context, by queries.Actor, kind Kind, text string) (Receipt, error) {
	sender, _, err := s.administrator(ctx, by, kind, TriggerTest)
	if err != nil {
		return Receipt{}, err
	}
	return s.Receive(ctx, sender, Incoming{Text: text, To: Receivers{Users: []int64{by.UserID}}})
}

// Resend sends the content of an earlier message to the same receivers again. It
// refuses as Receive does, a disabled bot, and a call that was refused.
func (s *Store) Resend(ctx context.Context, by queries.Actor, id int64) (receipt Receipt, err error) {
	m, err := s.Message(ctx, MessageParams{by.CompanyID, id})
	if err != nil {
		return Receipt{}, err
	}
	if !m.Accepted {
		return Receipt{}, queries.Invalid("bot.resend.refused")
	}
	sender, bot, err := s.administrator(ctx, by, m.Kind, TriggerResend)
	if err != nil {
		return Receipt{}, err
	}
	to, err := s.existing(ctx, by.CompanyID, m.Receivers)
	if err != nil {
		return Receipt{}, err
	}
	if to.IsEmpty() {
		return Receipt{}, queries.Invalid("bot.resend.receivers")
	}
	message := Incoming{Text: m.Text, To: to}
	err = s.db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		outcomes, err := s.storeIn(ctx, tx, []delivery{{sender, message}})
		if err != nil {
			return err
		}
		receipt = outcomes[0].receipt // without a key none is refused
		return queries.New(tx).RecordChange(ctx, by, s.db.Now(), queries.Change{
			Action: "bot.message_resent", ObjectType: "bot", ObjectID: bot.ID, ObjectName: bot.Name,
			Old: resentMessage{id}, New: resentMessage{receipt.ID},
		})
	})
	return receipt, err
}

// resentMessage is a message in the change log.
type resentMessage struct {
	MessageID int64 `json:"message_id"`
}

// administrator returns an administrator as a sender, and the bot. Where the bot
// is disabled it logs the refusal and returns it.
func (s *Store) administrator(ctx context.Context, by queries.Actor, kind Kind, trigger string) (Sender, Bot, error) {
	if prefixes[kind] == "" {
		return Sender{}, Bot{}, queries.NotFound
	}
	bot, err := s.Bot(ctx, by.CompanyID)
	if err != nil {
		return Sender{}, bot, err
	}
	sender := Sender{
		companyID: by.CompanyID, botID: bot.ID, kind: kind, trigger: trigger, receivers: bot.HookReceivers,
		address: by.Address, agent: by.Name, began: time.Now(),
	}
	if !bot.Enabled {
		refusal := Refusal{Status: 403, Code: "bot.disabled"}
		err = errors.Join(refusal, s.LogRefusal(ctx, sender, refusal))
	}
	return sender, bot, err
}
