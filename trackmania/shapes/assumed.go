package shapes

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pakbox/gbx"
	"pakbox/trackmania/blocks"
)

// Assumed returns a stand-in for a block that is not in the catalogue. Its heights come
// from recorded cars on this block, or on blocks whose names begin alike. It returns nil
// if no car drove on such a block.
func Assumed(environment, name string) *blocks.Block {
	if p := assumed()[environment+" "+name]; p != nil {
		return p
	}
	for _, words := range []int{3, 2, 1} {
		if p := assumed()[environment+" "+beginning(name, words)]; p != nil {
			return p
		}
	}
	return nil
}

// assumed holds the stand-ins, by environment and name.
var assumed = sync.OnceValue(func() map[string]*blocks.Block {
	all := map[string]*blocks.Block{}
	add := func(key string) {
		environment, name, _ := strings.Cut(key, " ")
		all[key] = StandIn(environment, name)
	}
	for key := range bases() {
		add(key)
	}
	for key := range learned() {
		add(key)
	}
	return all
})

var curveSize = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`Curve([2-5])`) })

// StandIn makes a block from its name alone. A curve of radius n takes n × n cells, as in
// all environments whose cells are known.
func StandIn(environment, name string) *blocks.Block {
	b := &blocks.Block{Name: name, Environment: environment, Confidence: 'D'}
	if m := curveSize().FindStringSubmatch(name); m != nil {
		n, _ := strconv.Atoi(m[1])
		b.Ground = blocks.Cells{Size: gbx.Int3{X: int32(n), Y: 1, Z: int32(n)}, Full: true}
		b.Air = b.Ground
	}
	return b
}
