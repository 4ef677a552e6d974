package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/seal"
)

// The codes of an authenticator app, as every app computes them (RFC 6238): six
// digits of SHA-1 that change every thirty seconds. The clock of a phone may be one
// step off.
const (
	codeStep = 30 // seconds
	codeSkew = 1  // steps
)

// Refusals of codes.
const (
	errCode     = queries.Invalid("factor.code.wrong")
	errCodeUsed = queries.Invalid("factor.code.used")
	errNoCode   = queries.Invalid("factor.code.form") // which is no guess, so it does not count as one
)

var appCode = regexp.MustCompile(`^[0-9]{6}$`)

// App is the authenticator app of a person.
type App struct {
	Secret      string // while it is being enrolled, otherwise ""
	ConfirmedAt time.Time
	UsedAt      *time.Time
}

// App returns a person's authenticator app; the zero App without one.
func (s *Store) App(ctx context.Context, companyID, userID int64) (App, error) {
	row, err := s.authenticatorApp(ctx, authenticatorAppParams{companyID, userID})
	switch {
	case errors.Is(err, queries.NotFound):
		return App{}, nil
	case err != nil:
		return App{}, err
	case row.ConfirmedAt == nil:
		secret, err := s.appSecret(ctx, row)
		return App{Secret: secret}, err
	}
	return App{ConfirmedAt: *row.ConfirmedAt, UsedAt: row.UsedAt}, nil
}

// EnrolApp begins to enrol an authenticator app. Its secret is new each time, and
// counts once a code of it was given to ConfirmApp. It is a Conflict where there is an
// app.
func (s *Store) EnrolApp(ctx context.Context, of directory.Person) error {
	sealed, err := s.db.SealSecret(ctx, appSecretField(of.CompanyID, of.ID), newAppSecret())
	if err != nil {
		return err
	}
	n, err := s.insertAuthenticatorApp(ctx, insertAuthenticatorAppParams{CompanyID: of.CompanyID, UserID: of.ID, Secret: sealed, Now: s.db.Now()})
	if err == nil && n == 0 {
		err = queries.Conflict("factor.app.exists")
	}
	return err
}

// newAppSecret returns a new secret in the letters of the key that people type.
func newAppSecret() string {
	secret := make([]byte, 20)
	rand.Read(secret)
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
}

// appSecretField is where the secret of a person's app is sealed.
func appSecretField(companyID, userID int64) seal.Field {
	return seal.Field{Table: "authenticator_apps", Column: "secret", CompanyID: companyID, RowID: userID}
}

// appSecret returns the secret of an app. It refuses with secret.unavailable where it
// cannot be opened.
func (s *Store) appSecret(ctx context.Context, app AuthenticatorApp) (string, error) {
	return s.db.OpenSecret(ctx, appSecretField(app.CompanyID, app.UserID), app.Secret)
}

// CancelApp ends an enrolment.
func (s *Store) CancelApp(ctx context.Context, of directory.Person) error {
	_, err := s.deleteAuthenticatorApp(ctx, deleteAuthenticatorAppParams{of.CompanyID, of.ID, false})
	return err
}

// ConfirmApp completes an enrolment with a code of the app. It returns recovery codes
// where the person had no second factor before. It refuses with factor.code.digits what
// cannot be a code, with factor.code.wrong, and with session.locked after too many wrong
// ones. Conflict means that nothing is being enrolled.
func (s *Store) ConfirmApp(ctx context.Context, in SignedIn, from Client, code string) (codes []string, err error) {
	app, err := s.authenticatorApp(ctx, authenticatorAppParams{in.CompanyID, in.ID})
	if errors.Is(err, queries.NotFound) || err == nil && app.ConfirmedAt != nil {
		return nil, queries.Conflict("factor.app.gone")
	}
	if err != nil {
		return nil, err
	}
	if code = normalCode(code); !appCode.MatchString(code) {
		return nil, queries.Invalid("factor.code.digits")
	}
	subject := confirmationSubject(in.Person, in.SignInID) + ":app"
	if err := s.limitTries(ctx, subject); err != nil {
		return nil, err
	}
	secret, err := s.appSecret(ctx, app)
	if err != nil {
		return nil, err
	}
	step, ok := stepOf(secret, code, s.db.Now())
	if !ok {
		return nil, errCode
	}
	set, err := newRecoverySet(ctx)
	if err != nil {
		return nil, err
	}
	err = s.changeFactors(ctx, in, from, reasonAppAdded, func(ctx context.Context, t *transaction, before Factors) error {
		n, err := t.confirmAuthenticatorApp(ctx, confirmAuthenticatorAppParams{CompanyID: in.CompanyID, UserID: in.ID, Secret: app.Secret, Now: t.now, Step: step})
		if err != nil {
			return err
		}
		if n == 0 {
			return queries.Conflict("factor.app.gone")
		}
		if err := t.forgetTries(ctx, subject); err != nil {
			return err
		}
		codes, err = t.begin(ctx, in, before, factorApp, set)
		return err
	})
	return codes, err
}

// DeleteApp deletes a person's own authenticator app. NotFound means that there is
// none, and factor.last that the person must have a second factor.
func (s *Store) DeleteApp(ctx context.Context, in SignedIn, from Client) error {
	return s.changeFactors(ctx, in, from, reasonAppRemoved, func(ctx context.Context, t *transaction, _ Factors) error {
		n, err := t.deleteAuthenticatorApp(ctx, deleteAuthenticatorAppParams{in.CompanyID, in.ID, true})
		if err == nil && n == 0 {
			err = queries.NotFound
		}
		if err != nil {
			return err
		}
		return t.afterDeletion(ctx, in)
	})
}

// takeAppCode accepts a code of a person's app once.
func (s *Store) takeAppCode(ctx context.Context, of directory.Person, code string) error {
	app, err := s.authenticatorApp(ctx, authenticatorAppParams{of.CompanyID, of.ID})
	if errors.Is(err, queries.NotFound) || err == nil && app.ConfirmedAt == nil {
		return errCode
	}
	if err != nil {
		return err
	}
	secret, err := s.appSecret(ctx, app)
	if err != nil {
		return err
	}
	step, ok := stepOf(secret, code, s.db.Now())
	if !ok {
		return errCode
	}
	n, err := s.takeStep(ctx, takeStepParams{CompanyID: of.CompanyID, UserID: of.ID, Step: step, Now: s.db.Now()})
	if err == nil && n == 0 {
		err = errCodeUsed
	}
	return err
}

// stepOf returns the step of which a code is, among those near a time.
func stepOf(secret, code string, at time.Time) (step int64, ok bool) {
	options := totp.ValidateOpts{Period: codeStep, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}
	now := at.Unix() / codeStep
	for s := now - codeSkew; s <= now+codeSkew; s++ {
		expected, err := totp.GenerateCodeCustom(secret, time.Unix(s*codeStep, 0), options)
		if err == nil && subtle.ConstantTimeCompare([]byte(expected), []byte(code)) == 1 {
			step, ok = s, true
		}
	}
	return step, ok
}

// normalCode returns a code as it is compared: people type spaces and dashes.
func normalCode(code string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || r == '-' || r == 0:
			return -1
		case r >= '０' && r <= '９': // as Japanese keyboards type digits
			return r - '０' + '0'
		}
		return unicode.ToUpper(r)
	}, cut(code, 100))
}
