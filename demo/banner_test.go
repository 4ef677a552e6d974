package demo

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"slices"
	"testing"

	"officeconsole/queries/link"
)

// Every banner has the size in which banners are stored, is drawn the same every
// time, and belongs to one link.
func TestBanners(t *testing.T) {
	if bannerWidth != 2*link.BannerWidth || bannerHeight != 2*link.BannerHeight {
		t.Errorf("banners are drawn in %d×%d", bannerWidth, bannerHeight)
	}
	drawn := map[string]string{}
	for name := range posters {
		content, err := drawBanner(name)
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(bytes.NewReader(content))
		if err != nil || config.Width != bannerWidth || config.Height != bannerHeight {
			t.Errorf("%s: %d×%d, %v", name, config.Width, config.Height, err)
		}
		stored, err := link.ConvertBanner(bytes.NewReader(content))
		if err != nil || stored.Width != bannerWidth || stored.Height != bannerHeight {
			t.Errorf("%s uploaded: %d×%d, %v", name, stored.Width, stored.Height, err)
		}
		if again, err := drawBanner(name); err != nil || !bytes.Equal(again, content) {
			t.Errorf("%s is drawn differently the second time: %v", name, err)
		}
		if other, ok := drawn[string(content)]; ok {
			t.Errorf("%s and %s are the same", name, other)
		}
		drawn[string(content)] = name
	}
	var used []string
	for _, d := range slices.Concat(hanbitLinks, otherLinks) {
		if d.banner != "" {
			used = append(used, d.banner)
		}
	}
	slices.Sort(used)
	if len(slices.Compact(slices.Clone(used))) != len(used) || len(used) != len(posters) {
		t.Errorf("%d drawings, used are %v", len(posters), used)
	}
	if _, err := drawBanner("nothing"); err == nil {
		t.Error("an unknown banner was drawn")
	}
}

// The pixels that cover does not compute are what they would be otherwise.
func TestCoverOfEveryShape(t *testing.T) {
	mask := image.NewAlpha(image.Rect(0, 0, bannerWidth, bannerHeight))
	for name, p := range posters {
		for i, l := range p.layers {
			l.shape.cover(mask)
			for y := range bannerHeight {
				for x := range bannerWidth {
					share := min(max(0.5-l.shape(float64(x)+0.5, float64(y)+0.5), 0), 1)
					if got := float64(mask.AlphaAt(x, y).A) / 255; math.Abs(got-share) > 0.5/edgeShades+0.01 {
						t.Fatalf("%s, layer %d: the pixel at %d, %d is covered by %.2f, want %.2f", name, i, x, y, got, share)
					}
				}
			}
		}
	}
}

func BenchmarkBanners(b *testing.B) {
	for b.Loop() {
		for name := range posters {
			if _, err := drawBanner(name); err != nil {
				b.Fatal(err)
			}
		}
	}
}
