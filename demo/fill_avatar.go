package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// avatar is a picture that several people of a company have.
type avatar struct {
	content []byte // PNG
	hash    string // of the content, as in the key of a blob
	used    bool   // by the company that is being filled
}

// drawAvatars draws all pictures of people, in the order of their numbers.
func drawAvatars() ([]avatar, error) {
	all := make([]avatar, avatars)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range all {
		group.Go(func() error {
			content, err := drawAvatar(i + 1)
			if err != nil {
				return fmt.Errorf("avatar %d: %w", i+1, err)
			}
			sum := sha256.Sum256(content)
			all[i] = avatar{content: content, hash: hex.EncodeToString(sum[:])}
			return nil
		})
	}
	return all, group.Wait()
}

// avatar returns the hash of the picture with a number, and nil for 0. The picture
// is stored by storeAvatars.
func (f *filler) avatar(number int) *string {
	if number == 0 || len(f.avatars) == 0 {
		return nil
	}
	a := &f.avatars[number-1]
	a.used = true
	return &a.hash
}

// storeAvatars stores the pictures that people of the company have.
func (f *filler) storeAvatars(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(filesAtOnce)
	for i := range f.avatars {
		a := &f.avatars[i]
		if !a.used {
			continue
		}
		a.used = false
		group.Go(func() error {
			_, err := f.files.Put(ctx, f.companyID, bytes.NewReader(a.content), int64(len(a.content)))
			return err
		})
	}
	return group.Wait()
}
