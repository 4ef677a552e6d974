package settings

import "net/url"

// User is a person's id, stored as int64. This package does not check that the
// person exists.
type User struct{}

var userID = Int{Min: 1, Max: 1<<53 - 1} // the range that every JSON decoder reads exactly

func (User) read(r *reader, path string, raw, missing any) any {
	return userID.read(r, path, raw, missing)
}

func (User) posted(f url.Values, name string) (any, bool) { return userID.posted(f, name) }

func (User) fill(f url.Values, name string, stored any) { userID.fill(f, name, stored) }

func (User) schema() map[string]any { return userID.schema() }

func (User) value(_ string, stored any) Value { return Value{Shape: ShapeUser, Number: stored.(int64)} }
