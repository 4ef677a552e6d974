package identity

import (
	"context"
	"errors"
	"strings"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/usage"
)

// EndSession ends a sign-in of a user, on behalf of the user or of an administrator.
// ended is false if it had ended before. NotFound means that the user has no such
// sign-in.
func (s *Store) EndSession(ctx context.Context, by queries.Actor, userID, signInID int64) (ended bool, err error) {
	end := func(ctx context.Context, t *transaction) (int, error) {
		rows, err := t.endSignIn(ctx, endSignInParams{CompanyID: by.CompanyID, UserID: userID, ID: signInID, Now: &t.now})
		if err != nil || len(rows) == 0 {
			return 0, err
		}
		of := endedSession{userID, rows[0].Address, rows[0].UserAgent}
		return 1, t.recordEnd(ctx, by, usage.Access{Kind: string(usage.AccessSessionRevoked), Reason: reasonOf(by, userID)}, []endedSession{of})
	}
	n, err := s.end(ctx, by, userID, end)
	if err == nil && n == 0 {
		_, err = s.signInState(ctx, signInStateParams{by.CompanyID, userID, signInID})
	}
	return n > 0, err
}

// EndToken ends an access token of a user, as EndSession ends a sign-in.
func (s *Store) EndToken(ctx context.Context, by queries.Actor, userID, tokenID int64) (ended bool, err error) {
	end := func(ctx context.Context, t *transaction) (int, error) {
		rows, err := t.revokeTokenByID(ctx, revokeTokenByIDParams{CompanyID: by.CompanyID, UserID: userID, ID: tokenID, Now: &t.now})
		if err != nil || len(rows) == 0 {
			return 0, err
		}
		return 1, t.recordEnd(ctx, by, usage.Access{Kind: string(usage.AccessTokenRevoked), Reason: reasonOf(by, userID)}, []endedSession{{userID: userID}})
	}
	n, err := s.end(ctx, by, userID, end)
	if err == nil && n == 0 {
		_, err = s.tokenState(ctx, tokenStateParams{Now: s.db.Now(), CompanyID: by.CompanyID, UserID: userID, ID: tokenID})
	}
	return n > 0, err
}

// EndServiceToken ends a service token of the actor's company, whose programs can then
// neither send nor read anything. ended is false if it had ended before. NotFound
// means that the company has no such token.
func (s *Store) EndServiceToken(ctx context.Context, by queries.Actor, id int64) (ended bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		scopes, err := t.serviceTokenScopes(ctx, serviceTokenScopesParams{by.CompanyID, id})
		if err != nil {
			return err
		}
		revoked, err := t.revokeServiceToken(ctx, revokeServiceTokenParams{Now: t.now, CompanyID: by.CompanyID, ID: id})
		if ended = revoked > 0; err != nil || !ended {
			return err
		}
		if err := t.record(ctx, by.CompanyID, usage.Access{
			Kind: string(usage.AccessTokenRevoked), Reason: reasonAdministrator, Source: string(sourceOf(by)), Ip: usage.AddressOf(by.Address),
			ActorID: queries.OrNil(by.UserID), ActorName: by.Name,
		}); err != nil {
			return err
		}
		return queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{
			Action: "token.ended", ObjectType: "token", ObjectID: id, ObjectName: strings.Join(scopes, ", "),
		})
	})
	return ended, err
}

// EndAll ends every sign-in of a user but exceptID, and all of the user's access
// tokens, and tells the messenger to do the same. It returns how many the console
// ended.
func (s *Store) EndAll(ctx context.Context, by queries.Actor, userID, exceptID int64) (ended int, err error) {
	return s.end(ctx, by, userID, func(ctx context.Context, t *transaction) (int, error) {
		ended, err := t.endAll(ctx, by, []int64{userID}, exceptID, reasonOf(by, userID))
		if err != nil {
			return 0, err
		}
		return ended, queries.New(t.tx).Publish(ctx, by.CompanyID, t.now, "session.revoke", map[string][]int64{"user_ids": {userID}})
	})
}

func reasonOf(by queries.Actor, userID int64) string {
	if by.UserID == userID {
		return reasonSelf
	}
	return reasonAdministrator
}

// end runs what ends sessions of a user, and records in the change log when somebody
// else did so.
func (s *Store) end(ctx context.Context, by queries.Actor, userID int64, do func(context.Context, *transaction) (int, error)) (ended int, err error) {
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: by.CompanyID, ID: userID})
	if err != nil {
		return 0, err
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

// LockedUntil returns until when nobody can sign in to a user's account, because of
// too many failures; the zero time if it is not locked.
func (s *Store) LockedUntil(ctx context.Context, companyID, userID int64) (time.Time, error) {
	email, err := s.emailOf(ctx, emailOfParams{companyID, userID})
	if err != nil {
		return time.Time{}, err
	}
	return s.lockedUntil(ctx, s.db.Now(), email)
}

func (q *Queries) lockedUntil(ctx context.Context, now time.Time, email string) (time.Time, error) {
	tries, err := q.triesOf(ctx, triesOfParams{accountSubject(email), now.Add(-tryWindow)})
	if errors.Is(err, queries.NotFound) || err == nil && tries.Failures < triesPerAccount {
		return time.Time{}, nil
	}
	return tries.Since.Add(tryWindow), err
}

// Unlock lets a user whose account is locked try again at once. unlocked is false if
// it was not locked any more.
func (s *Store) Unlock(ctx context.Context, by queries.Actor, userID int64) (unlocked bool, err error) {
	person, err := s.directory.Person(ctx, directory.PersonParams{CompanyID: by.CompanyID, ID: userID})
	if err != nil {
		return false, err
	}
	err = s.inTx(ctx, func(ctx context.Context, t *transaction) error {
		if unlocked, err = t.unlock(ctx, by, person); err != nil || !unlocked {
			return err
		}
		return queries.New(t.tx).RecordChange(ctx, by, t.now, queries.Change{Action: "user.unlocked", ObjectType: "user", ObjectID: userID, ObjectName: person.Name})
	})
	return unlocked, err
}

func (t *transaction) unlock(ctx context.Context, by queries.Actor, person directory.Person) (unlocked bool, err error) {
	until, err := t.lockedUntil(ctx, t.now, person.Email)
	if err != nil || until.IsZero() {
		return false, err
	}
	if err := t.forgetTries(ctx, accountSubject(person.Email)); err != nil {
		return false, err
	}
	return true, t.record(ctx, by.CompanyID, usage.Access{
		UserID: &person.ID, Kind: string(usage.AccessUnlocked), Reason: reasonOf(by, person.ID), Source: string(sourceOf(by)), Ip: usage.AddressOf(by.Address),
		ActorID: queries.OrNil(by.UserID), ActorName: by.Name,
	})
}
