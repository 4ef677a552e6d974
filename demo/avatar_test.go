package demo

import (
	"bytes"
	"image/png"
	"math/rand/v2"
	"testing"

	"officeconsole/picture"
)

// Every picture of people is small, has the size of pictures and is unlike the
// others.
func TestAvatars(t *testing.T) {
	if avatars < 120 {
		t.Errorf("%d pictures", avatars)
	}
	drawn := map[string]int{}
	for number := 1; number <= avatars; number++ {
		content, err := drawAvatar(number)
		if err != nil {
			t.Fatal(err)
		}
		if len(content) > 6_000 {
			t.Errorf("%d: %d bytes", number, len(content))
		}
		config, err := png.DecodeConfig(bytes.NewReader(content))
		if err != nil || config.Width != avatarSide || config.Height != avatarSide {
			t.Errorf("%d: %d×%d, %v", number, config.Width, config.Height, err)
		}
		if other, ok := drawn[string(content)]; ok {
			t.Errorf("%d and %d are the same", number, other)
		}
		drawn[string(content)] = number
	}
}

// A picture is drawn the same every time, and an upload would accept it. Every
// eleventh is asked, which are some of each motif: the race detector makes drawing
// slow.
func TestAvatarsAreStable(t *testing.T) {
	for number := 1; number <= avatars; number += 11 {
		content, err := drawAvatar(number)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := picture.Convert(bytes.NewReader(content), picture.Options{MaxBytes: 1 << 20, MaxPixels: 1 << 20})
		if err != nil || stored.Width != avatarSide || stored.Height != avatarSide {
			t.Errorf("%d: %d×%d: %v", number, stored.Width, stored.Height, err)
		}
		if again, err := drawAvatar(number); err != nil || !bytes.Equal(again, content) {
			t.Errorf("%d is drawn differently the second time: %v", number, err)
		}
	}
}

// A person has any motif but that of bots, which have no other.
func TestAvatarsOfPeopleAndBots(t *testing.T) {
	people, bots := map[int]bool{}, map[int]bool{}
	r := rand.New(rand.NewPCG(1, 2))
	for number := range 5000 {
		people[personAvatar(r.IntN(1000))] = true
		bots[botAvatar(number)] = true
	}
	if len(people) != avatars-len(colourings) || len(bots) != len(colourings) {
		t.Errorf("%d and %d pictures of %d", len(people), len(bots), avatars)
	}
	for number := range bots {
		if people[number] || number < 1 || number > avatars {
			t.Errorf("a bot has the picture %d", number)
		}
	}
}

func BenchmarkAvatars(b *testing.B) {
	for b.Loop() {
		if _, err := drawAvatars(); err != nil {
			b.Fatal(err)
		}
	}
}
