package shapes

import (
	"fmt"
	"strings"
	"sync"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// undress removes the words of names for things on a road, or below it, the
// longer of two that begin alike. Blocks whose names differ only in these have the same
// surface: StadiumRoadMainTurboUp and StadiumRoadMainCheckpointUp.
var undress = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for _, word := range strings.Fields(`CheckPoint Checkpoint TurboRoulette1 TurboRoulette2 TurboRoulette Turbo1 Turbo2 Turbo
		FreeWheeling FW StartFinishLine StartFinish FinishLine Finish StartLine RoadPaint Screen Office Windows WithBirds
		WithoutPole Support NoPillar Pub1 Pub2 Pub Bumper Boost1 Boost2 Boost Camera Glass Fence Straight`) {
		pairs = append(pairs, word, "")
	}
	return strings.NewReplacer(pairs...)
})

// kin names all that blocks with the same surface, or the mirror image of it, share: the
// environment, the name without its dress, the variant, and the cells.
func (k Key) kin() string {
	size := k.size()
	name := strings.TrimSuffix(strings.TrimSuffix(k.Kind.Name, mirror), "_")
	return fmt.Sprint(k.Kind.Environment, " ", undress().Replace(name), "/", k.Variant, " ", size.X, size.Z)
}

// mirror ends the names of mirror images.
const mirror = "Mirror"

func (l *lessons) findKins() map[string]*profile {
	all := map[string]*profile{}
	for name, p := range l.learned() {
		environment, block, _ := strings.Cut(name, " ")
		block, variant, _ := strings.Cut(block, "/")
		k := Key{Kind: blocks.Find(environment, block)}
		if k.Kind == nil {
			k.Kind = StandIn(environment, block)
		}
		fmt.Sscan(variant, &k.Variant)
		if !k.Driven() {
			continue
		}
		if other := all[k.kin()]; other == nil || p.samples > other.samples || p.samples == other.samples && p.name < other.name {
			all[k.kin()] = p
		}
	}
	return all
}

// profile is what was learned about a block, or about its kin; nil where nothing was.
func (k Key) profile(cell gbx.Vec3) *profile {
	if k.Driven() {
		return lessonsOf(k.Kind.Environment).learned()[k.name()]
	}
	p := lessonsOf(k.Kind.Environment).kins()[k.kin()]
	if p != nil && strings.HasSuffix(p.name, mirror) != strings.HasSuffix(k.name(), mirror) {
		image := (*profile)(nil).with(p, 0, float64(k.size().X)*float64(cell.X), 0)
		image.name = p.name
		return image
	}
	return p
}

// Driven reports whether enough recorded cars drove on blocks of this kind for its size, so
// that even scenery has a surface.
func (k Key) Driven() bool {
	if !k.Kind.ByVariant {
		k.Variant = 0
	}
	p, size := lessonsOf(k.Kind.Environment).learned()[k.name()], k.size()
	return p != nil && 2*p.samples >= int(size.X*size.Z)
}
