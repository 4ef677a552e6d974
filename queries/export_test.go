package queries

import "context"

const MessageDays = messageDays

var ErrBusy = errBusy

// Notification exports what listen sends.
type Notification struct{ CompanyID, ID int64 }

// Listen exports listen.
func (db *DB) Listen(ctx context.Context) <-chan Notification {
	found := make(chan Notification)
	go func() {
		defer close(found)
		for n := range db.listen(ctx) {
			found <- Notification{n.companyID, n.id}
		}
	}()
	return found
}
