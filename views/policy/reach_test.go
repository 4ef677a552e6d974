package policy

import (
	"math"
	"testing"

	"officeconsole/queries/policy"
)

// The areas of a map are proportional to the people, and no cell lies outside of its
// group or upon another one.
func TestReachMap(t *testing.T) {
	part := func(people int) policy.ReachPart { return policy.ReachPart{People: people} }
	group := func(parts ...int) (g policy.ReachGroup) {
		for _, people := range parts {
			g.People += people
			g.Parts = append(g.Parts, part(people))
		}
		return g
	}
	groups := reachMap([]policy.ReachGroup{group(168, 142, 74, 42), group(231, 141), group(164, 118, 62, 58), group(1)})
	perPerson := 0.0
	for _, g := range groups {
		area := 0.0
		for i, c := range g.cells {
			area += c.width * c.height
			if c.x < g.x-.01 || c.x+c.width > g.x+g.width+.01 || c.y < mapHead-.01 || c.y+c.height > mapHeight {
				t.Errorf("cell %+v is outside of its group", c)
			}
			for _, other := range g.cells[:i] {
				if c.x < other.x+other.width-.01 && other.x < c.x+c.width-.01 && c.y < other.y+other.height-.01 && other.y < c.y+c.height-.01 {
					t.Errorf("cell %+v lies upon %+v", c, other)
				}
			}
			each := c.width * c.height / float64(c.part.People)
			if perPerson == 0 {
				perPerson = each
			}
			if math.Abs(each-perPerson) > .01 {
				t.Errorf("a person of %+v has %.2f, others %.2f", c, each, perPerson)
			}
		}
		if math.Abs(area-g.width*(mapHeight-mapHead-1)) > .1 {
			t.Errorf("the cells of %+v do not fill it", g)
		}
	}
	if last := groups[len(groups)-1]; math.Abs(last.x+last.width-mapWidth) > .01 {
		t.Errorf("the groups end at %.1f", last.x+last.width)
	}
	if reachMap(nil) != nil || reachMap([]policy.ReachGroup{group(0)}) != nil {
		t.Error("nobody has a map")
	}
}

func TestFitText(t *testing.T) {
	for text, want := range map[string]string{"메신저팀": "메신저팀", "메신저플랫폼팀": "메신저…", "Messenger platform": "Messen…", "Sales": "Sales", "": ""} {
		if got := fitText(text, 50); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
