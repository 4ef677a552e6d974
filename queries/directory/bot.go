package directory

import (
	"context"
	"time"

	"officeconsole/queries"
	"officeconsole/search"
)

// CreateBot adds a bot to the users of a company, in the transaction of the
// area that uses it.
func CreateBot(ctx context.Context, tx queries.Tx, companyID int64, name string, now time.Time) (id int64, err error) {
	q := New(tx)
	text, grams := botKey(name)
	id, err = q.insertBot(ctx, insertBotParams{CompanyID: companyID, Name: name, SearchText: text, SearchGrams: grams, Now: now})
	if err != nil {
		return 0, err
	}
	return id, q.touchDirectory(ctx, companyID)
}

// RenamedBot is a bot with its new name.
type RenamedBot struct {
	CompanyID, ID int64
	Name          string
}

// RenameBot gives a bot another name, in the transaction of the area that uses
// it.
func RenameBot(ctx context.Context, tx queries.Tx, bot RenamedBot, now time.Time) error {
	q := New(tx)
	text, grams := botKey(bot.Name)
	err := q.renameBot(ctx, renameBotParams{CompanyID: bot.CompanyID, ID: bot.ID, Name: bot.Name, SearchText: text, SearchGrams: grams, Now: now})
	if err != nil {
		return err
	}
	return q.touchDirectory(ctx, bot.CompanyID)
}

// botKey is search.Key of a name, which has no grams if it has one character.
func botKey(name string) (text string, grams []string) {
	text, grams = search.Key(name)
	if grams == nil {
		grams = []string{}
	}
	return text, grams
}
