package demo

import (
	"bytes"
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"officeconsole/blobs"
	"officeconsole/queries"
	"officeconsole/queries/link"
)

// links creates the common links, with banners if there is a store of files, and
// changes the services.
func (f *filler) links(ctx context.Context, c *Company) error {
	keys, err := f.banners(ctx, c)
	if err != nil {
		return err
	}
	by := f.actor(c, admin)
	for i, l := range c.Links {
		draft := link.Draft{Name: l.Name, Description: l.Description, URL: l.URL, Visible: true, IconVisible: l.IconVisible, Banner: keys[i]}
		id, err := link.NewLoader(f.tx, l.Created).Create(ctx, by, draft)
		if err == nil && !l.Visible {
			draft.Visible = false
			err = link.NewLoader(f.tx, l.Hidden).Update(ctx, by, id, 0, func(link.Draft) link.Draft { return draft })
		}
		if err != nil {
			return fmt.Errorf("link %s: %w", l.Name, err)
		}
	}
	for _, s := range c.Services {
		if err := changeService(ctx, link.NewLoader(f.tx, s.At), by, s); err != nil {
			return fmt.Errorf("service %s: %w", s.ID, err)
		}
	}
	return nil
}

func changeService(ctx context.Context, links *link.Store, by queries.Actor, s ServiceChange) error {
	if s.After != "" {
		_, err := links.MoveService(ctx, by, s.ID, s.After)
		return err
	}
	hidden := link.Visibility{}
	for _, platform := range s.HiddenOn {
		hidden[platform] = false
	}
	return links.SetServiceVisibility(ctx, by, s.ID, hidden)
}

// filesAtOnce is the number of pictures that are stored at the same time, because a
// store waits for its disk or network.
const filesAtOnce = 8

// banners stores the banners of the links, and returns their keys by the index of
// the link: "" for a link without a banner.
func (f *filler) banners(ctx context.Context, c *Company) ([]string, error) {
	keys := make([]string, len(c.Links))
	if f.files == nil {
		return keys, nil
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(filesAtOnce)
	for i, l := range c.Links {
		if l.Banner == "" {
			continue
		}
		group.Go(func() error {
			var err error
			keys[i], err = storeBanner(ctx, f.files, f.companyID, l.Banner)
			return err
		})
	}
	return keys, group.Wait()
}

func storeBanner(ctx context.Context, files blobs.Store, companyID int64, name string) (key string, err error) {
	content, err := drawBanner(name)
	if err != nil {
		return "", err
	}
	blob, err := files.Put(ctx, companyID, bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return "", fmt.Errorf("banner %s: %w", name, err)
	}
	return blob.Key, nil
}
