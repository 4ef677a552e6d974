package queries

import "context"

const MessageDays = messageDays

var ErrBusy = errBusy

// Notification is a notification of listen.
type Notification struct{ CompanyID, ID int64 }

// Listen is listen.
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
