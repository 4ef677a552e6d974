package identity

import (
	"context"
	"errors"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// EndSession ends a sign-in or an access token of a user, on behalf of an
// administrator, or of the user with their own password: it refuses a wrong one with
// FieldErrors of password. Who has none needs another proof of who they are. ended is
// false if it had ended before. NotFound means that the user has no such sign-in.
func (s *Store) EndSession(ctx context.Context, by queries.Actor, own Confirmation, userID, signInID int64) (ended bool, err error) {
	n, err := s.end(ctx, by, own, userID, func(ctx context.Context, t *transaction) (int, error) {
		rows, err := t.endSignIn(ctx, endSignInParams{CompanyID: by.CompanyID, UserID: userID, ID: signInID, Now: t.now})
		if err != nil || len(rows) == 0 {
			return 0, err
		}
		return 1, t.recordEnd(ctx, by, reasonOf(by, userID), []endedSession{endedSession(rows[0])})
	})
	if err == nil && n == 0 {
		_, err = s.signInState(ctx, signInStateParams{by.CompanyID, userID, signInID})
	}
	return n > 0, err
}

// EndAll ends every sign-in and access token of a user but exceptID, as EndSession does,
// and tells the messenger to do the same. It returns how many the console ended.
func (s *Store) EndAll(ctx context.Context, by queries.Actor, own Confirmation, userID, exceptID int64) (ended int, err error) {
	return s.end(ctx, by, own, userID, func(ctx context.Context, t *transaction) (int, error) {
		ended, err := t.endAll(ctx, by, []int64{userID}, exceptID, reasonOf(by, userID))
		if err != nil {
			return 0, err
		}
		return ended, queries.New(t.tx).Publish(ctx, by.CompanyID, t.now, "session.revoke", map[string][]int64{"user_ids": {userID}})
	})
}

// SignOutElsewhere ends every sign-in and access token of a user but one in the
// console, with the user's own password as EndSession.
func (s *Store) SignOutElsewhere(ctx context.Context, by queries.Actor, own Confirmation, exceptID int64) error {
	_, err := s.end(ctx, by, own, by.UserID, func(ctx context.Context, t *transaction) (int, error) {
		return t.endAll(ctx, by, []int64{by.UserID}, exceptID, reasonSelf)
	})
	return err
}

func reasonOf(by queries.Actor, userID int64) string {
	if by.UserID == userID {
		return reasonSelf
	}
	return reasonAdministrator
}

// end runs what ends sessions of a user. It asks users for their password, or for a
// recent proof where they have none, before it ends their own, and records in the change
// log when somebody else did so.
func (s *Store) end(ctx context.Context, by queries.Actor, own Confirmation, userID int64, do func(context.Context, *transaction) (int, error)) (ended int, err error) {
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: by.CompanyID, ID: userID})
	if err != nil {
		return 0, err
	}
	if by.UserID == userID {
		err := s.confirm(ctx, person, own, usage.AccessSessionRevoked)
		var refused queries.Invalid
		if errors.As(err, &refused) {
			return 0, queries.FieldErrors{"password": refused}
		}
		if err != nil {
			return 0, err
		}
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		if ended, err = do(ctx, t); err != nil || ended == 0 || by.UserID == userID {
			return err
		}
		return queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{
			Action: "user.signed_out", ObjectType: "user", ObjectID: userID, ObjectName: person.Name,
		})
	})
	return ended, err
}
