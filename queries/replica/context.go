package replica

import "context"

type (
	chosenKey struct{}
	userKey   struct{}
)

// With returns a context whose statements read from a replica.
func With(ctx context.Context, r *Replica) context.Context {
	return context.WithValue(ctx, chosenKey{}, r)
}

// Without returns a context whose statements read from the database that takes the
// writes: what is cached, or decides what somebody may see, must not be old.
func Without(ctx context.Context) context.Context {
	if From(ctx) == nil {
		return ctx
	}
	return With(ctx, nil)
}

// From returns the replica that the statements of a context read from, or nil.
func From(ctx context.Context) *Replica {
	r, _ := ctx.Value(chosenKey{}).(*Replica)
	return r
}

// User is somebody who reads what they have written themselves. The id 0 stands for
// everybody of the company.
type User struct{ CompanyID, ID int64 }

// WithUser returns a context in which a user writes and reads.
func WithUser(ctx context.Context, u User) context.Context {
	return context.WithValue(ctx, userKey{}, u)
}

// UserFrom returns the user of a context, or false where there is none.
func UserFrom(ctx context.Context) (User, bool) {
	u, ok := ctx.Value(userKey{}).(User)
	return u, ok
}
