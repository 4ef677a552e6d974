package hiding

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/policy"
	"officeconsole/workday"
)

// MaxPeople is how many people can be hidden or shown at once (domain §9.15).
const MaxPeople = 500

// maxReason is the maximum length of a reason in characters.
const maxReason = 200

// Draft is whom to hide and why.
type Draft struct {
	UserIDs []int64
	Kind    Kind   // Other if it is empty
	Reason  string // in the administrator's words, possibly empty

	ShowAgainOn workday.Date // the company's day on which ShowDue shows them; 0 for none
}

// Named is a user in a result or a refusal.
type Named struct {
	ID   int64
	Name string
}

// Result is what a request has hidden or shown again. Set is the number by
// which Undo reverts it.
type Result struct {
	Set    int64
	People []Named
	Absent int                  // how many of those who were shown or reactivated are still in the other state
	Broken []policy.BrokenCheck // the checks of policies that it breaks, which only warn
}

// Refusal says which people cannot be hidden and why. It is a FieldErrors of
// user_ids.
type Refusal struct {
	Why    queries.Invalid
	People []Named
}

func (r *Refusal) Error() string { return fmt.Sprintf("cannot hide %v: %s", r.People, r.Why) }

// Unwrap returns the FieldErrors.
func (r *Refusal) Unwrap() error { return queries.FieldErrors{"user_ids": r.Why} }

// The refusals of people who are to be hidden or shown again.
const (
	RefusedNobody  queries.Invalid = "hiding.target.required"
	RefusedMany    queries.Invalid = "hiding.target.many"
	RefusedUnknown queries.Invalid = "hiding.target.unknown"
	RefusedBot     queries.Invalid = "hiding.target.bot"
	RefusedSelf    queries.Invalid = "hiding.target.self"
	RefusedHidden  queries.Invalid = "hiding.target.hidden"
	RefusedLeft    queries.Invalid = "deactivation.target.left"
	RefusedLast    queries.Invalid = "hiding.target.last_admin"
)

// refused returns a refusal in the words of a state.
func (s State) refused(why queries.Invalid) queries.Invalid {
	if s == Deactivated {
		switch why {
		case RefusedBot:
			return "deactivation.target.bot"
		case RefusedSelf:
			return "deactivation.target.self"
		case RefusedLast:
			return "deactivation.target.last_admin"
		}
	}
	return why
}

// Hide hides people, all or none of them: they can no longer sign in, and their
// sign-ins and access tokens end for good. It refuses with FieldErrors or a
// Refusal, which is one for user_ids.
func (s *Store) Hide(ctx context.Context, by queries.Actor, d Draft) (Result, error) {
	if err := s.check(ctx, by, &d); err != nil {
		return Result{}, err
	}
	var hidden Result
	return hidden, s.inTx(ctx, by, func(ctx context.Context, t *transaction) (err error) {
		why := make([]newHiding, len(d.UserIDs))
		for i, id := range d.UserIDs {
			why[i] = newHiding{id, d.Kind, d.Reason, d.ShowAgainOn}
		}
		hidden, err = t.hide(ctx, Hidden, Administrator, why)
		return err
	})
}

// Check refuses what Hide would refuse, and changes nothing. It returns the checks of
// policies that hiding would break, which only warn.
func (s *Store) Check(ctx context.Context, by queries.Actor, d Draft) ([]policy.BrokenCheck, error) {
	if err := s.check(ctx, by, &d); err != nil {
		return nil, err
	}
	return s.checkPeople(ctx, by, Hidden, d.UserIDs)
}

// errChecked ends a transaction that was made to find out what a change does.
var errChecked = errors.New("checked")

// checkPeople refuses people who cannot be hidden or deactivated.
func (s *Store) checkPeople(ctx context.Context, by queries.Actor, state State, ids []int64) (broken []policy.BrokenCheck, err error) {
	err = s.inTx(ctx, by, func(ctx context.Context, t *transaction) error {
		broken, err = t.hold(ctx, ids, func(ctx context.Context) error {
			if _, err := t.hideable(ctx, state, ids); err != nil {
				return err
			}
			return t.hideUsers(ctx, hideUsersParams{CompanyID: by.CompanyID, Ids: ids, Now: t.now, State: string(state)})
		})
		if err == nil {
			err = errChecked
		}
		return err
	})
	if errors.Is(err, errChecked) {
		err = nil
	}
	return broken, err
}

// check completes the draft and refuses what cannot be stored.
func (s *Store) check(ctx context.Context, by queries.Actor, d *Draft) error {
	refused := queries.FieldErrors{}
	var err error
	if d.UserIDs, err = distinct(d.UserIDs); err != nil && !errors.As(err, &refused) {
		return err
	}
	if d.Kind == "" {
		d.Kind = Other
	}
	if !slices.Contains(Kinds, d.Kind) {
		refused["kind"] = "hiding.kind.invalid"
	}
	checkReason(&d.Reason, refused)
	if d.ShowAgainOn != 0 {
		today, err := s.today(ctx, todayParams{s.db.Now(), by.CompanyID})
		if err != nil {
			return err
		}
		if d.ShowAgainOn <= workday.DateOf(today) {
			refused["show_again_on"] = "hiding.show_again_on.past"
		}
	}
	if len(refused) > 0 {
		return refused
	}
	return nil
}

// checkReason completes a reason, or adds its refusal.
func checkReason(reason *string, refused queries.FieldErrors) {
	*reason = strings.TrimSpace(strings.ReplaceAll(*reason, "\r\n", "\n"))
	switch {
	case utf8.RuneCountInString(*reason) > maxReason:
		refused["reason"] = "hiding.reason.long"
	case !utf8.ValidString(*reason) || strings.ContainsRune(*reason, 0):
		refused["reason"] = "error.unreadable"
	}
}

// distinct returns ids in ascending order without duplicates. It refuses none
// and too many.
func distinct(ids []int64) ([]int64, error) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	switch {
	case len(ids) == 0:
		return nil, queries.FieldErrors{"user_ids": RefusedNobody}
	case len(ids) > MaxPeople:
		return nil, queries.FieldErrors{"user_ids": RefusedMany}
	}
	return ids, nil
}

// transaction changes the hidings of a company.
type transaction struct {
	*Queries
	tx       queries.Tx
	shared   *queries.Queries
	policies *policy.Store // nil in the transaction of another rule
	by       queries.Actor
	now      time.Time

	isAutomatic bool // made by the program itself
}

// newHiding is a user to hide, with the reason.
type newHiding struct {
	userID int64
	kind   Kind
	reason string
	until  workday.Date // 0 for none
}

// hide hides or deactivates users, in a number of statements that does not depend
// on theirs.
func (t *transaction) hide(ctx context.Context, state State, source Source, all []newHiding) (hidden Result, err error) {
	ids := make([]int64, len(all))
	for i, h := range all {
		ids[i] = h.userID
	}
	broken, err := t.hold(ctx, ids, func(ctx context.Context) (err error) {
		hidden, err = t.hideAll(ctx, state, source, all)
		return err
	})
	hidden.Broken = broken
	return hidden, err
}

func (t *transaction) hideAll(ctx context.Context, state State, source Source, all []newHiding) (Result, error) {
	set, err := t.nextSet(ctx)
	if err != nil {
		return Result{}, err
	}
	arg := insertHidingsParams{
		CompanyID: t.by.CompanyID, State: state, Source: source, Now: t.now, HiddenBy: queries.OrNil(t.by.UserID), HiddenByName: t.by.Name, HiddenIn: set,
	}
	for _, h := range all {
		arg.UserIds, arg.Kinds, arg.Reasons = append(arg.UserIds, h.userID), append(arg.Kinds, string(h.kind)), append(arg.Reasons, h.reason)
		until := ""
		if h.until != 0 {
			until = h.until.String()
		}
		arg.Until = append(arg.Until, until)
	}
	names, err := t.hideable(ctx, state, arg.UserIds)
	if err != nil {
		return Result{}, err
	}
	if err := t.hideUsers(ctx, hideUsersParams{CompanyID: t.by.CompanyID, Ids: arg.UserIds, Now: t.now, State: string(state)}); err != nil {
		return Result{}, err
	}
	if err := identity.EndAccess(ctx, t.tx, t.by, identity.AccessEnd{UserIDs: arg.UserIds, Reason: string(state), At: t.now}); err != nil {
		return Result{}, fmt.Errorf("end the access of %s users: %w", state, err)
	}
	rows, err := t.insertHidings(ctx, arg)
	if err != nil {
		return Result{}, err
	}
	ids := map[int64]int64{}
	for _, row := range rows {
		ids[row.UserID] = row.ID
	}
	result := Result{Set: set}
	var changes []queries.Change
	for _, h := range all {
		result.People = append(result.People, Named{h.userID, names[h.userID]})
		change := queries.Change{
			Action: "user.hidden", ObjectType: "user", ObjectID: h.userID, ObjectName: names[h.userID],
			New: Record{ID: ids[h.userID], Kind: h.kind, Reason: h.reason, ShowAgainOn: h.until},
		}
		if state == Deactivated {
			change.Action, change.New = "user.deactivated", Record{ID: ids[h.userID], Source: source, Reason: h.reason}
		}
		changes = append(changes, change)
	}
	if err := t.shared.RecordChanges(ctx, t.by, t.now, changes); err != nil {
		return Result{}, err
	}
	if state == Deactivated {
		err = t.publish(ctx, "user.deactivated", arg.UserIds)
	} else {
		err = t.publish(ctx, "user.hidden", arg.UserIds)
	}
	if err != nil {
		return Result{}, err
	}
	return result, t.publish(ctx, "session.revoke", arg.UserIds)
}

// publish tells other programs of users, in messages of at most MaxPeople.
func (t *transaction) publish(ctx context.Context, messageType string, ids []int64) error {
	for some := range slices.Chunk(ids, MaxPeople) {
		if err := t.shared.Publish(ctx, t.by.CompanyID, t.now, messageType, message{some}); err != nil {
			return err
		}
	}
	return nil
}

// Record is a hiding or a deactivation in the change log.
type Record struct {
	ID     int64  `json:"hiding_id"`
	Kind   Kind   `json:"kind,omitempty"`   // of a hiding
	Source Source `json:"source,omitempty"` // of a deactivation
	Reason string `json:"reason"`

	ShowAgainOn workday.Date `json:"show_again_on,omitempty"`
}

// message is what other programs are told of users who were hidden or shown.
type message struct {
	UserIDs []int64 `json:"user_ids"`
}

// hideable refuses users who cannot be hidden or deactivated, and returns the names
// of the others. The ids are in ascending order.
func (t *transaction) hideable(ctx context.Context, state State, ids []int64) (map[int64]string, error) {
	users, err := t.usersToHide(ctx, usersToHideParams{t.by.CompanyID, append(ids[:len(ids):len(ids)], t.by.UserID)})
	if err != nil {
		return nil, err
	}
	names := map[int64]string{}
	refused := map[queries.Invalid][]Named{}
	refuse := func(why queries.Invalid, u usersToHideRow) { refused[why] = append(refused[why], Named{u.ID, u.Name}) }
	var administrators []Named
	for _, u := range users {
		if u.ID == t.by.UserID && u.HiddenAt != nil {
			return nil, queries.Invalid("session.hidden") // somebody has hidden the actor meanwhile
		}
		if _, asked := slices.BinarySearch(ids, u.ID); !asked {
			continue
		}
		names[u.ID] = u.Name
		switch {
		case u.ID == t.by.UserID:
			refuse(RefusedSelf, u)
		case u.Bot:
			refuse(RefusedBot, u)
		case u.DeactivatedAt != nil:
			refuse(RefusedLeft, u)
		case state == Hidden && u.HiddenAt != nil:
			refuse(RefusedHidden, u)
		case u.IsAdmin:
			administrators = append(administrators, Named{u.ID, u.Name})
		}
	}
	if len(names) < len(ids) {
		return nil, &Refusal{Why: RefusedUnknown}
	}
	for _, why := range []queries.Invalid{RefusedSelf, RefusedBot, RefusedLeft, RefusedHidden} {
		if len(refused[why]) > 0 {
			return nil, &Refusal{state.refused(why), refused[why]}
		}
	}
	if len(administrators) == 0 {
		return names, nil
	}
	others, err := directory.New(t.tx).OtherAdministrators(ctx, directory.OtherAdministratorsParams{CompanyID: t.by.CompanyID, Ids: ids})
	if err == nil && others == 0 {
		err = &Refusal{state.refused(RefusedLast), administrators}
	}
	return names, err
}
